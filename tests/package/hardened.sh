#!/bin/sh
# What the compiler was asked to do against faults, as it can be seen in what it made.
#
#   hardened.sh PROGRAM ARCHIVE        needs binutils, which every compiler has
set -eu
program=$1 archive=$2

fail() { echo "FAILED: $*"; exit 1; }
passed() { echo "ok: $*"; }
# has WHAT TEXT PATTERN
has() { printf '%s\n' "$2" | grep -Eq -- "$3" || fail "$1: no '$3' in what readelf says"; passed "$1"; }

header=$(readelf --wide --file-header "$program")
segments=$(readelf --wide --program-headers "$program")
dynamic=$(readelf --wide --dynamic "$program")
symbols=$(readelf --wide --dyn-syms "$program")

has 'it may lie anywhere in memory (PIE)' "$header" 'Type: +DYN'
has '  and says so' "$dynamic" 'FLAGS_1.*\bPIE\b'
has 'its table of functions is read-only once it runs (RELRO)' "$segments" 'GNU_RELRO'
has '  all of it: every function is looked up at the start' "$dynamic" 'BIND_NOW|FLAGS_1.*\bNOW\b'
printf '%s\n' "$segments" | grep 'GNU_STACK' | grep -q 'RWE' && fail "its stack can be run"
passed 'its stack cannot be run'
printf '%s\n' "$segments" | grep -E '^ +LOAD' | grep -Eq ' RWE ' && fail "a part of it can be written and run"
passed 'nothing can be written and run'
has 'stacks are guarded (stack protector)' "$symbols" ' __stack_chk_fail@'
has 'copies are checked (_FORTIFY_SOURCE)' "$symbols" ' __(memcpy|memmove|memset|snprintf|vsnprintf|fprintf|vfprintf|read|pread|pread64|strncpy)_chk@'

# A large array on the stack is touched page by page, so that no stack reaches over the page that guards it.
if [ "$(uname -m)" = x86_64 ]; then
  probes=$(objdump --disassemble --no-show-raw-insn "$archive" | grep -Ec 'or[ql] +\$0x0,(0x[0-9a-f]+)?\(%rsp\)' || true)
  [ "$probes" -gt 0 ] || fail "no stack is touched page by page (stack clash protection) in $archive"
  passed "large stacks are touched page by page (stack clash protection): at $probes places in $(basename "$archive")"
else
  echo "skipped: what touching a stack page by page looks like is known for x86-64 only"
fi
