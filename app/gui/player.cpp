#include "app/gui/player.h"

#include <algorithm>
#include <cmath>

#include "app/gui/slider_scale.h"

namespace orrery::gui {
namespace {

// A position moves by one in a second or two, a short range (a phase, a mix) takes half a minute from end to
// end.
constexpr double real_per_second = 0.7, whole_per_second = 3, seconds_for_a_short_range = 30;

double speed(const parameter::Parameter& p) {
  const SliderEnds ends = slider_ends(p);
  const double usual = p.kind == parameter::Kind::integer ? whole_per_second : real_per_second;
  return std::min(usual, (ends.high - ends.low) / seconds_for_a_short_range);
}

}  // namespace

void Player::start(const parameter::Parameter& p, const parameter::Value& from) {
  playing_ = &p;
  at_ = number_of(from);
}

parameter::Value Player::advance(double seconds) {
  const SliderEnds ends = slider_ends(*playing_);
  // A window that slept for long goes on where it was, not where it would have been.
  at_ += speed(*playing_) * std::min(seconds, 0.1);
  if (at_ > ends.high) at_ = ends.low;
  // Hundredths are finer than the eye, and can be read while they run.
  const double shown =
      playing_->kind == parameter::Kind::integer ? std::floor(at_) : std::floor(at_ * 100) / 100;
  return nearest_allowed(*playing_, shown);
}

}  // namespace orrery::gui
