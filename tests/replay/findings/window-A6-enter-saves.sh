# Enter in the one field of "Save the tray" did nothing.
start_display
open_window
patiently title_is "Rotation — Orrery" || fail "the title is: $(title)"
sleep 3
xdotool mousemove 640 400 sleep 0.3
key ctrl+t
sleep 2
key ctrl+shift+s
sleep 2
key Return
patiently test -s lecture.toml || fail "Enter wrote no lecture.toml"
close_window
