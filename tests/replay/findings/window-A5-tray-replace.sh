# A figure of the tray that was opened and changed could not be put back.
start_display
open_window --study norm/compare
patiently title_is "LayerNorm and RMSNorm — Orrery" || fail "the title is: $(title)"
sleep 3
xdotool mousemove 640 300 sleep 0.3
key ctrl+t
sleep 2
key ctrl+r
sleep 3
key ctrl+p
sleep 2
typed "replace in the tray"
sleep 1
key Return
sleep 2
key ctrl+shift+s
sleep 2
key Return
PATIENCE=80 patiently test -s lecture.toml || fail "the tray was not saved"
close_window
"$program" render norm/compare -o usual.pdf && "$program" inspect usual.pdf | grep -A30 parameters >usual
grep -A30 parameters lecture.toml >saved
[ "$(grep -c 'study = ' lecture.toml)" -eq 1 ] || fail "there is more than one figure"
cmp -s saved usual && fail "the tray holds what was collected first" || :
mean() { sed -n 's/^ *mean = //p' "$1" | head -n 1; }
[ "$(mean saved)" != "$(mean usual)" ] || fail "mean is $(mean saved), as it was collected"
