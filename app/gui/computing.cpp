#include "app/gui/computing.h"

#include <algorithm>

namespace orrery::gui {
namespace {

constexpr double stale_after = 0.15, long_after = 2;  // seconds

}  // namespace

Computing::Computing(const std::function<void()>& wake) : comparing_(wake), reference_(wake), runner_(wake) {}

void Computing::look(double seconds, study::DeviceChoice device) {
  const double busy = runner_.busy() ? runner_.busy_seconds() : 0;
  stale_ = busy > stale_after || runner_.paused();
  takes_long_ = busy > long_after || runner_.paused();
  if (watches_shaders(device) && shaders_.changed(seconds)) again();
}

bool Computing::ask(const Side& live) {
  const bool another = asked_ != live, leaves = another && runner_.paused();
  if (leaves && std::ranges::find(rested_, *asked_) == rested_.end()) rested_.push_back(*asked_);
  runner_.request(*live.study, live.settings, live.device);
  if (!another) return false;
  asked_ = live;
  if (std::ranges::find(rested_, live) != rested_.end()) runner_.pause(true);
  return leaves;
}

void Computing::pause(bool on) {
  if (!on) go_on_with_asked();
  runner_.pause(on);
}

void Computing::go_on_with_asked() {
  if (asked_) std::erase(rested_, *asked_);
}

bool Computing::awaits(const study::Study& study) const {
  if (!asked_ || asked_->study != &study || runner_.busy()) return true;
  const Outcome newest = runner_.latest();  // after busy(): what ended just now is seen
  return newest != seen_ && newest->study == &study && !newest->partial;
}

Computing::Outcome Computing::news() {
  Outcome newest = runner_.latest();
  if (newest == seen_) return nullptr;
  // The study was left in the moment when this came: unseen, it is news when one is back.
  if (newest && asked_ && newest->study != asked_->study) return nullptr;
  // A part of what is nearly there would only flicker.
  if (newest && newest->partial && !stale_) return nullptr;
  seen_ = newest;
  return newest;
}

void Computing::take(const Outcome& news) {
  error_ = news->error;
  if (error_.empty() && !news->result.figure.panels.empty()) live_ = news;
}

void Computing::put_together(const std::optional<Side>& pinned, figure::CompareMode mode,
                             const study::Study& open, double seconds) {
  comparing_.want(pinned);
  shown_ = comparing_.with(live_, mode);
  reference_.update(live_ && live_->study == &open ? live_ : nullptr, runner_.busy(), seconds);
}

bool Computing::left_behind() const {
  if (!live_ || !asked_ || !error_.empty() || runner_.busy() || runner_.paused()) return false;
  return live_->study == asked_->study && !(live_->settings == asked_->settings);
}

bool Computing::cancel() {
  if (!runner_.busy()) return false;
  go_on_with_asked();
  runner_.cancel();
  return true;
}

void Computing::again() {
  go_on_with_asked();
  runner_.forget();
  comparing_.forget();
}

}  // namespace orrery::gui
