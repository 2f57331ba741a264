# What a finding's script is written with; replay.sh sources it first. There, $program is the program under test, and
# the current folder is new, empty and the home.

fail() { printf '%s\n' "$*"; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; exit 77; }
need() {
  for tool; do command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed"; done
}

# Until a command succeeds, for a machine that may be busy: thirty seconds, or PATIENCE tenths of one.
patiently() {
  tries=${PATIENCE:-300}
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

# start_display [WIDTHxHEIGHT]: a display of our own; it ends with the script.
start_display() {
  need Xvfb xdotool
  Xvfb -noreset -displayfd 3 -screen 0 "${1:-1280x800}x24" -nolisten tcp 3>display >/dev/null 2>&1 &
  echo $! >>processes
  patiently test -s display || fail "Xvfb did not start"
  DISPLAY=:$(cat display)
  unset WAYLAND_DISPLAY  # from GLFW 3.4 on it comes before DISPLAY
  XDG_SESSION_TYPE=x11
  export DISPLAY XDG_SESSION_TYPE
}

# open_window [ARGS…]: sets $window and $window_pid. What the program says goes to the file `errors`.
open_window() {
  "$program" "$@" 2>>errors &
  window_pid=$!
  echo "$window_pid" >>processes
  patiently has_window || fail "no window appeared: $(cat errors)"
  patiently xdotool windowfocus "$window" || fail "the window takes no focus"
}
has_window() {
  running || return 0  # it ended: whoever opened it asks
  window=$(xdotool search --onlyvisible --pid "$window_pid" 2>/dev/null | head -n 1) && [ -n "$window" ]
}
running() { kill -0 "$window_pid" 2>/dev/null; }
gone() { ! running; }
title() { xdotool getwindowname "$window" 2>/dev/null; }
title_is() { [ "$(title)" = "$1" ]; }
key() { xdotool key --clearmodifiers "$@"; }
typed() { xdotool type --delay "${TYPING:-40}" "$1"; }
click() { xdotool mousemove "$1" "$2" sleep 0.1 click "${3:-1}"; }
# close_window: by Ctrl+Q, and its exit code in $code.
close_window() {
  key ctrl+q
  patiently gone || fail "the window did not close"
  code=0
  wait "$window_pid" || code=$?
}
# picture FILE.png [GEOMETRY]: what the display shows.
picture() {
  need import
  if [ -n "${2:-}" ]; then import -window root -crop "$2" +repage "$1"; else import -window root "$1"; fi
}
# clipboard: what was copied last, in the window or elsewhere.
clipboard() {
  need xclip
  timeout 5 xclip -selection clipboard -o 2>/dev/null
}
# stuck_below PREFIX: from now on, whatever a program asks of a file whose name begins so never comes back, as on a mount
# that is gone.
stuck_below() {
  need cc
  cat >stuck.c <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void stick(const char* path) {
  const char* stuck = getenv("STUCK");
  if (path && stuck && strncmp(path, stuck, strlen(stuck)) == 0) for (;;) pause();
}
#define OPEN(name) int name(const char* path, int flags, ...) { \
  va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more); stick(path); \
  return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); }
OPEN(open) OPEN(open64) OPEN(__open_2) OPEN(__open64_2)
#define OPEN_AT(name) int name(int folder, const char* path, int flags, ...) { \
  va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more); stick(path); \
  return ((int (*)(int, const char*, int, ...))dlsym(RTLD_NEXT, #name))(folder, path, flags, mode); }
OPEN_AT(openat) OPEN_AT(openat64)
#define STAT(name) int name(const char* path, struct stat* about) { stick(path); \
  return ((int (*)(const char*, struct stat*))dlsym(RTLD_NEXT, #name))(path, about); }
STAT(stat) STAT(lstat)
#define ONE(result, name) result name(const char* path) { stick(path); \
  return ((result (*)(const char*))dlsym(RTLD_NEXT, #name))(path); }
ONE(DIR*, opendir) ONE(int, unlink) ONE(int, rmdir) ONE(int, remove)
int mkdir(const char* path, mode_t mode) { stick(path);
  return ((int (*)(const char*, mode_t))dlsym(RTLD_NEXT, "mkdir"))(path, mode); }
int rename(const char* path, const char* to) { stick(path); stick(to);
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(path, to); }
#define STREAM(name) FILE* name(const char* path, const char* mode) { stick(path); \
  return ((FILE* (*)(const char*, const char*))dlsym(RTLD_NEXT, #name))(path, mode); }
STREAM(fopen) STREAM(fopen64)
C
  cc -shared -fPIC -o stuck.so stuck.c -ldl 2>errors || skip "cc makes no library: $(tail -n 1 errors)"
  export LD_PRELOAD="$PWD/stuck.so" STUCK="$1"
}
session_files() { find "$XDG_STATE_HOME" -name 'session*.toml' 2>/dev/null; }
# little_endian NUMBER BYTES: as a file keeps it.
little_endian() {
  n=$1
  for _ in $(seq "$2"); do
    printf "\\$(printf '%03o' $((n % 256)))"
    n=$((n / 256))
  done
}
# npy_head DESCR COUNT: all of an .npy file but its numbers. `truncate -s` makes a hole of those.
npy_head() {
  printf '\223NUMPY\001\000\166\000'
  printf '%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2,), }"
}
# safetensors_head JSON
safetensors_head() { little_endian "$(printf %s "$1" | wc -c)" 8; printf %s "$1"; }
