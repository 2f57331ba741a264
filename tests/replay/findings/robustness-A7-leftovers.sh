# What a killed program left half written lay there for ever.
sh -c 'exit 0' &
dead=$!
wait "$dead"
echo half >".orrery-$dead-1.tmp"
"$program" render rope/rotation -o a.pdf >/dev/null 2>errors || fail "$(tail -n 1 errors)"
[ ! -e ".orrery-$dead-1.tmp" ] || fail "the leftover of a dead process is still there"
