#include "app/export/refused_memory.h"

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/tensor/error.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ORRERY_MALLOC_IS_TAKEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ORRERY_MALLOC_IS_TAKEN
#endif
#endif

namespace {

std::atomic<bool> refused{false};

#ifndef ORRERY_MALLOC_IS_TAKEN

/// No library asks for as much at once to set a text.
constexpr std::size_t small_request = std::size_t{1} << 20;

/// What C++ asks for is not noted: a bad_alloc is caught by somebody who says it.
constinit thread_local bool asked_by_new = false;

void* noted(void* memory, std::size_t size) {
  if (!memory && size > 0 && size <= small_request && !asked_by_new)
    refused.store(true, std::memory_order_relaxed);
  return memory;
}

/// The function of that name that would be called without the one here: libc's, or that of an allocator which was loaded before
/// it. free() stays theirs, so that both are of one kind.
template <class Function>
Function* next(std::atomic<Function*>& known, const char* name) {
  Function* found = known.load(std::memory_order_relaxed);
  if (!found) {
    found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    if (!found) std::abort();
    known.store(found, std::memory_order_relaxed);
  }
  return found;
}

std::atomic<void* (*)(std::size_t)> next_malloc{nullptr};
std::atomic<void* (*)(std::size_t, std::size_t)> next_calloc{nullptr};
std::atomic<void* (*)(void*, std::size_t)> next_realloc{nullptr};

#endif

}  // namespace

#ifndef ORRERY_MALLOC_IS_TAKEN

// Weak: a program that counts requests itself, as tests do, has its own.
#define ORRERY_ASKED_BY_ALL extern "C" __attribute__((visibility("default"), weak))

ORRERY_ASKED_BY_ALL void* malloc(std::size_t size) noexcept {
  return noted(next(next_malloc, "malloc")(size), size);
}
ORRERY_ASKED_BY_ALL void* calloc(std::size_t number, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(number, size, &bytes)) bytes = SIZE_MAX;
  return noted(next(next_calloc, "calloc")(number, size), bytes);
}
ORRERY_ASKED_BY_ALL void* realloc(void* old, std::size_t size) noexcept {
  return noted(next(next_realloc, "realloc")(old, size), size);
}

// The other forms of new come here, but those of more than usual alignment, which do not ask malloc; delete is free.
__attribute__((weak)) void* operator new(std::size_t size) {
  for (;;) {
    asked_by_new = true;
    void* const memory = malloc(size > 0 ? size : 1);
    asked_by_new = false;
    if (memory) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

#endif

namespace orrery::exporter {

void require_no_refused_memory() {
  if (!refused.load(std::memory_order_relaxed)) return;
  throw Failure(about(words("memory"))
                    .fault("some was refused to this program, and a figure may lack letters")
                    .allowed("a new start, with more of it"));
}

}  // namespace orrery::exporter
