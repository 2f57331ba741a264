// One way to lay out a page, tried: what it looks like, and whether everything had its room.
#pragma once

#include <vector>

#include "app/figure/digest.h"
#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// The page without its panels.
struct BlankPage {
  BlankPage(const Figure&, const Digest&, const LayoutOptions&, const Theme&, const TextMetrics&);

  const Figure& figure;
  const Digest& digest;
  const LayoutOptions& options;
  const Theme& theme;
  const TextMetrics& metrics;
  Scene scene{};  ///< with the heading
  Rect area{};    ///< for the panels
};

struct Attempt {
  Scene scene{};
  Standing standing{};  ///< as it came out: with the legends that found no place inside, and the margins
  std::vector<LegendPlace> outside{};  ///< where each panel's legend would go
  bool roomy = false;                  ///< every plot has a size worth the words around it
  bool whole = false;  ///< everything is said of the panels that are shown, and no words lie on others
  double least =
      0;  ///< the shortest side of a plot with axes (of one that keeps a shape, the mean), text sizes
};

Attempt attempt(const BlankPage&, Standing);

}  // namespace orrery::figure
