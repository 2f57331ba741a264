#!/bin/sh
# Shows that figures do not depend on how many are made at a time. By hand: it takes a while.
#
#   jobs.sh PROGRAM FOLDER_OF_RECIPES [TIMES]     every recipe TIMES times (20) with 2, 4 and 8 jobs, beside one job
#   RECIPES="zh fonts" JOBS=8 jobs.sh …           only those recipes, only that many jobs
set -u
[ $# -ge 2 ] && [ -x "$1" ] && [ -d "$2" ] || { sed -n '4,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 recipes=$2 times=${3:-20}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM HUP

wrong=0
for file in "$recipes"/*.toml; do
  name=$(basename "$file" .toml)
  case " ${RECIPES:-$name} " in *" $name "*) ;; *) continue ;; esac
  "$program" batch "$file" -o "$folder/one" --jobs 1 >/dev/null || { echo "$name: one job: exit code $?"; exit 1; }
  for jobs in ${JOBS:-2 4 8}; do
    bad=0 time=0
    while [ "$time" -lt "$times" ]; do
      time=$((time + 1))
      code=0
      "$program" batch "$file" -o "$folder/many" --jobs "$jobs" >/dev/null 2>"$folder/errors" || code=$?
      if [ "$code" -ne 0 ]; then
        bad=$((bad + 1))
        echo "$name, $jobs jobs, time $time: exit code $code: $(tail -n 1 "$folder/errors")"
      elif ! diff -rq "$folder/one" "$folder/many" >"$folder/differing"; then
        bad=$((bad + 1))
        echo "$name, $jobs jobs, time $time: $(wc -l <"$folder/differing") differ: $(head -n 1 "$folder/differing")"
      fi
      rm -rf "$folder/many"
    done
    [ "$bad" -eq 0 ] || wrong=1
    echo "$name, $jobs jobs: $((times - bad)) of $times times the same $(ls "$folder/one" | wc -l) files"
  done
  rm -rf "$folder/one"
done
exit "$wrong"
