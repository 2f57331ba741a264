// Accents, braces and arrows over several letters, lines above and below, strokes through.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {

Box Setter::accent(const Node& node, Style style) const {
  const double size = em(style);
  const Box base = set(node.parts[0], node.reach == Reach::cover ? style : style.cramp());
  if (node.reach == Reach::cover) return cover(node, base, style);
  GlyphId id = font_.glyph(node.code, 0);
  if (id == 0) return base;
  if (node.reach == Reach::within) id = font_.variant_within(id, base.width / size);
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

/// A brace, a bracket or an arrow over the whole of its base, or under it.
Box Setter::cover(const Node& node, const Box& base, Style style) const {
  const bool brace = node.atom == Atom::op;
  // Plain TeX's 3 pt on either side of a brace, less what its ink takes of them.
  const double gap = brace ? 0.15 * size_ : 0, beyond = brace ? 0.12 * size_ : 0;
  const Box sign = wide(node.code, base.width, style);
  // Where the sign's ink is, whatever the height it is drawn at.
  double top = -1e9, bottom = 1e9;
  for (const Box::PlacedGlyph& part : sign.glyphs) {
    const GlyphInk ink = font_.ink(part.glyph);
    top = std::max(top, ink.ascent * part.size);
    bottom = std::min(bottom, -ink.descent * part.size);
  }
  Box result;
  if (sign.glyphs.empty()) return base;
  result.width = std::max(base.width, sign.width);
  const double x = (result.width - sign.width) / 2;
  Box bare = sign;
  bare.ascent = bare.descent = 0;
  result.place(base, (result.width - base.width) / 2, 0);
  if (node.below) {
    result.place(bare, x, base.descent + gap + top);
    result.descent = base.descent + gap + top - bottom + beyond;
  } else {
    result.place(bare, x, -(base.ascent + gap - bottom));
    result.ascent = base.ascent + gap + top - bottom + beyond;
  }
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::line(const Node& node, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  const Box inside = set(node.parts[0], node.below ? style : style.cramp());
  Box result;
  result.place(inside, 0, 0);
  result.width = inside.width;
  if (node.below) {
    const double rule = c.underbar_rule_thickness * size;
    const double top = inside.descent + c.underbar_vertical_gap * size;
    result.rules.push_back({0, top, inside.width, rule});
    result.descent = top + rule + c.underbar_extra_descender * size;
  } else {
    const double rule = c.overbar_rule_thickness * size;
    const double top = inside.ascent + c.overbar_vertical_gap * size + rule;
    result.rules.push_back({0, -top, inside.width, rule});
    result.ascent = top + c.overbar_extra_ascender * size;
  }
  result.accent_at = result.width / 2;
  return result;
}

/// The stroke of \not through the middle of what it denies.
Box Setter::negated(const Node& node, Style style) const {
  const double size = em(style);
  Box result = set(node.parts[0], style);
  const GlyphId id = font_.glyph(U'\u0338', 0);
  if (id == 0) return result;
  const GlyphInk ink = font_.ink(id);
  const double width = result.width;
  result.place(glyph(id, U'\u0338', style), width / 2 - (ink.left + ink.right) / 2 * size, 0);
  result.width = width;
  result.character = false;
  return result;
}

}  // namespace orrery::exporter::math
