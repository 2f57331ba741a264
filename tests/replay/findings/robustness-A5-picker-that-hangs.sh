# A folder on a mount that is gone, in the dialogs that look for files: the window stood still for ever.
start_display
mkdir gone
printf 'orrery = 1\nstudy = "rope/wavelengths"\n' >figure.toml
stuck_below "$PWD/gone/"
PATIENCE=600
open_window
patiently title_is "Rotation — Orrery" || fail "it did not begin: $(title)"
# Open: what is typed goes on, and what is there is still taken.
key ctrl+o
sleep 1
typed "$PWD/gone/a/figure.toml"
key Return
sleep 1
key ctrl+a
typed "$PWD/figure.toml"
key Return
patiently title_is "Wavelengths — Orrery" || fail "after a folder that does not answer, another file is not opened: $(title)"
close_window
[ "$code" -eq 0 ] || fail "exit code $code"
# Export: into such a folder.
sed -i "s|^folder = .*|folder = '$PWD/gone/figures'|" state/orrery/session.toml
grep -q gone state/orrery/session.toml || fail "the session names no folder"
open_window
patiently title_is "Wavelengths — Orrery" || fail "it did not begin again: $(title)"
key ctrl+s
sleep 1
key Return
sleep 1
key Escape
key ctrl+p
sleep 1
typed "rotation"
key Return
patiently title_is "Rotation — Orrery" || fail "exporting stops the window: $(title)"
close_window
[ "$code" -eq 0 ] || fail "exit code $code"
# The same for what is kept from one start to the next: it is not kept, and that is all. (Of ~/.config and ~/.local/share as a
# whole the font library asks first, on the thread that sets text; no program with letters gets past that.)
for kept in state config data; do
  mkdir -p "$kept/orrery"
  STUCK="$PWD/$kept/orrery/"
  open_window
  patiently title_is "Rotation — Orrery" || patiently title_is "Wavelengths — Orrery" || fail "$kept: it did not begin"
  key ctrl+p
  sleep 1
  typed "wavelengths"
  key Return
  patiently title_is "Wavelengths — Orrery" || fail "$kept: the window stands still: $(title)"
  close_window
  [ "$code" -eq 0 ] || fail "$kept: exit code $code"
done
