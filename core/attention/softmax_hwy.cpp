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

/// How much of the row is left when the −∞ at its end are dropped: what a causal mask hides, to whole vectors.
std::size_t seen(const float* x, std::size_t count) {
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

/// Writes e_j · 2³² and returns their sum.
double exponentials(const float* x, std::size_t count, float max, float scale, float* e) {
  double total[1];
  const Vector top = all(max), factor = all(scale);
  sums<1>(count, total, [=](auto at, std::size_t j, Vector* sum) HWY_ATTR {
    const Vector z = hn::Mul(hn::Sub(at.load(x + j, -infinity), top), factor);
    const Vector p = exp2_scaled<extra>(at_least(z, -152));
    at.store(p, e + j);
    sum[0] = hn::Add(sum[0], p);
  });
  return total[0];
}

template <bool streamed>
std::size_t softmax_each(const SoftmaxRows& rows, float scale, float* e) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* x = rows.x + i * rows.x_stride;
    const std::size_t end = seen(x, rows.cols);
    const float max = largest(x, end);
    if (max == -infinity) return i;
    const Vector inverse = all(static_cast<float>(1 / exponentials(x, end, max, scale, e)));
    // Zeros times the inverse, too: where that is NaN, all of the row is.
    std::memset(e + end, 0, (rows.cols - end) * sizeof(float));
    fill<streamed>(rows.y + i * rows.y_stride, rows.cols,
                   [=](auto at, std::size_t j) HWY_ATTR { return hn::Mul(at.load(e + j), inverse); });
  }
  return rows.count;
}

std::size_t softmax_loop(const SoftmaxRows& rows, float scale, float* e) {
  return rows.streamed ? softmax_each<true>(rows, scale, e) : softmax_each<false>(rows, scale, e);
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(softmax_loop);

std::size_t softmax_rows(const SoftmaxRows& rows, float scale, float* exponentials) {
  return HWY_DYNAMIC_DISPATCH(softmax_loop)(rows, scale, exponentials);
}

}  // namespace orrery::attention
#endif
