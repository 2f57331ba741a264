// How a twin spreads its rows: over threads in equal parts, none for tiny work, past the caches where they would not hold
// the result anyway.
#pragma once

#include <hwy/cache_control.h>
#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "core/tensor/view.h"

namespace orrery::simd {

using tensor::Index;

/// Below this many elements a kernel stays on the calling thread: waking a team takes about a microsecond.
inline constexpr Index small_work = Index{1} << 14;

/// From this size on (input and output together) a result is written past the caches: it would push out what they hold,
/// and every line would be read before it is overwritten.
inline constexpr Index streamed_bytes = Index{16} << 20;
inline constexpr std::uintptr_t cache_line = 64;

/// Whether y, and the input of the same size that it is computed from, are more than the caches hold.
template <class T>
bool is_large(tensor::View<T> y) {
  return 2 * y.size() * Index{sizeof(T)} > streamed_bytes;
}

/// Whether each row starts on a cache line.
template <class T>
bool starts_on_lines(tensor::View<T> y) {
  return reinterpret_cast<std::uintptr_t>(y.data) % cache_line == 0 &&
         static_cast<std::uintptr_t>(y.stride) * sizeof(T) % cache_line == 0;
}

/// Whether y is written past the caches: it is large, and its rows are made of whole lines, or are so long that the parts
/// of lines at their ends, which are written as usual, do not matter.
template <class T>
bool is_streamed(tensor::View<T> y) {
  constexpr Index long_row = 16 * Index{cache_line};
  return is_large(y) && (starts_on_lines(y) || y.cols * Index{sizeof(T)} >= long_row);
}

/// Calls f(first, end) on every thread with its own part of 0 … count, for work of `size` elements in all. The parts
/// depend on nothing but the number of threads, so that a thread meets the same memory again in the next op. What was
/// written past the caches has arrived when it returns.
template <class F>
void share(Index count, Index size, F f) {
  if (size <= small_work || count < 2) {
    f(Index{0}, count);
    return hwy::FlushStream();
  }
#pragma omp parallel
  {
    const Index threads = omp_get_num_threads(), me = omp_get_thread_num();
    f(count * me / threads, count * (me + 1) / threads);
    hwy::FlushStream();
  }
}

/// The same for rows whose work grows or shrinks along the matrix, as under a causal mask: every thread takes turns, a few
/// rows each. Calls f() once on every thread for a function of (first, end, next), which is told where its next turn starts,
/// and may do the last of its work when it is destroyed.
template <class F>
void share_in_turns(Index count, Index size, F f) {
  constexpr Index turn = 8;
  if (size <= small_work || count <= turn) {
    f()(Index{0}, count, count);
    return hwy::FlushStream();
  }
#pragma omp parallel
  {
    {
      auto rows = f();
      const Index step = omp_get_num_threads() * turn;
      for (Index i = omp_get_thread_num() * turn; i < count; i += step)
        rows(i, std::min(i + turn, count), std::min(i + step, count));
    }
    hwy::FlushStream();
  }
}

}  // namespace orrery::simd
