# Resizing fast ended the window: its two sizes were asked for at two moments.
start_display 1600x1000
open_window
sleep 1
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  jumps=
  for once in 1 2 3 4 5 6 7 8 9 10 11 12; do
    jumps="$jumps windowsize $window $((680 + round * 2)) 430 sleep 0.01 windowsize $window 1590 $((940 + once)) sleep 0.01"
  done
  xdotool $jumps
  running || fail "ended in round $round: $(tail -n 1 errors)"
done
sleep 1
running || fail "ended: $(tail -n 1 errors)"
close_window
[ "$code" -eq 0 ] || fail "exit code $code"
