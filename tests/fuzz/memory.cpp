#include "tests/fuzz/memory.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace orrery::fuzz {
bool memory_is_counted() {
  return false;
}
MemoryUse::MemoryUse() : before_(0) {}
std::size_t MemoryUse::most() const {
  return 0;
}
}  // namespace orrery::fuzz

#else

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

std::atomic<std::size_t> held{0}, highest{0};

void* taken(void* made) {
  if (!made) return made;
  const std::size_t now = held += malloc_usable_size(made);
  for (std::size_t seen = highest; now > seen && !highest.compare_exchange_weak(seen, now);) {
  }
  return made;
}
void given_back(void* old) {
  if (old) held -= malloc_usable_size(old);
}

}  // namespace

namespace orrery::fuzz {
bool memory_is_counted() {
  return true;
}
MemoryUse::MemoryUse() : before_(held) {
  highest = before_;
}
std::size_t MemoryUse::most() const {
  return highest - before_;
}
}  // namespace orrery::fuzz

// The program's own come before libc's for every library that it is linked with.
extern "C" {
void* malloc(std::size_t size) noexcept {
  return taken(__libc_malloc(size));
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  return taken(__libc_calloc(number, size));
}
void* realloc(void* old, std::size_t size) noexcept {
  const std::size_t before = old ? malloc_usable_size(old) : 0;
  void* const made = __libc_realloc(old, size);
  if (made || size == 0) held -= before;
  return taken(made);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return taken(__libc_memalign(alignment, size));
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return taken(__libc_memalign(alignment, size));
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  void* const made = taken(__libc_memalign(alignment, size));
  if (!made) return ENOMEM;
  *to = made;
  return 0;
}
void free(void* old) noexcept {
  given_back(old);
  __libc_free(old);
}
}

#endif
