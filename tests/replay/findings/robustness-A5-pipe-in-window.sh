# A recipe that names a pipe for a file: the window did not close, nor did the next one.
start_display
mkfifo pipe
printf 'orrery = 1\nstudy = "rope/model"\n[parameters]\nconfig = "%s/pipe"\n' "$PWD" >figure.toml
PATIENCE=80
open_window "$PWD/figure.toml"
sleep 2
kill -TERM "$window_pid"
patiently gone || fail "the window did not close"
open_window
sleep 1
kill -TERM "$window_pid"
patiently gone || fail "the next window did not close"
