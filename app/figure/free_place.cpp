#include "app/figure/free_place.h"

#include <array>
#include <limits>
#include <span>

#include "app/figure/coverage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

// Distances in text sizes.
constexpr double inset = 0.6;  // from the edges of the plot
constexpr double nudge = 0.1,
                 longest_nudge = 1.2;  // how a place is moved to let grid lines pass between words
constexpr double breathing = 0.3;      // about the box

/// Places as shares of the free room, the customary ones first.
struct Place {
  double x, y;
};
constexpr std::array<Place, 20> candidates{{{1, 0},    {0, 0},      {1, 1},      {0, 1},      {0.5, 0},
                                            {0.5, 1},  {1, 0.5},    {0, 0.5},    {0.75, 0},   {0.25, 0},
                                            {0.75, 1}, {0.25, 1},   {1, 0.25},   {0, 0.25},   {1, 0.75},
                                            {0, 0.75}, {0.5, 0.25}, {0.5, 0.75}, {0.25, 0.5}, {0.75, 0.5}}};

std::span<const Place> places_for(LegendPlace place) {
  static constexpr std::array<Place, 4> corners{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
  switch (place) {
    case LegendPlace::top_left:
      return {&corners[0], 1};
    case LegendPlace::top_right:
      return {&corners[1], 1};
    case LegendPlace::bottom_left:
      return {&corners[2], 1};
    case LegendPlace::bottom_right:
      return {&corners[3], 1};
    default:
      return candidates;
  }
}

}  // namespace

double Drawn::under(const Rect& box, double enough) const {
  double cost = 0;
  for (std::size_t i = first; i < scene.primitives.size() && cost < enough; ++i)
    cost += covered(box, scene.primitives[i], em, metrics);
  return cost;
}

std::optional<FoundPlace> find_place(double width, double height, const Rect& plot, LegendPlace place,
                                     const Drawn& drawn, const std::function<double(const Rect&)>& extra) {
  const double em = drawn.em;
  const Rect room = grown(plot, -inset * em);
  if (width > room.w || height > room.h) return std::nullopt;
  FoundPlace best{{}, std::numeric_limits<double>::infinity()};
  for (const Place& p : places_for(place)) {
    const double x = room.x + p.x * (room.w - width), y = room.y + p.y * (room.h - height);
    const double inwards = p.y > 0.5 ? -1 : 1;
    for (double shift = 0; shift <= longest_nudge * em; shift += nudge * em) {
      const Rect box{x, y + inwards * shift, width, height};
      if (box.y < room.y - 0.01 || box.y + height > room.y + room.h + 0.01) break;
      double cost = extra ? extra(box) : 0;
      if (cost < best.cost) cost += drawn.under(grown(box, breathing * em), best.cost - cost);
      if (cost < best.cost) best = {box, cost};
    }
    if (best.cost == 0) break;
  }
  return best;
}

}  // namespace orrery::figure
