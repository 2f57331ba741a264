#include "app/figure/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace orrery::figure {

namespace {

constexpr std::size_t worth_it = 4096;  // samples: fewer are walked through in no time
constexpr std::uint32_t block = 16;     // of samples, or of smaller blocks

/// The better of both, the earlier of equals. Blocks with holes are never asked, so that NaN may do as it likes.
void improve(Trace::Extremes& so_far, const Trace::Extremes& later) {
  if (later.low < so_far.low) so_far.low = later.low, so_far.least = later.least;
  if (later.high > so_far.high) so_far.high = later.high, so_far.greatest = later.greatest;
}

/// Which pixel column each sample falls into.
class Columns {
 public:
  Columns(std::span<const double> x, std::span<const double> y, const PanelFrame& frame,
          double pixels_per_point)
      : x_(x),
        y_(y),
        frame_(frame),
        pixels_per_point_(pixels_per_point),
        linear_(frame.x_scale.kind() == Scale::Kind::linear && !frame.x_reversed) {}

  Point at(std::uint32_t i) const { return place(frame_, x_[i], y_[i]); }
  double operator()(std::uint32_t i) const {
    if (!linear_) return std::floor(at(i).x * pixels_per_point_);
    // What at() computes, without its y: most of the time goes into looking for the ends of columns.
    const double u = (x_[i] - frame_.x.lo) / (frame_.x.hi - frame_.x.lo);
    return std::floor(std::clamp(frame_.plot.x + u * frame_.plot.w, -farthest, farthest) * pixels_per_point_);
  }

 private:
  std::span<const double> x_, y_;
  const PanelFrame& frame_;
  double pixels_per_point_;
  bool linear_;
};

/// The first of first … last − 1 for which `beyond` holds, and it holds for all behind it; else last. Looks near the
/// beginning first: `stride` is how far the last look went.
template <class Beyond>
std::uint32_t gallop(std::uint32_t first, std::uint32_t last, std::uint32_t stride, Beyond&& beyond) {
  std::uint32_t step = std::max<std::uint32_t>(stride, 1), low = first;
  while (last - low > step && !beyond(low + step)) {
    low += step;
    step *= 2;
  }
  std::uint32_t high = last - low > step ? low + step : last;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (beyond(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

std::shared_ptr<const Trace> Trace::of(std::span<const double> x, std::span<const double> y) {
  const std::size_t count = std::min(x.size(), y.size());
  if (count < worth_it || count > std::numeric_limits<std::uint32_t>::max()) return nullptr;
  const auto trace = std::make_shared<Trace>();
  bool rises = true, falls = true, open = false;
  double before = std::nan("");
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool here = std::isfinite(x[i]) && std::isfinite(y[i]);
    if (here) {
      rises = rises && !(x[i] < before);
      falls = falls && !(x[i] > before);
      if (!rises && !falls) return nullptr;
      before = x[i];
      if (open)
        trace->runs_.back().last = i + 1;
      else
        trace->runs_.push_back({i, i + 1});
    }
    open = here;
  }
  if (trace->runs_.empty()) return nullptr;
  trace->falls_ = !rises;
  trace->stack(y.first(count));
  return trace;
}

void Trace::stack(std::span<const double> y) {
  auto count = static_cast<std::uint32_t>(y.size());
  const auto level = [&](std::uint32_t below, auto&& entry) {
    std::vector<Extremes>& blocks = levels_.emplace_back();
    for (std::uint32_t first = 0; first < below; first += block) {
      Extremes found = entry(first);
      for (std::uint32_t i = first + 1; i < std::min(first + block, below); ++i) improve(found, entry(i));
      blocks.push_back(found);
    }
    return static_cast<std::uint32_t>(blocks.size());
  };
  count = level(count, [&](std::uint32_t i) { return Extremes{y[i], y[i], i, i}; });
  while (count > block) {
    const std::size_t below = levels_.size() - 1;
    count = level(count, [&](std::uint32_t i) { return levels_[below][i]; });
  }
}

Trace::Extremes Trace::extremes(std::span<const double> y, std::uint32_t first, std::uint32_t last) const {
  Extremes found{y[first], y[first], first, first};
  for (std::uint32_t i = first; i < last;) {
    // The largest block that begins here and ends in time.
    std::uint32_t size = 1;
    std::size_t level = 0;
    while (level < levels_.size() && i % (size * block) == 0 && last - i >= size * block) {
      size *= block;
      ++level;
    }
    improve(found, level == 0 ? Extremes{y[i], y[i], i, i} : levels_[level - 1][i / size]);
    i += size;
  }
  return found;
}

std::pair<std::uint32_t, std::uint32_t> Trace::around(std::span<const double> x, double place) const {
  const auto before = [&](std::uint32_t i) { return falls_ ? x[i] > place : x[i] < place; };
  const auto run = std::ranges::partition_point(runs_, [&](const Run& r) { return before(r.last - 1); });
  if (run == runs_.end()) return {runs_.back().last - 1, runs_.back().last - 1};
  const std::uint32_t behind = gallop(run->first, run->last, (run->last - run->first) / 2,
                                      [&](std::uint32_t i) { return !before(i); });
  if (behind > run->first) return {behind - 1, behind};
  return {run == runs_.begin() ? behind : std::prev(run)->last - 1, behind};
}

std::vector<Path> Trace::inside(std::span<const double> x, std::span<const double> y, const PanelFrame& frame,
                                const Rect& box, double pixels_per_point) const {
  const Columns column{x, y, frame, pixels_per_point};
  const bool leftwards = falls_ != frame.x_reversed;
  const double left = std::floor(box.x * pixels_per_point),
               right = std::floor((box.x + box.w) * pixels_per_point);
  // Samples come before the box, then in its columns, then behind it.
  const auto reached = [&](std::uint32_t i) { return leftwards ? column(i) <= right : column(i) >= left; };
  const auto passed = [&](std::uint32_t i) { return leftwards ? column(i) < left : column(i) > right; };

  std::vector<Path> paths;
  auto run = std::ranges::partition_point(runs_, [&](const Run& r) { return !reached(r.last - 1); });
  for (; run != runs_.end() && !passed(run->first); ++run) {
    Path& path = paths.emplace_back();
    std::uint32_t i = gallop(run->first, run->last, (run->last - run->first) / 2, reached);
    if (i > run->first) path.push_back(column.at(i - 1));
    std::uint32_t width = 1;
    while (i < run->last) {
      if (passed(i)) {
        path.push_back(column.at(i));
        break;
      }
      const double here = column(i);
      const std::uint32_t end =
          gallop(i + 1, run->last, width, [&](std::uint32_t k) { return column(k) != here; });
      const auto [low, high, least, greatest] = extremes(y, i, end);
      const std::array kept{i, std::min(least, greatest), std::max(least, greatest), end - 1};
      for (std::size_t k = 0; k < kept.size(); ++k)
        if (k == 0 || kept[k] != kept[k - 1]) path.push_back(column.at(kept[k]));
      width = end - i;
      i = end;
    }
  }
  return paths;
}

}  // namespace orrery::figure
