// What paints a scene. It has never heard of an axis.
#pragma once

#include "app/figure/scene.h"

namespace orrery::figure {

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void polyline(const Polyline&) = 0;
  virtual void polygon(const Polygon&) = 0;
  virtual void discs(const Discs&) = 0;
  virtual void image(const Image&) = 0;
  virtual void label(const Label&) = 0;
  virtual void clip(const Rect&) = 0;
  virtual void unclip() = 0;
};

void paint(const Primitive&, Canvas&);
/// Every primitive in order; the background is the caller's.
void paint(const Scene&, Canvas&);

}  // namespace orrery::figure
