#include "app/study/result_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>
#include <utility>
#include <vector>

#include "app/figure/field.h"

namespace orrery::study {
namespace {

constexpr int coarse = 64;  // samples of a map, along either side

/// What the reference leaves of a number that is zero: this part of the result's largest. Of such a column (an error, a
/// difference that vanishes) the size says nothing, and that of the whole result is the measure.
constexpr double rounded_zero = 0x1p-40;

class Largest {
 public:
  template <class V>
  void add(const V& values, const V& reference, const std::string& where) {
    if (values.size() != reference.size()) return differ(where);
    Part part{0, 0, where};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto y = static_cast<double>(values[i]), r = static_cast<double>(reference[i]);
      if (std::isfinite(r)) part.scale = std::max(part.scale, std::abs(r));
      if (y == r || (std::isnan(y) && std::isnan(r))) continue;
      const double off = std::abs(y - r);
      part.off = std::max(part.off, std::isnan(off) ? std::numeric_limits<double>::infinity() : off);
    }
    scale_ = std::max(scale_, part.scale);
    if (part.off > 0) parts_.push_back(std::move(part));
  }
  void differ(const std::string& where) {
    if (unlike_.empty()) unlike_ = where;
  }
  ResultDifference take() const {
    ResultDifference found;
    found.unlike = unlike_;
    for (const Part& part : parts_) {
      found.absolute = std::max(found.absolute, part.off);
      const double scale = part.scale > rounded_zero * scale_ ? part.scale : scale_,
                   relative = scale > 0 ? part.off / scale : std::numeric_limits<double>::infinity();
      if (relative <= found.relative) continue;
      found.relative = relative;
      found.where = part.where;
    }
    return found;
  }

 private:
  struct Part {
    double off, scale;
    std::string where;
  };
  std::vector<Part> parts_;
  double scale_ = 0;  ///< of all of the reference
  std::string unlike_;
};

/// The values that a mark shows, each kind with its own.
struct Values {
  Largest& largest;
  const std::string& where;

  void operator()(const figure::Line& y, const figure::Line& r) const { points(y, r); }
  void operator()(const figure::Points& y, const figure::Points& r) const { points(y, r); }
  void operator()(const figure::Stems& y, const figure::Stems& r) const { points(y, r); }
  void operator()(const figure::Bars& y, const figure::Bars& r) const {
    largest.add(y.height, r.height, where);
  }
  void operator()(const figure::Histogram& y, const figure::Histogram& r) const {
    largest.add(y.heights, r.heights, where);
  }
  void operator()(const figure::Band& y, const figure::Band& r) const {
    largest.add(y.lo, r.lo, where);
    largest.add(y.hi, r.hi, where);
  }
  void operator()(const figure::Heatmap& y, const figure::Heatmap& r) const { fields(y, r); }
  void operator()(const figure::Contours& y, const figure::Contours& r) const { fields(y, r); }
  template <class M, class N>
  void operator()(const M&, const N&) const {
    if constexpr (!std::is_same_v<M, N>) largest.differ(where);
  }

 private:
  template <class M>
  void points(const M& y, const M& r) const {
    largest.add(y.x, r.x, where);
    largest.add(y.y, r.y, where);
  }
  template <class M>
  void fields(const M& y, const M& r) const {
    if (y.grid && r.grid) return largest.add(y.grid->values, r.grid->values, where);
    const figure::Field of_y = figure::field_of(y), of_r = figure::field_of(r);
    if (!of_y.drawable() || !of_r.drawable()) return;
    const int cols = std::min({coarse, of_y.cols, of_r.cols}),
              rows = std::min({coarse, of_y.rows, of_r.rows});
    largest.add(of_y.sample(y.x, y.y, cols, rows).values, of_r.sample(r.x, r.y, cols, rows).values, where);
  }
};

void compare(const figure::Figure& y, const figure::Figure& r, Largest& largest) {
  if (y.panels.size() != r.panels.size()) return largest.differ("figure");
  for (std::size_t i = 0; i < y.panels.size(); ++i) {
    const std::string where = "panel " + std::to_string(i + 1);
    const auto &marks = y.panels[i].marks, &reference = r.panels[i].marks;
    if (marks.size() != reference.size()) {
      largest.differ(where);
      continue;
    }
    for (std::size_t m = 0; m < marks.size(); ++m) std::visit(Values{largest, where}, marks[m], reference[m]);
  }
}

void compare(const figure::Table& y, const figure::Table& r, Largest& largest) {
  if (y.columns.size() != r.columns.size()) return largest.differ(y.name);
  for (std::size_t i = 0; i < y.columns.size(); ++i)
    largest.add(y.columns[i].values, r.columns[i].values, y.name + ": " + y.columns[i].name);
}

}  // namespace

ResultDifference result_difference(const StudyResult& result, const StudyResult& reference) {
  Largest largest;
  for (const figure::Table& table : result.tables) {
    const auto same = std::ranges::find(reference.tables, table.name, &figure::Table::name);
    if (same == reference.tables.end())
      largest.differ(table.name);
    else
      compare(table, *same, largest);
  }
  compare(result.figure, reference.figure, largest);
  return largest.take();
}

}  // namespace orrery::study
