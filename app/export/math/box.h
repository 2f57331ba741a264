// A formula with a size: glyphs, rules and words at places, in points, y down, the baseline at 0.
#pragma once

#include <cairo.h>

#include <string>
#include <vector>

#include "app/export/math/font.h"
#include "app/figure/ink.h"

namespace orrery::exporter::math {

/// Words inside a formula that the mathematics font cannot spell: whoever owns the text face sets them.
class Words {
 public:
  virtual ~Words() = default;
  virtual double width(const std::string&, double size) const = 0;
  virtual void show(cairo_t*, double x, double y, const std::string&, double size) const = 0;
  virtual void outline(cairo_t*, double x, double y, const std::string&, double size) const = 0;
};

struct Box {
  struct PlacedGlyph {
    GlyphId glyph = 0;
    char32_t code = 0;  ///< what a PDF reader copies; 0 for the later parts of a stretched sign
    double x = 0, y = 0, size = 0;
  };
  struct Rule {
    double x = 0, y = 0, w = 0, h = 0;
  };
  struct PlacedWords {
    std::string text;
    double x = 0, y = 0, size = 0;
    bool warning = false;
  };

  double width = 0, ascent = 0, descent = 0;
  double italic = 0;       ///< how far a slanted last letter leans out, already counted in the width
  double accent_at = 0;    ///< where the middle of an accent goes
  bool character = false;  ///< one glyph: scripts and accents sit by the letter's own measures
  std::vector<PlacedGlyph> glyphs;
  std::vector<Rule> rules;
  std::vector<PlacedWords> words;

  /// Whether source stands in it that could not be set.
  bool warns() const;
  /// Takes another box in, its origin at (x, y); grows upwards and downwards, not sideways.
  void place(const Box&, double x, double y);
};

/// As selectable text, in the current colour; unknown commands in `warning`.
void show(const Box&, const MathFont&, const Words&, cairo_t*, double x, double y, figure::Color warning);

enum class Part { plain, warning };
/// Appends outlines of one part to the current path.
void outline(const Box&, const MathFont&, const Words&, cairo_t*, double x, double y, Part);

void set_color(cairo_t*, figure::Color);

}  // namespace orrery::exporter::math
