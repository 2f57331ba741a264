#include <limits>

#include "core/attention/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/softmax_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/exp.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

constexpr float infinity = std::numeric_limits<float>::infinity();

/// How much of the row is left when the −∞ at its end are dropped, to whole vectors: what a mask of −∞ hides.
std::size_t without_masked_end(const float* x, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats());
  const Vector masked = all(-infinity);
  std::size_t end = count;
  while (end >= lanes && hn::AllTrue(Floats(), hn::Eq(Whole{}.load(x + end - lanes), masked))) end -= lanes;
  return end;
}

/// The largest value of a vector and a row; comparisons with NaN are false, and the exponentials will meet it.
float largest(Vector a, const float* x, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats());
  Vector b = a, c = a, d = a;
  std::size_t j = 0;
  for (; j + 4 * lanes <= count; j += 4 * lanes) {
    a = hn::Max(Whole{}.load(x + j), a);
    b = hn::Max(Whole{}.load(x + j + lanes), b);
    c = hn::Max(Whole{}.load(x + j + 2 * lanes), c);
    d = hn::Max(Whole{}.load(x + j + 3 * lanes), d);
  }
  for (; j + lanes <= count; j += lanes) a = hn::Max(Whole{}.load(x + j), a);
  if (j < count) a = hn::Max(Part{count - j}.load(x + j, -infinity), a);
  return hn::GetLane(hn::MaxOfLanes(Floats(), hn::Max(hn::Max(a, b), hn::Max(c, d))));
}

/// Every e_j is kept times 2³²: so none is subnormal before it is divided by the sum. What is below 2⁻¹⁵² of the largest
/// is held there, and rounds to 0.
constexpr int extra = 32;

/// Writes e_j · 2³² of the next N vectors and adds them to the sums.
template <int N, class At>
HWY_INLINE void exponentials_of(At at, const float* x, Vector top, Vector factor, float* e, Vector* sum) {
  const std::size_t lanes = hn::Lanes(Floats());
  Vector z[N];
#pragma GCC unroll 4
  for (int i = 0; i < N; ++i)
    z[i] = at_least(hn::Mul(hn::Sub(at.load(x + i * lanes, -infinity), top), factor), -152);
  exp2_scaled<extra>(z);
#pragma GCC unroll 4
  for (int i = 0; i < N; ++i) {
    at.store(z[i], e + i * lanes);
    sum[i] = hn::Add(sum[i], z[i]);
  }
}

/// Those of a row, added to `total`: in double after every few terms, as in simd::Sums. The order is that of step(), so that a
/// row's sum does not depend on the rows beside it.
WideVector exponentials(const float* x, std::size_t count, Vector top, Vector factor, float* e,
                        WideVector total) {
  const std::size_t lanes = hn::Lanes(Floats()), group = beside * lanes;
  std::size_t j = 0;
  while (j < count) {
    Vector sum[beside];
    for (int i = 0; i < beside; ++i) sum[i] = hn::Zero(Floats());
    std::size_t term = 0;
    for (; term < terms_in_float && j + group <= count; ++term, j += group)
      exponentials_of<beside>(Whole{}, x + j, top, factor, e + j, sum);
    if (term < terms_in_float) {
      int i = 0;
      for (; j + lanes <= count; j += lanes)
        exponentials_of<1>(Whole{}, x + j, top, factor, e + j, &sum[i++]);
      if (j < count) exponentials_of<1>(Part{count - j}, x + j, top, factor, e + j, &sum[i]);
      j = count;
    }
    for (int i = 1; i < beside; ++i) sum[0] = hn::Add(sum[0], sum[i]);
    total = hn::Add(total, widened(sum[0]));
  }
  return total;
}

template <bool streamed>
HWY_INLINE void fill_with(Vector v, float* y, std::size_t count) {
  fill<streamed>(y, count, [v](auto, std::size_t) HWY_ATTR { return v; });
}

/// Column by column in one loop, as far as all three rows reach; what is left of each, by itself.
template <Writing writing>
void step(SoftmaxStep& s) {
  constexpr bool streamed = writing == Writing::past_caches;
  const std::size_t lanes = hn::Lanes(Floats()), group = beside * lanes, block = terms_in_float * group;
  const SoftmaxRow &before = s.before, &now = s.now;
  const float *x = now.x + now.first, *after = s.after.x + s.after.first,
              *fetched = s.fetched + s.after.first;
  float *y = before.y + before.first, *next_y = now.y + now.first, *e = s.exponentials;
  s.after.count = without_masked_end(after, s.after.end - s.after.first);

  const Vector inverse = all(s.inverse), top = all(s.largest), factor = all(s.scale),
               zero = hn::Zero(Floats());
  WideVector total = hn::Zero(Doubles());
  Vector most[2] = {all(-infinity), all(-infinity)};

  fill_with<streamed>(zero, before.y, before.first);
  // What is written stays ahead of the exponentials that take its place.
  std::size_t j = 0, to = 0;
  if constexpr (streamed) {
    if (const Part head{HWY_MIN(before.count, before_aligned(y))}; head.count > 0) {
      head.store(hn::Mul(head.load(e), inverse), y);
      to = head.count;
    }
  }
  const std::size_t shorter = HWY_MIN(now.count, s.after.count);
  while (to + block <= before.count && j + block <= shorter) {
    Vector sum[beside];
    for (int i = 0; i < beside; ++i) sum[i] = zero;
    for (std::size_t term = 0; term < terms_in_float; ++term, j += group, to += group) {
#pragma GCC unroll 4
      for (int i = 0; i < beside; ++i) {
        const std::size_t at = i * lanes;
        streamed ? fetch(fetched + j + at) : fetch_near(fetched + j + at);
        if constexpr (writing == Writing::asked_for) fetch_to_write(next_y + to + at);
        most[i % 2] = hn::Max(Whole{}.load(after + j + at), most[i % 2]);
        put<streamed>(hn::Mul(Whole{}.load(e + to + at), inverse), y + to + at);
      }
      exponentials_of<beside>(Whole{}, x + j, top, factor, e + j, sum);
    }
    for (int i = 1; i < beside; ++i) sum[0] = hn::Add(sum[0], sum[i]);
    total = hn::Add(total, widened(sum[0]));
  }

  fill<streamed>(y + to, before.count - to, [e, to, inverse](auto at, std::size_t k) HWY_ATTR {
    return hn::Mul(at.load(e + to + k), inverse);
  });
  // Where the inverse is NaN, all of the row that is seen is.
  fill_with<streamed>(hn::Mul(zero, inverse), y + before.count, before.end - before.first - before.count);
  fill_with<streamed>(zero, before.y + before.end, before.cols - before.end);

  s.sum = sum_of_lanes(exponentials(x + j, now.count - j, top, factor, e + j, total));
  s.largest_after = largest(hn::Max(most[0], most[1]), after + j, s.after.count - j);
}

void softmax_step_loop(SoftmaxStep& s) {
  switch (s.writing) {
    case Writing::past_caches:
      return step<Writing::past_caches>(s);
    case Writing::into_caches:
      return step<Writing::into_caches>(s);
    case Writing::asked_for:
      return step<Writing::asked_for>(s);
  }
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(softmax_step_loop);

void softmax_step(SoftmaxStep& s) {
  HWY_DYNAMIC_DISPATCH(softmax_step_loop)(s);
}

}  // namespace orrery::attention
#endif
