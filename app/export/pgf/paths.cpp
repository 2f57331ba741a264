#include "app/export/pgf/paths.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/export/pgf/pgf.h"
#include "app/figure/path.h"

namespace orrery::exporter::pgf {
namespace {

bool is_point(figure::Point p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

/// Which corner or side of the words stands at their place.
std::string anchor(const figure::Label& label) {
  using figure::HAlign;
  using figure::VAlign;
  const char* across = label.h == HAlign::left ? "west" : label.h == HAlign::right ? "east" : "";
  if (label.v == VAlign::baseline)
    return label.h == HAlign::left ? "base west" : label.h == HAlign::right ? "base east" : "base";
  const char* up = label.v == VAlign::top ? "north" : label.v == VAlign::bottom ? "south" : "";
  if (*up == 0 && *across == 0) return "center";
  return std::string(up) + (*up != 0 && *across != 0 ? " " : "") + across;
}

bool is_upright_box(const std::vector<figure::Point>& p) {
  if (p.size() != 4) return false;
  const auto level = [](figure::Point a, figure::Point b) { return a.y == b.y; };
  const auto sheer = [](figure::Point a, figure::Point b) { return a.x == b.x; };
  return (level(p[0], p[1]) && sheer(p[1], p[2]) && level(p[2], p[3]) && sheer(p[3], p[0])) ||
         (sheer(p[0], p[1]) && level(p[1], p[2]) && sheer(p[2], p[3]) && level(p[3], p[0]));
}

/// TikZ counts angles against the clock.
std::string arc(const figure::ArcRun& run) {
  const auto degrees = [](double turn) {
    return short_text(std::round(-turn * 180e3 / std::numbers::pi) / 1e3, 7);
  };
  return " arc[start angle=" + degrees(run.from) + ", end angle=" + degrees(run.from + run.sweep) +
         ", radius=" + length(run.radius) + "]";
}

}  // namespace

std::string dash_pattern(const std::vector<double>& lengths) {
  std::string text;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    text += (i > 0 ? " " : "") + std::string(i % 2 == 0 ? "on " : "off ") + length(lengths[i]);
  return text;
}

std::string filled_mark(double radius, figure::Color color, Palette& palette, const std::string& more) {
  constexpr double outline = 0.2;
  return "mark size=" + length(std::max(radius - outline / 2, radius / 2)) + ", mark options={" +
         palette.stroke(color) + ", " + palette.fill(color) + ", line width=" + length(outline) + more + "}";
}

std::string line_box(double size, std::size_t lines, double skip) {
  // Above and below a capital letter of Latin Modern, and of its like, as TextSetter has it. TikZ counts from the last line.
  constexpr double capital = 0.683, room = 0.25;
  const double above = capital + room + skip * static_cast<double>(std::max<std::size_t>(lines, 1) - 1);
  return "text height=" + length(above * size) + ", text depth=" + length(room * size);
}

std::string font(double size, bool bold, double skip) {
  return "font=\\fontsize{" + short_text(size, 3) + "}{" + short_text(skip * size, 3) + "}\\selectfont" +
         (bold ? "\\bfseries" : "");
}

std::string PathWriter::at(figure::Point p) const {
  if (!x_) return "(" + length(p.x) + "," + length(page_height_ - p.y) + ")";
  return "(axis cs:" + x_->from_page(p.x) + "," + y_->from_page(p.y) + ")";
}

std::string PathWriter::line_style(const figure::Polyline& line) {
  std::string text = palette_.stroke(line.color) + ", line width=" + length(line.width) + ", line join=round";
  if (!line.dash.empty()) text += ", dash pattern=" + dash_pattern(line.dash);
  return text;
}

std::string PathWriter::label_style(const figure::Label& label) {
  std::string text = "text=" + palette_.name(label.color) + ", " + font(label.style.size, label.style.bold);
  if (label.color.a != 255) text += ", text opacity=" + short_text(label.color.a / 255.0, 3);
  return text;
}

std::vector<figure::Point> PathWriter::thinned(const std::vector<figure::Point>& points) const {
  std::vector<figure::Point> kept = points;
  for (double fine = pixels_per_point_; kept.size() > most_points; fine *= 0.7)
    kept = figure::decimate(points, fine);
  return kept;
}

std::string PathWriter::table(const std::vector<figure::Point>& points) const {
  std::string text = " coordinates {";
  std::size_t width = text.size();
  for (const figure::Point& p : points) {
    const std::string pair = "(" + x_->from_page(p.x) + "," + y_->from_page(p.y) + ")";
    if (width + pair.size() > 110) {
      text += "\n  ";
      width = 2;
    }
    text += pair;
    width += pair.size();
  }
  return text + "}";
}

std::string PathWriter::polyline(const figure::Polyline& line, bool clipped) {
  std::vector<figure::Point> points;
  for (const figure::Point& p : line.points)
    if (is_point(p)) points.push_back(p);
  if (points.size() < 2 || line.width <= 0) return {};
  // PGFPlots clips what it plots, and nothing else: no arcs.
  const bool inside =
      !x_ || std::ranges::all_of(points, [&](figure::Point p) { return x_->shows(p.x) && y_->shows(p.y); });
  if (const figure::RoundPath path = figure::round_path(points, line.closed);
      !path.arcs.empty() && (inside || !clipped))
    return "\\draw [" + line_style(line) + "] " + outline(path) +
           (line.closed && !path.is_circle() ? " -- cycle" : "") + ";\n";
  points = thinned(points);
  if (clipped && x_)
    return "\\addplot [" + line_style(line) + ", forget plot]" + table(points) +
           (line.closed ? " -- cycle" : "") + ";\n";
  std::string text = "\\draw [" + line_style(line) + "] ";
  for (std::size_t i = 0; i < points.size(); ++i) text += (i > 0 ? " -- " : "") + at(points[i]);
  return text + (line.closed ? " -- cycle" : "") + ";\n";
}

std::string PathWriter::outline(const figure::RoundPath& path) const {
  if (path.is_circle())
    return at(path.arcs[0].centre) + " circle[radius=" + length(path.arcs[0].radius) + "]";
  std::string text = at(path.points[0]);
  path.follow([&](figure::Point p) { text += " -- " + at(p); },
              [&](const figure::ArcRun& run) { text += arc(run); });
  return text;
}

std::string PathWriter::polygon(const figure::Polygon& shape) const {
  if (shape.points.size() < 3 || !std::ranges::all_of(shape.points, is_point)) return {};
  figure::RoundPath path = figure::round_path(shape.points, true);
  if (path.arcs.empty()) path.points = thinned(shape.points);
  if (is_upright_box(path.points)) return at(path.points[0]) + " rectangle " + at(path.points[2]);
  return outline(path) + (path.is_circle() ? "" : " -- cycle");
}

std::string PathWriter::discs(const figure::Discs& discs) {
  std::vector<figure::Point> centres;
  for (const figure::Point& p : discs.centres)
    if (is_point(p)) centres.push_back(p);
  if (centres.empty()) return {};
  if (!x_) {
    std::string circles = "\\path [" + palette_.fill(discs.color) + "]";
    for (const figure::Point& p : centres)
      circles += " " + at(p) + " circle[radius=" + length(discs.radius) + "]";
    return circles + ";\n";
  }
  std::string text =
      "\\addplot [only marks, mark=*, " + filled_mark(discs.radius, discs.color, palette_) + ", forget plot]";
  return text + table(centres) + ";\n";
}

std::string PathWriter::label(const figure::Label& label) {
  if (label.text.empty() || !is_point(label.at)) return {};
  std::string text = "\\node [inner sep=0pt, anchor=" + anchor(label) + ", " + label_style(label);
  if (label.v != figure::VAlign::baseline) text += ", " + line_box(label.style.size);
  if (!label.upright) text += ", rotate=90";
  return text + "] at " + at(label.at) + " {" + tex_text(label.text, label.style.bold) + "};\n";
}

std::string PathWriter::write(const std::vector<figure::Primitive>& primitives, figure::PrimitiveSpan span) {
  std::string text;
  bool clipped = false;
  bool filling = false;
  figure::Color fill;
  const auto finish = [&] {
    if (filling) text += ";\n";
    filling = false;
  };
  for (std::size_t i = span.first; i < span.last; ++i) {
    const figure::Primitive& primitive = primitives[i];
    const auto* shape = std::get_if<figure::Polygon>(&primitive);
    if (shape) {
      const std::string path = polygon(*shape);
      if (path.empty()) continue;
      // Where they let something through, two shapes are darker than one of both.
      const bool same = filling && fill == shape->color && fill.a == 255;
      if (!same) {
        finish();
        text += "\\path [" + palette_.fill(shape->color) + "]";
      }
      filling = true;
      fill = shape->color;
      text += "\n  " + path;
      continue;
    }
    finish();
    if (std::holds_alternative<figure::Clip>(primitive)) clipped = true;
    if (std::holds_alternative<figure::Unclip>(primitive)) clipped = false;
    if (const auto* line = std::get_if<figure::Polyline>(&primitive)) text += polyline(*line, clipped);
    if (const auto* circles = std::get_if<figure::Discs>(&primitive)) text += discs(*circles);
    if (const auto* words = std::get_if<figure::Label>(&primitive)) text += label(*words);
  }
  finish();
  return text;
}

}  // namespace orrery::exporter::pgf
