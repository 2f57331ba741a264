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

/// The largest value; comparisons with NaN are false, and the exponentials will meet it.
float largest(const float* x, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats());
  Vector a = all(-infinity), b = a, c = a, d = a;
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

/// Up to here (8 kB) a row, its exponentials and the next row lie in the first cache side by side.
constexpr std::size_t short_row = 2048;

/// Those of a row; returns their sum, in double after every few terms as in simd::sums. Memory has nothing to do
/// meanwhile: `next` is fetched.
double exponentials(const float* x, std::size_t count, float max, float scale, float* e, const float* next) {
  const std::size_t lanes = hn::Lanes(Floats()), group = beside * lanes;
  const Vector top = all(max), factor = all(scale);
  const bool near = count <= short_row;
  WideVector total = hn::Zero(Doubles());
  std::size_t j = 0;
  while (j < count) {
    Vector sum[beside];
    for (int i = 0; i < beside; ++i) sum[i] = hn::Zero(Floats());
    for (std::size_t term = 0; term < terms_in_float && j + group <= count; ++term, j += group) {
      for (int i = 0; i < beside; ++i) near ? fetch_near(next + j + i * lanes) : fetch(next + j + i * lanes);
      exponentials_of<beside>(Whole{}, x + j, top, factor, e + j, sum);
    }
    if (j + group > count) {
      int i = 0;
      for (; j + lanes <= count; j += lanes)
        exponentials_of<1>(Whole{}, x + j, top, factor, e + j, &sum[i++]);
      if (j < count) exponentials_of<1>(Part{count - j}, x + j, top, factor, e + j, &sum[i]);
      j = count;
    }
    for (int i = 1; i < beside; ++i) sum[0] = hn::Add(sum[0], sum[i]);
    total = hn::Add(total, widened(sum[0]));
  }
  return sum_of_lanes(total);
}

template <bool streamed>
HWY_INLINE void fill_with(Vector v, float* y, std::size_t count) {
  fill<streamed>(y, count, [v](auto, std::size_t) HWY_ATTR { return v; });
}

template <bool streamed>
bool softmax_of_seen(const SoftmaxRow& row, float scale, float* e) {
  const float* x = row.x + row.first;
  const std::size_t seen = row.end - row.first, count = without_masked_end(x, seen);
  const float max = largest(x, count);
  if (max == -infinity) return false;
  const Vector zero = hn::Zero(Floats()),
               inverse =
                   all(static_cast<float>(1 / exponentials(x, count, max, scale, e, row.next + row.first)));
  fill_with<streamed>(zero, row.y, row.first);
  float* y = row.y + row.first;
  fill<streamed>(y, count, [=](auto at, std::size_t j) HWY_ATTR { return hn::Mul(at.load(e + j), inverse); });
  // Where the inverse is NaN, all of the row that is seen is.
  fill_with<streamed>(hn::Mul(zero, inverse), y + count, seen - count);
  fill_with<streamed>(zero, row.y + row.end, row.cols - row.end);
  return true;
}

bool softmax_of_row(const SoftmaxRow& row, float scale, float* e) {
  return row.streamed ? softmax_of_seen<true>(row, scale, e) : softmax_of_seen<false>(row, scale, e);
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(softmax_of_row);

bool softmax_row(const SoftmaxRow& row, float scale, float* exponentials) {
  return HWY_DYNAMIC_DISPATCH(softmax_of_row)(row, scale, exponentials);
}

}  // namespace orrery::attention
#endif
