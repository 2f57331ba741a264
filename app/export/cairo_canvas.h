// Paints a scene with Cairo: on a page, into an image, on the window's preview.
#pragma once

#include <cairo.h>

#include "app/export/text.h"
#include "app/figure/canvas.h"

namespace orrery::exporter {

/// The context's user space is the scene's: points, y down. Both must outlive the canvas.
class CairoCanvas final : public figure::Canvas {
 public:
  CairoCanvas(cairo_t* cr, const TextSetter& text) : cr_(cr), text_(text) {}

  void polyline(const figure::Polyline&) override;
  void polygon(const figure::Polygon&) override;
  void discs(const figure::Discs&) override;
  void image(const figure::Image&) override;
  void label(const figure::Label&) override;
  void clip(const figure::Rect&) override;
  void unclip() override;

 private:
  void set_color(figure::Color) const;

  cairo_t* cr_;
  const TextSetter& text_;
};

/// Where a label's baseline begins, seen from its anchor and before any turn.
figure::Point baseline_start(const figure::Label&, const figure::Extent&);

}  // namespace orrery::exporter
