#include "core/bench/memory.h"

#include <algorithm>
#include <new>

#include "core/bench/memory_kernels.h"
#include "core/simd/share.h"

namespace orrery::bench {
namespace {

constexpr std::ptrdiff_t line = 16;  // floats of a cache line

/// Calls f(first, number) for each thread's part, cut at cache lines.
template <class F>
void each_part(std::ptrdiff_t count, F f) {
  simd::share((count + line - 1) / line, count, [&](std::ptrdiff_t first, std::ptrdiff_t end) {
    const std::ptrdiff_t begin = std::min(count, first * line);
    f(begin, static_cast<std::size_t>(std::min(count, end * line) - begin));
  });
}

}  // namespace

AlignedFloats::AlignedFloats(std::ptrdiff_t count, float value) {
  const std::size_t bytes = static_cast<std::size_t>((count + line - 1) / line * line) * sizeof(float);
  values_.reset(static_cast<float*>(std::aligned_alloc(simd::cache_line, std::max(bytes, simd::cache_line))));
  if (values_ == nullptr) throw std::bad_alloc();
  std::fill_n(data(), count, value);
}

void copy(const float* from, float* to, std::ptrdiff_t count) {
  each_part(count, [=](std::ptrdiff_t i, std::size_t n) { copy_floats(from + i, to + i, n, false); });
}

void copy_non_temporal(const float* from, float* to, std::ptrdiff_t count) {
  each_part(count, [=](std::ptrdiff_t i, std::size_t n) { copy_floats(from + i, to + i, n, true); });
}

void write_non_temporal(float* to, std::ptrdiff_t count) {
  each_part(count, [=](std::ptrdiff_t i, std::size_t n) { stream_ones(to + i, n); });
}

}  // namespace orrery::bench
