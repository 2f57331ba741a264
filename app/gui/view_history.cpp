#include "app/gui/view_history.h"

namespace orrery::gui {
namespace {

constexpr double pause = 0.4;  // seconds

}  // namespace

void ViewHistory::begin(const figure::View& view) {
  *this = {};
  views_ = {view};
}

void ViewHistory::observe(const figure::View& shown, bool gesture, double seconds) {
  const figure::View& known = pending_ ? latest_ : views_[at_];
  if (shown != known) {
    latest_ = shown;
    pending_ = true;
    quiet_ = 0;
    return;
  }
  if (!pending_) return;
  quiet_ += seconds;
  if (!gesture && quiet_ > pause) settle();
}

/// What came after the view that is left is forgotten, as browsers do; to come back to the neighbour is no step.
void ViewHistory::settle() {
  pending_ = false;
  if (latest_ == views_[at_]) return;
  if (at_ > 0 && latest_ == views_[at_ - 1]) {
    --at_;
    return;
  }
  if (at_ + 1 < views_.size() && latest_ == views_[at_ + 1]) {
    ++at_;
    return;
  }
  views_.resize(at_ + 1);
  views_.push_back(latest_);
  if (views_.size() > kept) views_.erase(views_.begin());
  at_ = views_.size() - 1;
}

figure::View ViewHistory::back() {
  if (pending_) settle();
  if (at_ > 0) --at_;
  return views_[at_];
}

figure::View ViewHistory::forward() {
  if (pending_) settle();
  if (at_ + 1 < views_.size()) ++at_;
  return views_[at_];
}

}  // namespace orrery::gui
