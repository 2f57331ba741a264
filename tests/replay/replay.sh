#!/bin/sh
# Replays findings: what people once did to the program, and what came of it. Each is a script in findings/, named after
# the page and the number of the finding; its first comment says what was found. It ends with 0 where the program does
# now what it should, with 1 where the finding is still there, with 77 where something is missing to find out.
#
#   replay.sh PROGRAM [FINDING…]                  a line for each; exit 1 where one is still there
#   replay.sh --against OLD PROGRAM [FINDING…]    each on both: on OLD it must be there, on PROGRAM not
set -u
here=$(cd "$(dirname "$0")" && pwd)

absolute() { printf '%s/%s' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"; }

# one PROGRAM SCRIPT: runs it in a folder of its own; says its last line, returns its exit code.
one() {
  folder=$(mktemp -d)
  : >"$folder/processes"
  (
    cd "$folder" || exit 1
    export HOME="$folder" XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data" \
      XDG_CACHE_HOME="$folder/cache" LIBGL_ALWAYS_SOFTWARE=1
    program=$1 findings="$here" timeout -k 5 "${FINDING_SECONDS:-240}" sh -c '. "$findings/lib.sh"; . "$0"' "$2" >said 2>&1
  )
  status=$?
  while read -r process; do kill -9 "$process" 2>/dev/null; done <"$folder/processes"
  said=$(tail -n 1 "$folder/said")
  rm -rf "$folder"
  return "$status"
}

word() {
  case $1 in
    0) printf 'passes' ;;
    77) printf 'skipped' ;;
    124 | 137) printf 'HANGS' ;;
    *) printf 'FAILS' ;;
  esac
}

old=
if [ "${1:-}" = --against ]; then
  old=$(absolute "$2")
  shift 2
fi
[ $# -ge 1 ] && [ -x "$1" ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$(absolute "$1")
shift
[ $# -gt 0 ] || set -- $(cd "$here/findings" && ls | sed -n 's/\.sh$//p')

wrong=0
for name; do
  script=$here/findings/$name.sh
  [ -f "$script" ] || { echo "$name: there is no such finding" >&2; exit 2; }
  before=
  if [ -n "$old" ]; then
    one "$old" "$script"
    before=$?
    [ "$before" -ne 0 ] || wrong=1
    before="before: $(word $before)  "
  fi
  one "$program" "$script"
  now=$?
  [ "$now" -eq 0 ] || [ "$now" -eq 77 ] || wrong=1
  printf '%-44s %snow: %-8s%s\n' "$name" "$before" "$(word $now)" "${said:+ $said}"
done
exit "$wrong"
