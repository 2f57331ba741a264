// What a colour means; the theme says which colour that is.
#pragma once

#include <cstdint>

namespace orrery::figure {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};

/// 0x440154: as published tables and style sheets write it.
constexpr Color rgb(std::uint32_t hex) {
  return {std::uint8_t(hex >> 16), std::uint8_t(hex >> 8), std::uint8_t(hex), 255};
}

enum class Role : std::uint8_t {
  text,
  secondary,
  faint,  ///< words and numbers, from the loudest to the quietest
  axis,
  grid,     ///< axis lines and ticks; grid lines
  outline,  ///< quiet construction lines inside a figure: the rim of a clock
  accent,
  accent_ground,  ///< the one accent: the selected thing, and the ground behind it
  holds,
  fails,
  masked,  ///< a cell that has no value because it may not be seen
  series   ///< data, by index
};

struct Ink {
  Role role = Role::series;
  int index = 0;     ///< which series colour; counts from 0 and wraps
  double alpha = 1;  ///< 0 to 1
  bool operator==(const Ink&) const = default;
};

inline Ink series(int index) {
  return {Role::series, index, 1};
}

}  // namespace orrery::figure
