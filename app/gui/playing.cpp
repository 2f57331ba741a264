#include "app/gui/playing.h"

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

void Playing::show(const parameter::Parameter* p) {
  player_.stop();
  moving_ = p;
}

bool Playing::begins_a_step() {
  return !std::exchange(recorded_, true);
}

}  // namespace orrery::gui
