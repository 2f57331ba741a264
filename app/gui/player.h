// A parameter that runs by itself: slowly enough to watch, on its way again and again.
#pragma once

#include "app/gui/document.h"
#include "core/parameter/parameter.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

/// The speeds that are offered, slowest first: ¼, ½, 1, 2, 4.
inline constexpr double speeds[] = {0.25, 0.5, 1, 2, 4};

/// Where a motion begins and ends, of a parameter that may leave it to its slider.
struct Way {
  double from = 0, to = 1;
};
Way way_of(const parameter::Parameter&, const Motion&);

class Player {
 public:
  void start(const parameter::Parameter&, const parameter::Value& from);
  void stop() { playing_ = nullptr; }
  const parameter::Parameter* playing() const { return playing_; }
  /// The value after that much more time.
  parameter::Value advance(double seconds, const Motion&);
  /// At the end of a way that is gone once.
  bool arrived() const { return arrived_; }

 private:
  const parameter::Parameter* playing_ = nullptr;
  double at_ = 0;  // a value; along the slider's way for those that were not declared to run: see player.cpp
  bool back_ = false, fresh_ = true, arrived_ = false;
};

}  // namespace orrery::gui
