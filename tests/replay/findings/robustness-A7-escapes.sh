# Line ends and a terminal's commands in a path were printed raw.
escape=$(printf '\033')
path=$(printf 'a\033[31m\nb.pdf')
"$program" render rope/rotation -o "$path" >said 2>errors || fail "$(tail -n 1 errors)"
! grep -q "$escape" said || fail "an escape sequence reaches the terminal"
grep -q 'a\\u001B\[31m\\nb.pdf' said || fail "it said: $(head -n 2 said)"
