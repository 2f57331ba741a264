// How the norms go over the rows of a matrix: one row is written while the next is summed, so that memory has both to read
// and to write all the time, and what must wait for a root has other work. Compiled once for each kind of processor, like
// core/simd/vector.h.
//
// A Norm says what it sums over a row, what follows from the sums, and what it writes:
//   sums                        how many sums there are
//   guess(x, cols)              a number near the row's mean, or 0
//   add(x, guess, sum)          adds the terms of a vector of x to the sums
//   finish(row, cols, by)       what the row is scaled by, of type Standard; false where float does not hold it
//   weights(at, j)              those of a vector of columns
//   value(x, weights, by)       what is written
#if defined(ORRERY_CORE_NORM_ROW_LOOPS_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_NORM_ROW_LOOPS_H_
#undef ORRERY_CORE_NORM_ROW_LOOPS_H_
#else
#define ORRERY_CORE_NORM_ROW_LOOPS_H_
#endif

#include "core/norm/kernels.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::norm::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// A row that is summed. What lies past its end counts as the guess.
template <class Norm>
struct Summed {
  const float* x;
  float guess;
  Sums<Norm::sums> sums;

  HWY_INLINE void start(const float* row, float near_mean) {
    x = row;
    guess = near_mean;
    sums.clear();
  }
  HWY_INLINE void add(std::size_t first, std::size_t end) {
    sums.over(first, end,
              [row = x, c = guess, middle = all(guess)](auto at, std::size_t j, Vector* sum)
                  HWY_ATTR { Norm::add(at.load(row + j, c), middle, sum); });
  }
};

/// A row that is written: y of x and of what its norm found for the row.
template <class Norm>
struct Written {
  const float* x;
  float* y;
  typename Norm::Standard by;
};

/// Up to here (8 kB) three rows lie in the first cache side by side, and the one after the next is fetched into it.
constexpr std::size_t short_row = 2048;

/// A piece of each row in turn.
template <class Norm>
HWY_INLINE std::size_t one_by_one(const FloatRows& rows, const Norm& norm) {
  constexpr std::size_t piece = 256;
  const float* x = rows.x;
  float* y = rows.y;
  Summed<Norm> summed;
  typename Norm::Standard by;
  summed.start(x, norm.guess(x, rows.cols));
  summed.add(0, rows.cols);
  for (std::size_t i = 0; i < rows.count; ++i, x += rows.x_stride, y += rows.y_stride) {
    if (!norm.finish(summed, rows.cols, by)) return i;
    const float* const next = i + 1 < rows.count ? x + rows.x_stride : x;
    const float* const after = next + (rows.cols <= short_row ? rows.x_stride : 0);
    summed.start(next, norm.guess(next, rows.cols));
    for (std::size_t first = 0; first < rows.cols; first += piece) {
      const std::size_t end = HWY_MIN(first + piece, rows.cols);
      summed.add(first, end);
      fill<false>(y + first, end - first, [norm, by, x, first, after](auto at, std::size_t j) HWY_ATTR {
        fetch_near(after + first + j);
        return norm.value(at.load(x + first + j), norm.weights(at, first + j), by);
      });
    }
  }
  return rows.count;
}

/// N rows are summed while N others are streamed, column by column in one loop. The sums do not depend on where y lies.
template <class Norm, int N>
struct Together {
  static constexpr int K = Norm::sums;
  using Sum = Vector[N][K];

  Norm norm;
  std::size_t cols;
  Summed<Norm> (&summed)[N];
  const Written<Norm> (&written)[N];
  std::size_t ahead;  ///< from a summed row to the one that is fetched meanwhile

  static HWY_INLINE void clear(Sum& sum) {
    for (int r = 0; r < N; ++r)
      for (int k = 0; k < K; ++k) sum[r][k] = hn::Zero(Floats());
  }

  template <class At>
  HWY_INLINE void write(At at, std::size_t j) const {
    const auto weights = norm.weights(at, j);
    for (int r = 0; r < N; ++r)
      at.store(norm.value(at.load(written[r].x + j), weights, written[r].by), written[r].y + j);
  }

  /// One vector of each row is summed from column j on, one streamed from column `to` on.
  HWY_INLINE void step(std::size_t j, std::size_t to, Sum& sum) const {
    const auto weights = norm.weights(Whole{}, to);
    for (int r = 0; r < N; ++r) {
      fetch(summed[r].x + ahead + j);
      Norm::add(Whole{}.load(summed[r].x + j), all(summed[r].guess), sum[r]);
      hn::Stream(norm.value(Whole{}.load(written[r].x + to), weights, written[r].by), Floats(),
                 written[r].y + to);
    }
  }

  /// As many terms as Sums takes in float, and in its order, with half as many sums under way.
  HWY_INLINE void block(std::size_t j, std::size_t to) const {
    const std::size_t lanes = hn::Lanes(Floats());
    Sum sum;
    clear(sum);
#pragma GCC unroll 1
    for (int half = 0; half < 2; ++half) {
      Sum a, b;
      clear(a);
      clear(b);
      for (std::size_t term = 0; term < terms_in_float; ++term, j += 2 * lanes, to += 2 * lanes) {
        step(j, to, a);
        step(j + lanes, to + lanes, b);
      }
      for (int r = 0; r < N; ++r)
        for (int k = 0; k < K; ++k) sum[r][k] = hn::Add(sum[r][k], hn::Add(a[r][k], b[r][k]));
    }
    for (int r = 0; r < N; ++r)
      for (int k = 0; k < K; ++k)
        summed[r].sums.wide[k] = hn::Add(summed[r].sums.wide[k], widened(sum[r][k]));
  }

  HWY_INLINE void run() const {
    const std::size_t lanes = hn::Lanes(Floats()), columns = 4 * terms_in_float * lanes;
    std::size_t j = 0, to = HWY_MIN(cols, before_aligned(written[0].y));
    if (to > 0) write(Part{to}, 0);
    for (; to + columns <= cols; j += columns, to += columns) block(j, to);
    for (int r = 0; r < N; ++r) summed[r].add(j, cols);
    for (; to + lanes <= cols; to += lanes) write(Whole{}, to);
    if (to < cols) write(Part{cols - to}, to);
  }
};

/// Streamed, N rows at a time: memory gives more to several streams than to one, and a vector of the weights serves them
/// all. N > 1 only where vectors of all rows of y start at the same column.
template <int N, class Norm>
HWY_INLINE std::size_t side_by_side(const FloatRows& rows, const Norm& norm) {
  Summed<Norm> summed[N];
  Written<Norm> written[N];
  const auto start = [&](std::size_t first, std::size_t count) HWY_ATTR {
    for (std::size_t r = 0; r < count; ++r) {
      const float* x = rows.x + (first + r) * rows.x_stride;
      summed[r].start(x, norm.guess(x, rows.cols));
    }
  };

  std::size_t done = 0, count = HWY_MIN(std::size_t{N}, rows.count);
  start(0, count);
  for (std::size_t r = 0; r < count; ++r) summed[r].add(0, rows.cols);
  while (count > 0) {
    std::size_t good = 0;
    for (; good < count && norm.finish(summed[good], rows.cols, written[good].by); ++good) {
      written[good].x = summed[good].x;
      written[good].y = rows.y + (done + good) * rows.y_stride;
    }
    const std::size_t next = good < count ? 0 : HWY_MIN(std::size_t{N}, rows.count - done - count);
    start(done + count, next);
    if (good == N && next == N) {
      Together<Norm, N>{norm, rows.cols, summed, written, N * rows.x_stride}.run();
    } else {
      for (std::size_t r = 0; r < good; ++r)
        fill<true>(written[r].y, rows.cols, [norm, row = written[r]](auto at, std::size_t j) HWY_ATTR {
          return norm.value(at.load(row.x + j), norm.weights(at, j), row.by);
        });
      for (std::size_t r = 0; r < next; ++r) summed[r].add(0, rows.cols);
    }
    done += good;
    count = next;
  }
  return done;
}

/// How many rows are streamed together: where there are registers for the sums of two (thirty-two, as with AVX-512), two.
constexpr int together = HWY_MAX_BYTES >= 64 ? 2 : 1;

template <class Norm>
std::size_t norm_rows(const FloatRows& rows, const Norm& norm) {
  if (!rows.streamed) return one_by_one(rows, norm);
  return rows.y_stride % hn::Lanes(Floats()) == 0 ? side_by_side<together>(rows, norm)
                                                  : side_by_side<1>(rows, norm);
}

}  // namespace orrery::norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
