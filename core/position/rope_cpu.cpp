#include <algorithm>

#include "core/position/kernels.h"
#include "core/position/rope.h"
#include "core/simd/share.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// Pair i is (x[first(i)], x[first(i) + apart]). In place is fine: both are read before either is written.
template <Index stride>
void rotate_row(const double* x, const double* cos, const double* sin, Index pairs, Index apart, double* y) {
  for (Index i = 0; i < pairs; ++i) {
    const Index a = stride * i;
    const Index b = a + apart;
    const double c = cos[i], s = sin[i];
    const double xa = x[a], xb = x[b];
    y[a] = c * xa - s * xb;
    y[b] = s * xa + c * xb;
  }
}

/// rotate(x, cos, sin, y) for every row. A few tokens of all groups (heads) in turn: their part of the table is read once
/// and stays in the cache, and what is written is still in long pieces.
template <class T, class Rotate>
void each_row(tensor::View<const T> x, tensor::View<const T> cos, tensor::View<const T> sin,
              tensor::View<T> y, Rotate rotate) {
  constexpr Index block = 32;
  const Index tokens = cos.rows, groups = x.rows / tokens, blocks = (tokens + block - 1) / block;
  simd::share(blocks * groups, x.size(), [&](Index first, Index end) {
    for (Index k = first; k < end; ++k) {
      const Index start = k / groups * block, group = k % groups;
      for (Index t = start; t < std::min(start + block, tokens); ++t) {
        const T* from = x.row(group * tokens + t).data();
        T* to = y.row(group * tokens + t).data();
        rotate(from, cos.row(t).data(), sin.row(t).data(), to);
        if (from != to) std::copy(from + 2 * cos.cols, from + x.cols, to + 2 * cos.cols);
      }
    }
  });
}

}  // namespace

template <>
void rope_cpu(tensor::View<const double> x, tensor::View<const double> cos, tensor::View<const double> sin,
              RopeLayout layout, tensor::View<double> y) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols);
  if (x.empty()) return;
  const Index pairs = cos.cols;
  each_row(x, cos, sin, y, [=](const double* from, const double* c, const double* s, double* to) {
    if (layout == RopeLayout::interleaved) return rotate_row<2>(from, c, s, pairs, 1, to);
    rotate_row<1>(from, c, s, pairs, pairs, to);
  });
}

template <>
void rope_cpu(tensor::View<const float> x, tensor::View<const float> cos, tensor::View<const float> sin,
              RopeLayout layout, tensor::View<float> y) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols);
  if (x.empty()) return;
  const auto pairs = static_cast<std::size_t>(cos.cols);
  const bool streamed = simd::is_streamed(y) && 2 * cos.cols == x.cols;
  RotateRow* const rotate = layout == RopeLayout::interleaved ? rotate_neighbours : rotate_halves;
  each_row(x, cos, sin, y, [=](const float* from, const float* c, const float* s, float* to) {
    rotate(from, c, s, pairs, to, streamed);
  });
}

}  // namespace orrery::position
