// The strip between two panes: dragged sideways or moved by the arrows, and a double click gives the width there was at
// first.
#pragma once

#include <cstdint>

#include "app/gui/app.h"
#include "app/gui/pane_layout.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class Divider {
 public:
  enum class Side : std::int8_t { pane_is_left = 1, pane_is_right = -1 };
  /// The pane's name and width, and on which side of the strip it lies.
  Divider(const char* name, float Panes::*width, PaneRange range, Side side)
      : name_(name), width_(width), range_(range), side_(static_cast<float>(side)) {}

  void draw(App&, Ui&, ImVec2 low, ImVec2 high);

 private:
  void set(App&, float width) const;
  const char* name_;
  float Panes::*width_;
  PaneRange range_;
  float side_;
  float grabbed_ = 0;  // what the pointer adds to is the width
};

}  // namespace orrery::gui
