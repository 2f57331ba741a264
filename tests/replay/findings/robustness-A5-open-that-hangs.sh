# Opening a file on a mount that is gone never returns: the window did not close, nor did the next one.
need cc
start_display
cat >stuck.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
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
#define STAT(name) int name(const char* path, struct stat* about) { stick(path); \
  return ((int (*)(const char*, struct stat*))dlsym(RTLD_NEXT, #name))(path, about); }
STAT(stat) STAT(lstat)
C
cc -shared -fPIC -o stuck.so stuck.c -ldl 2>errors || skip "cc makes no library: $(tail -n 1 errors)"
mkdir gone
export LD_PRELOAD="$PWD/stuck.so" STUCK="$PWD/gone/"
printf 'orrery = 1\nstudy = "rope/model"\n[parameters]\nconfig = "%s/gone/config.json"\n' "$PWD" >figure.toml
printf 'orrery = 1\nstudy = "rope/rotation"\n' >other.toml
PATIENCE=80
for file in figure.toml '' gone/figure.toml other.toml; do
  open_window ${file:+"$PWD/$file"}
  sleep 2
  kill -TERM "$window_pid"
  patiently gone || fail "the window did not close (${file:-the start after it})"
done
