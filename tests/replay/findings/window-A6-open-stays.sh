# A failed Open closed its dialog, its reason cut off in the status line; the next one began behind the old text.
"$program" render norm/compare -o fig.pdf || fail "no figure to open"
start_display
open_window
patiently title_is "Rotation — Orrery" || fail "the title is: $(title)"
xdotool mousemove 640 400 sleep 0.3
key ctrl+o
sleep 2
TYPING=20 typed "$PWD/none.pdf"
sleep 1
key Return
sleep 2
TYPING=20 typed "$PWD/fig.pdf"
sleep 1
key Return
PATIENCE=80 patiently title_is "LayerNorm and RMSNorm — Orrery" || fail "the second name was not typed over the first: $(title)"
close_window
