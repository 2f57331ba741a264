# Two windows wrote one session: the last writer won, and what the other held was gone.
start_display
open_window
first=$window first_pid=$window_pid
patiently title_is "Rotation — Orrery" || fail "title: $(title)"
open_window
patiently title_is "Rotation — Orrery" || fail "title: $(title)"
xdotool mousemove 640 400
sleep 1
key Down
patiently title_is "Angles and cache — Orrery" || fail "the second window: $(title)"
sleep 1
key ctrl+t
sleep 6
xdotool windowfocus "$first"
sleep 1
xdotool mousemove 640 400 key --window "$first" space
sleep 5
kill -9 "$window_pid"
window=$first window_pid=$first_pid
key ctrl+q
patiently gone || fail "the first window did not close"
grep -l 'rope/angles' $(session_files) >/dev/null 2>&1 || fail "nothing is left of the second window"
open_window
patiently title_is "Angles and cache — Orrery" || fail "the window that was killed is not restored: $(title)"
