#include "app/figure/contour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace orrery::figure {

namespace {

/// A point of the trace, named so that neighbouring cells agree on it: a node, or the crossing on the edge that leaves
/// it to the right or upwards.
using Name = std::uint64_t;
enum Kind : Name { node, to_the_right, upwards };

struct Segment {
  Name from, to;
};

class Tracer {
 public:
  Tracer(const Nodes& nodes, double level)
      : n_(nodes), level_(level), cols_(nodes.x.size()), rows_(nodes.y.size()) {}

  std::vector<Contour> trace(bool along_borders) {
    if (cols_ < 2 || rows_ < 2 || n_.values.size() != cols_ * rows_) return {};
    for (std::size_t j = 0; j + 1 < rows_; ++j)
      for (std::size_t i = 0; i + 1 < cols_; ++i)
        if (whole(i, j)) visit(i, j, along_borders);
    return join();
  }

 private:
  bool whole(std::size_t i, std::size_t j) const {
    return std::isfinite(n_.at(i, j)) && std::isfinite(n_.at(i + 1, j)) && std::isfinite(n_.at(i, j + 1)) &&
           std::isfinite(n_.at(i + 1, j + 1));
  }
  Name name(std::size_t i, std::size_t j, Kind kind) const { return (Name(j) * cols_ + i) * 3 + kind; }

  /// Once around a cell, counter-clockwise from its lower left corner: corner k, then the side from it.
  void visit(std::size_t i, std::size_t j, bool along_borders) {
    const std::array<Name, 4> corner{name(i, j, node), name(i + 1, j, node), name(i + 1, j + 1, node),
                                     name(i, j + 1, node)};
    const std::array<Name, 4> crossing{name(i, j, to_the_right), name(i + 1, j, upwards),
                                       name(i, j + 1, to_the_right), name(i, j, upwards)};
    const std::array<double, 4> value{n_.at(i, j), n_.at(i + 1, j), n_.at(i + 1, j + 1), n_.at(i, j + 1)};
    std::array<bool, 4> in{};
    for (std::size_t k = 0; k < 4; ++k) in[k] = value[k] >= level_;
    const bool saddle = in[0] == in[2] && in[1] == in[3] && in[0] != in[1];
    const bool joined = saddle && value[0] / 4 + value[1] / 4 + value[2] / 4 + value[3] / 4 >= level_;

    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t next = (k + 1) % 4;
      if (in[k] && !in[next]) {  // the rim leaves this side, and comes back at …
        const std::size_t step = saddle ? (joined ? 1 : 3) : 1;
        std::size_t back = (k + step) % 4;
        while (!saddle && !(!in[back] && in[(back + 1) % 4])) back = (back + 1) % 4;
        segments_.push_back({crossing[k], crossing[back]});
      }
      if (along_borders && (in[k] || in[next]) && !neighbour(i, j, k))
        segments_.push_back({in[k] ? corner[k] : crossing[k], in[next] ? corner[next] : crossing[k]});
    }
  }

  /// Whether there is a whole cell beyond side k.
  bool neighbour(std::size_t i, std::size_t j, std::size_t k) const {
    switch (k) {
      case 0:
        return j > 0 && whole(i, j - 1);
      case 1:
        return i + 2 < cols_ && whole(i + 1, j);
      case 2:
        return j + 2 < rows_ && whole(i, j + 1);
      default:
        return i > 0 && whole(i - 1, j);
    }
  }

  Point point(Name name) const {
    const auto kind = Kind(name % 3);
    const std::size_t i = name / 3 % cols_, j = name / 3 / cols_;
    if (kind == node) return {n_.x[i], n_.y[j]};
    const std::size_t i2 = i + (kind == to_the_right), j2 = j + (kind == upwards);
    const double a = n_.at(i, j), b = n_.at(i2, j2);
    const double t =
        std::clamp((level_ / 2 - a / 2) / (b / 2 - a / 2), 0.0, 1.0);  // halves: b − a may overflow
    return {std::lerp(n_.x[i], n_.x[i2], t), std::lerp(n_.y[j], n_.y[j2], t)};
  }

  std::vector<Contour> join() {
    const auto by_start = [](const Segment& a, const Segment& b) { return a.from < b.from; };
    std::sort(segments_.begin(), segments_.end(), by_start);
    std::vector<Name> ends;
    for (const Segment& s : segments_) ends.push_back(s.to);
    std::sort(ends.begin(), ends.end());
    std::vector<bool> used(segments_.size(), false);

    const auto unused_from = [&](Name start) {
      auto at =
          std::size_t(std::lower_bound(segments_.begin(), segments_.end(), Segment{start, 0}, by_start) -
                      segments_.begin());
      while (at < segments_.size() && segments_[at].from == start && used[at]) ++at;
      return at < segments_.size() && segments_[at].from == start ? at : segments_.size();
    };
    std::vector<Contour> contours;
    const auto follow = [&](std::size_t at) {
      Contour c;
      const Name begin = segments_[at].from;
      Name here = begin;
      c.points.push_back(point(begin));
      while (at < segments_.size()) {
        used[at] = true;
        here = segments_[at].to;
        if (here == begin) break;
        c.points.push_back(point(here));
        at = unused_from(here);
      }
      c.closed = here == begin;
      contours.push_back(std::move(c));
    };
    // Open ones from their beginnings, where nothing leads to; what is left are rings.
    for (std::size_t i = 0; i < segments_.size(); ++i)
      if (!used[i] && !std::binary_search(ends.begin(), ends.end(), segments_[i].from)) follow(i);
    for (std::size_t i = 0; i < segments_.size(); ++i)
      if (!used[i]) follow(i);
    return contours;
  }

  const Nodes& n_;
  double level_;
  std::size_t cols_, rows_;
  std::vector<Segment> segments_;
};

}  // namespace

std::vector<Contour> contour_lines(const Nodes& nodes, double level) {
  return Tracer(nodes, level).trace(false);
}

std::vector<Contour> contour_rims(const Nodes& nodes, double level) {
  return Tracer(nodes, level).trace(true);
}

}  // namespace orrery::figure
