// Text set by Pango and HarfBuzz, for every canvas: the same shapes at the same places on screen and on
// paper. $…$ is set as mathematics with the math font's own MATH table.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/theme.h"
#include "core/tensor/complaint.h"

namespace orrery::exporter {

/// Which part of a text: what could be set, or the source of what could not, which wants the theme's colour
/// for failures; or what is mathematics, for whoever writes the words otherwise.
enum class TextPart : std::uint8_t { all, plain, warning, formulas };

/// That colour beside text in `ink`: light ink is the dark theme's.
figure::Color warning_color(figure::Color ink);

/// For any number of threads: it holds the FontLock itself, and remembers what it has set. The extent's middle is the
/// middle of a capital letter, so that text centred by its extent looks centred.
class TextSetter final : public figure::TextMetrics {
 public:
  explicit TextSetter(const figure::Fonts&);
  ~TextSetter() override;

  figure::Extent measure(std::string_view text, const figure::TextStyle&) const override;
  /// Paints with the left end of the baseline at (x, y) in the current source colour, warnings in the colour
  /// for failures that goes with it; the context may be scaled.
  void paint(cairo_t*, double x, double y, std::string_view text, const figure::TextStyle&,
             TextPart = TextPart::all) const;
  /// Appends the outlines of what `paint` would show to the current path.
  void outline(cairo_t*, double x, double y, std::string_view text, const figure::TextStyle&,
               TextPart = TextPart::all) const;
  /// A label's prose, in stretches between its formulas: where each begins, from the left end of the baseline.
  struct Stretch {
    double x = 0;
    std::string words;
  };
  std::vector<Stretch> prose(std::string_view text, const figure::TextStyle&) const;
  /// The families that prose is set in, each for what the ones before it lack.
  std::vector<std::string> families(const figure::TextStyle&) const;
  /// Whether any command in it is unknown: whether there is a TextPart::warning.
  bool warns(std::string_view text, const figure::TextStyle&) const;
  /// A formula alone, TeX without dollar signs, in display style.
  figure::Extent measure_formula(std::string_view tex, double size) const;
  void paint_formula(cairo_t*, double x, double y, std::string_view tex, double size,
                     TextPart = TextPart::all) const;
  bool formula_warns(std::string_view tex, double size) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Families among `fonts` that this machine does not have, and what to install where no font can set
/// mathematics: said aloud, once, by whoever starts the program. Empty: nothing is missing.
Phrase missing_fonts_note(const figure::Fonts&);

}  // namespace orrery::exporter
