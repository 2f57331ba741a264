// A long line whose x never turns back, prepared once, so that what a page shows of it is found without walking through
// the rest: a pyramid of the least and the greatest value of ever larger blocks of samples.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "app/figure/path.h"
#include "app/figure/scene.h"

namespace orrery::figure {

class Trace {
 public:
  /// Nothing for a line that is too short to be worth it, or that turns back.
  static std::shared_ptr<const Trace> of(std::span<const double> x, std::span<const double> y);

  /// The stretches between the holes as decimate() would leave them, point for point, but only where they come near the
  /// box: one sample beyond either side of it ends them. The samples must be those that the trace was made from, and
  /// the frame's scales must have a place for all of them.
  std::vector<Path> inside(std::span<const double> x, std::span<const double> y, const PanelFrame&,
                           const Rect& box, double pixels_per_point) const;

  /// The least and the greatest value, and the first sample that has each.
  struct Extremes {
    double low, high;
    std::uint32_t least, greatest;
  };
  /// Of the samples from `first` to before `last`, which must lie in one stretch.
  Extremes extremes(std::span<const double> y, std::uint32_t first, std::uint32_t last) const;

  /// The samples on either side of a place: the last before it and the first at or behind it, or twice the end of the
  /// line beyond which it lies.
  std::pair<std::uint32_t, std::uint32_t> around(std::span<const double> x, double place) const;

 private:
  struct Run {
    std::uint32_t first, last;
  };
  void stack(std::span<const double> y);

  std::vector<Run> runs_;                      // of finite samples
  std::vector<std::vector<Extremes>> levels_;  // of blocks of 16, 256, 4096 … samples
  bool falls_ = false;                         // x gets smaller
};

}  // namespace orrery::figure
