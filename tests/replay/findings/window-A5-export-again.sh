# A figure that was opened could not be exported to its file again: "this study was not exported to that file yet".
mkdir figs
"$program" render norm/compare -o figs/norm.pdf || fail "no figure to open"
cp figs/norm.pdf before.pdf
start_display
open_window figs/norm.pdf
patiently title_is "LayerNorm and RMSNorm — Orrery" || fail "the title is: $(title)"
sleep 2
xdotool mousemove 640 400 sleep 0.3
key ctrl+r
sleep 3
key ctrl+alt+s
sleep 2
cmp -s figs/norm.pdf before.pdf || fail "it was replaced unasked"
key Return
changed() { ! cmp -s figs/norm.pdf before.pdf; }
PATIENCE=80 patiently changed || fail "figs/norm.pdf is as it was"
cp figs/norm.pdf before.pdf
sleep 2
key ctrl+r
sleep 3
key ctrl+alt+s
PATIENCE=80 patiently changed || fail "the second time it was not written at once"
close_window
