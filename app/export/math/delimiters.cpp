// Signs that grow with what they stand around, above or below.
#include <algorithm>

#include "app/export/math/layout.h"
#include "app/export/utf8.h"

namespace orrery::exporter::math {
namespace {

constexpr double delimiter_factor = 0.901;   // \delimiterfactor: at least this share of what it encloses
constexpr double delimiter_shortfall = 0.5;  // em: \delimitershortfall, 5pt of 10pt

}  // namespace

Box Setter::tall(char32_t code, double height, Style style) const {
  const double size = em(style);
  const GlyphId id = font_.glyph(code, 0);
  if (id == 0) return prose(utf8(code), style, false);
  // The tall bars of fonts are heavy; TeX's are the small one repeated.
  const bool bar = code == U'|' || code == U'‖';
  const Stretched grown = bar ? font_.repeat(id, height / size) : font_.stretch(id, height / size);
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

Box Setter::wide(char32_t code, double width, Style style) const {
  const double size = em(style);
  const GlyphId id = font_.glyph(code, 0);
  if (id == 0) return {};
  const Stretched grown = font_.stretch_across(id, width / size);
  Box result;
  for (const Stretched::Part& part : grown.parts) {
    Box piece = glyph(part.glyph, result.glyphs.empty() ? code : 0, style);
    // Each part's ink begins at its offset: combining signs are drawn to the left of their origin.
    result.place(piece, (part.offset - font_.ink(part.glyph).left) * size, 0);
  }
  result.width = grown.length * size;
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::delimiter(char32_t code, double height, Style style) const {
  Box result;
  if (code == 0) {
    result.width = null_delimiter * size_;
    return result;
  }
  const Box sign = tall(code, height, style);
  const double drop = (sign.ascent - sign.descent) / 2 - constants().axis_height * em(style);
  result.place(sign, 0, drop);
  result.ascent = sign.ascent - drop;
  result.descent = sign.descent + drop;
  result.width = sign.width;
  return result;
}

Box Setter::delimiter_around(char32_t code, double reach, Style style) const {
  const double height = std::max(2 * reach * delimiter_factor, 2 * reach - delimiter_shortfall * size_);
  return delimiter(code, height, style);
}

Box Setter::fenced(const Node& node, Style style) const {
  const double axis = constants().axis_height * em(style);
  std::vector<Box> inside;
  double reach = 0;
  for (const Node& part : node.parts) {
    inside.push_back(set(part, style));
    reach = std::max({reach, inside.back().ascent - axis, inside.back().descent + axis});
  }
  Box result;
  const auto append = [&](const Box& box) {
    result.place(box, result.width, 0);
    result.width += box.width;
  };
  for (std::size_t i = 0; i < inside.size(); ++i) {
    append(delimiter_around(node.fence[i], reach, style));
    append(inside[i]);
  }
  append(delimiter_around(node.fence[inside.size()], reach, style));
  result.accent_at = result.width / 2;
  return result;
}

}  // namespace orrery::exporter::math
