# Words before a command were read and meant nothing.
refused() {
  code=0
  "$program" "$@" >said 2>errors || code=$?
  [ "$code" -eq 2 ] || fail "$*: exit code $code"
  [ "$(wc -l <errors)" -eq 1 ] && [ ! -s said ] || fail "$*: more than one line"
}
refused --theme nosuch --scale 99 list
refused nofile.pdf list
"$program" list >/dev/null 2>errors || fail "list alone: $(cat errors)"
