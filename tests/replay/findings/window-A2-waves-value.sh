# The values of the waves of position/sinusoidal were their heights on the page, without names: sin 108 was 0.629.
"$program" render position/sinusoidal --set show=waves -o waves.svg >printed 2>&1 || fail "$(cat printed)"
start_display
open_window waves.svg
copied() {
  xdotool mousemove 640 400 sleep 0.2 mousemove 642 402
  key ctrl+shift+c
  clipboard >copy
  [ "$(wc -l <copy)" -gt 100 ]
}
PATIENCE=60 patiently copied || fail "nothing was copied: $(cat errors)"
column=$(head -n 1 copy | tr '\t' '\n' | grep -n '^dimension 0$' | cut -d: -f1)
[ -n "$column" ] || fail "no column 'dimension 0': $(head -n 1 copy)"
value=$(awk -F '\t' -v c="$column" '$1 == 108 {print $c}' copy)
case $value in
  0.92681*) ;;
  *) fail "sin 108 is '$value'" ;;
esac
