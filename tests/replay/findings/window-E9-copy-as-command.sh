# There was no way to take what is shown to a terminal.
need xclip
start_display
open_window
patiently title_is "Rotation — Orrery" || fail "title: $(title)"
sleep 2
key ctrl+p
sleep 1.5
typed "copy as a command"
sleep 1
key Return
sleep 1.5
line=$(clipboard)
case $line in
  "orrery render rope/rotation "*"-o "*) ;;
  *) fail "copied: $line" ;;
esac
cd "$HOME" && eval "\"$program\" ${line#orrery }" >said 2>&1 || fail "the line does not run: $(cat said)"
close_window
