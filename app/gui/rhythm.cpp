#include "app/gui/rhythm.h"

#include <algorithm>
#include <cmath>

namespace orrery::gui {
namespace {

constexpr double most_frames = 60, software_frames = 30;  // a second
constexpr double slow_share = 0.4;  // of the time at most goes into painting, where that is slow
constexpr double never = 1e9;

}  // namespace

// A driver that waits for the display ends a frame at one of its beats: being asked half a beat early, it ends at the right
// one, whatever the display's rate.
void Rhythm::set_rate(double of_the_display, bool software) {
  const double rate = of_the_display >= 1 ? of_the_display : most_frames;
  const double beats = std::max(1.0, std::ceil(rate / most_frames - 0.1));
  beat_ = software ? 1 / std::min(rate, software_frames) : (beats - 0.5) / rate;
}

void Rhythm::drawn(double began, double cost) {
  began_ = began;
  cost_ = cost;
  if (fresh_ > 0) --fresh_;
  if (hot_ > 0) --hot_;
}

double Rhythm::beat() const {
  return std::max(beat_, cost_ / slow_share);
}

double Rhythm::due(const Wants& wants) const {
  if (wants.hidden) return began_ + never;
  if (hot_ > 0) return began_ + shortest_frame;
  if (wants.playing) return began_ + beat();
  return began_ + (fresh_ > 0 ? shortest_frame : std::max(shortest_frame, wants.wake_after));
}

}  // namespace orrery::gui
