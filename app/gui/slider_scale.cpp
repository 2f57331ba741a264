#include "app/gui/slider_scale.h"

#include <algorithm>
#include <cmath>

namespace orrery::gui {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Travel;

// Zero has no logarithm: a log slider that may reach it gives zero the first hundredth of its way.
constexpr double zero_end = 0.01;
// From 131072 down to 0.4: whole positions have the way to themselves, and what is finer is typed.
constexpr double decades_above_zero = 5.5;

bool has_zero(const Parameter& p, SliderEnds ends) {
  return p.travel != Travel::linear && ends.low <= 0;
}

SliderEnds log_ends(const Parameter& p, SliderEnds ends) {
  if (!has_zero(p, ends)) return ends;
  return {p.kind == Kind::integer ? 1.0 : ends.high * std::pow(10, -decades_above_zero), ends.high};
}

/// The fewest decimals that a step of a thousandth of the way needs.
double rounded(double value, double step) {
  if (!(step > 0)) return value;
  const double unit = std::pow(10, std::floor(std::log10(step)));
  return unit >= 1 ? std::round(value / unit) * unit
                   : std::round(value * std::round(1 / unit)) / std::round(1 / unit);
}

/// The largest of 1, 2, 5 times a power of ten that is not above x.
double round_step(double x) {
  const double ten = std::pow(10, std::floor(std::log10(x)));
  return x >= 5 * ten ? 5 * ten : x >= 2 * ten ? 2 * ten : ten;
}

/// A step up or down from `value` on a way of equal ratios, in units of its second digit; 1 at least where whole.
double log_step(const Parameter& p, double value, int direction, bool coarse) {
  if (p.travel == Travel::powers_of_two) {
    const double power = std::log2(value), nearest = std::round(power);
    const double from = std::abs(power - nearest) < 1e-9 ? nearest
                        : direction > 0                  ? std::floor(power)
                                                         : std::ceil(power);
    return std::exp2(from + direction * (coarse ? 3 : 1)) - value;
  }
  // From 10 down to 9.9, from 10 up to 11.
  const double digits = std::log10(value) - (direction < 0 ? 1e-9 : -1e-9);
  double unit = std::pow(10, std::floor(digits) - (coarse ? 0 : 1));
  if (p.kind == Kind::integer) unit = std::max({unit, 1.0, static_cast<double>(p.multiple)});
  return (direction > 0 ? std::floor(value / unit + 1e-6) + 1 : std::ceil(value / unit - 1e-6) - 1) * unit -
         value;
}

double nudged_once(const Parameter& p, double value, int direction, bool coarse) {
  const SliderEnds ends = slider_ends(p);
  if (p.travel == Travel::linear) {
    const double hundredth = round_step((ends.high - ends.low) / 100);
    const double unit = p.kind == Kind::integer ? std::max(1, p.multiple) : hundredth;
    const double step = unit * (coarse ? 10 : 1);
    return (direction > 0 ? std::floor(value / step + 1e-6) + 1 : std::ceil(value / step - 1e-6) - 1) * step;
  }
  const SliderEnds way = log_ends(p, ends);
  if (value < way.low) return direction > 0 ? way.low : ends.low;
  const double next = value + log_step(p, value, direction, coarse);
  return has_zero(p, ends) && next < way.low * (1 - 1e-9) ? 0 : next;
}

}  // namespace

SliderEnds slider_ends(const Parameter& p) {
  const parameter::Value value = parameter::parse(p, p.fallback);
  double size = std::max(1.0, std::abs(number_of(value)));
  for (const double c : entries_of(value)) size = std::max(size, std::abs(c));
  const double low = std::isfinite(p.min) ? p.min : -4 * size;
  return {low, std::isfinite(p.max) ? p.max : std::max(low, 0.0) + 4 * size};
}

double slider_fraction(const Parameter& p, double value) {
  const SliderEnds ends = slider_ends(p);
  if (!(ends.high > ends.low)) return 0;
  double fraction = (value - ends.low) / (ends.high - ends.low);
  if (p.travel != Travel::linear) {
    const SliderEnds way = log_ends(p, ends);
    if (has_zero(p, ends) && value < way.low) return 0;
    fraction = std::log(value / way.low) / std::log(way.high / way.low);
    if (has_zero(p, ends)) fraction = zero_end + (1 - zero_end) * fraction;
  }
  return std::clamp(fraction, 0.0, 1.0);
}

double slider_value(const Parameter& p, double fraction, Pace pace) {
  const SliderEnds ends = slider_ends(p);
  double at = std::clamp(fraction, 0.0, 1.0);
  double value = ends.low + at * (ends.high - ends.low);
  const double exact = pace == Pace::fine ? 0.1 : 1;
  double step = exact * (ends.high - ends.low) / 500;
  if (p.travel != Travel::linear) {
    const SliderEnds way = log_ends(p, ends);
    if (has_zero(p, ends)) {
      if (at < zero_end) return number_of(nearest_allowed(p, 0));
      at = (at - zero_end) / (1 - zero_end);
    }
    value = way.low * std::pow(way.high / way.low, at);
    step = exact * value / 50;  // two digits tell neighbours apart
    if (p.travel == Travel::powers_of_two && pace == Pace::usual)
      return number_of(nearest_allowed(p, std::exp2(std::round(std::log2(value)))));
  }
  // The ends themselves are exact, whatever the rounding says.
  if (fraction <= 0 || fraction >= 1) return number_of(nearest_allowed(p, value));
  return number_of(nearest_allowed(p, rounded(value, step)));
}

double stepped(const Parameter& p, double value, int steps) {
  if (p.kind == Kind::integer && p.travel == Travel::linear)
    return number_of(nearest_allowed(p, value + steps * std::max(1, p.multiple)));
  const double from = slider_fraction(p, value), step = 0.01 * steps;
  for (int way = 1; way <= 100; ++way)
    if (const double there = slider_value(p, from + step * way); there != value) return there;
  return value;
}

parameter::Value nudged(const Parameter& p, const parameter::Value& now, int steps, bool coarse) {
  double value = number_of(now);
  for (int i = 0; i < std::abs(steps); ++i) {
    const double next = number_of(nearest_allowed(p, nudged_once(p, value, steps > 0 ? 1 : -1, coarse)));
    // Whole steps of a tenth, of a tenth of a tenth: what is typed short reads short.
    value = p.kind == Kind::integer ? next : rounded(next, std::max(std::abs(next), 1e-12) * 1e-9);
  }
  return nearest_allowed(p, value);
}

double number_of(const parameter::Value& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return static_cast<double>(*n);
  if (const auto* x = std::get_if<double>(&value)) return *x;
  return 0;
}

std::vector<double> entries_of(const parameter::Value& value) {
  if (const auto* m = std::get_if<parameter::Matrix>(&value)) return m->values;
  const auto* v = std::get_if<std::vector<double>>(&value);
  return v ? *v : std::vector<double>();
}

parameter::Value with_entries(parameter::Value value, std::vector<double> entries) {
  if (auto* m = std::get_if<parameter::Matrix>(&value)) {
    m->values = std::move(entries);
    return value;
  }
  return entries;
}

parameter::Value nearest_allowed(const Parameter& p, double value) {
  if (p.kind != Kind::integer) return std::clamp(value, p.min, p.max);
  const double multiple = std::max(1, p.multiple);
  const double least = std::isfinite(p.min) ? std::ceil(p.min / multiple) : -1e15;
  const double most = std::isfinite(p.max) ? std::floor(p.max / multiple) : 1e15;
  const double steps = std::clamp(std::round(value / multiple), least, std::max(least, most));
  return static_cast<std::int64_t>(std::llround(steps * multiple));
}

}  // namespace orrery::gui
