# Frequencies saved by NumPy could not be opened, neither on the command line nor by Ctrl+O.
"$program" apply alibi heads=8 output=slopes -o inv_freq.npy || fail "no vector to open"
start_display
open_window inv_freq.npy
patiently title_is "Which rule is it? — Orrery" || fail "on the command line: the title is: $(title)"
key ctrl+z
patiently title_is "Rotation — Orrery" || fail "after undo: $(title)"
xdotool mousemove 640 400 sleep 0.3
by_open() {
  key Escape
  sleep 1
  key ctrl+o
  sleep 2
  typed "$PWD/inv_freq.npy"
  sleep 1
  key Return
  PATIENCE=50 patiently title_is "Which rule is it? — Orrery"
}
# On a busy machine a key may be lost on its way.
by_open || by_open || by_open || fail "by Ctrl+O: the title is: $(title)"
close_window
