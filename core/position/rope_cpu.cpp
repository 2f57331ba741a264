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

/// Tokens of several groups (heads) that are turned together.
struct Piece {
  Index row;  ///< of the first token of the first group
  Index token, tokens, groups;
  Index next;  ///< `row` of the piece that this thread turns after this
};

/// rotate(piece) for every row, then the columns that do not turn. Two groups go side by side, token by token: their part of
/// the table is read once for both, and memory gives more to two streams than to one. (To three or more, each a power of two
/// from the next, it gives less: by a fifth on Zen 5.)
template <class T, class Rotate>
void each_piece(tensor::View<const T> x, Index tokens, Index pairs, Index column, tensor::View<T> y,
                Rotate rotate) {
  constexpr Index block = 64, together = 2;
  const Index groups = x.rows / tokens, blocks = (tokens + block - 1) / block,
              sets = (groups + together - 1) / together;
  simd::share(blocks * sets, x.size(), [&](Index first, Index end) {
    const auto token_of = [&](Index k) { return k / sets * block; };
    const auto group_of = [&](Index k) { return k % sets * together; };
    const auto row_of = [&](Index k) { return group_of(k) * tokens + token_of(k); };
    for (Index k = first; k < end; ++k) {
      const Piece piece{row_of(k), token_of(k), std::min(block, tokens - token_of(k)),
                        std::min(together, groups - group_of(k)), row_of(k + 1 < end ? k + 1 : k)};
      rotate(piece);
      if (2 * pairs == x.cols || x.data == y.data) continue;
      for (Index g = 0; g < piece.groups; ++g) {
        for (Index r = piece.row + g * tokens; r < piece.row + g * tokens + piece.tokens; ++r) {
          std::copy_n(x.row(r).begin(), column, y.row(r).begin());
          const Index behind = column + 2 * pairs;
          std::copy(x.row(r).begin() + behind, x.row(r).end(), y.row(r).begin() + behind);
        }
      }
    }
  });
}

}  // namespace

template <>
void rope_cpu(tensor::View<const double> x, tensor::View<const double> cos, tensor::View<const double> sin,
              RopeLayout layout, tensor::View<double> y, Index first) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols, first);
  if (x.empty()) return;
  const Index pairs = cos.cols, tokens = cos.rows;
  each_piece(x, tokens, pairs, first, y, [&](const Piece& p) {
    for (Index g = 0; g < p.groups; ++g) {
      for (Index t = 0; t < p.tokens; ++t) {
        const Index row = p.row + g * tokens + t;
        const double *from = x.row(row).data() + first, *c = cos.row(p.token + t).data(),
                     *s = sin.row(p.token + t).data();
        double* to = y.row(row).data() + first;
        if (layout == RopeLayout::interleaved) {
          rotate_row<2>(from, c, s, pairs, 1, to);
        } else {
          rotate_row<1>(from, c, s, pairs, pairs, to);
        }
      }
    }
  });
}

template <>
void rope_cpu(tensor::View<const float> x, tensor::View<const float> cos, tensor::View<const float> sin,
              RopeLayout layout, tensor::View<float> y, Index first) {
  check_rope_shapes(x.rows, x.cols, cos.rows, cos.cols, first);
  if (x.empty()) return;
  const auto size = [](Index n) { return static_cast<std::size_t>(n); };
  const Index tokens = cos.rows;
  // In place, every line that is written has just been read: it is in the cache.
  const bool large = simd::is_large(y),
             streamed = large && simd::starts_on_lines(y) && x.data != y.data && 2 * cos.cols == x.cols;
  each_piece(x, tokens, cos.cols, first, y, [&](const Piece& p) {
    const TokenRows rows{.x = x.row(p.row).data() + first,
                         .x_stride = size(x.stride),
                         .x_group = size(tokens * x.stride),
                         .cos = cos.row(p.token).data(),
                         .sin = sin.row(p.token).data(),
                         .cos_stride = size(cos.stride),
                         .sin_stride = size(sin.stride),
                         .y = y.row(p.row).data() + first,
                         .y_stride = size(y.stride),
                         .y_group = size(tokens * y.stride),
                         .count = size(p.tokens),
                         .groups = size(p.groups),
                         .pairs = size(cos.cols),
                         .next = x.row(p.next).data() + first,
                         .fetched = large,
                         .streamed = streamed};
    (layout == RopeLayout::interleaved ? rotate_neighbours : rotate_halves)(rows);
  });
}

}  // namespace orrery::position
