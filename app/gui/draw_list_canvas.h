// Paints a scene with Dear ImGui's draw list: the screen's canvas.
#pragma once

#include <imgui.h>

#include <unordered_map>
#include <vector>

#include "app/figure/canvas.h"
#include "app/gui/picture_cache.h"
#include "app/gui/style.h"
#include "app/gui/triangulate.h"

namespace orrery::gui {

/// The triangles of a scene's polygons, found once. Must be cleared when the scene it was filled from goes.
using Triangulations = std::unordered_map<const figure::Polygon*, std::vector<Triangle>>;

class DrawListCanvas final : public figure::Canvas {
 public:
  /// `origin` is where the scene's corner stands and `scale` how many units of the draw list a point is;
  /// `raster` device pixels make one such unit.
  DrawListCanvas(ImDrawList&, ImVec2 origin, double scale, double raster, const figure::Fonts&, PictureCache&,
                 Triangulations&);

  void polyline(const figure::Polyline&) override;
  void polygon(const figure::Polygon&) override;
  void discs(const figure::Discs&) override;
  void image(const figure::Image&) override;
  void label(const figure::Label&) override;
  void clip(const figure::Rect&) override;
  void unclip() override;

  /// What is painted from now on is so pale: 1 is as it is.
  void set_strength(double share) { strength_ = share; }

 private:
  ImU32 ink(figure::Color c, double alpha = 1) const { return color(c, alpha * strength_); }
  ImVec2 at(figure::Point) const;
  float snap(double units) const;  ///< to whole device pixels
  std::vector<ImVec2> path(std::span<const figure::Point>) const;
  bool thin_straight(std::span<const ImVec2> points, const figure::Polyline&);

  ImDrawList& draw_;
  ImVec2 origin_;
  double scale_, raster_;
  const figure::Fonts& fonts_;
  PictureCache& pictures_;
  Triangulations& triangulations_;
  double strength_ = 1;
};

}  // namespace orrery::gui
