// A library to be loaded before all others (LD_PRELOAD): one call of the program that it sits in goes wrong, as a full disk, a
// table of files without room or a machine without memory would make it. The environment says which:
//
//   ORRERY_FAULT=write:3:ENOSPC    the third write fails with ENOSPC; so do open, mmap, fsync and rename
//   ORRERY_FAULT=write:3+:ENOSPC   the third and all after it: a disk that stays full
//   ORRERY_FAULT=malloc:90000      the ninety-thousandth request for memory gets none
//   ORRERY_FAULT_COUNT=FILE        made at the end: how many such calls there were
//   ORRERY_FAULT_PLACES=FILE       the number of the first such call from each place: whoever asks, for whom, four deep
//   ORRERY_FAULT_LOCALE=NAME       the program runs in this locale, as it would beside a library that asks for the person's own
//
// Calls are counted from the program's start, those of its libraries too; what libc does within itself is not seen. One fault
// in a child of a child is one too many: the environment is for the first process only.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <clocale>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum class Call { none, write, open, mmap, fsync, rename, malloc };
constexpr const char* call_names[] = {"", "write", "open", "mmap", "fsync", "rename", "malloc"};

// Set before main(), while there is one thread; read without a lock ever after. Calls before that are not counted.
Call failing = Call::none;
long first = 0;
bool for_good = false;
int error = ENOMEM;
std::atomic<long> count{0};

struct Error {
  const char* name;
  int number;
};
constexpr Error errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
                            {"EACCES", EACCES}, {"EROFS", EROFS},   {"ENOENT", ENOENT}, {"EDQUOT", EDQUOT},
                            {"EINTR", EINTR},   {"ENFILE", ENFILE}, {"EFBIG", EFBIG}};

/// Without the functions that are replaced here, and without memory.
void make(const char* file, const char* text, std::size_t size) {
  if (!file) return;
  const long fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return;
  syscall(SYS_write, fd, text, size);
  syscall(SYS_close, fd);
}

// Of each place a number that is made of the addresses of its callers, where there is one to write them to. In place: what
// asks for memory itself would be counted.
long places_file = -1;
std::atomic<std::uint64_t> places[1 << 16];

/// Whether nobody called from there before. Where the table is full, none is new.
bool is_new_place() {
  constexpr int own = 1, deep = 5;  // malloc of the program, where it has one of its own, stands between
  void* callers[own + deep];
  const int found = backtrace(callers, own + deep);
  std::uint64_t mixed = 0xcbf29ce484222325;
  for (int i = own; i < found; ++i)
    mixed = (mixed ^ reinterpret_cast<std::uintptr_t>(callers[i])) * 0x9e3779b97f4a7c15;
  mixed |= 1;  // 0 is an empty one
  for (std::size_t tries = 0; tries < std::size(places); ++tries) {
    std::uint64_t here = 0;
    if (places[(mixed / 2 + tries) % std::size(places)].compare_exchange_strong(here, mixed)) return true;
    if (here == mixed) return false;
  }
  return false;
}

void note_place(long now) {
  if (!is_new_place()) return;
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%ld\n", now);
  syscall(SYS_write, places_file, text, static_cast<std::size_t>(size));
}

/// Whether this call is the one.
bool fails(Call call) {
  if (call != failing) return false;
  const long now = ++count;
  if (places_file >= 0) note_place(now);
  if (now != first && !(for_good && now > first)) return false;
  errno = error;
  return true;
}

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "ORRERY_FAULT: '%s' is not understood; allowed: write:3:ENOSPC, malloc:90000\n", what);
  _exit(3);
}

__attribute__((constructor)) void begin() {
  if (const char* locale = getenv("ORRERY_FAULT_LOCALE"); locale && !setlocale(LC_ALL, locale)) {
    std::fprintf(stderr, "ORRERY_FAULT_LOCALE: there is no locale '%s'\n", locale);
    _exit(3);
  }
  const char* what = getenv("ORRERY_FAULT");
  if (!what) return;
  if (const char* file = getenv("ORRERY_FAULT_PLACES")) {
    places_file = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    void* caller = nullptr;
    backtrace(&caller, 1);  // loads what it needs, before anything is counted
  }
  const char* colon = std::strchr(what, ':');
  if (!colon) refuse(what);
  char* end = nullptr;
  first = std::strtol(colon + 1, &end, 10);
  if (*end == '+') {
    for_good = true;
    ++end;
  }
  if (*end == ':') {
    error = 0;
    for (const Error& each : errors)
      if (std::strcmp(end + 1, each.name) == 0) error = each.number;
    if (error == 0) refuse(what);
  }
  for (int i = 1; i < static_cast<int>(std::size(call_names)); ++i)
    if (std::strncmp(what, call_names[i], static_cast<std::size_t>(colon - what)) == 0 &&
        std::strlen(call_names[i]) == static_cast<std::size_t>(colon - what))
      failing = static_cast<Call>(i);
  if (failing == Call::none) refuse(what);
}

__attribute__((destructor)) void end() {
  const char* file = getenv("ORRERY_FAULT_COUNT");
  if (!file) return;
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%ld\n", count.load());
  make(file, text, static_cast<std::size_t>(size));
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Of a call that may make a file: else the third argument is not there.
bool makes(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

}  // namespace

#define ORRERY_REPLACED extern "C" __attribute__((visibility("default")))

ORRERY_REPLACED ssize_t write(int fd, const void* bytes, std::size_t size) {
  if (fails(Call::write)) return -1;
  return syscall(SYS_write, fd, bytes, size);
}
ORRERY_REPLACED ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t at) {
  if (fails(Call::write)) return -1;
  return syscall(SYS_pwrite64, fd, bytes, size, at);
}
ORRERY_REPLACED int fsync(int fd) {
  if (fails(Call::fsync)) return -1;
  return static_cast<int>(syscall(SYS_fsync, fd));
}
ORRERY_REPLACED int rename(const char* from, const char* to) noexcept {
  if (fails(Call::rename)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

ORRERY_REPLACED int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = makes(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(Call::open)) return -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
ORRERY_REPLACED int openat(int folder, const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = makes(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(Call::open)) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}
ORRERY_REPLACED int open64(const char*, int, ...) __attribute__((alias("open")));
ORRERY_REPLACED int openat64(int, const char*, int, ...) __attribute__((alias("openat")));
ORRERY_REPLACED std::FILE* fopen(const char* path, const char* mode) {
  static auto* const original = next<std::FILE*(const char*, const char*)>("fopen");
  return fails(Call::open) ? nullptr : original(path, mode);
}
ORRERY_REPLACED std::FILE* fopen64(const char*, const char*) __attribute__((alias("fopen")));

ORRERY_REPLACED void* mmap(void* at, std::size_t size, int protection, int flags, int fd,
                           off_t from) noexcept {
  if (fails(Call::mmap)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, fd, from));
}
ORRERY_REPLACED void* mmap64(void*, std::size_t, int, int, int, off_t) noexcept
    __attribute__((alias("mmap")));

ORRERY_REPLACED void* malloc(std::size_t size) noexcept {
  return fails(Call::malloc) ? nullptr : __libc_malloc(size);
}
ORRERY_REPLACED void* calloc(std::size_t number, std::size_t size) noexcept {
  return fails(Call::malloc) ? nullptr : __libc_calloc(number, size);
}
ORRERY_REPLACED void* realloc(void* old, std::size_t size) noexcept {
  return fails(Call::malloc) ? nullptr : __libc_realloc(old, size);
}
ORRERY_REPLACED void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return fails(Call::malloc) ? nullptr : __libc_memalign(alignment, size);
}
ORRERY_REPLACED int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  if (fails(Call::malloc)) return error;
  void* const made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *to = made;
  return 0;
}
