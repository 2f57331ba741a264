#include "app/export/cairo_canvas.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "app/figure/arcs.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

/// Cairo keeps coordinates in 24.8 fixed point: anything far outside the page is brought to where it still
/// fits, which no page can show.
double safe(double coordinate) {
  return std::clamp(coordinate, -30000.0, 30000.0);
}

bool is_point(figure::Point p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

void add_path(cairo_t* cr, const std::vector<figure::Point>& points, bool closed) {
  cairo_new_path(cr);
  const figure::RoundPath path = figure::round_path(points, closed);
  bool pen_down = false;
  const auto reach = [&](figure::Point p) {
    if (is_point(p)) (pen_down ? cairo_line_to : cairo_move_to)(cr, safe(p.x), safe(p.y));
    pen_down = is_point(p);
  };
  if (!points.empty()) reach(points[0]);
  path.follow(reach, [&](const figure::ArcRun& arc) {
    (arc.sweep > 0 ? cairo_arc : cairo_arc_negative)(cr, safe(arc.centre.x), safe(arc.centre.y), arc.radius,
                                                     arc.from, arc.from + arc.sweep);
  });
  if (closed) cairo_close_path(cr);
}

std::uint32_t premultiplied(figure::Color c) {
  const auto times_alpha = [&](unsigned channel) { return (channel * c.a + 127) / 255; };
  return (static_cast<std::uint32_t>(c.a) << 24) | (times_alpha(c.r) << 16) | (times_alpha(c.g) << 8) |
         times_alpha(c.b);
}

}  // namespace

void CairoCanvas::set_color(figure::Color c) const {
  cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

void CairoCanvas::polyline(const figure::Polyline& line) {
  if (line.points.size() < 2 || line.width <= 0) return;
  cairo_save(cr_);
  set_color(line.color);
  cairo_set_line_width(cr_, line.width);
  cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cr_, CAIRO_LINE_CAP_BUTT);
  if (!line.dash.empty()) cairo_set_dash(cr_, line.dash.data(), static_cast<int>(line.dash.size()), 0);
  add_path(cr_, line.points, line.closed);
  cairo_stroke(cr_);
  cairo_restore(cr_);
}

void CairoCanvas::polygon(const figure::Polygon& polygon) {
  if (polygon.points.size() < 3) return;
  set_color(polygon.color);
  add_path(cr_, polygon.points, true);
  cairo_fill(cr_);
}

void CairoCanvas::discs(const figure::Discs& discs) {
  set_color(discs.color);
  for (const figure::Point& centre : discs.centres) {
    if (!is_point(centre)) continue;
    cairo_new_path(cr_);
    cairo_arc(cr_, safe(centre.x), safe(centre.y), discs.radius, 0, 2 * std::numbers::pi);
    cairo_fill(cr_);
  }
}

void CairoCanvas::image(const figure::Image& image) {
  if (image.width <= 0 || image.height <= 0 || !image.pixels || image.box.w <= 0 || image.box.h <= 0) return;
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height), &cairo_surface_destroy);
  if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
    throw Failure(wrong("cannot paint the figure: {}", foreign(cairo_status_to_string(status))));
  cairo_surface_t* const pixels = surface.get();
  const int stride = cairo_image_surface_get_stride(pixels);
  unsigned char* rows = cairo_image_surface_get_data(pixels);
  for (int y = 0; y < image.height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(rows + static_cast<std::ptrdiff_t>(y) * stride);
    const figure::Color* colors = image.pixels->data() + static_cast<std::ptrdiff_t>(y) * image.width;
    std::transform(colors, colors + image.width, row, premultiplied);
  }
  cairo_surface_mark_dirty(pixels);
  cairo_save(cr_);
  // The box is cut, not faded: its edges are as sharp as the cells within.
  cairo_set_antialias(cr_, CAIRO_ANTIALIAS_NONE);
  cairo_rectangle(cr_, image.box.x, image.box.y, image.box.w, image.box.h);
  cairo_clip(cr_);
  cairo_translate(cr_, image.box.x, image.box.y);
  cairo_scale(cr_, image.box.w / image.width, image.box.h / image.height);
  cairo_set_source_surface(cr_, pixels, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(cr_), CAIRO_EXTEND_PAD);
  cairo_paint(cr_);
  cairo_restore(cr_);
}

figure::Point baseline_start(const figure::Label& label, const figure::Extent& extent) {
  figure::Point start;
  switch (label.h) {
    case figure::HAlign::left:
      break;
    case figure::HAlign::center:
      start.x = -extent.width / 2;
      break;
    case figure::HAlign::right:
      start.x = -extent.width;
      break;
  }
  switch (label.v) {
    case figure::VAlign::top:
      start.y = extent.ascent;
      break;
    case figure::VAlign::middle:
      start.y = (extent.ascent - extent.descent) / 2;
      break;
    case figure::VAlign::baseline:
      break;
    case figure::VAlign::bottom:
      start.y = -extent.descent;
      break;
  }
  return start;
}

void CairoCanvas::label(const figure::Label& label) {
  if (label.text.empty() || !is_point(label.at)) return;
  cairo_save(cr_);
  set_color(label.color);
  cairo_translate(cr_, label.at.x, label.at.y);
  if (!label.upright) cairo_rotate(cr_, -std::numbers::pi / 2);
  const figure::Point start = baseline_start(label, text_.measure(label.text, label.style));
  text_.paint(cr_, start.x, start.y, label.text, label.style);
  cairo_restore(cr_);
}

void CairoCanvas::clip(const figure::Rect& box) {
  cairo_save(cr_);
  cairo_rectangle(cr_, box.x, box.y, box.w, box.h);
  cairo_clip(cr_);
}

void CairoCanvas::unclip() {
  cairo_restore(cr_);
}

}  // namespace orrery::exporter
