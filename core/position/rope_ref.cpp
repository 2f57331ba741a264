#include "core/position/rope.h"

namespace orrery::position {

using tensor::Index;

void rope_ref(tensor::View<const double> x, const RopeTable& table, RopeLayout layout, tensor::View<double> y,
              Index first) {
  check_rope_shapes(x.rows, x.cols, table.tokens(), table.pairs(), first);
  const Index pairs = table.pairs();
  for (Index r = 0; r < x.rows; ++r) {
    const Index token = r % table.tokens();
    for (Index i = 0; i < pairs; ++i) {
      const Index a = first + (layout == RopeLayout::interleaved ? 2 * i : i);
      const Index b = layout == RopeLayout::interleaved ? a + 1 : a + pairs;
      const double c = table.cos(token, i), s = table.sin(token, i);
      const double xa = x(r, a), xb = x(r, b);
      y(r, a) = c * xa - s * xb;
      y(r, b) = s * xa + c * xb;
    }
    for (Index j = 0; j < first; ++j) y(r, j) = x(r, j);
    for (Index j = first + 2 * pairs; j < x.cols; ++j) y(r, j) = x(r, j);
  }
}

}  // namespace orrery::position
