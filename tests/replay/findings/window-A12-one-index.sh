# The palette knew neither softmax nor the rule YaRN, which the list of studies beside it found.
start_display
open_window
patiently title_is "Rotation — Orrery" || fail "title: $(title)"
find_and_open() {
  xdotool mousemove 1000 788
  sleep 1.5
  key ctrl+p
  sleep 1.5
  typed "$1"
  sleep 1
  key Return
  PATIENCE=80 patiently title_is "$2 — Orrery" || fail "'$1' opened $(title)"
}
sleep 2
find_and_open softmax "Score matrices"
find_and_open yarn "Scaling rules"
find_and_open "what is attention" "Score matrices"
close_window
