# Opening a file on a mount that is gone never returns: the window did not close, nor did the next one.
start_display
mkdir gone
stuck_below "$PWD/gone/"
printf 'orrery = 1\nstudy = "rope/model"\n[parameters]\nconfig = "%s/gone/config.json"\n' "$PWD" >figure.toml
printf 'orrery = 1\nstudy = "rope/rotation"\n' >other.toml
PATIENCE=80
for file in figure.toml '' gone/figure.toml other.toml; do
  open_window ${file:+"$PWD/$file"}
  sleep 2
  kill -TERM "$window_pid"
  patiently gone || fail "the window did not close (${file:-the start after it})"
done
