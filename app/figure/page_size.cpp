#include "app/figure/page_size.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/tensor/error.h"

namespace orrery::figure {
namespace {

constexpr double points_per_inch = 72;

struct LengthUnit {
  std::string_view name;
  double per_inch;
};
constexpr auto units =
    std::to_array<LengthUnit>({{"cm", 2.54}, {"mm", 25.4}, {"in", 1}, {"pt", 72}, {"px", 96}});

struct Length {
  double number = 0, per_inch = 0;  ///< 0: no unit was written
  /// Multiplied first: 508 cm are exactly the 14400 points that are still allowed. A number of points is that number, without a
  /// rounding.
  double points() const { return per_inch == points_per_inch ? number : number * points_per_inch / per_inch; }
};

constexpr auto names = std::to_array<NamedSize>({{"column", 85, 60, "one column of a two-column journal"},
                                                 {"two-columns", 175, 80, "both columns of one"},
                                                 {"a4-text", 160, 100, "the text of an A4 page"},
                                                 {"slide", 160, 90, "a 16:9 slide, as Beamer has it", true}});

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

[[noreturn]] void refuse(std::string_view text) {
  throw InvalidArgument(about(Subject::Kind::key, "size")
                            .found(text)
                            .fault("{} is none", in_apostrophes(text))
                            .led_by("; allowed are ")
                            .allowed("WIDTH×HEIGHT in cm, mm, in, pt or px ({}) and the names {}",
                                     "12cm×8cm, 85mm x 60mm", size_names()));
}

/// Six digits: enough to tell 14400.1 from 14400, and short for 1e300.
std::string digits(double value, int count = 6) {
  std::array<char, 32> text;
  return {
      text.data(),
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, count).ptr};
}

/// A number and the unit after it.
Length length(std::string_view text, std::string_view whole) {
  text = trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) refuse(whole);
  const std::string_view name = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (name.empty()) return {number, 0};
  for (const LengthUnit& unit : units) {
    if (unit.name == name) return {number, unit.per_inch};
  }
  refuse(whole);
}

}  // namespace

std::span<const NamedSize> named_sizes() {
  return names;
}

bool stands_alone(Size size) {
  constexpr double same = 1e-6;  // points: 160 mm and 16 cm are rounded differently
  return std::ranges::any_of(names, [&](const NamedSize& named) {
    const Size own = parse_size(named.name);
    return named.stands_alone && std::abs(own.width - size.width) < same &&
           std::abs(own.height - size.height) < same;
  });
}

std::string size_names() {
  std::string text;
  for (const NamedSize& named : names) text += (text.empty() ? "" : ", ") + std::string(named.name);
  return text;
}

Size parse_size(std::string_view given) {
  const std::string_view text = trimmed(given);
  for (const NamedSize& named : names) {
    if (named.name == text)
      return {Length{named.width_mm, 25.4}.points(), Length{named.height_mm, 25.4}.points()};
  }
  std::size_t cross = text.find("×");
  std::size_t cross_length = std::string_view("×").size();
  if (cross == std::string_view::npos) {
    // The x of "85mmx60mm", not the one of "px".
    cross_length = 1;
    for (std::size_t i = 1; i < text.size() && cross == std::string_view::npos; ++i) {
      if ((text[i] == 'x' && text[i - 1] != 'p') || text[i] == '*') cross = i;
    }
  }
  if (cross == std::string_view::npos) refuse(given);
  Length width = length(text.substr(0, cross), given);
  const Length height = length(text.substr(cross + cross_length), given);
  if (height.per_inch == 0) refuse(given);
  if (width.per_inch == 0) width.per_inch = height.per_inch;  // "12×8cm": one unit for both
  const Size size{width.points(), height.points()};
  for (const double side : {size.width, size.height}) {
    if (!(side >= least_side && side <= most_side)) {
      throw InvalidArgument(about(Subject::Kind::key, "size")
                                .found(given)
                                .fault("{} has a side of {} pt", in_apostrophes(given), digits(side))
                                .led_by("; allowed are ")
                                .allowed("{} to {} pt", 20, 14400));
    }
  }
  return size;
}

std::string size_text(Size size) {
  const auto in = [&](const LengthUnit& unit) -> std::string {
    std::string text;
    for (const double side : {size.width, size.height}) {
      const std::string number = digits(side * unit.per_inch / points_per_inch, 6);
      double read = 0;
      std::from_chars(number.data(), number.data() + number.size(), read);
      if (Length{read, unit.per_inch}.points() != side) return {};
      text += (text.empty() ? "" : "×") + number + std::string(unit.name);
    }
    return text;
  };
  for (const LengthUnit& unit : {units[0], units[1], units[3]}) {  // cm, mm, pt
    if (const std::string text = in(unit); !text.empty()) return text;
  }
  // Every digit there is: the same bytes again need the same size again.
  return digits(size.width, 17) + "pt×" + digits(size.height, 17) + "pt";
}

Size in_tenths_of_millimetres(Size size) {
  constexpr double mm_per_inch = 25.4;
  const auto rounded = [](double side) {
    return Length{std::round(side * mm_per_inch / points_per_inch * 10) / 10, mm_per_inch}.points();
  };
  return {rounded(size.width), rounded(size.height)};
}

}  // namespace orrery::figure
