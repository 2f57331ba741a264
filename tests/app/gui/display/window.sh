#!/bin/sh
# The program in a real window: real clicks and keys, a file written, what an idle window costs, how it ends, and what
# it remembers after a good end and after a bad one.
#
#   window.sh PROGRAM        exit 77: skipped, something that this test needs is missing (it says what)
set -eu
program=$1

for tool in Xvfb xdotool; do
  command -v "$tool" >/dev/null 2>&1 || { echo "skipped: $tool is not installed"; exit 77; }
done

work=$(mktemp -d)
window_pid= display_pid=
finish() {
  status=$?
  [ -z "$window_pid" ] || kill -9 "$window_pid" 2>/dev/null || true
  [ -z "$display_pid" ] || kill "$display_pid" 2>/dev/null || true
  [ "$status" -eq 0 ] || sed 's/^/  program: /' "$work/errors" 2>/dev/null || true
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() { echo "FAILED: $*"; exit 1; }
passed() { echo "ok: $*"; }

# Until a command succeeds, for a machine that may be busy.
patiently() {
  tries=300
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

# Without a reset, else it begins anew when its last window closes, and takes no other meanwhile.
Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
display_pid=$!
patiently test -s "$work/display" || fail "Xvfb did not start"
DISPLAY=:$(cat "$work/display")
# From GLFW 3.4 on a session of Wayland comes before DISPLAY: the window would open on the desktop of whoever runs the tests.
unset WAYLAND_DISPLAY
XDG_SESSION_TYPE=x11
export DISPLAY XDG_SESSION_TYPE LIBGL_ALWAYS_SOFTWARE=1 HOME="$work" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" \
  XDG_DATA_HOME="$work/data"
cd "$work"

title_is() { [ "$(xdotool getwindowname "$window" 2>/dev/null)" = "$1" ]; }
running() { kill -0 "$window_pid" 2>/dev/null; }
gone() { ! running; }
open_window() {
  "$program" "$@" 2>>"$work/errors" &
  window_pid=$!
  window=
  found() { window=$(xdotool search --onlyvisible --pid "$window_pid" 2>/dev/null | head -n 1) && [ -n "$window" ]; }
  patiently found || fail "no window appeared"
  patiently xdotool windowfocus "$window" || fail "the window takes no focus"
}
key() { xdotool key --clearmodifiers "$@"; }
click() { xdotool mousemove "$1" "$2" click 1; }
ends_with() {
  patiently gone || fail "the window did not close"
  code=0
  wait "$window_pid" || code=$?
  window_pid=
  [ "$code" -eq "$1" ] || fail "exit code $code instead of $1"
}

# 1. Starts on the orrery itself, and says so in its title.
open_window
patiently title_is "Rotation — Orrery" || fail "title: $(xdotool getwindowname "$window")"
passed "a window appears"
# By its class a desktop finds its desktop file; where there is none, the window has an icon itself.
xdotool search --onlyvisible --class '^org[.]orrery[.]Orrery$' | grep -qx "$window" || fail "the window has another class"
if command -v xprop >/dev/null 2>&1; then
  xprop -id "$window" WM_CLASS | grep -qF '"orrery", "org.orrery.Orrery"' || fail "$(xprop -id "$window" WM_CLASS)"
  xprop -id "$window" 32c '\n$0 x $1\n' _NET_WM_ICON | grep -q '16 x 16' || fail "the window has no icon"
fi
passed "the desktop knows the window, and it has an icon"

# 2. A real key: down the list of studies.
xdotool mousemove 640 400
sleep 0.5
key Down
patiently title_is "Angles and cache — Orrery" || fail "the key Down did not open the next study: $(xdotool getwindowname "$window")"
passed "a key opens the next study"

# 3. A real click on Export, then Enter: the file is there and carries its recipe.
export_by_click() {
  sleep 2  # until the figure is there
  click 1215 20
  sleep 1.5
  key Return
  sleep 1
  [ -s rope-angles.pdf ] || { key Escape; return 1; }
}
export_by_click || export_by_click || export_by_click ||
  fail "clicking Export and pressing Enter wrote no rope-angles.pdf: $(ls)"
"$program" inspect rope-angles.pdf | grep -q 'rope/angles' || fail "the exported figure holds no recipe"
passed "a click exports"

# 4. Left alone it costs nothing: ticks of 10 ms over five seconds.
key Escape
xdotool mousemove 640 790
sleep 3
ticks() { awk '{ print $14 + $15 }' "/proc/$window_pid/stat"; }
before=$(ticks)
sleep 5
spent=$(($(ticks) - before))
[ "$spent" -le 15 ] || fail "an idle window spent $spent ticks in 5 s: more than 3 % of a core"
passed "idle: $spent ticks of 10 ms in 5 s"

# 5. A good end, and the next start where it was.
key ctrl+q
ends_with 0
open_window
patiently title_is "Angles and cache — Orrery" || fail "not where it was left: $(xdotool getwindowname "$window")"
passed "closed with exit code 0, and starts where it was"

# 6. A crash loses at most the last five seconds.
xdotool mousemove 640 400
sleep 0.5
key Down
patiently title_is "Wavelengths — Orrery" || fail "second key: $(xdotool getwindowname "$window")"
sleep 6
kill -9 "$window_pid"
ends_with 137
open_window
patiently title_is "Wavelengths — Orrery" || fail "a crash lost the study: $(xdotool getwindowname "$window")"
passed "restored after a crash"
afresh() { xdotool mousemove 640 400; key ctrl+z; title_is "Rotation — Orrery"; }
patiently afresh || fail "undo after a crash is no fresh start: $(xdotool getwindowname "$window")"
key ctrl+y
patiently title_is "Wavelengths — Orrery" || fail "redo after a crash: $(xdotool getwindowname "$window")"
key ctrl+q
ends_with 0

# 7. Asked to end from outside it ends as by its close button: at once, nothing lost, and no talk of a crash.
for signal in TERM HUP; do
  open_window
  patiently title_is "Wavelengths — Orrery" || fail "before $signal: $(xdotool getwindowname "$window")"
  xdotool mousemove 640 400
  sleep 0.5
  key Up
  patiently title_is "Angles and cache — Orrery" || fail "the key Up: $(xdotool getwindowname "$window")"
  kill -s "$signal" "$window_pid"
  ends_with 0
  [ -z "$(find "$work/state" -name 'running.*')" ] || fail "$signal left the mark of a running window behind"
  open_window
  patiently title_is "Angles and cache — Orrery" || fail "$signal lost the study: $(xdotool getwindowname "$window")"
  xdotool mousemove 640 400
  sleep 0.5
  key ctrl+z  # after an unexpected end this would be a fresh start
  sleep 1
  title_is "Angles and cache — Orrery" || fail "$signal was taken for a crash"
  key Down
  patiently title_is "Wavelengths — Orrery" || fail "after $signal: $(xdotool getwindowname "$window")"
  key ctrl+q
  ends_with 0
  passed "SIG$signal closes the window, and the next start knows of no crash"
done

# 8. A home that cannot be written is no obstacle.
mkdir "$work/sealed"
if [ "$(id -u)" -ne 0 ]; then chmod 500 "$work/sealed"; else rmdir "$work/sealed" && touch "$work/sealed"; fi
XDG_STATE_HOME="$work/sealed/state"
open_window
sleep 6
running || fail "the window did not survive a sealed home"
key ctrl+q
ends_with 0
passed "works without a home to write to"

# 9. No display: one line, exit 1.
code=0
line=$(env -u DISPLAY -u WAYLAND_DISPLAY "$program" 2>&1 >/dev/null) || code=$?
[ "$code" -eq 1 ] && [ "$(printf '%s\n' "$line" | wc -l)" -eq 1 ] || fail "without a display: exit $code, $line"
passed "without a display: $line"
