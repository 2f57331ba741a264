#include "app/gui/reference_watch.h"

namespace orrery::gui {

void ReferenceWatch::update(const std::shared_ptr<const recipe::Outcome>& live, bool busy, double seconds) {
  if (live != live_) {
    live_ = live;
    rested_ = 0;
    difference_.reset();
  }
  rested_ = busy ? 0 : rested_ + seconds;
  if (busy && runner_.busy()) {  // the cores are for what a person waits for
    runner_.cancel();
    runner_.forget();
  }
  if (!wanted() || difference_ || rested_ < rest) return;
  runner_.request(*live_->study, live_->settings, study::DeviceChoice::ref);
  const auto reference = runner_.latest();
  if (!reference || reference->partial || reference->study != live_->study ||
      !(reference->settings == live_->settings))
    return;
  if (!reference->error.empty()) return;
  difference_ = study::result_difference(live_->result, reference->result);
}

}  // namespace orrery::gui
