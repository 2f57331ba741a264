// Contours: areas from the largest to the smallest, lines over them, and each level's value on its longest line.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/figure/contour.h"
#include "app/figure/contour_levels.h"
#include "app/figure/field.h"
#include "app/figure/oklab.h"
#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr int most_nodes = 512;         // of either side
constexpr double pixels_per_node = 2;   // a sampler is asked no finer
constexpr double number_size = 0.85;    // of the text size
constexpr double number_clearance = 1;  // points between a line and its number
constexpr double worth_a_number = 5;    // widths of the number that a line must be long

/// Centres of cells, and the edges of the outermost, where the values go on as they came.
std::vector<double> node_places(Range r, int cells) {
  std::vector<double> at{r.lo};
  for (int i = 0; i < cells; ++i) at.push_back(r.lo + (i + 0.5) / cells * r.length());
  at.push_back(r.hi);
  return at;
}

double towards_edge(double near, double far) {
  return std::isfinite(far) ? near + (near - far) / 2 : near;
}

Nodes nodes_of(const Grid& g, Range x, Range y) {
  Nodes n{node_places(x, g.cols), node_places(y, g.rows), {}};
  const std::size_t cols = n.x.size(), rows = n.y.size();
  n.values.assign(cols * rows, 0);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return n.values[j * cols + i]; };
  for (std::size_t j = 1; j + 1 < rows; ++j) {
    for (std::size_t i = 1; i + 1 < cols; ++i) at(i, j) = g.values[(j - 1) * std::size_t(g.cols) + i - 1];
    at(0, j) = towards_edge(at(1, j), at(std::min<std::size_t>(2, cols - 2), j));
    at(cols - 1, j) = towards_edge(at(cols - 2, j), at(std::max<std::size_t>(cols, 4) - 3, j));
  }
  for (std::size_t i = 0; i < cols; ++i) {
    at(i, 0) = towards_edge(at(i, 1), at(i, std::min<std::size_t>(2, rows - 2)));
    at(i, rows - 1) = towards_edge(at(i, rows - 2), at(i, std::max<std::size_t>(rows, 4) - 3));
  }
  return n;
}

/// The field as fine as the page can use it.
Nodes sampled(const Field& field, const Stage& s) {
  const PanelFrame& f = s.frame;
  const auto part = [](Range all, Range shown) {
    const Range both{std::max(all.lo, shown.lo), std::min(all.hi, shown.hi)};
    return both.lo < both.hi ? both : all;
  };
  const auto fine = [&](double length) {
    return std::clamp(int(length * s.pixels_per_point / pixels_per_node), 2, most_nodes);
  };
  Range x = field.x, y = field.y;
  if (field.grid && field.cols <= most_nodes && field.rows <= most_nodes) return nodes_of(*field.grid, x, y);
  x = part(x, f.x);
  y = part(y, f.y);
  const int cols = std::min(field.cols, fine(f.plot.w)), rows = std::min(field.rows, fine(f.plot.h));
  const Grid grid = field.sample(x, y, cols, rows);
  return whole(grid) ? nodes_of(grid, x, y) : Nodes{};
}

struct PageLine {
  Path path;
  bool closed;
  std::size_t level;
};

Path on_page(const Contour& c, const PanelFrame& frame) {
  Path path;
  for (const Point p : c.points)
    if (const Point q = place(frame, p.x, p.y); defined(q)) path.push_back(q);
  return path;
}

void fill_areas(const Nodes& nodes, const ContourLevels& levels, const ValueColors& colors, const Stage& s) {
  struct Area {
    Path path;
    double size;
    std::size_t band;  ///< how many levels lie below it
    bool hole;         ///< of the field itself
  };
  std::vector<Area> areas;
  for (std::size_t k = 0; k <= levels.values.size(); ++k) {
    const double level = k == 0 ? -std::numeric_limits<double>::infinity() : levels.values[k - 1];
    for (const Contour& rim : contour_rims(nodes, level)) {
      const bool missing = signed_area(rim.points) < 0;
      Path path = on_page(rim, s.frame);
      const double size = std::abs(signed_area(path));
      areas.push_back({std::move(path), size, missing && k > 0 ? k - 1 : k, missing && k == 0});
    }
  }
  // Rims do not cross: what is painted last at a place is the smallest area around it, whose band is the right one.
  std::stable_sort(areas.begin(), areas.end(), [](const Area& a, const Area& b) { return a.size > b.size; });
  s.scene.primitives.emplace_back(Clip{s.frame.plot});
  for (const Area& area : areas) {
    Path inside = clip_polygon(decimate(area.path, s.pixels_per_point), s.frame.plot);
    if (inside.size() < 3) continue;
    const Color color = area.hole ? s.theme.background : colors(levels.inside(area.band));
    s.scene.primitives.emplace_back(Polygon{std::move(inside), color});
  }
  s.scene.primitives.emplace_back(Unclip{});
}

/// Points along a path, evenly apart, so that long straight pieces have some too.
Path evenly(const Path& path, double step) {
  Path out;
  double next = 0, before = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double length = path_length({path[i - 1], path[i]});
    for (; next <= before + length && length > 0; next += step) {
      const double t = (next - before) / length;
      out.push_back({std::lerp(path[i - 1].x, path[i].x, t), std::lerp(path[i - 1].y, path[i].y, t)});
    }
    before += length;
  }
  return out;
}

/// Where a number stands on its line: on a long one of its level, where that runs most nearly level itself.
std::optional<Label> number_on(const std::vector<PageLine>& lines, std::size_t level, const std::string& text,
                               Color color, const Stage& s) {
  const TextStyle style{Voice::numbers, number_size * s.theme.text_size, false};
  const double width = s.metrics.measure(text, style).width, step = width / 4;
  const Rect room = grown(s.frame.plot, -2);
  std::optional<Label> best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (const PageLine& line : lines) {
    const double length = path_length(line.path);
    if (line.level != level || length < worth_a_number * width) continue;
    const Path at = evenly(line.path, step);
    for (std::size_t i = 2; i + 2 < at.size(); ++i) {
      Label label{at[i], text, style, color, HAlign::center, VAlign::middle, true};
      const Rect box = label_box(label, s.metrics);
      if (!room.contains({box.x, box.y}) || !room.contains({box.x + box.w, box.y + box.h})) continue;
      if (std::ranges::any_of(s.lettering.words,
                              [&](const Rect& w) { return overlap(grown(w, 2 * number_clearance), box); }))
        continue;
      const double steepness = std::abs(at[i + 2].y - at[i - 2].y) / (4 * step);
      const double cost = steepness - 0.01 * std::min(length / width, 50.0);
      if (cost >= best_cost) continue;
      best_cost = cost;
      best = std::move(label);
    }
  }
  return best;
}

}  // namespace

void draw(const Contours& contours, const ValueColors& colors, const Stage& s) {
  const Field field = field_of(contours);
  if (!field.drawable()) return;
  const Nodes nodes = sampled(field, s);
  if (nodes.values.empty()) return;
  const ContourLevels levels = contour_levels(contours, colors.range());
  if (contours.filled) fill_areas(nodes, levels, colors, s);
  if (!(contours.width > 0)) return;

  std::vector<PageLine> lines;
  for (std::size_t k = 0; k < levels.values.size(); ++k)
    for (const Contour& c : contour_lines(nodes, levels.values[k])) {
      Path path = on_page(c, s.frame);
      if (path.size() < 2) continue;
      if (c.closed) path.push_back(path.front());
      for (Path& part : clip_path(decimate(path, s.pixels_per_point), s.frame.plot))
        lines.push_back({std::move(part), c.closed, k});
    }

  const auto line_color = [&](std::size_t k) {
    return contours.ink ? s.theme.color(*contours.ink) : colors(levels.values[k]);
  };
  // On an area a number is dark or light, whichever can be read there.
  const auto number_color = [&](std::size_t k) {
    if (!contours.filled)
      return contours.ink ? s.theme.color({contours.ink->role, contours.ink->index, 1}) : s.theme.text;
    const bool on_light = to_oklab(colors(levels.values[k])).L > 0.6;
    return on_light ? Color{17, 17, 17, 255} : Color{255, 255, 255, 255};
  };
  std::vector<Rect> gaps;
  std::vector<Label> numbers;
  if (contours.numbers)
    for (std::size_t k = 0; k < levels.values.size(); ++k)
      if (auto label = number_on(lines, k, levels.texts[k], number_color(k), s)) {
        const Rect box = label_box(*label, s.metrics);
        s.lettering.words.push_back(box);
        gaps.push_back(
            {box.x - number_clearance, box.y + 0.15 * box.h, box.w + 2 * number_clearance, 0.7 * box.h});
        numbers.push_back(std::move(*label));
      }

  const double width = s.theme.line_width * contours.width;
  s.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
  for (const PageLine& line : lines) {
    std::vector<Path> parts{line.path};
    for (const Rect& gap : gaps) {
      std::vector<Path> rest;
      for (const Path& part : parts)
        for (Path& piece : cut_out(part, gap)) rest.push_back(std::move(piece));
      parts = std::move(rest);
    }
    const Color color = line_color(line.level);
    for (Path& part : parts) {
      // Below zero dashed, as maps of one ink are read.
      const bool below = contours.ink && levels.values[line.level] < 0;
      s.scene.primitives.emplace_back(Polyline{
          std::move(part), color, width, dash_lengths(below ? Dash::dashed : Dash::solid, width), false});
    }
  }
  s.scene.primitives.emplace_back(Unclip{});
  for (Label& number : numbers) s.scene.primitives.emplace_back(std::move(number));
}

}  // namespace orrery::figure
