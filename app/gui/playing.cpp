#include "app/gui/playing.h"

#include <algorithm>
#include <utility>

namespace orrery::gui {

void Playing::toggle(const parameter::Parameter& p, const parameter::Value& now) {
  if (player_.playing() == &p)
    player_.stop();
  else
    player_.start(p, now);
  moving_ = &p;
  recorded_ = false;
}

parameter::Value Playing::advance(double seconds, const Motion& motion, bool in_steps) {
  if (!in_steps) return player_.advance(seconds, motion);
  constexpr double step = 1, at_once = 0.1;  // the player takes no longer strides: see player.cpp
  stood_ += std::min(seconds, at_once);
  parameter::Value value = player_.advance(0, motion);
  if (stood_ < step) return value;
  for (; stood_ >= at_once; stood_ -= at_once) value = player_.advance(at_once, motion);
  stood_ = 0;
  return value;
}

void Playing::show(const parameter::Parameter* p) {
  player_.stop();
  moving_ = p;
}

bool Playing::begins_a_step() {
  return !std::exchange(recorded_, true);
}

}  // namespace orrery::gui
