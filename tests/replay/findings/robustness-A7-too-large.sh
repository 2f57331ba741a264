# A file larger than the shell allows killed the program.
echo old >a.pdf
code=0
(ulimit -f 8 && exec "$program" render rope/rotation -o a.pdf >/dev/null 2>errors) || code=$?
[ "$code" -eq 1 ] || fail "exit code $code"
grep -q 'File too large' errors || fail "it said: $(cat errors)"
[ "$(cat a.pdf)" = old ] || fail "the old file is gone"
[ "$(find . -name '*.tmp' | wc -l)" -eq 0 ] || fail "left behind: $(find . -name '*.tmp')"
