// A formula's tree set by TeX's rules (The TeXbook, appendix G) with the constants of the font's MATH table.
#pragma once

#include <algorithm>

#include "app/export/math/box.h"
#include "app/export/math/font.h"
#include "app/export/math/node.h"

namespace orrery::exporter::math {

/// TeX's styles. Cramped: exponents stand lower, under a root or in a denominator.
struct Style {
  Level level = Level::text;
  bool cramped = false;

  bool display() const { return level == Level::display; }
  bool small() const { return level >= Level::script; }
  /// For scripts, and for what stands above and below a fraction's bar.
  Style superscript() const { return {small() ? Level::script_script : Level::script, cramped}; }
  Style subscript() const { return {superscript().level, true}; }
  Style numerator() const { return {below(), cramped}; }
  Style denominator() const { return {below(), true}; }
  Style cramp() const { return {level, true}; }
  /// What a grid or \displaystyle asks for; scripts stay as small as they are.
  Style at(Level wanted) const { return {wanted, cramped}; }
  Style at_most(Level wanted) const { return {small() ? std::max(level, wanted) : wanted, cramped}; }

 private:
  Level below() const {
    return level == Level::display ? Level::text
           : level == Level::text  ? Level::script
                                   : Level::script_script;
  }
};

inline constexpr double null_delimiter =
    0.12;  ///< em at either side of a fraction: \nulldelimiterspace, 1.2pt of 10pt

/// Everything that setting needs to know but the tree.
class Setter {
 public:
  Setter(const MathFont& font, const Words& words, double size) : font_(font), words_(words), size_(size) {}

  Box set(const Node&, Style) const;

 private:
  double em(Style) const;  ///< points
  int script_level(Style) const;
  const Constants& constants() const { return font_.constants(); }

  Box row(const Node&, Style) const;
  double kern_between(const Node& left, const Node& right) const;
  Box symbol(const Node&, Style) const;
  Box glyph(GlyphId, char32_t, Style) const;
  Box script_sign(const Node&, GlyphId, Style) const;
  Box words(const Node&, Style) const;
  Box prose(std::string text, Style, bool warning) const;

  Box scripts(const Node&, Style) const;
  Box limits(const Box& nucleus, const Box& below, const Box& above, Style) const;
  Box arrow(const Node&, Style) const;

  Box fraction(const Node&, Style) const;
  Box stack(const Box& top, const Box& bottom, Style) const;
  Box root(const Node&, Style) const;
  Box framed(const Node&, Style) const;
  Box phantom(const Node&, Style) const;

  Box fenced(const Node&, Style) const;
  /// A delimiter at least `height` points tall, its middle on the axis.
  Box delimiter(char32_t, double height, Style) const;
  /// TeX's choice: the delimiter for something that reaches so far from the axis, in points.
  Box delimiter_around(char32_t, double reach, Style) const;
  /// A sign stretched upwards to `height` points, its foot on the baseline.
  Box tall(char32_t, double height, Style) const;
  /// A sign stretched to the right to `width` points.
  Box wide(char32_t, double width, Style) const;

  Box accent(const Node&, Style) const;
  Box cover(const Node&, const Box& base, Style) const;
  Box line(const Node&, Style) const;
  Box negated(const Node&, Style) const;

  Box grid(const Node&, Style) const;

  const MathFont& font_;
  const Words& words_;
  double size_;
};

/// Eighteenths of an em between two atoms; `small` in scripts, where most of it goes.
int space_between(Atom left, Atom right, bool small);

/// A sign such as + between two operands is binary; elsewhere (−x, (−x, = −x) an ordinary symbol.
std::vector<Atom> resolve_binaries(const std::vector<Node>&);

/// Spaces and changes of style stand between atoms without being one.
bool is_atom(const Node&);

}  // namespace orrery::exporter::math
