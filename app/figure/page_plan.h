// One way to lay out a page, tried: what it looks like, and whether everything had its room.
#pragma once

#include <string>
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
  std::vector<std::string> missing{};  ///< texts of the panels on the page that it has no room for
  /// A plot is lower than the legend above it, and too low to see much in.
  bool pressed = false;
  /// No plot is pressed, no table cut, no name of an axis dropped, no title smaller than titles are.
  bool whole = true;
  int collisions = 0;  ///< of words with words, with lines to other words, or with the edge of the page
  /// The shortest side of a plot with axes, text sizes; of one that keeps its shape, the mean of both.
  double filled = 0;  ///< of the page, by plots
  double least = 0;
};

Attempt attempt(const BlankPage&, Standing);

}  // namespace orrery::figure
