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

/// rotate(first row, first token, count) for every row. A few tokens of all groups (heads) in turn: their part of the
/// table is read once and stays in the cache, and what is written is still in long pieces. Then the columns that do not
/// turn.
template <class T, class Rotate>
void each_piece(tensor::View<const T> x, Index tokens, Index pairs, tensor::View<T> y, Rotate rotate) {
  constexpr Index block = 256;
  const Index groups = x.rows / tokens, blocks = (tokens + block - 1) / block;
  simd::share(blocks * groups, x.size(), [&](Index first, Index end) {
    for (Index k = first; k < end; ++k) {
      const Index token = k / groups * block, row = k % groups * tokens + token;
      const Index count = std::min(block, tokens - token);
      rotate(row, token, count);
      if (2 * pairs == x.cols || x.data == y.data) continue;
      for (Index r = row; r < row + count; ++r)
        std::copy(x.row(r).begin() + 2 * pairs, x.row(r).end(), y.row(r).begin() + 2 * pairs);
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
  each_piece(x, cos.rows, pairs, y, [&](Index row, Index token, Index count) {
    for (Index t = 0; t < count; ++t) {
      const double *from = x.row(row + t).data(), *c = cos.row(token + t).data(),
                   *s = sin.row(token + t).data();
      double* to = y.row(row + t).data();
      if (layout == RopeLayout::interleaved) {
        rotate_row<2>(from, c, s, pairs, 1, to);
      } else {
        rotate_row<1>(from, c, s, pairs, pairs, to);
      }
    }
  });
}

template <>
void rope_cpu(tensor::View<const float> x, tensor::View<const float> cos, tensor::View<const float> sin,
              RopeLayout layout, tensor::View<float> y) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols);
  if (x.empty()) return;
  const auto size = [](Index n) { return static_cast<std::size_t>(n); };
  const bool streamed = simd::is_streamed(y) && 2 * cos.cols == x.cols;
  each_piece(x, cos.rows, cos.cols, y, [&](Index row, Index token, Index count) {
    const TokenRows rows{x.row(row).data(),     size(x.stride),   cos.row(token).data(),
                         sin.row(token).data(), size(cos.stride), size(sin.stride),
                         y.row(row).data(),     size(y.stride),   size(count),
                         size(cos.cols),        streamed};
    (layout == RopeLayout::interleaved ? rotate_neighbours : rotate_halves)(rows);
  });
}

}  // namespace orrery::position
