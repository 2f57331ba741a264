// A parameter that runs by itself: slowly enough to watch, back to its least value after its largest.
#pragma once

#include "core/parameter/parameter.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

class Player {
 public:
  void start(const parameter::Parameter&, const parameter::Value& from);
  void stop() { playing_ = nullptr; }
  const parameter::Parameter* playing() const { return playing_; }
  /// The value after that much more time.
  parameter::Value advance(double seconds);

 private:
  const parameter::Parameter* playing_ = nullptr;
  double at_ = 0;
};

}  // namespace orrery::gui
