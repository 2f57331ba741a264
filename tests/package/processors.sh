#!/bin/sh
# The program on processors that are older than the machine's: none of its instructions may be missing there, and its vectors
# are as wide as what is there. QEMU stands for them: qemu64 has what every x86-64 has, Nehalem SSE 4.2, Haswell AVX2.
#
#   processors.sh BUILD        needs qemu-x86_64, of Debian's qemu-user
set -eu
build=$1
[ "$(uname -m)" = x86_64 ] || { echo "skipped: no x86-64"; exit 77; }
command -v qemu-x86_64 >/dev/null || { echo "skipped: no qemu-x86_64 (package qemu-user)"; exit 77; }
export GOMP_SPINCOUNT=1000  # else the program starts itself again, on the machine's own processor

fail() { echo "FAILED: $*"; exit 1; }

# Which vectors a library of Debian 12 or a newer one chooses there.
for known in "qemu64 SCALAR EMU128 SSE2" "Nehalem SSE2 SSSE3 SSE4" "Haswell AVX2"; do
  processor=${known%% *} scratch=$(mktemp)
  on() { qemu-x86_64 -cpu "$processor" "$@" 2>"$scratch"; }
  failed() { cat "$scratch"; rm -f "$scratch"; fail "$processor: $*"; }
  said=$(on "$build/orrery" --version --verbose | awk '$1 == "vectors" { print $2 }')
  case " ${known#* } " in
    *" $said "*) ;;
    *) failed "vectors are '$said', none of ${known#* }" ;;
  esac
  for tests in norm activation embedding; do
    on "$build/tests/${tests}_tests" --gtest_brief=1 >/dev/null || failed "$tests"
  done
  rm -f "$scratch"
  echo "ok: $processor, $said"
done
