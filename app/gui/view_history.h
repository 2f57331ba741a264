// The way back through views: where the figure was looked at before. Beside undo, which takes back everything, this goes
// back and forth among views alone. A plain value that knows no window.
#pragma once

#include <vector>

#include "app/figure/layout.h"

namespace orrery::gui {

class ViewHistory {
 public:
  /// A figure that was never looked at before.
  void begin(const figure::View&);
  /// Once per frame: what is shown now. While a gesture goes on, a change is not yet a step; turns of the wheel that
  /// follow one another within a moment are one.
  void observe(const figure::View& shown, bool gesture, double seconds);

  bool can_go_back() const { return at_ > 0 || pending_; }
  bool can_go_forward() const { return !pending_ && at_ + 1 < views_.size(); }
  /// The view to go to.
  figure::View back();
  figure::View forward();

 private:
  void settle();

  static constexpr std::size_t kept = 200;
  std::vector<figure::View> views_{figure::View{}};
  std::size_t at_ = 0;     // which of them is shown
  figure::View latest_{};  // a change that is still going on
  bool pending_ = false;
  double quiet_ = 0;  // seconds since it last changed
};

}  // namespace orrery::gui
