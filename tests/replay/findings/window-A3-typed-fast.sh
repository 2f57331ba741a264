# What was typed behind a key lost its first letter, and a number typed on a slider its order: 2^14 came out as 124.
start_display 2560x1440
open_window
sleep 1
xdotool windowsize "$window" 2500 1400
sleep 1
base_is() { grep -q "base = $1" $(session_files) 2>/dev/null; }
for value in 2^14:16384 4321:4321; do
  xdotool key --delay 0 ctrl+p
  xdotool type --delay 0 base
  xdotool key --delay 0 Return
  sleep 1.5
  xdotool type --delay 0 "${value%:*}"
  xdotool key --delay 0 Return
  PATIENCE=90 patiently base_is "${value#*:}" || fail "typed ${value%:*}: $(grep -h 'base =' $(session_files))"
done
