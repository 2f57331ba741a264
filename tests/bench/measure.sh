#!/bin/sh
# measure.sh PROGRAM FOLDER: what studies that measure ship with, made anew on this machine: FOLDER/norms.txt. Nothing else
# should run meanwhile.
set -eu
program=$1 folder=$2
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for size in memory caches; do
  "$program" render norm/speed --set measure=on --set size=$size -o "$made/speed.svg" >/dev/null
  "$program" inspect "$made/speed.svg" | sed -n 's/^results = ["'"'"']\(.*\)["'"'"']$/\1/p'
done >"$made/norms.txt"
[ "$(wc -l <"$made/norms.txt")" -eq 2 ] || { echo "measure: the recipes hold no results" >&2; exit 1; }
mv "$made/norms.txt" "$folder/norms.txt"
cat "$folder/norms.txt"
