#include "app/export/pgf/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace orrery::exporter::pgf {
namespace {

constexpr double finest = 0.002;  // points: what no printer shows
constexpr double coarsest = 300;  // largest value over the length of the range that six digits still serve
constexpr double largest = 1e12;  // beyond, or below its inverse, TeX's own arithmetic is left alone

}  // namespace

std::string short_text(double value, int digits) {
  std::array<char, 40> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value + 0.0, std::chars_format::general, digits);
  std::string out(text.data(), end.ptr);
  return out == "-0" ? "0" : out;
}

std::string length(double points) {
  std::array<char, 40> text;
  const double kept = std::round(points * 1000) / 1000 + 0.0;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), kept, std::chars_format::fixed);
  return std::string(text.data(), end.ptr) + "bp";
}

AxisMap::AxisMap(const figure::AxisRecord& axis, double page_start, double page_length)
    : scale_(axis.scale),
      range_(axis.range),
      reversed_(axis.reversed),
      vertical_(axis.vertical),
      start_(page_start),
      length_(page_length) {
  const double most = std::max(std::abs(range_.lo), std::abs(range_.hi));
  const bool ordinary = most < largest && range_.length() > 1 / largest;
  if (scale_.kind() == figure::Scale::Kind::log && range_.lo > 1 / largest && most < largest)
    way_ = Way::log;
  else if (scale_.kind() == figure::Scale::Kind::linear && ordinary)
    way_ = most / range_.length() > coarsest ? Way::shifted : Way::linear;
  else
    way_ = Way::position;
  const double span = way_ == Way::log ? 1 : high() - low();
  const double largest_given = way_ == Way::log ? 1 : std::max(std::abs(low()), std::abs(high()));
  const double steps = largest_given / (span * finest / std::max(length_, 1.0));
  digits_ = way_ == Way::log ? 7 : std::clamp(static_cast<int>(std::ceil(std::log10(steps))), 4, 9);
}

double AxisMap::low() const {
  return way_ == Way::position || way_ == Way::shifted ? 0 : range_.lo;
}

double AxisMap::high() const {
  return way_ == Way::position ? 1 : way_ == Way::shifted ? range_.length() : range_.hi;
}

bool AxisMap::has(double value) const {
  return std::isfinite(value) && (scale_.kind() != figure::Scale::Kind::log || value > 0);
}

double AxisMap::to_pgf(double value) const {
  if (way_ == Way::position) return scale_.unit(value, range_);
  return way_ == Way::shifted ? value - range_.lo : value;
}

std::string AxisMap::text(double pgf_value) const {
  return short_text(pgf_value, digits_);
}

std::string AxisMap::from_value(double value) const {
  return text(to_pgf(value));
}

std::string AxisMap::from_page(double at) const {
  double unit = (at - start_) / length_;
  if (vertical_) unit = 1 - unit;
  if (reversed_) unit = 1 - unit;
  if (way_ == Way::position) return text(unit);
  if (way_ == Way::shifted) return text(unit * range_.length());
  const double value = scale_.invert(unit, range_);
  // A zero that came out as 1e-17 is a zero.
  const double noise = way_ == Way::linear ? range_.length() * 1e-9 : 0;
  return text(std::abs(value) < noise ? 0 : value);
}

}  // namespace orrery::exporter::pgf
