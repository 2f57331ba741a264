# Where four files may be open the figure came in another typeface.
code=0
(exec >/dev/null 2>errors && ulimit -n 4 && exec "$program" render rope/rotation -o a.pdf) || code=$?
[ "$code" -eq 1 ] || fail "exit code $code"
grep -q 'open files' errors || fail "it said: $(cat errors)"
[ ! -e a.pdf ] || fail "a figure was written"
