# Any scale below 1 ended the window: by Ctrl+− once, by --scale, by what the display asks for.
alive() { sleep 1; running || fail "$1 ended the window: $(tail -n 1 errors)"; }
start_display
open_window
sleep 1
for once in 1 2 3 4 5 6 7 8; do key ctrl+minus; sleep 0.2; done
alive "Ctrl+minus"
close_window
[ "$code" -eq 0 ] || fail "after Ctrl+minus the window ended with $code"
open_window --no-config --scale 0.5
alive "--scale 0.5"
close_window
if command -v xrdb >/dev/null; then
  echo 'Xft.dpi: 72' | xrdb -merge
elif command -v xprop >/dev/null; then
  xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi: 72'
else
  exit 0
fi
open_window --no-config
alive "Xft.dpi: 72"
close_window
