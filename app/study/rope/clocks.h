// One clock per pair of dimensions: what a rotation looks like, all pairs at once.
#pragma once

#include <vector>

#include "app/figure/figure.h"

namespace orrery::study {

/// Where a hand ends.
struct Hand {
  double x = 0, y = 0;
};

/// A pair of components before and after it was turned.
struct Clock {
  double from_x = 1, from_y = 0;
  double to_x = 1, to_y = 0;
  double angle = 0;              ///< radians turned in all, many turns included
  std::vector<Hand> trail = {};  ///< where it stood one position ago, two, three …
  int pair = -1;                 ///< its number; -1: where it stands among the clocks
};

/// Few enough to be looked at one by one: the fastest pairs closely, the slow ones, which are all alike, ever more sparsely.
/// The last is among them, and so is `marked`. All where there are no more than `most`.
std::vector<Clock> few_of(std::vector<Clock>, int most, int marked);

/// How clocks are drawn.
struct ClockLook {
  int marked = -1;     ///< the pair whose clock stands out
  bool turns = false;  ///< in few rows, beside each its pair and how often its hand has gone round
};

/// How much of a trail's ink is left after so many positions: it fades towards its end.
double trail_alpha(std::size_t age, std::size_t length);

/// Clocks in reading order, each with its pair's number under it, or beside it with its turns. The arc shows the way from
/// the start to the hand (whole turns left out); hands that have not come round once are in the accent colour. The rim is
/// where a vector of length 1 ends. The clock of the pair `marked` stands out.
figure::Panel clock_panel(const std::vector<Clock>&, const ClockLook& = {});
/// Makes each of them turn under the mouse: its hand dragged is the parameter "vector", its face pressed "pair".
void add_clock_handles(figure::Panel&, const std::vector<Clock>&, const ClockLook&);

}  // namespace orrery::study
