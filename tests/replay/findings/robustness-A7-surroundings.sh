# Variables and limits that ended in a crash.
"$program" render rope/rotation -o whole.pdf >/dev/null 2>errors || fail "$(tail -n 1 errors)"
PANGOCAIRO_BACKEND=nonsense "$program" render rope/rotation -o a.pdf >/dev/null 2>errors || fail "PANGOCAIRO_BACKEND: $?"
cmp -s whole.pdf a.pdf || fail "PANGOCAIRO_BACKEND: another figure"
expect() { # CODE WORD
  [ "$code" -eq "$1" ] || fail "$2: exit code $code: $(tail -n 1 errors)"
  [ "$(wc -l <errors)" -eq 1 ] && grep -q -e "$2" errors || fail "$2: it said: $(cat errors)"
}
code=0
OMP_NUM_THREADS=100000 "$program" render rope/rotation -o b.pdf >/dev/null 2>errors || code=$?
expect 2 OMP_NUM_THREADS
code=0
(ulimit -s 64 && exec "$program" render rope/rotation -o b.pdf >/dev/null 2>errors) || code=$?
expect 1 'ulimit -s'
code=0
(ulimit -v 250000 && exec "$program" render rope/rotation -o b.pdf >/dev/null 2>errors) || code=$?
expect 1 'ulimit -v'
