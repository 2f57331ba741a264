# A drag beside the ring of the first clock panned all clocks out of the panel; now it turns the hands.
start_display
open_window
patiently title_is "Rotation — Orrery" || fail "title: $(title)"
sleep 3
xdotool mousemove 545 250 sleep 0.3 mousedown 1 sleep 0.3 mousemove 555 265 sleep 0.3 mousemove 570 290 sleep 0.5 mouseup 1
sleep 1
close_window
session=$(session_files)
[ -n "$session" ] || fail "no session"
! grep -q 'view\]\]' $session || fail "the clocks were panned away"
grep -q 'vector' $session || fail "no vector in the session"
! grep -Eq 'vector = (\[ *1(\.0)?, *0(\.0)? *\]|"1,0")' $session || fail "the vector was not turned"
