#include "app/figure/canvas.h"

#include <type_traits>

namespace orrery::figure {

void paint(const Primitive& primitive, Canvas& canvas) {
  std::visit(
      [&canvas](const auto& p) {
        using P = std::decay_t<decltype(p)>;
        if constexpr (std::is_same_v<P, Polyline>) canvas.polyline(p);
        if constexpr (std::is_same_v<P, Polygon>) canvas.polygon(p);
        if constexpr (std::is_same_v<P, Discs>) canvas.discs(p);
        if constexpr (std::is_same_v<P, Image>) canvas.image(p);
        if constexpr (std::is_same_v<P, Label>) canvas.label(p);
        if constexpr (std::is_same_v<P, Clip>) canvas.clip(p.box);
        if constexpr (std::is_same_v<P, Unclip>) canvas.unclip();
      },
      primitive);
}

void paint(const Scene& scene, Canvas& canvas) {
  for (const Primitive& primitive : scene.primitives) paint(primitive, canvas);
}

}  // namespace orrery::figure
