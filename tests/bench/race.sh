#!/bin/sh
# race.sh PROGRAM FOLDER: what extrapolation/race ships with, trained anew on this machine: FOLDER/copy.txt. The same bits on
# every run on one processor.
set -eu
program=$1 folder=$2
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$program" render extrapolation/race --set retrain=on -o "$made/race.svg" >/dev/null
"$program" inspect "$made/race.svg" | sed -n 's/^results = ["'"'"']\(.*\)["'"'"']$/\1/p' >"$made/copy.txt"
[ "$(wc -l <"$made/copy.txt")" -eq 1 ] || { echo "race: the recipe holds no results" >&2; exit 1; }
mkdir -p "$folder"
mv "$made/copy.txt" "$folder/copy.txt"
cat "$folder/copy.txt"
