#!/bin/sh
# race.sh PROGRAM FOLDER [NAME…]: what trained studies ship with, trained anew on this machine: FOLDER/NAME.txt, all of them or
# those that are named. The same bits on every run on one processor, but for what norm.txt says of time. Models are kept
# ($ORRERY_TRAININGS): what was stopped goes on where it was, and what is done is only tested again.
set -eu
program=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- race rescue growth placement norm
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir -p "$folder"

# line STUDY NAME=VALUE…: the results that the recipe of a trained figure keeps.
line() {
  study=$1
  shift
  options=
  for each; do options="$options --set $each"; done
  # shellcheck disable=SC2086  # one word to a setting
  "$program" render "$study" --set retrain=on $options -o "$made/one.svg" >/dev/null
  "$program" inspect "$made/one.svg" | sed -n 's/^results = ["'"'"']\(.*\)["'"'"']$/\1/p'
}

# joined STUDY "NAME=VALUE…"…: one line of a figure for each word, the machine and the steps said once.
joined() {
  figure=$1 first=
  shift
  for settings; do
    # shellcheck disable=SC2086  # several settings in one word
    one=$(line "$figure" $settings)
    if [ -z "$first" ]; then first=$one; printf '%s' "$one"; else printf '; %s' "${one#*; *; }"; fi
  done
  printf '\n'
}

for name; do
  case $name in
    # On chains of 64 seeds differ most, and there are as many of PyTorch's (tests/reference/race.json).
    race) joined extrapolation/race "task=copy seeds=3" "task=chains seeds=8" task=long_chains ;;
    rescue) line extrapolation/rescue seeds=3 ;;
    growth)
      joined extrapolation/train scheme=rope scheme=alibi scheme=t5 scheme=none scheme=learned scheme=sinusoidal task=chains ;;
    placement) line block/training ;;
    norm) line norm/training ;;
    *) echo "race: found '$name'; allowed: race, rescue, growth, placement, norm" >&2; exit 2 ;;
  esac >"$made/$name.txt"
  [ "$(wc -l <"$made/$name.txt")" -eq 1 ] || { echo "race: the recipe holds no results: $name" >&2; exit 1; }
  mv "$made/$name.txt" "$folder/$name.txt"
  echo "$folder/$name.txt"
done
