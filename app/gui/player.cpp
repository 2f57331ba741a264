#include "app/gui/player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/slider_scale.h"

namespace orrery::gui {
namespace {

using parameter::Parameter;

// A position moves by one in a second or two, a short range (a phase, a mix) takes half a minute from end to
// end. What its study did not make for running goes its slider's way: a base by ratios, in the same time.
constexpr double real_per_second = 0.7, whole_per_second = 3, seconds_for_a_way = 30;

/// A declared motion counts in values; any other in fractions of the slider's way.
double place(const Parameter& p, double value) {
  return p.plays ? value : slider_fraction(p, value);
}

double usual_speed(const Parameter& p) {
  if (!p.plays) return 1 / seconds_for_a_way;
  const SliderEnds ends = slider_ends(p);
  const double usual = p.kind == parameter::Kind::integer ? whole_per_second : real_per_second;
  return std::min(usual, (ends.high - ends.low) / seconds_for_a_way);
}

parameter::Value value_at(const Parameter& p, double at) {
  if (!p.plays) return nearest_allowed(p, slider_value(p, at, Pace::fine));
  // Hundredths are finer than the eye, and can be read while they run.
  const bool whole = p.kind == parameter::Kind::integer;
  return nearest_allowed(p, whole ? std::floor(at) : std::floor(at * 100 + 1e-9) / 100);
}

}  // namespace

Way way_of(const Parameter& p, const Motion& motion) {
  const SliderEnds ends = slider_ends(p);
  const Way way{motion.from.value_or(ends.low), motion.to.value_or(ends.high)};
  return way.from <= way.to ? way : Way{way.to, way.from};
}

void Player::start(const Parameter& p, const parameter::Value& from) {
  playing_ = &p;
  at_ = place(p, number_of(from));
  back_ = false;
  fresh_ = true;
  arrived_ = false;
}

parameter::Value Player::advance(double seconds, const Motion& motion) {
  const Parameter& p = *playing_;
  const Way way = way_of(p, motion);
  const double low = place(p, way.from), last = place(p, way.to);
  // The last whole number stands as long as the others do.
  const double high = p.plays && p.kind == parameter::Kind::integer ? last + 0.999 : last;
  // Started at its end, it begins anew.
  if (at_ < low || at_ > high || (std::exchange(fresh_, false) && at_ >= last)) at_ = low;
  // A window that slept for long goes on where it was, not where it would have been.
  const double step = usual_speed(p) * motion.speed * std::min(seconds, 0.1);
  at_ += back_ ? -step : step;
  if (at_ >= low && at_ <= high) return value_at(p, at_);
  switch (motion.loop) {
    case Loop::round:
      at_ = low;
      break;
    case Loop::back_and_forth:
      at_ = back_ ? low : high;
      back_ = !back_;
      break;
    case Loop::once:
      at_ = high;
      arrived_ = true;
      break;
  }
  return value_at(p, at_);
}

}  // namespace orrery::gui
