# A window smaller than its least size, as a window manager that tiles makes it, ended the program; what was written
# of such a window greeted the next start with a complaint.
start_display
open_window --theme light
sleep 1
for size in "500 300" "200 150" "900 160" "160 700" "30 20" "620 380"; do
  xdotool windowsize --sync $window $size || true
  sleep 0.7
  running || fail "ended at $size: $(tail -n 1 errors)"
done
close_window
[ "$code" -eq 0 ] || fail "exit code $code"
open_window
sleep 2
[ -z "$(find "$XDG_STATE_HOME" -name '*.bad.toml')" ] || fail "the size of a small window is no longer read"
close_window
