#include "app/study/result_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/figure/field.h"
#include "app/figure/mark_facts.h"

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

void compare(const figure::Mark& y, const figure::Mark& r, Largest& largest, const std::string& where) {
  if (y.index() != r.index()) return largest.differ(where);
  const figure::MarkFacts of_y = figure::facts(y), of_r = figure::facts(r);
  for (std::size_t i = 0; i < of_y.numbers.size(); ++i) largest.add(of_y.numbers[i], of_r.numbers[i], where);
  const auto shown = figure::field_of(y), reference = figure::field_of(r);
  if (!shown) return;
  if (shown->grid && reference->grid) return largest.add(shown->grid->values, reference->grid->values, where);
  if (!shown->drawable() || !reference->drawable()) return;
  const int cols = std::min({coarse, shown->cols, reference->cols}),
            rows = std::min({coarse, shown->rows, reference->rows});
  largest.add(shown->sample(shown->x, shown->y, cols, rows).values,
              reference->sample(reference->x, reference->y, cols, rows).values, where);
}

void compare(const figure::Figure& y, const figure::Figure& r, Largest& largest) {
  if (y.panels.size() != r.panels.size()) return largest.differ("figure");
  for (std::size_t i = 0; i < y.panels.size(); ++i) {
    const std::string where = "panel " + std::to_string(i + 1);
    const auto &marks = y.panels[i].marks, &reference = r.panels[i].marks;
    if (marks.size() != reference.size()) {
      largest.differ(where);
      continue;
    }
    for (std::size_t m = 0; m < marks.size(); ++m) compare(marks[m], reference[m], largest, where);
  }
}

void compare(const figure::Table& y, const figure::Table& r, Largest& largest) {
  if (y.columns.size() != r.columns.size()) return largest.differ(y.name);
  for (std::size_t i = 0; i < y.columns.size(); ++i) {
    if (y.columns[i].words != r.columns[i].words) largest.differ(y.name);
    largest.add(y.columns[i].values, r.columns[i].values, y.name + ": " + y.columns[i].name);
  }
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
