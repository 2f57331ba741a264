// The looks a figure can have: dark and light for the screen, print for paper. Sizes in points.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/figure/ink.h"

namespace orrery::figure {

/// Which typeface speaks: words, numbers (tick labels, values), formulas.
enum class Voice : std::uint8_t { words, numbers };

struct TextStyle {
  Voice voice = Voice::words;
  double size = 8;  ///< points
  bool bold = false;
  bool operator==(const TextStyle&) const = default;
};

/// Font families by name, as fontconfig knows them. Mathematics between dollar signs is set in `math` in both voices.
struct Fonts {
  std::string words, numbers, math;
  bool operator==(const Fonts&) const = default;
};

struct Theme {
  std::string_view name;  ///< "print", "light", "dark"
  bool high_contrast = false;
  Fonts fonts;
  Color background, text, secondary, faint, axis, grid, outline, accent, accent_ground, holds, fails, masked,
      bad;
  std::array<Color, 6> series;
  bool dash_series = false;  ///< tell series apart by dashes too (print: survives black and white)
  double text_size = 8;      ///< tick labels, legend, notes
  double label_size = 8.5;   ///< axis titles
  double title_size = 9;     ///< panel titles
  double line_width = 1;     ///< data
  double axis_width = 0.6;
  double grid_width = 0.4;
  double tick_length = 3;
  bool value_axis_line =
      true;                ///< a line and ticks on a y axis even where grid lines already show its values
  bool show_title = true;  ///< print: no title unless asked; captions belong to the document

  Color color(const Ink&) const;
};

const Theme& dark_theme();
const Theme& light_theme();
const Theme& print_theme();
/// The same screen theme for eyes that need more: words at 7 : 1 (WCAG 2.1, 1.4.6), every line of data at 4.5 : 1, axes and
/// outlines at 4.5 : 1, grids at 2.4 : 1, thicker lines. Print has none: its own is returned.
const Theme& high_contrast(const Theme&);
/// Throws InvalidArgument listing print, light, dark.
const Theme& theme_by_name(std::string_view);
std::span<const std::string_view> theme_names();

}  // namespace orrery::figure
