#include "app/export/pgf/marks.h"

#include <algorithm>
#include <cmath>

#include "app/export/pgf/paths.h"
#include "app/export/png_file.h"
#include "app/figure/mark_facts.h"
#include "app/figure/stage.h"

namespace orrery::exporter::pgf {
namespace {

constexpr int most_cells = 32 * 32;  // more would take LaTeX seconds
constexpr double far_away = 3;       // times the axis' length: TeX's lengths end at 16384 pt

/// Values that PGFPlots can be given as they are: not too many, not too far outside.
bool plain(const std::vector<double>& x, const std::vector<double>& y, const MarkStage& s) {
  const std::size_t n = std::min(x.size(), y.size());
  if (!s.x.exact() || !s.y.exact() || n == 0 || n > most_points) return false;
  const auto near = [](const AxisMap& map, double v) {
    if (!std::isfinite(v)) return true;
    if (!map.has(v)) return false;
    const double low = map.log() ? std::log(map.low()) : map.low(),
                 high = map.log() ? std::log(map.high()) : map.high();
    const double unit = ((map.log() ? std::log(v) : v) - low) / (high - low);
    return std::abs(unit) < far_away;
  };
  for (std::size_t i = 0; i < n; ++i)
    if (!near(s.x, x[i]) || !near(s.y, y[i])) return false;
  return true;
}

std::string coordinates(const std::vector<double>& x, const std::vector<double>& y, const MarkStage& s) {
  std::string text = " coordinates {", line;
  const std::size_t n = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < n; ++i) {
    const bool hole = !std::isfinite(x[i]) || !std::isfinite(y[i]);
    line += hole ? "(nan,nan)" : "(" + s.x.from_value(x[i]) + "," + s.y.from_value(y[i]) + ")";
    if (line.size() > 100) {
      text += "\n  " + line;
      line.clear();
    }
  }
  return text + (text.size() > 20 && !line.empty() ? "\n  " : "") + line + "}";
}

const char* course_option(figure::Course course) {
  switch (course) {
    case figure::Course::straight:
      break;
    case figure::Course::step_after:
      return ", const plot mark left";
    case figure::Course::step_before:
      return ", const plot mark right";
    case figure::Course::step_middle:
      return ", const plot mark mid";
  }
  return "";
}

std::string line_style(figure::Color color, double width, const std::vector<double>& dash, Palette& palette) {
  std::string text = palette.stroke(color) + ", line width=" + length(width) + ", line join=round";
  if (!dash.empty()) text += ", dash pattern=" + dash_pattern(dash);
  return text;
}

std::string style_of(const figure::Line& line, Palette& palette, const figure::Theme& theme) {
  const double width = theme.line_width * line.width;
  return line_style(theme.color(line.ink), width,
                    figure::dash_lengths(figure::shown_dash(line, theme), width), palette);
}

std::string style_of(const figure::Points& points, Palette& palette, const figure::Theme& theme) {
  using figure::Symbol;
  const figure::Color color = theme.color(points.ink);
  const Symbol symbol = figure::shown_symbol(points, theme);
  // PGF's have other sizes: a square's mark size is half its side, a diamond is three quarters as wide as it is high, a cross
  // reaches 0.707 of it.
  struct Shape {
    const char* mark;
    double size;
    const char* options = "";
  };
  const auto shape = [&]() -> Shape {
    switch (symbol) {
      case Symbol::disc:
        return {"*", 1};
      case Symbol::ring:
        return {"o", 1};
      case Symbol::square:
        return {"square*", 0.886};
      case Symbol::cross:
        return {"x", 0.886 / 0.707};
      case Symbol::triangle:
        return {"triangle*", 1.4};
      case Symbol::diamond:
        return {"diamond*", 1.25, ", xscale=1.333"};
    }
    return {"*", 1};
  }();
  const std::string text = std::string("only marks, mark=") + shape.mark;
  const double radius = shape.size * points.radius;
  const bool open = symbol == Symbol::ring || symbol == Symbol::cross;
  if (!open) return text + ", " + filled_mark(radius, color, palette, shape.options);
  return text + ", mark size=" + length(radius) + ", mark options={" + palette.stroke(color) +
         ", line width=" + length(theme.line_width) + "}";
}

/// Cells that have no value, painted over the map in the colour they have on every canvas.
std::string odd_cells(const figure::Heatmap& map, const figure::ValueColors& colors, const MarkStage& s) {
  const figure::Grid& grid = *map.grid;
  const double dx = map.x.length() / grid.cols, dy = map.y.length() / grid.rows;
  std::string masked, bad;
  for (int r = 0; r < grid.rows; ++r) {
    for (int c = 0; c < grid.cols; ++c) {
      const float value = grid.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(grid.cols) +
                                      static_cast<std::size_t>(c)];
      if (std::isfinite(value) || value > 0) continue;
      std::string& path = std::isnan(value) ? bad : masked;
      path += "\n  (axis cs:" + s.x.from_value(map.x.lo + c * dx) + "," + s.y.from_value(map.y.lo + r * dy) +
              ") rectangle (axis cs:" + s.x.from_value(map.x.lo + (c + 1) * dx) + "," +
              s.y.from_value(map.y.lo + (r + 1) * dy) + ")";
    }
  }
  std::string text;
  // A little over the edge, or the colour below shows as a seam.
  const auto cover = [&](figure::Color color, const std::string& cells) {
    if (!cells.empty())
      text += "\\path [" + s.palette.fill(color) + ", " + s.palette.stroke(color) +
              ", line width=0.3bp, line join=miter]" + cells + ";\n";
  };
  cover(colors(-INFINITY), masked);
  cover(colors(NAN), bad);
  return text;
}

}  // namespace

std::optional<std::string> plot_of(const figure::Mark& mark, const MarkStage& s) {
  if (const auto* line = std::get_if<figure::Line>(&mark); line && plain(line->x, line->y, s)) {
    return "\\addplot [" + style_of(*line, s.palette, s.theme) + course_option(line->course) +
           ", forget plot]" + coordinates(line->x, line->y, s) + ";\n";
  }
  if (const auto* points = std::get_if<figure::Points>(&mark); points && plain(points->x, points->y, s)) {
    figure::Points shown = *points;
    shown.radius = figure::shown_radius(*points, s.frame);
    return "\\addplot [" + style_of(shown, s.palette, s.theme) + ", forget plot]" +
           coordinates(points->x, points->y, s) + ";\n";
  }
  return std::nullopt;
}

std::optional<std::string> matrix_plot(const figure::Heatmap& map, const figure::ValueColors& colors,
                                       const std::string& color_map, const MarkStage& s) {
  if (!map.grid || !s.x.exact() || !s.y.exact() || s.x.log() || s.y.log()) return std::nullopt;
  const figure::Grid& grid = *map.grid;
  if (grid.rows < 2 || grid.cols < 2 || grid.rows * grid.cols > most_cells) return std::nullopt;
  const figure::Range range = colors.range();
  std::string text = "\\addplot [matrix plot*, shader=flat corner, mesh/cols=" + std::to_string(grid.cols) +
                     ", point meta=explicit, " + color_map + ", forget plot] coordinates {";
  for (int r = 0; r < grid.rows; ++r) {
    text += "\n ";
    for (int c = 0; c < grid.cols; ++c) {
      const auto value =
          static_cast<double>(grid.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(grid.cols) +
                                          static_cast<std::size_t>(c)]);
      const double shown = std::isfinite(value) ? std::clamp(value, range.lo, range.hi)
                           : value > 0          ? range.hi
                                                : range.lo;
      text += " (" + s.x.from_value(map.x.lo + (c + 0.5) * map.x.length() / grid.cols) + "," +
              s.y.from_value(map.y.lo + (r + 0.5) * map.y.length() / grid.rows) + ") [" +
              short_text(shown, 5) + "]";
    }
  }
  return text + "};\n" + odd_cells(map, colors, s);
}

std::string color_map_options(const std::vector<figure::Color>& ramp, figure::Range range,
                              const std::string& name) {
  std::string text = "  colormap={" + name + "}{";
  for (std::size_t i = 0; i < ramp.size(); ++i) {
    text += (i % 6 == 0 ? "\n    " : " ") + std::string("rgb255=(") + std::to_string(ramp[i].r) + "," +
            std::to_string(ramp[i].g) + "," + std::to_string(ramp[i].b) + ")";
  }
  return text + "},\n  point meta min=" + short_text(range.lo, 6) +
         ", point meta max=" + short_text(range.hi, 6) + ",\n";
}

std::string graphics(const figure::Image& image, const std::string& file, const MarkStage& s) {
  const double left = image.box.x, right = left + image.box.w, top = image.box.y, bottom = top + image.box.h;
  std::string x0 = s.x.from_page(left), x1 = s.x.from_page(right), y0 = s.y.from_page(bottom),
              y1 = s.y.from_page(top);
  // The picture is as the page shows it; its corners are named from the least values on.
  if (s.x.reversed()) std::swap(x0, x1);
  if (s.y.reversed()) std::swap(y0, y1);
  return "\\addplot [forget plot] graphics [xmin=" + x0 + ", xmax=" + x1 + ", ymin=" + y0 + ", ymax=" + y1 +
         "] {" + file + "};\n";
}

std::string picture_png(const figure::Image& image) {
  PngFile file;
  file.width = image.width;
  file.height = image.height;
  file.alpha = std::ranges::any_of(*image.pixels, [](figure::Color c) { return c.a != 255; });
  file.row = [&](int y, std::uint8_t* to) {
    const figure::Color* row = image.pixels->data() + static_cast<std::ptrdiff_t>(y) * image.width;
    for (int x = 0; x < image.width; ++x) {
      for (const std::uint8_t channel : {row[x].r, row[x].g, row[x].b}) *to++ = channel;
      if (file.alpha) *to++ = row[x].a;
    }
  };
  return encode_png(file);
}

}  // namespace orrery::exporter::pgf
