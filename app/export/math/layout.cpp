#include "app/export/math/layout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/export/math/kerning.h"
#include "app/export/math/script_signs.h"
#include "app/export/utf8.h"

namespace orrery::exporter::math {

double Setter::em(Style style) const {
  switch (style.level) {
    case Level::script:
      return size_ * constants().script_scale;
    case Level::script_script:
      return size_ * constants().script_script_scale;
    default:
      return size_;
  }
}

int Setter::script_level(Style style) const {
  return style.level == Level::script ? 1 : style.level == Level::script_script ? 2 : 0;
}

Box Setter::set(const Node& node, Style style) const {
  switch (node.kind) {
    case Node::Kind::row:
      return row(node, style);
    case Node::Kind::symbol:
      return symbol(node, style);
    case Node::Kind::words:
      return words(node, style);
    case Node::Kind::scripts:
      return scripts(node, style);
    case Node::Kind::fraction:
      return fraction(node, style);
    case Node::Kind::root:
      return root(node, style);
    case Node::Kind::fenced:
      return fenced(node, style);
    case Node::Kind::delimiter:
      return node.code ? delimiter(node.code, node.length * em(style), style) : Box{};
    case Node::Kind::accent:
      return accent(node, style);
    case Node::Kind::line:
      return line(node, style);
    case Node::Kind::arrow:
      return arrow(node, style);
    case Node::Kind::negated:
      return negated(node, style);
    case Node::Kind::framed:
      return framed(node, style);
    case Node::Kind::phantom:
      return phantom(node, style);
    case Node::Kind::grid:
      return grid(node, style);
    case Node::Kind::unknown:
      return prose(valid_utf8(node.text), style, true);
    case Node::Kind::space:
    case Node::Kind::style:
      break;
  }
  Box space;
  space.width = node.length / 18 * em(style);
  return space;
}

Box Setter::row(const Node& node, Style style) const {
  // A group around one thing is that thing: its scripts and accents sit the same.
  if (node.parts.size() == 1) return set(node.parts.front(), style);
  const std::vector<Atom> atoms = resolve_binaries(node.parts);
  Box result;
  std::optional<Atom> before;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    if (node.parts[i].kind == Node::Kind::style) {
      style = style.at(*node.parts[i].level);
      continue;
    }
    if (is_atom(node.parts[i])) {
      if (before) result.width += space_between(*before, atoms[i], style.small()) / 18.0 * em(style);
      before = atoms[i];
    }
    if (i > 0) result.width += kern_between(node.parts[i - 1], node.parts[i]) * em(style);
    const Box part = set(node.parts[i], style);
    result.place(part, result.width, 0);
    result.width += part.width;
    result.italic = part.italic;
  }
  result.accent_at = result.width / 2;
  return result;
}

/// Rule 14: a letter without scripts and the sign that follows it, if they are of one font.
double Setter::kern_between(const Node& left, const Node& right) const {
  const Node& next = right.kind == Node::Kind::scripts ? right.parts[0] : right;
  const bool letters = left.kind == Node::Kind::symbol && next.kind == Node::Kind::symbol;
  return letters && font_.lacks_kerns() ? italic_kern(left.code, next.code) : 0;
}

Box Setter::glyph(GlyphId id, char32_t code, Style style) const {
  const double size = em(style);
  const GlyphInk ink = font_.ink(id);
  Box box;
  box.italic = font_.italic_correction(id) * size;
  box.width = font_.advance(id) * size + box.italic;
  box.ascent = ink.ascent * size;
  box.descent = ink.descent * size;
  box.accent_at = font_.top_accent(id) * size;
  box.character = true;
  box.glyphs.push_back({id, code, 0, 0, size});
  return box;
}

Box Setter::symbol(const Node& node, Style style) const {
  const GlyphId id = font_.glyph(node.code, script_level(style));
  if (id == 0) {
    // Whatever face has it: a Chinese word in a subscript.
    return prose(utf8(font_.elsewhere(node.code)), style, false);
  }
  if (!node.big) {
    const bool one_size = font_.lacks_script_signs() && id == font_.glyph(node.code, 0);
    return one_size ? script_sign(node, id, style) : glyph(id, node.code, style);
  }

  const double size = em(style);
  const double wanted = style.display() ? constants().display_operator_min_height : 0;
  const Stretched grown = font_.stretch(id, wanted);
  Box box = glyph(grown.parts.front().glyph, node.code, style);
  // Its middle comes to the axis, as a minus sign's does.
  const double shift = (box.ascent - box.descent) / 2 - constants().axis_height * size;
  Box centred;
  centred.place(box, 0, shift);
  centred.ascent = box.ascent - shift;
  centred.descent = box.descent + shift;
  centred.width = box.width - box.italic;  // an operator's advance has its lean in it already
  centred.italic = box.italic * constants().integral_lean;
  centred.accent_at = box.accent_at;
  return centred;
}

/// As large as scripts want it, its middle still on their axis.
Box Setter::script_sign(const Node& node, GlyphId id, Style style) const {
  const SignGrowth growth = sign_growth(node, script_level(style));
  Box plain = glyph(id, node.code, style);
  const double size = em(style) * growth.size, air = (growth.advance - growth.size) / 2 * plain.width;
  const double drop = (growth.size - 1) * constants().axis_height * em(style);
  Box box = plain;
  box.glyphs = {{id, node.code, air, drop, size}};
  box.width *= growth.advance;
  box.ascent = plain.ascent * growth.size - drop;
  box.descent = plain.descent * growth.size + drop;
  box.accent_at = box.width / 2;
  return box;
}

Box Setter::words(const Node& node, Style style) const {
  const auto glyphs = font_.word(node.text);
  if (glyphs.empty() && !node.text.empty()) return prose(node.text, style, false);
  const double size = em(style);
  Box box;
  // One glyph per character, since ligatures are off.
  const std::u32string text = characters(node.text);
  std::size_t at = 0;
  for (auto [id, advance] : glyphs) {
    const char32_t code = at < text.size() ? text[at++] : 0;
    if (const int script = script_level(style); code && script > 0) {
      // The form drawn for scripts, with the kerning of the large one.
      const GlyphId large = std::exchange(id, font_.glyph(code, script));
      advance += font_.advance(id) - font_.advance(large);
    }
    if (code && at > 1 && font_.lacks_kerns()) box.width += word_kern(text[at - 2], code) * size;
    const GlyphInk ink = font_.ink(id);
    box.glyphs.push_back({id, code, box.width, 0, size});
    box.width += advance * size;
    box.ascent = std::max(box.ascent, ink.ascent * size);
    box.descent = std::max(box.descent, ink.descent * size);
  }
  box.accent_at = box.width / 2;
  return box;
}

Box Setter::prose(std::string text, Style style, bool warning) const {
  const double size = em(style);
  Box box;
  box.width = words_.width(text, size);
  box.ascent = 0.75 * size;
  box.descent = 0.2 * size;
  box.accent_at = box.width / 2;
  box.words.push_back({std::move(text), 0, 0, size, warning});
  return box;
}

}  // namespace orrery::exporter::math
