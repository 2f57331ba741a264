// The values of a map's cells, written into them.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/contrast.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {
namespace {

constexpr double least_size = 0.42, most_size = 0.9;  // of the theme's text size
constexpr double of_width = 0.84, of_height = 0.9;    // of a cell, that its number takes …
constexpr double most_of_width = 0.92;                // … or may, where it could not be read else
constexpr int most_numbered = 64;                     // of a side: more are too small on any page

/// ".46", ".50", "−1.20": so many decimals as are told; "1" for what is whole. What is 0 in so many decimals is empty, or with
/// `zeros` "0" where it is 0 and ".00" where it is not.
std::string number_text(double value, int decimals, bool zeros) {
  std::array<char, 32> digits;
  const double unit = std::pow(10.0, decimals), kept = std::round(std::abs(value) * unit) / unit;
  if ((kept == 0 && !zeros) || !std::isfinite(kept)) return {};
  const int told = value == std::round(value) ? 0 : decimals;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), kept, std::chars_format::fixed, told).ptr;
  std::string text(digits.data(), end);
  if (text.starts_with("0.")) text.erase(0, 1);
  return value < 0 && kept != 0 ? "\u2212" + text : text;
}

/// Black or white, whichever is easier to read on it.
Color readable_on(Color ground) {
  constexpr double as_far = 0.179;  // WCAG's contrast to black and to white is the same here: 4.6
  return luminance(ground) > as_far ? Color{0, 0, 0, 255} : Color{255, 255, 255, 255};
}

struct Number {
  Point at;
  std::string text;
  double value;
};

TextStyle in_size(double size) {
  return {Voice::numbers, size, false};
}

/// The size at which all of them fit into a cell of w × h, measured at that size: small letters of a typeface with optical
/// sizes are wider than large ones. 0: none that can be read.
double size_within(const std::vector<Number>& numbers, double w, double h, const Stage& s) {
  const double usual = s.theme.text_size, least = least_size * usual;
  double size = stepped_size(most_size * usual);
  std::set<std::string_view> texts;
  for (const Number& number : numbers) texts.insert(number.text);
  const auto too_large = [&](double at) {
    const auto too_wide = [&](std::string_view text) {
      return s.metrics.measure(std::string(text), in_size(at)).width > w;
    };
    return line_height("0", in_size(at), s.metrics) > h || std::ranges::any_of(texts, too_wide);
  };
  if (numbers.empty()) return 0;
  while (size >= least && too_large(size)) size = stepped_size(0.94 * size);
  return size >= least ? size : 0;
}

/// What is written into the cells of a map, and how large.
struct Written {
  std::vector<Number> numbers{};
  double size = 0;  ///< points; 0: none has room
};

std::vector<Number> numbers_of(const Heatmap& map, int decimals, const PanelFrame& frame) {
  const Grid& grid = *map.grid;
  const double dx = map.x.length() / grid.cols, dy = map.y.length() / grid.rows;
  const auto corner = [&](int col, int row) {
    return frame.to_page(map.x.lo + col * dx, map.y.lo + row * dy);
  };
  std::vector<Number> numbers;
  for (int r = 0; r < grid.rows; ++r)
    for (int c = 0; c < grid.cols; ++c) {
      const double value = grid.values[std::size_t(r) * std::size_t(grid.cols) + std::size_t(c)];
      std::string text = std::isfinite(value) ? number_text(value, decimals, map.writes_zeros) : "";
      const Point p = corner(c, r), q = corner(c + 1, r + 1), middle{(p.x + q.x) / 2, (p.y + q.y) / 2};
      if (!text.empty() && frame.plot.contains(middle)) numbers.push_back({middle, std::move(text), value});
    }
  return numbers;
}

/// As many decimals as are asked for where they are legible, else fewer: one that is read is worth more than two that are not.
Written written(const Heatmap& map, const Stage& s) {
  if (map.decimals < 0 || !map.grid || map.grid->cols > most_numbered || map.grid->rows > most_numbered)
    return {};
  const double dx = map.x.length() / map.grid->cols, dy = map.y.length() / map.grid->rows;
  const Point a = s.frame.to_page(map.x.lo, map.y.lo), b = s.frame.to_page(map.x.lo + dx, map.y.lo + dy);
  const double w = std::abs(b.x - a.x), h = std::abs(b.y - a.y);
  for (int decimals = map.decimals; decimals >= std::min(1, map.decimals); --decimals) {
    std::vector<Number> numbers = numbers_of(map, decimals, s.frame);
    for (const double share : {of_width, most_of_width})
      if (const double size = size_within(numbers, share * w, of_height * h, s); size > 0)
        return {std::move(numbers), size};
  }
  return {};
}

}  // namespace

double cell_numbers_size(const Heatmap& map, const Stage& s) {
  return written(map, s).size;
}

void write_cells(const Heatmap& map, const ValueColors& colors, const Stage& s) {
  Written cells = written(map, s);
  const TextStyle style = in_size(std::min(cells.size, s.cell_numbers));
  for (Number& number : cells.numbers)
    s.scene.primitives.emplace_back(Label{number.at, std::move(number.text), style,
                                          readable_on(colors(number.value)), HAlign::center, VAlign::middle,
                                          true});
}

}  // namespace orrery::figure
