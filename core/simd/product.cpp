#include "core/simd/product.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/simd/product_kernels.h"
#include "core/simd/share.h"

namespace orrery::simd {
namespace {

using tensor::View;

/// Terms of the inner axis at a time: a panel of them stays in the second cache, and is fetched ahead, while rows of x go by.
constexpr Index block_terms = 384;
/// Fewer rows than this do not pay for packing b once more.
constexpr Index worthwhile_rows = 256;

Index parts(Index whole, Index part) {
  return (whole + part - 1) / part;
}

/// Room for one panel, on a cache line.
class Panel {
 public:
  explicit Panel(Index size)
      : room_(static_cast<float*>(
            std::aligned_alloc(cache_line, static_cast<std::size_t>(parts(size * 4, 64) * 64)))) {
    if (room_ == nullptr) throw std::bad_alloc();
  }
  float* data() const { return room_.get(); }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  std::unique_ptr<float[], Free> room_;
};

/// All rows of x against the columns of one panel.
void multiply_columns(View<const float> x, const Factor& b, std::span<const float> bias, View<float> y,
                      Index first, const Panel& panel) {
  const Index width = product_tile().columns, columns = std::min(width, b.columns - first);
  std::vector<float> start(static_cast<std::size_t>(width), 0.0F);
  if (!bias.empty()) std::copy_n(bias.begin() + first, columns, start.begin());
  Index term = 0;
  do {  // once also when there is no term at all: y is the bias then
    const Index count = std::min(block_terms, b.rows - term);
    pack_panel(b.data + term * b.row_step + first * b.column_step, b.row_step, b.column_step, count, columns,
               panel.data());
    multiply_panel({x.data + term, x.stride, x.rows, count, panel.data(), y.data + first, y.stride, columns,
                    term == 0 ? start.data() : nullptr});
    term += count;
  } while (term < b.rows);
}

}  // namespace

void product(View<const float> x, const Factor& b, std::span<const float> bias, View<float> y) {
  if (y.rows == 0 || y.cols == 0) return;
  const Index width = product_tile().columns, panels = parts(b.columns, width);
  const Index threads = y.size() * std::max<Index>(b.rows, 1) <= small_work ? 1 : omp_get_max_threads();
  // Panels are packed once each if there are enough of them for all threads; else rows are shared out too.
  const Index groups =
      std::clamp(parts(4 * threads, panels), Index{1}, std::max(Index{1}, x.rows / worthwhile_rows));
  const Index group_rows = parts(parts(x.rows, groups), product_tile().rows) * product_tile().rows;
#pragma omp parallel num_threads(static_cast <int>(threads)) if (threads > 1)
  {
    const Panel panel(width * std::min(block_terms, std::max<Index>(b.rows, 1)));
#pragma omp for schedule(dynamic) collapse(2)
    for (Index group = 0; group < groups; ++group) {
      for (Index p = 0; p < panels; ++p) {
        const Index row = std::min(group * group_rows, x.rows), count = std::min(group_rows, x.rows - row);
        multiply_columns({x.data + row * x.stride, count, x.cols, x.stride}, b, bias,
                         {y.data + row * y.stride, count, y.cols, y.stride}, p * width, panel);
      }
    }
  }
}

double product_bound(Index K) {
  return (2 + std::sqrt(static_cast<double>(K))) * 0x1p-24;
}

}  // namespace orrery::simd
