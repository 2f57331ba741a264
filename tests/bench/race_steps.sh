#!/bin/sh
# race_steps.sh PROGRAM [SCHEME…]: the first hundred steps of a training on chains, here and in PyTorch from the same weights and
# the same batches. Exit code 1 where they are not one training.
set -eu
program=$1
shift
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
export OMP_NUM_THREADS=1
[ $# -gt 0 ] || set -- rope none alibi sinusoidal
for scheme; do
  case $scheme in
    rope | none | alibi | sinusoidal) ;;
    *) echo "race --steps: '$scheme' is not known; allowed: rope, none, alibi, sinusoidal" >&2; exit 2 ;;
  esac
  echo "$scheme"
  mkdir "$made/$scheme"
  "$program" "$made/$scheme" "$scheme" 1 100
  /usr/bin/python3 -B tests/reference/race_steps.py compare "$made/$scheme" 100
done
