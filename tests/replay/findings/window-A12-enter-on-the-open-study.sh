# Enter on the study that is open did nothing, and the palette stayed: what was typed next went into it.
start_display
open_window
patiently title_is "Rotation — Orrery" || fail "title: $(title)"
sleep 2
xdotool mousemove 640 500
key ctrl+p
sleep 1.5
typed "rotation"
sleep 1
key Return
sleep 1.5
key Down
PATIENCE=80 patiently title_is "Angles and cache — Orrery" || fail "the palette kept the keyboard: $(title)"
close_window
