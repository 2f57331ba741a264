// How a twin spreads its rows: over threads in equal parts or in turns, none for tiny work, past the caches where they
// would not hold the result anyway. How much work there is, is counted in elements that cost about what an addition
// does; where one costs an exponential or more, callers count it eightfold, and the multiply-adds of a score, which run in
// vectors, as half of one each.
#pragma once

#include <hwy/cache_control.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>

#include "core/simd/thrown.h"
#include "core/tensor/reduce.h"
#include "core/tensor/view.h"

namespace orrery::simd {

using tensor::Index;
using tensor::small_work;

/// From this size on (input and output together) a result is written past the caches: it would push out what they hold,
/// and every line would be read before it is overwritten.
inline constexpr Index streamed_bytes = Index{16} << 20;
inline constexpr std::uintptr_t cache_line = 64;

/// Whether y, and the input of the same size that it is computed from, are more than the caches hold.
template <class T>
bool is_large(tensor::View<T> y) {
  return 2 * y.size() * Index{sizeof(T)} > streamed_bytes;
}

/// Whether y by itself is.
template <class T>
bool is_large_alone(tensor::View<T> y) {
  return y.size() * Index{sizeof(T)} > streamed_bytes;
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

/// How many parts of that size make up the whole; the last may be smaller.
constexpr Index parts(Index whole, Index part) {
  return (whole + part - 1) / part;
}

/// Calls f(first, end) on every thread with its own part of 0 … count, for work of `size` elements in all. The parts
/// depend on nothing but the number of threads, so that a thread meets the same memory again in the next op. What was
/// written past the caches has arrived when it returns. The first exception of a thread is thrown when all are done.
template <class F>
void share(Index count, Index size, F f) {
  if (size <= small_work || count < 2) {
    f(Index{0}, count);
    return hwy::FlushStream();
  }
  Thrown thrown;
#pragma omp parallel
  {
    const Index threads = omp_get_num_threads(), me = omp_get_thread_num();
    thrown.keep([&] { f(count * me / threads, count * (me + 1) / threads); });
    hwy::FlushStream();
  }
  thrown.pass_on();
}

/// `count` rows, or blocks of rows, for work of `size` elements in all; threads take `turn` of them at a time. 0: sixteen,
/// or fewer where these would not go round.
struct Turns {
  Index count, size;
  Index turn = 0;

  Index taken_at_a_time() const {
    return turn > 0 ? turn : std::clamp(count / (4 * omp_get_max_threads()), Index{1}, Index{16});
  }
};

/// Too little work for several threads, or one of many that threads share among themselves already.
inline bool stays_alone(Index size) {
  return size <= small_work || omp_in_parallel() != 0;
}

/// The same for rows whose work grows or shrinks along the matrix, as under a causal mask: every thread takes turns, the
/// next that nobody has taken; where the caches hold all, those that come to it in any case, so that it meets the same memory
/// again: a line that another core has written costs more than waiting for the last turn. Calls f() once on every thread for a
/// function of (first, end), which may keep what the thread needs beside the result, and may do the last of its work when it
/// is destroyed. One of (first, end, next) is also told where its next turn starts. The first exception of a thread is thrown
/// when all are done.
template <class F>
void share_in_turns(const Turns& turns, F f) {
  constexpr bool looks_ahead = std::invocable<decltype(f())&, Index, Index, Index>;
  const Index turn = turns.taken_at_a_time();
  if (stays_alone(turns.size) || turns.count <= turn) {
    {
      auto rows = f();
      if constexpr (looks_ahead)
        rows(Index{0}, turns.count, turns.count);
      else
        rows(Index{0}, turns.count);
    }
    return hwy::FlushStream();
  }
  constexpr Index held_by_caches = streamed_bytes / Index{2 * sizeof(float)};
  const bool in_order = turns.size <= held_by_caches;
  std::atomic<Index> untaken{0};
  Thrown thrown;
#pragma omp parallel
  {
    Index own = turn * omp_get_thread_num();
    const Index step = turn * omp_get_num_threads();
    const auto take = [&] {
      const Index first = in_order ? own : untaken.fetch_add(turn, std::memory_order_relaxed);
      own += step;
      return std::min(first, turns.count);
    };
    thrown.keep([&] {
      auto rows = f();
      const auto end = [&](Index first) { return std::min(first + turn, turns.count); };
      if constexpr (looks_ahead) {
        for (Index i = take(), next = take(); i < turns.count; i = next, next = take()) rows(i, end(i), next);
      } else {
        for (Index i = take(); i < turns.count; i = take()) rows(i, end(i));
      }
    });
    hwy::FlushStream();
  }
  thrown.pass_on();
}

}  // namespace orrery::simd
