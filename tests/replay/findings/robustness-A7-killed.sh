# SIGTERM, SIGINT and SIGHUP left half written files behind.
need strace
for signal in TERM HUP; do  # what runs behind a shell ignores SIGINT
  mkdir "$signal"
  # Every file takes a while to reach the disk, so that the signal comes meanwhile.
  strace -f -o trace -e trace=fsync -e inject=fsync:delay_enter=4000000 \
    "$program" render rope/rotation -o "$signal/a.pdf" >/dev/null 2>errors &
  tracer=$!
  echo "$tracer" >>processes
  begun() { [ -n "$(find "$signal" -name '*.tmp')" ]; }
  patiently begun || skip "strace cannot follow here: $(tail -n 1 errors)"
  kill -s "$signal" $(ps -o pid= --ppid "$tracer")
  wait "$tracer" 2>/dev/null
  [ -z "$(ls -A "$signal")" ] || fail "SIG$signal left $(ls -A "$signal")"
done
