// Where a box of words stands without covering anything.
#pragma once

#include <functional>
#include <optional>

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// What has been drawn, as something that a box had better not cover: the primitives from `first` on.
struct Drawn {
  const Scene& scene;
  std::size_t first;
  double em;  ///< text size: the measure of all distances
  const TextMetrics& metrics;

  /// How much of it the box covers, 0 for none; gives up once `enough` is reached.
  double under(const Rect& box, double enough) const;
};

/// A place for a box of this size inside the plot. `best` looks along the edges first and then in the middle, and the
/// corners look only where they say; each moves a little inwards where that helps. `extra` is what a box costs besides
/// what it covers.
struct FoundPlace {
  Rect box;
  double cost = 0;  ///< 0: it covers nothing
};
std::optional<FoundPlace> find_place(double width, double height, const Rect& plot, LegendPlace, const Drawn&,
                                     const std::function<double(const Rect&)>& extra = {});

}  // namespace orrery::figure
