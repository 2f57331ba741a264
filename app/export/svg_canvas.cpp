#include "app/export/svg_canvas.h"

#include <cairo.h>
#include <glib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "app/export/cairo_canvas.h"
#include "app/export/font_lock.h"
#include "app/export/png_file.h"
#include "app/export/prose.h"
#include "app/export/text_runs.h"
#include "app/export/utf8.h"
#include "app/figure/arcs.h"

namespace orrery::exporter {
namespace {

/// Stands for the number until all is drawn; no text of XML has it.
constexpr char begin_of_ids = '\1';

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

/// In pieces of less than half a circle: of those there is but one on each side of a chord.
std::string arc_data(const figure::ArcRun& arc) {
  const int pieces = static_cast<int>(std::ceil(std::abs(arc.sweep) / 3));
  const std::string radius = svg_number(arc.radius);
  std::string data;
  for (int i = 1; i <= pieces; ++i) {
    const double angle = arc.from + arc.sweep * i / pieces;
    data += 'A' + radius + ' ' + radius + " 0 0 " + (arc.sweep > 0 ? "1 " : "0 ") +
            pair(arc.centre.x + arc.radius * std::cos(angle), arc.centre.y + arc.radius * std::sin(angle));
  }
  return data;
}

/// The name of an element and the attributes that are its shape; empty where there is nothing to see. `plain`: no dashes, so
/// that nobody asks where a circle begins.
std::string shape_element(const std::vector<figure::Point>& points, bool closed, bool plain) {
  const figure::RoundPath path = figure::round_path(points, closed);
  if (plain && path.is_circle())
    return "circle" + attribute("cx", path.arcs[0].centre.x) + attribute("cy", path.arcs[0].centre.y) +
           attribute("r", path.arcs[0].radius);
  std::string data;
  bool pen_down = false;
  const auto reach = [&](figure::Point p) {
    const bool here = std::isfinite(p.x) && std::isfinite(p.y);
    if (here) data += (pen_down ? 'L' : 'M') + pair(p.x, p.y);
    pen_down = here;
  };
  if (!points.empty()) reach(points[0]);
  path.follow(reach, [&](const figure::ArcRun& arc) { data += arc_data(arc); });
  return data.empty() ? data : "path d=\"" + data + (closed ? "Z\"" : "\"");
}

/// Outlines on a surface without bounds: on any other Cairo drops the glyphs that are far outside. It keeps paths in 24.8
/// fixed point: 64 units to the point make that 1/16384 pt.
std::string outline_data(const TextSetter& text, const figure::Label& label, figure::Point start,
                         TextPart part) {
  const SurfacePtr surface(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr));
  const ContextPtr cr(cairo_create(surface.get()));
  cairo_scale(cr.get(), 64, 64);
  text.outline(cr.get(), start.x, start.y, label.text, label.style, part);
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

/// "font-family=… font-size=… font-weight=…"
std::string font_attributes(const std::vector<std::string>& families, const figure::TextStyle& style) {
  std::string list;
  for (const std::string& family : families) {
    const bool generic = family == "serif" || family == "sans-serif";
    list += (list.empty() ? "" : ", ") + (generic ? family : "'" + svg_escaped(family) + "'");
  }
  return " font-family=\"" + list + '"' + attribute("font-size", style.size) +
         (style.bold ? attribute("font-weight", bold_weight) : "");
}

/// A viewer is to take the same characters for Han ones as we do: those of simplified Chinese.
bool has_han(const std::string& text) {
  return std::ranges::any_of(characters(text), [](char32_t c) { return c >= 0x2E80; });
}

const char* anchor_of(figure::HAlign h) {
  return h == figure::HAlign::left ? "start" : h == figure::HAlign::center ? "middle" : "end";
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
  if (line.points.size() < 2 || line.width <= 0) return;
  const std::string shape = shape_element(line.points, line.closed, line.dash.empty());
  if (shape.empty()) return;
  out_ += "<" + shape + " fill=\"none\" stroke-linejoin=\"round\"" + paint_attribute("stroke", line.color) +
          attribute("stroke-width", line.width);
  if (!line.dash.empty()) {
    out_ += " stroke-dasharray=\"";
    for (const double length : line.dash) out_ += svg_number(length) + ' ';
    out_.back() = '"';
  }
  out_ += "/>\n";
}

void SvgCanvas::polygon(const figure::Polygon& polygon) {
  if (polygon.points.size() < 3) return;
  const std::string shape = shape_element(polygon.points, true, true);
  if (!shape.empty()) out_ += "<" + shape + paint_attribute("fill", polygon.color) + "/>\n";
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

/// Words alone hold on to their place by the end that the layout placed, whatever font the reader has; beside formulas
/// each stretch stands where it was measured to.
std::string SvgCanvas::words(const figure::Label& label, figure::Point start) const {
  const std::vector<TextSetter::Stretch> stretches = text_.prose(label.text, label.style);
  const std::string formulas = outline_data(text_, label, start, TextPart::formulas);
  const std::string font = font_attributes(text_.families(label.style), label.style);
  std::string out;
  for (const TextSetter::Stretch& stretch : stretches) {
    out += "<text xml:space=\"preserve\"" + font;
    if (has_han(stretch.words)) out += " xml:lang=\"zh-CN\"";
    if (formulas.empty())
      out += std::string(" text-anchor=\"") + anchor_of(label.h) + "\" x=\"0\"";
    else
      out += attribute("x", start.x + stretch.x);
    out += attribute("y", start.y) + '>' + svg_escaped(stretch.words) + "</text>\n";
  }
  return formulas.empty() ? out : out + "<path d=\"" + formulas + "\"/>\n";
}

void SvgCanvas::label(const figure::Label& label) {
  if (label.text.empty() || !std::isfinite(label.at.x) || !std::isfinite(label.at.y)) return;
  const figure::Point start = baseline_start(label, text_.measure(label.text, label.style));
  const std::string placed = paint_attribute("fill", label.color) + " transform=\"translate(" +
                             pair(label.at.x, label.at.y) + ')' + (label.upright ? "" : " rotate(-90)") + '"';
  if (words_as_text_) {
    out_ += "<g role=\"text\" aria-label=\"" + svg_escaped(plain_text(label.text)) + '"' + placed + ">\n" +
            words(label, start) + "</g>\n";
    return;
  }
  const std::string data = outline_data(text_, label, start, TextPart::all);
  if (!data.empty())
    out_ += "<path role=\"img\" aria-label=\"" + svg_escaped(label.text) + '"' + placed + " d=\"" + data +
            "\"/>\n";
}

void SvgCanvas::clip(const figure::Rect& box) {
  const std::string id = begin_of_ids + std::to_string(++clips_);
  out_ += "<clipPath id=\"" + id + "\"><rect" + box_attributes(box) + "/></clipPath>\n<g clip-path=\"url(#" +
          id + ")\">\n";
}

void SvgCanvas::unclip() {
  out_ += "</g>\n";
}

std::string SvgCanvas::elements() const {
  std::uint32_t hash = 2166136261;  // FNV-1a
  for (const char c : out_) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  char begin[12];
  std::snprintf(begin, sizeof begin, "c%08x-", hash);
  std::string text;
  text.reserve(out_.size() + static_cast<std::size_t>(clips_) * 2 * sizeof begin);
  for (const char c : out_)
    if (c == begin_of_ids)
      text += begin;
    else
      text += c;
  return text;
}

}  // namespace orrery::exporter
