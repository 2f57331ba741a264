#include "core/bench/memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include <omp.h>

namespace orrery::bench {
namespace {

/// This thread's share of count elements, cut at multiples of a cache line.
struct Share {
  std::ptrdiff_t begin, end;
};

Share share(std::ptrdiff_t count) {
  constexpr std::ptrdiff_t line = 16;
  const std::ptrdiff_t threads = omp_get_num_threads(), me = omp_get_thread_num();
  const std::ptrdiff_t lines = (count + line - 1) / line, each = (lines + threads - 1) / threads;
  return {std::min(count, me * each * line), std::min(count, (me + 1) * each * line)};
}

}  // namespace

void copy(const float* from, float* to, std::ptrdiff_t count) {
#pragma omp parallel if (count > 16384)
  {
    const Share s = share(count);
    std::memcpy(to + s.begin, from + s.begin, static_cast<std::size_t>(s.end - s.begin) * sizeof(float));
  }
}

void copy_non_temporal(const float* from, float* to, std::ptrdiff_t count) {
#ifdef __SSE2__
  if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
#pragma omp parallel
    {
      const Share s = share(count);
      std::ptrdiff_t i = s.begin;
      for (; i + 4 <= s.end; i += 4) _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
      for (; i < s.end; ++i) to[i] = from[i];
      _mm_sfence();
    }
    return;
  }
#endif
  copy(from, to, count);
}

}  // namespace orrery::bench
