#include "core/simd/product_turned.h"

#include <omp.h>

#include <algorithm>

#include "core/simd/aligned_room.h"
#include "core/simd/product_kernels.h"
#include "core/simd/share.h"

namespace orrery::simd {
namespace {

using tensor::View;

/// For more of them, the packing of b costs little beside the product, and the panels of x, which every block of b needs again,
/// no longer stay in the second cache.
constexpr Index few_rows = 64;
/// For fewer, turning a sum into its place costs as much as is saved.
constexpr Index many_terms = 512;
/// Columns of b at a time: as many as make whole panels and whole tiles, for vectors of 4, 8 and 16 floats; twice as many,
/// which write whole lines of y, where all threads have enough.
Index columns_at_a_time(Index columns) {
  constexpr Index least = 48;
  const Index width = product_tile().columns;
  return parts(columns >= 2 * least * 4 * omp_get_max_threads() ? 2 * least : least, width) * width;
}

/// The rows of x as columns of panels, as many in each, and all terms of a panel below each other.
class TurnedRows {
 public:
  explicit TurnedRows(View<const float> x) : x_(x), panels_(aligned_room<float>(count() * width_ * x.cols)) {
    for (Index p = 0; p < count(); ++p)
      pack_panel(x.data + first(p) * x.stride, 1, x.stride, x.cols, rows(p), panels_.get() + at(p, 0));
  }
  Index count() const { return parts(x_.rows, width_); }
  Index width() const { return width_; }
  Index first(Index panel) const { return x_.rows * panel / count(); }
  Index rows(Index panel) const { return first(panel + 1) - first(panel); }
  const float* terms(Index panel, Index first) const { return panels_.get() + at(panel, first); }

 private:
  Index at(Index panel, Index term) const { return (panel * x_.cols + term) * width_; }

  View<const float> x_;
  Index width_ = product_tile().columns;
  AlignedRoom<float> panels_;
};

/// What one thread does: some columns of b against all rows of x.
class Columns {
 public:
  Columns(const TurnedRows& x, const Factor& b, std::span<const float> bias, View<float> y)
      : x_(x),
        b_(b),
        bias_(bias),
        y_(y),
        at_a_time_(columns_at_a_time(b.columns)),
        sums_(aligned_room<float>(at_a_time_ * x.width())),
        turned_(aligned_room<float>(x.width() * x.width())) {}

  /// Columns from `first` on; `next` come after them.
  void multiply(Index first, Index next) const {
    const Index columns = std::min(at_a_time_, b_.columns - first);
    for (Index panel = 0; panel < x_.count(); ++panel) {
      start(first, columns, x_.rows(panel));
      for (Index term = 0; term < b_.rows; term += block_terms) {
        const Index terms = std::min(block_terms, b_.rows - term);
        const bool last = panel + 1 == x_.count() && term + terms == b_.rows;
        multiply_panels({.x = column(first) + term,
                         .x_stride = b_.column_step,
                         .rows = columns,
                         .count = terms,
                         .panels = x_.terms(panel, term),
                         .y = sums_.get(),
                         .y_stride = x_.width(),
                         .columns = x_.rows(panel),
                         .start = nullptr,
                         .next = last ? first_tile(next) : Ahead{nullptr, 0, 0, 0}});
      }
      write(panel, first, columns);
    }
  }

 private:
  const float* column(Index n) const { return b_.data + n * b_.column_step; }

  Ahead first_tile(Index first) const {
    return {column(first), b_.column_step, std::clamp(b_.columns - first, Index{0}, product_tile().rows),
            b_.rows};
  }

  void start(Index first, Index columns, Index rows) const {
    for (Index n = 0; n < columns; ++n)
      std::fill_n(sums_.get() + n * x_.width(), rows,
                  bias_.empty() ? 0.0F : bias_[static_cast<std::size_t>(first + n)]);
  }

  /// A panel's sums, a row to a column of y, to where they belong.
  void write(Index panel, Index first, Index columns) const {
    const Index width = x_.width(), rows = x_.rows(panel);
    for (Index n = 0; n < columns; n += width) {
      const Index some = std::min(width, columns - n);
      pack_panel(sums_.get() + n * width, 1, width, rows, some, turned_.get());
      for (Index r = 0; r < rows; ++r)
        std::copy_n(turned_.get() + r * width, some, y_.row(x_.first(panel) + r).data() + first + n);
    }
  }

  const TurnedRows& x_;
  const Factor& b_;
  std::span<const float> bias_;
  View<float> y_;
  Index at_a_time_;
  AlignedRoom<float> sums_, turned_;
};

}  // namespace

bool is_faster_turned(Index rows, const Factor& b) {
  return rows <= few_rows && b.rows >= many_terms && b.row_step == 1;
}

void product_turned(View<const float> x, const Factor& b, std::span<const float> bias, View<float> y,
                    const Finish& finish) {
  const TurnedRows rows(x);
  const Index together = columns_at_a_time(b.columns), count = parts(b.columns, together);
  const Index size = y.size() * std::max<Index>(b.rows, 1);
  share_in_turns({.count = count, .size = size}, [&] {
    return [&, own = Columns(rows, b, bias, y)](Index first, Index end, Index next) {
      for (Index k = first; k < end; ++k) {
        const Index column = k * together;
        own.multiply(column, (k + 1 < end ? k + 1 : next) * together);
        if (finish.change)
          finish.change({y.data + column, y.rows, std::min(together, y.cols - column), y.stride});
      }
    };
  });
}

}  // namespace orrery::simd
