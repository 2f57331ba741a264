#include "app/gui/draw_list_canvas.h"

#include <algorithm>
#include <cmath>

#include "app/gui/stroke.h"
#include "app/gui/style.h"
#include "core/tensor/remembered.h"

namespace orrery::gui {
namespace {

constexpr double least_exact_dash = 1.9;  // pixels

/// Whether the corners turn one way all round.
bool is_convex(std::span<const ImVec2> p) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const ImVec2 a = p[i], b = p[(i + 1) % p.size()], c = p[(i + 2) % p.size()];
    const float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    (turn > 0 ? left : right) |= turn != 0;
  }
  return !(left && right);
}

}  // namespace

DrawListCanvas::DrawListCanvas(ImDrawList& draw, ImVec2 origin, double scale, double raster,
                               const figure::Fonts& fonts, PictureCache& pictures,
                               Triangulations& triangulations)
    : draw_(draw),
      origin_(origin),
      scale_(scale),
      raster_(raster),
      fonts_(fonts),
      pictures_(pictures),
      triangulations_(triangulations) {}

ImVec2 DrawListCanvas::at(figure::Point p) const {
  return {origin_.x + static_cast<float>(p.x * scale_), origin_.y + static_cast<float>(p.y * scale_)};
}

float DrawListCanvas::snap(double units) const {
  return static_cast<float>(std::round(units * raster_) / raster_);
}

std::vector<ImVec2> DrawListCanvas::path(std::span<const figure::Point> points) const {
  std::vector<ImVec2> out;
  out.reserve(points.size());
  for (const figure::Point& p : points) out.push_back(at(p));
  return out;
}

// Axes, ticks and grid lines: put on whole pixels, they are sharp and all alike.
bool DrawListCanvas::thin_straight(std::span<const ImVec2> points, const figure::Polyline& line) {
  if (points.size() != 2) return false;
  const double pixels = line.width * scale_ * raster_;
  const ImVec2 a = points[0], b = points[1];
  const bool upright = std::abs(a.x - b.x) < 1e-3f, level = std::abs(a.y - b.y) < 1e-3f;
  if (pixels > 2.2 || upright == level) return false;
  const double whole = std::max(1.0, std::round(pixels));
  const auto half = static_cast<float>(whole / raster_ / 2);
  const auto edge = [&](float v) { return snap(v - half); };
  // What is thinner than a pixel is drawn as a pixel, somewhat paler.
  const ImU32 paint = ink(line.color, std::min(1.0, 0.35 + 0.65 * pixels));
  if (upright)
    draw_.AddRectFilled({edge(a.x), std::min(a.y, b.y)}, {edge(a.x) + 2 * half, std::max(a.y, b.y)}, paint);
  else
    draw_.AddRectFilled({std::min(a.x, b.x), edge(a.y)}, {std::max(a.x, b.x), edge(a.y) + 2 * half}, paint);
  return true;
}

void DrawListCanvas::polyline(const figure::Polyline& line) {
  const std::vector<ImVec2> points = path(line.points);
  const auto thickness = static_cast<float>(line.width * scale_);
  const auto fringe = static_cast<float>(1 / raster_);
  if (line.dash.empty()) {
    if (!thin_straight(points, line)) stroke(draw_, points, ink(line.color), thickness, fringe, line.closed);
    return;
  }
  std::vector<double> pattern = line.dash;
  // Whole pixels where a part has hardly more than one, or dots beat against the raster and some of them run together;
  // longer parts keep their lengths, so that dashes stand where a file has them.
  for (double& part : pattern) part *= scale_ * raster_;
  if (std::ranges::min(pattern) < least_exact_dash)
    for (double& part : pattern) part = std::max(1.0, std::round(part));
  for (double& part : pattern) part /= raster_;
  for (const auto& piece : dashes(points, pattern, line.closed))
    if (!thin_straight(piece, line)) stroke(draw_, piece, ink(line.color), thickness, fringe, false);
}

// Triangles first, then a rim of one pixel that fades out, so that slanted edges are as smooth as lines are.
void DrawListCanvas::polygon(const figure::Polygon& polygon) {
  const std::vector<ImVec2> points = path(polygon.points);
  if (points.size() < 3) return;
  const ImU32 paint = ink(polygon.color);
  if (points.size() == 3 || (points.size() == 4 && is_convex(points))) {
    draw_.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                              paint);  // bars, stripes, arrow heads
    return;
  }
  const std::vector<Triangle>& triangles =
      tensor::remembered(triangulations_, &polygon, [&] { return triangulate(points); });

  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  constexpr std::size_t triangles_at_once = 16000;  // vertices have 16-bit indices
  for (std::size_t from = 0; from < triangles.size(); from += triangles_at_once) {
    const std::size_t count = std::min(triangles_at_once, triangles.size() - from);
    draw_.PrimReserve(static_cast<int>(3 * count), static_cast<int>(3 * count));
    for (std::size_t i = from; i < from + count; ++i)
      for (const int corner : triangles[i])
        draw_.PrimVtx(points[static_cast<std::size_t>(corner)], uv, paint);
  }
  const auto fringe = static_cast<float>(1 / raster_);
  stroke(draw_, points, ink(polygon.color, 0.5), fringe * 0.7f, fringe, true);
}

void DrawListCanvas::discs(const figure::Discs& discs) {
  const auto radius = static_cast<float>(discs.radius * scale_);
  const ImU32 paint = ink(discs.color);
  for (const figure::Point& centre : discs.centres) draw_.AddCircleFilled(at(centre), radius, paint);
}

void DrawListCanvas::image(const figure::Image& image) {
  if (!image.pixels || image.pixels->empty()) return;
  const ImVec2 low = at({image.box.x, image.box.y});
  const ImVec2 high = at({image.box.x + image.box.w, image.box.y + image.box.h});
  draw_.AddImage(pictures_.image(image), low, high, {0, 0}, {1, 1}, ink({255, 255, 255, 255}));
}

void DrawListCanvas::label(const figure::Label& label) {
  if (label.text.empty()) return;
  const Picture& picture = pictures_.label(fonts_, label.text, label.style, scale_ * raster_, label.upright);
  const figure::Extent& e = picture.extent;
  const double along = label.h == figure::HAlign::left     ? 0
                       : label.h == figure::HAlign::center ? e.width / 2
                                                           : e.width;
  double down = 0;  // from the anchor to the baseline
  switch (label.v) {
    case figure::VAlign::top:
      down = e.ascent;
      break;
    case figure::VAlign::middle:
      down = (e.ascent - e.descent) / 2;
      break;
    case figure::VAlign::baseline:
      break;
    case figure::VAlign::bottom:
      down = -e.descent;
      break;
  }
  const figure::Point start = label.upright ? figure::Point{label.at.x - along, label.at.y + down}
                                            : figure::Point{label.at.x + down, label.at.y + along};
  const ImVec2 p = at(start);
  // Whole pixels, so that the glyphs stay as sharp as they were rasterised.
  const ImVec2 low(snap(p.x) - static_cast<float>(picture.origin_x / raster_),
                   snap(p.y) - static_cast<float>(picture.origin_y / raster_));
  const ImVec2 high(low.x + static_cast<float>(picture.width / raster_),
                    low.y + static_cast<float>(picture.height / raster_));
  draw_.AddImage(picture.texture, low, high, {0, 0}, {1, 1}, ink(label.color));
  if (picture.warning)
    draw_.AddImage(picture.warning, low, high, {0, 0}, {1, 1}, ink(exporter::warning_color(label.color)));
}

void DrawListCanvas::clip(const figure::Rect& box) {
  const ImVec2 low = at({box.x, box.y}), high = at({box.x + box.w, box.y + box.h});
  // The graphics card cuts at whole pixels, downwards if it is left to it: a line at the far edge would lose half its width.
  draw_.PushClipRect({snap(low.x), snap(low.y)}, {snap(high.x), snap(high.y)}, true);
}

void DrawListCanvas::unclip() {
  draw_.PopClipRect();
}

}  // namespace orrery::gui
