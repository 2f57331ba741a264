# Values that were copied had TeX in their head line and a column "series 3".
"$program" render rope/rotation --set show=score -o score.svg >printed 2>&1 || fail "$(cat printed)"
start_display
open_window score.svg
copied() {
  xdotool mousemove 640 400 sleep 0.2 mousemove 642 402
  key ctrl+shift+c
  clipboard >copy
  [ "$(wc -l <copy)" -gt 100 ]
}
PATIENCE=60 patiently copied || fail "nothing was copied: $(cat errors)"
head -n 1 copy >head
! grep -q '\$' head || fail "TeX: $(cat head)"
! grep -q 'series [0-9]' head || fail "a series without a name: $(cat head)"
