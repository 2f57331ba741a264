// Fractions, roots, frames and phantoms.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {
Box Setter::fraction(const Node& node, Style style) const {
  if (node.level) style = style.at(*node.level);
  const Constants& c = constants();
  const double size = em(style);
  const bool display = style.display();
  const Box top = set(node.parts[0], style.numerator());
  const Box bottom = set(node.parts[1], style.denominator());
  if (!node.bar) {
    // \binom's parentheses come in two sizes, delim1 and delim2 of cmsy10.
    const double height = (display ? 2.39 : 1.01) * size;
    const Box left = delimiter(node.fence[0], height, style), right = delimiter(node.fence[1], height, style);
    const Box inside = stack(top, bottom, style);
    Box result;
    result.place(left, 0, 0);
    result.place(inside, left.width, 0);
    result.place(right, left.width + inside.width, 0);
    result.width = left.width + inside.width + right.width;
    result.accent_at = result.width / 2;
    return result;
  }

  const double axis = c.axis_height * size;
  const double rule = c.fraction_rule_thickness * size;
  const double up_gap =
      (display ? c.fraction_numerator_display_gap_min : c.fraction_numerator_gap_min) * size;
  const double down_gap =
      (display ? c.fraction_denominator_display_gap_min : c.fraction_denominator_gap_min) * size;
  const double up =
      std::max((display ? c.fraction_numerator_display_shift_up : c.fraction_numerator_shift_up) * size,
               axis + rule / 2 + up_gap + top.descent);
  const double down = std::max(
      (display ? c.fraction_denominator_display_shift_down : c.fraction_denominator_shift_down) * size,
      bottom.ascent + down_gap + rule / 2 - axis);

  const double side = null_delimiter * size_;
  const double bar = std::max(top.width, bottom.width);
  Box result;
  result.place(top, side + (bar - top.width) / 2, -up);
  result.place(bottom, side + (bar - bottom.width) / 2, down);
  result.rules.push_back({side, -axis - rule / 2, bar, rule});
  result.width = bar + 2 * side;
  result.accent_at = result.width / 2;
  return result;
}

/// One above the other without a line.
Box Setter::stack(const Box& top, const Box& bottom, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  const bool display = style.display();
  double up = (display ? c.stack_top_display_shift_up : c.stack_top_shift_up) * size;
  double down = (display ? c.stack_bottom_display_shift_down : c.stack_bottom_shift_down) * size;
  const double gap = (up - top.descent) - (bottom.ascent - down);
  const double missing = (display ? c.stack_display_gap_min : c.stack_gap_min) * size - gap;
  if (missing > 0) {
    up += missing / 2;
    down += missing / 2;
  }
  Box result;
  result.width = std::max(top.width, bottom.width);
  result.place(top, (result.width - top.width) / 2, -up);
  result.place(bottom, (result.width - bottom.width) / 2, down);
  return result;
}

Box Setter::root(const Node& node, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  const Box inside = set(node.parts[0], style.cramp());
  const double rule = c.radical_rule_thickness * size;
  double gap = (style.display() ? c.radical_display_vertical_gap : c.radical_vertical_gap) * size;
  const double content = inside.ascent + inside.descent;
  const Box sign = tall(U'√', content + gap + rule, style);
  // What the sign has to spare goes half above the radicand, half below.
  gap = std::max(gap, (gap + (sign.ascent - rule - content)) / 2);

  Box degree;
  double x = 0;
  const double top = inside.ascent + gap + rule;
  if (!node.parts[1].parts.empty()) {
    degree = set(node.parts[1], {Level::script_script, false});
    x = std::max(0.0,
                 c.radical_kern_before_degree * size + degree.width + c.radical_kern_after_degree * size);
  }
  Box result;
  const double foot = sign.ascent - top;
  result.place(sign, x, foot);
  if (!degree.glyphs.empty() || !degree.words.empty()) {
    result.place(degree, c.radical_kern_before_degree * size,
                 foot - c.radical_degree_bottom_raise * sign.ascent - degree.descent);
  }
  result.place(inside, x + sign.width, 0);
  // The bar begins where the ink of the sign's topmost part ends: of several parts, another may be the widest.
  const double bar =
      x + (sign.glyphs.empty() ? sign.width : font_.ink(sign.glyphs.back().glyph).right * size);
  result.width = x + sign.width + inside.width;
  result.rules.push_back({bar, -top, result.width - bar, rule});
  result.ascent = std::max(result.ascent, top + c.radical_extra_ascender * size);
  result.accent_at = result.width / 2;
  return result;
}

/// \boxed: a rule of 0.4 pt, 3 pt away.
Box Setter::framed(const Node& node, Style style) const {
  const double rule = 0.04 * size_, room = 0.3 * size_;
  const Box inside = set(node.parts[0], style);
  Box result;
  result.place(inside, room + rule, 0);
  result.width = inside.width + 2 * (room + rule);
  result.ascent = inside.ascent + room + rule;
  result.descent = inside.descent + room + rule;
  const double height = result.ascent + result.descent;
  result.rules.push_back({0, -result.ascent, result.width, rule});
  result.rules.push_back({0, result.descent - rule, result.width, rule});
  result.rules.push_back({0, -result.ascent, rule, height});
  result.rules.push_back({result.width - rule, -result.ascent, rule, height});
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::phantom(const Node& node, Style style) const {
  Box box = set(node.parts[0], style);
  if (node.keep == Keep::ink) {
    box.ascent = box.descent = 0;
    return box;
  }
  Box result;
  if (node.keep != Keep::height) result.width = box.width;
  if (node.keep != Keep::width) {
    result.ascent = box.ascent;
    result.descent = box.descent;
  }
  result.accent_at = result.width / 2;
  return result;
}

}  // namespace orrery::exporter::math
