// Fractions, roots, delimiters that grow, accents and bars.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {
namespace {

constexpr double null_delimiter =
    0.12;  // em at either side of a fraction: \nulldelimiterspace, 1.2pt of 10pt
constexpr double delimiter_factor = 0.901;   // \delimiterfactor: at least this share of what it encloses
constexpr double delimiter_shortfall = 0.5;  // em: \delimitershortfall, 5pt of 10pt

}  // namespace

Box Setter::fraction(const Node& node, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  const bool display = style.display();
  const Box top = set(node.parts[0], style.numerator());
  const Box bottom = set(node.parts[1], style.denominator());

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

  const double side = null_delimiter * size;
  const double bar = std::max(top.width, bottom.width);
  Box result;
  result.place(top, side + (bar - top.width) / 2, -up);
  result.place(bottom, side + (bar - bottom.width) / 2, down);
  result.rules.push_back({side, -axis - rule / 2, bar, rule});
  result.width = bar + 2 * side;
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::tall(char32_t code, double height, Style style) const {
  const double size = em(style);
  const Stretched grown = font_.stretch(font_.glyph(code, 0), height / size, HB_DIRECTION_BTT);
  Box result;
  for (const Stretched::Part& part : grown.parts) {
    Box piece = glyph(part.glyph, result.glyphs.empty() ? code : 0, style);
    piece.width -= piece.italic;
    const double foot = part.offset * size + piece.descent;  // each part's ink begins at its offset
    result.place(piece, 0, -foot);
    result.ascent = std::max(result.ascent, foot + piece.ascent);
    result.width = std::max(result.width, piece.width);
  }
  result.descent = 0;
  return result;
}

Box Setter::delimiter(char32_t code, double height, Style style) const {
  Box result;
  if (code == 0) {
    result.width = null_delimiter * em(style);
    return result;
  }
  const Box sign = tall(code, height, style);
  const double drop = sign.ascent / 2 - constants().axis_height * em(style);
  result.place(sign, 0, drop);
  result.ascent = sign.ascent - drop;
  result.descent = drop;
  result.width = sign.width;
  return result;
}

Box Setter::fenced(const Node& node, Style style) const {
  const double size = em(style);
  const double axis = constants().axis_height * size;
  const Box inside = set(node.parts[0], style);
  const double reach = std::max(inside.ascent - axis, inside.descent + axis);
  const double height = std::max(2 * reach * delimiter_factor, 2 * reach - delimiter_shortfall * size);
  const Box left = delimiter(node.code, height, style);
  const Box right = delimiter(node.close, height, style);
  Box result;
  result.place(left, 0, 0);
  result.place(inside, left.width, 0);
  result.place(right, left.width + inside.width, 0);
  result.width = left.width + inside.width + right.width;
  result.accent_at = result.width / 2;
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
    degree = set(node.parts[1], {Style::Level::script_script, false});
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
  const double bar = x + font_.ink(sign.glyphs.back().glyph).right * size;
  result.width = x + sign.width + inside.width;
  result.rules.push_back({bar, -top, result.width - bar, rule});
  result.ascent = std::max(result.ascent, top + c.radical_extra_ascender * size);
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::accent(const Node& node, Style style) const {
  const double size = em(style);
  const Box base = set(node.parts[0], style.cramp());
  const GlyphId id = font_.glyph(node.code, 0);
  const GlyphInk ink = font_.ink(id);
  // The accent is drawn for a letter of accent_base_height; a taller base lifts it by the difference.
  const double lift = std::max(0.0, base.ascent - constants().accent_base_height * size);
  Box mark = glyph(id, node.code, style);
  mark.ascent = ink.ascent * size;
  mark.descent = -ink.ascent * size;  // it hangs in the air: nothing of it reaches down
  Box result = base;
  result.place(mark, base.accent_at - mark.accent_at, -lift);
  result.character = base.character;
  return result;
}

Box Setter::overline(const Node& node, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  const Box inside = set(node.parts[0], style.cramp());
  const double rule = c.overbar_rule_thickness * size;
  const double top = inside.ascent + c.overbar_vertical_gap * size + rule;
  Box result;
  result.place(inside, 0, 0);
  result.rules.push_back({0, -top, inside.width, rule});
  result.width = inside.width;
  result.ascent = top + rule;
  result.accent_at = result.width / 2;
  return result;
}

}  // namespace orrery::exporter::math
