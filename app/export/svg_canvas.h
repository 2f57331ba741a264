// Writes a scene as SVG, in our own hand. Cairo's SVG drops the nearest-neighbour filter (heatmaps come out
// blurred) and numbers its parts by a counter of the whole process (the second file differs from the first).
#pragma once

#include <string>

#include "app/export/text.h"
#include "app/figure/canvas.h"

namespace orrery::exporter {

/// Collects elements. Text is drawn as outlines: the reader's machine need not have the fonts, and
/// mathematics stays as it was set; the words themselves are in aria-label. With `words_as_text` prose is text, where it was
/// measured to stand and in the same families where the reader has them, and mathematics alone is outlines.
class SvgCanvas final : public figure::Canvas {
 public:
  SvgCanvas(const TextSetter& text, double dpi, bool words_as_text = false)
      : text_(text), dpi_(dpi), words_as_text_(words_as_text) {}

  void polyline(const figure::Polyline&) override;
  void polygon(const figure::Polygon&) override;
  void discs(const figure::Discs&) override;
  void image(const figure::Image&) override;
  void label(const figure::Label&) override;
  void clip(const figure::Rect&) override;
  void unclip() override;

  /// Ids begin with a number made of all that is drawn: those of other figures in one page are others, and a figure's are always
  /// the same.
  std::string elements() const;

 private:
  std::string words(const figure::Label&, figure::Point start) const;

  const TextSetter& text_;
  double dpi_;
  bool words_as_text_;
  int clips_ = 0;
  std::string out_;
};

/// A coordinate to a thousandth of a point, without needless zeros.
std::string svg_number(double);
/// Text between tags or in quotes; characters that XML has no way to say become U+FFFD.
std::string svg_escaped(std::string_view);

}  // namespace orrery::exporter
