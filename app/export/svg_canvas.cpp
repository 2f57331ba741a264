#include "app/export/svg_canvas.h"

#include <cairo.h>
#include <glib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "app/export/cairo_canvas.h"
#include "app/export/font_lock.h"
#include "app/export/png_file.h"
#include "app/export/utf8.h"

namespace orrery::exporter {
namespace {

std::string paint_attribute(const char* name, figure::Color c) {
  constexpr char hex[] = "0123456789abcdef";
  std::string text = std::string(" ") + name + "=\"#";
  for (const std::uint8_t channel : {c.r, c.g, c.b}) text += {hex[channel >> 4], hex[channel & 15]};
  text += '"';
  if (c.a != 255) text += std::string(" ") + name + "-opacity=\"" + svg_number(c.a / 255.0) + '"';
  return text;
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + svg_number(value) + '"';
}

std::string box_attributes(const figure::Rect& box) {
  return attribute("x", box.x) + attribute("y", box.y) + attribute("width", box.w) +
         attribute("height", box.h);
}

std::string pair(double x, double y) {
  return svg_number(x) + ' ' + svg_number(y);
}

std::string path_data(const std::vector<figure::Point>& points, bool closed) {
  std::string data;
  bool pen_down = false;
  for (const figure::Point& p : points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      pen_down = false;
      continue;
    }
    data += (pen_down ? 'L' : 'M') + pair(p.x, p.y);
    pen_down = true;
  }
  return closed && !data.empty() ? data + 'Z' : data;
}

/// Outlines on a surface without bounds: on any other Cairo drops the glyphs that are far outside. It keeps paths in 24.8
/// fixed point: 64 units to the point make that 1/16384 pt.
std::string outline_data(const TextSetter& text, const figure::Label& label, figure::Point start) {
  const SurfacePtr surface(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr));
  const ContextPtr cr(cairo_create(surface.get()));
  cairo_scale(cr.get(), 64, 64);
  text.outline(cr.get(), start.x, start.y, label.text, label.style);
  const std::unique_ptr<cairo_path_t, decltype(&cairo_path_destroy)> path(cairo_copy_path(cr.get()),
                                                                          &cairo_path_destroy);
  std::string data;
  for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
    const cairo_path_data_t* d = &path->data[i];
    switch (d->header.type) {
      case CAIRO_PATH_MOVE_TO:
        // Cairo ends each closed glyph with a move that draws nothing.
        if (i + d->header.length < path->num_data && d[2].header.type != CAIRO_PATH_MOVE_TO) {
          data += 'M' + pair(d[1].point.x, d[1].point.y);
        }
        break;
      case CAIRO_PATH_LINE_TO:
        data += 'L' + pair(d[1].point.x, d[1].point.y);
        break;
      case CAIRO_PATH_CURVE_TO:
        data += 'C' + pair(d[1].point.x, d[1].point.y) + ' ' + pair(d[2].point.x, d[2].point.y) + ' ' +
                pair(d[3].point.x, d[3].point.y);
        break;
      case CAIRO_PATH_CLOSE_PATH:
        data += 'Z';
        break;
    }
  }
  return data;
}

/// Each pixel as a block of fx × fy: viewers that smooth every image smooth only within a block's seam.
std::string enlarged_png(const figure::Image& image, int fx, int fy) {
  PngFile file;
  file.width = image.width * fx;
  file.height = image.height * fy;
  file.alpha = std::ranges::any_of(*image.pixels, [](figure::Color c) { return c.a != 255; });
  file.row = [&](int y, std::uint8_t* to) {
    const figure::Color* row = image.pixels->data() + static_cast<std::ptrdiff_t>(y / fy) * image.width;
    for (int x = 0; x < file.width; ++x) {
      const figure::Color c = row[x / fx];
      for (const std::uint8_t channel : {c.r, c.g, c.b}) *to++ = channel;
      if (file.alpha) *to++ = c.a;
    }
  };
  return encode_png(file);
}

std::string base64(const std::string& bytes) {
  const std::unique_ptr<char, decltype(&g_free)> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()), &g_free);
  return text.get();
}

}  // namespace

std::string svg_number(double value) {
  const double kept =
      std::clamp(std::round(value * 1000) / 1000, -1e6, 1e6) + 0.0;  // + 0.0: no negative zero
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, kept, std::chars_format::fixed).ptr};
}

std::string svg_escaped(std::string_view text) {
  std::string result;
  for (const char32_t c : characters(valid_utf8(text))) {
    switch (c) {
      case U'&':
        result += "&amp;";
        break;
      case U'<':
        result += "&lt;";
        break;
      case U'>':
        result += "&gt;";
        break;
      case U'"':
        result += "&quot;";
        break;
      case U'\r':
        result += "&#13;";
        break;  // bare, it would be read as a line feed
      case U'\t':
      case U'\n':
        result += static_cast<char>(c);
        break;
      default:
        result += c < 0x20 || c == 0xFFFE || c == 0xFFFF ? "\xEF\xBF\xBD" : utf8(c);
    }
  }
  return result;
}

void SvgCanvas::polyline(const figure::Polyline& line) {
  const std::string data = path_data(line.points, line.closed);
  if (data.empty() || line.points.size() < 2 || line.width <= 0) return;
  out_ += "<path fill=\"none\" stroke-linejoin=\"round\"" + paint_attribute("stroke", line.color) +
          attribute("stroke-width", line.width);
  if (!line.dash.empty()) {
    out_ += " stroke-dasharray=\"";
    for (const double length : line.dash) out_ += svg_number(length) + ' ';
    out_.back() = '"';
  }
  out_ += " d=\"" + data + "\"/>\n";
}

void SvgCanvas::polygon(const figure::Polygon& polygon) {
  const std::string data = path_data(polygon.points, true);
  if (polygon.points.size() >= 3 && !data.empty()) {
    out_ += "<path" + paint_attribute("fill", polygon.color) + " d=\"" + data + "\"/>\n";
  }
}

void SvgCanvas::discs(const figure::Discs& discs) {
  if (discs.centres.empty()) return;
  out_ += "<g" + paint_attribute("fill", discs.color) + ">\n";
  for (const figure::Point& centre : discs.centres) {
    if (!std::isfinite(centre.x) || !std::isfinite(centre.y)) continue;
    out_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", discs.radius) +
            "/>\n";
  }
  out_ += "</g>\n";
}

void SvgCanvas::image(const figure::Image& image) {
  if (image.width <= 0 || image.height <= 0 || !image.pixels || image.box.w <= 0 || image.box.h <= 0) return;
  constexpr int most_side = 4096;
  const auto factor = [&](double length, int count) {
    const int wanted = static_cast<int>(std::ceil(std::min(length * dpi_ / 72, 1.0 * most_side) / count));
    return std::clamp(wanted, 1, std::max(1, most_side / count));
  };
  const std::string png =
      enlarged_png(image, factor(image.box.w, image.width), factor(image.box.h, image.height));
  // SVG 2 prefers href, but Inkscape 1.2 knows SVG 1.1's name alone, and everybody still knows that one.
  out_ +=
      "<image" + box_attributes(image.box) +
      " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64," +
      base64(png) + "\"/>\n";
}

void SvgCanvas::label(const figure::Label& label) {
  if (label.text.empty() || !std::isfinite(label.at.x) || !std::isfinite(label.at.y)) return;
  const figure::Point start = baseline_start(label, text_.measure(label.text, label.style));
  const std::string data = outline_data(text_, label, start);
  if (data.empty()) return;
  out_ += "<path role=\"img\" aria-label=\"" + svg_escaped(label.text) + '"' +
          paint_attribute("fill", label.color) + " transform=\"translate(" + pair(label.at.x, label.at.y) +
          ')' + (label.upright ? "" : " rotate(-90)") + "\" d=\"" + data + "\"/>\n";
}

void SvgCanvas::clip(const figure::Rect& box) {
  const std::string id = "clip" + std::to_string(++clips_);
  out_ += "<clipPath id=\"" + id + "\"><rect" + box_attributes(box) + "/></clipPath>\n<g clip-path=\"url(#" +
          id + ")\">\n";
}

void SvgCanvas::unclip() {
  out_ += "</g>\n";
}

}  // namespace orrery::exporter
