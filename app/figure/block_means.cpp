#include "app/figure/block_means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace orrery::figure {
namespace {

constexpr double least_direction = 0.1;  // of the sum of unit vectors: below it there is no direction

/// The cells under a pixel: from a part of the first to a part of the last.
struct Covered {
  double from = 0, to = 0;  ///< in cells

  int first() const { return static_cast<int>(std::floor(from)); }
  int end() const { return static_cast<int>(std::ceil(to)); }
  double part(int cell) const { return std::min(to, cell + 1.0) - std::max(from, static_cast<double>(cell)); }
};

std::vector<Covered> covered_by(const Pixels1D& pixels, Range whole, int cells) {
  std::vector<Covered> all(static_cast<std::size_t>(pixels.count));
  const auto at = [&](int edge) {
    const double v = pixels.scale.invert(static_cast<double>(edge) / pixels.count, pixels.range);
    const double cell = (v - whole.lo) / whole.length() * cells;
    // An edge between two cells is one, whatever the rounding.
    const double near = std::round(cell);
    return std::clamp(std::abs(cell - near) < 1e-6 ? near : cell, 0.0, static_cast<double>(cells));
  };
  for (int i = 0; i < pixels.count; ++i) {
    Covered& own = all[static_cast<std::size_t>(i)];
    own = {at(i), at(i + 1)};
    if (!(own.to > own.from)) {  // a sliver: the cell that it lies in
      own.from = std::min(std::floor(own.from), cells - 1.0);
      own.to = own.from + 1;
    }
  }
  return all;
}

/// Rows of cells, one after another: of a grid where they lie, of a sampler a few at a time.
class Rows {
 public:
  Rows(const Field& field, int first_col, int last_col)
      : field_(field), first_(first_col), count_(last_col - first_col) {}

  /// Of the columns asked for.
  const float* row(int r) {
    if (field_.grid)
      return field_.grid->values.data() +
             static_cast<std::size_t>(r) * static_cast<std::size_t>(field_.cols) + first_;
    if (r < begin_ || r >= begin_ + held_.rows) fetch(r);
    return held_.values.data() + static_cast<std::size_t>(r - begin_) * static_cast<std::size_t>(count_);
  }

 private:
  void fetch(int r) {
    constexpr int values_at_once = 1 << 20;
    begin_ = r;
    const int rows = std::clamp(values_at_once / std::max(count_, 1), 1, field_.rows - r);
    const auto part = [](Range whole, int cells, int from, int count) {
      const double cell = whole.length() / cells;
      return Range{whole.lo + from * cell, whole.lo + (from + count) * cell};
    };
    held_ = (*field_.sampler)(part(field_.x, field_.cols, first_, count_),
                              part(field_.y, field_.rows, r, rows), count_, rows);
    if (!whole(held_))
      held_ = {rows, count_,
               std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(count_),
                                  std::numeric_limits<float>::quiet_NaN())};
  }

  const Field& field_;
  int first_, count_, begin_ = 0;
  Grid held_;
};

/// What a pixel covers, so far.
struct Sum {
  double value = 0, across = 0, up = 0;  ///< of values; of the directions of phases
  double weight = 0, masked = 0, unknown = 0;

  void add(float v, double part, const std::optional<Range>& phases) {
    if (std::isfinite(v)) {
      weight += part;
      if (!phases) {
        value += part * v;
        return;
      }
      const double turn = 2 * std::numbers::pi * (v - phases->lo) / phases->length();
      across += part * std::cos(turn);
      up += part * std::sin(turn);
    } else {
      (std::isnan(v) ? unknown : masked) += part;
    }
  }
  float mean(const std::optional<Range>& phases) const {
    constexpr float nothing = -std::numeric_limits<float>::infinity();  // drawn as masked
    const double all = weight + masked + unknown;
    if (masked > all / 2) return nothing;
    if (unknown > all / 2 || weight == 0) return std::numeric_limits<float>::quiet_NaN();
    if (!phases) return static_cast<float>(value / weight);
    if (std::hypot(across, up) < least_direction * weight) return nothing;
    const double turn = std::atan2(up, across) / (2 * std::numbers::pi);
    return static_cast<float>(phases->lo + (turn - std::floor(turn)) * phases->length());
  }
};

/// A sampler's matrix with fewer cells, where those that are shown are too many.
void thin(Field& field, const Pixels1D& across, const Pixels1D& down, double most_cells) {
  const double cols = field.cols * across.range.length() / field.x.length(),
               rows = field.rows * down.range.length() / field.y.length();
  if (cols * rows <= most_cells) return;
  const bool both = cols > across.count && rows > down.count;
  const double share = both ? std::sqrt(most_cells / (cols * rows)) : most_cells / (cols * rows);
  if (cols > across.count) field.cols = std::max(1, static_cast<int>(field.cols * share));
  if (rows > down.count) field.rows = std::max(1, static_cast<int>(field.rows * share));
}

}  // namespace

bool coarser(const Pixels1D& pixels, Range whole, int cells) {
  return std::ranges::any_of(covered_by(pixels, whole, cells),
                             [](const Covered& c) { return c.to - c.from > 1 + 1e-6; });
}

Grid block_means(Field field, const Pixels1D& across, const Pixels1D& down, std::optional<Range> phases,
                 double most_cells) {
  if (!field.grid) thin(field, across, down, most_cells);
  const std::vector<Covered> cols = covered_by(across, field.x, field.cols),
                             rows = covered_by(down, field.y, field.rows);
  const int first_col = cols.front().first(), last_col = cols.back().end();
  Rows cells(field, first_col, last_col);
  Grid out{down.count, across.count, {}};
  out.values.reserve(cols.size() * rows.size());
  std::vector<Sum> sums(cols.size());
  for (const Covered& high : rows) {
    std::ranges::fill(sums, Sum{});
    for (int r = high.first(); r < high.end(); ++r) {
      const float* row = cells.row(r);
      const double part_of_row = high.part(r);
      for (std::size_t i = 0; i < cols.size(); ++i)
        for (int c = cols[i].first(); c < cols[i].end(); ++c)
          sums[i].add(row[c - first_col], part_of_row * cols[i].part(c), phases);
    }
    for (const Sum& sum : sums) out.values.push_back(sum.mean(phases));
  }
  return out;
}

}  // namespace orrery::figure
