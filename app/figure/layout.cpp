#include "app/figure/layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/figure/panel_plan.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr int passes = 3;           // labels → margins → plots, and again with the plots' true sizes
constexpr double least_plot = 2.5;  // text sizes: with less, the page does without words
constexpr double close_plot = 0.8;  // of that, where plots stand close to save their words
constexpr double least_symbol = 1;

// Distances in text sizes.
constexpr double page_margin = 0.3, column_gap = 2, row_gap = 1.2, page_title_gap = 0.8;
constexpr double heading_reach = 1.2;  // of a title into the gap before the next column

struct Heading {
  std::vector<std::string> lines;
  TextStyle style;
  double step = 0;
  double height(double em) const {
    return lines.empty() ? 0 : double(lines.size()) * step + page_title_gap * em;
  }
};

Heading heading(const Figure& figure, const LayoutOptions& options, double width, const Theme& theme,
                const TextMetrics& metrics) {
  Heading h;
  h.style = {Voice::words, theme.title_size * 1.15, true};
  h.step = line_height("Ag", h.style, metrics);
  if (!options.title || figure.title.empty()) return h;
  h.lines = wrap(figure.title, h.style, width, metrics);
  const bool fits = std::all_of(h.lines.begin(), h.lines.end(), [&](const std::string& line) {
    return metrics.measure(line, h.style).width <= width;
  });
  if (!fits || h.height(theme.text_size) > options.size.height / 3) h.lines.clear();
  return h;
}

struct Plan {
  std::vector<PanelPlan> panels;
  bool squeezed = false;  ///< there is less room than the margins need
};

/// The titles of a row begin at one height, whatever stands between them and their plots.
void align_titles(const Figure& figure, std::vector<PanelPlan>& panels) {
  std::map<int, double> top;  // by row
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double own = panels[i].title_top();
    const auto [row, fresh] = top.emplace(figure.panels[i].cell.row, own);
    if (!fresh) row->second = std::min(row->second, own);
  }
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].set_title_top(top[figure.panels[i].cell.row]);
}

/// A bar that several panels share is as high as all of them, and right of them all.
void stretch_bars(const std::map<int, ColorGroup>& groups, std::vector<PanelPlan>& panels,
                  const std::vector<Rect>& rooms) {
  for (const auto& [number, group] : groups) {
    PanelPlan& carrier = panels[std::size_t(group.bar)];
    if (carrier.bar_group() != number) continue;
    double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
    for (const int i : group.panels) {
      const Rect plot = panels[std::size_t(i)].plot_in(rooms[std::size_t(i)]);
      left = std::min(left, plot.x);
      top = std::min(top, plot.y);
      right = std::max(right, plot.x + plot.w);
      bottom = std::max(bottom, plot.y + plot.h);
    }
    carrier.set_bar_beside({left, top, right - left, bottom - top});
  }
}

/// What all plans of a figure have in common.
struct Common {
  const Figure& figure;
  const Digest& digest;
  const std::vector<PanelAxes> axes;
  const Sheet sheet;
};

Plan plan(const Common& common, const Rect& area, const std::vector<std::optional<LegendPlace>>& places,
          Detail detail) {
  const Figure& figure = common.figure;
  Plan plan;
  std::vector<PanelPlan>& panels = plan.panels;
  panels.reserve(figure.panels.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    panels.emplace_back(figure.panels[i], common.digest.panels[i], int(i), common.axes[i], common.sheet,
                        detail);
    if (places[i]) panels.back().set_legend_place(*places[i]);
  }
  const bool close = detail == Detail::close || detail == Detail::labels || detail == Detail::bare;
  const double em = (close ? 0.5 : 1) * common.sheet.theme.text_size;
  int columns = 1;
  for (const Panel& p : figure.panels) columns = std::max(columns, p.cell.col + p.cell.cols);
  for (std::size_t i = 0; i < panels.size(); ++i)
    if (const Cell& cell = figure.panels[i].cell; cell.col + cell.cols < columns)
      panels[i].set_heading_reach(heading_reach * em);
  std::vector<Margins> margins(panels.size(), Margins{4 * em, em, em, 3 * em});
  std::vector<double> shapes;
  for (const PanelPlan& panel : panels) shapes.push_back(panel.shape());
  const auto rooms = [&] { return plot_rooms(figure, area, margins, shapes, column_gap * em, row_gap * em); };
  for (int pass = 0; pass < passes; ++pass) {
    const std::vector<Rect> room = rooms().plots;
    stretch_bars(common.sheet.groups, panels, room);
    for (std::size_t i = 0; i < panels.size(); ++i) margins[i] = panels[i].measure(room[i]);
  }
  const Rooms room = rooms();
  stretch_bars(common.sheet.groups, panels, room.plots);
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].settle(room.plots[i]);
  align_titles(figure, panels);
  plan.squeezed = room.squeezed;
  return plan;
}

/// Whether every plot has a size worth the words around it; one without axes may be as small as a symbol.
bool roomy(const Figure& figure, const Plan& plan, Detail detail, const Theme& theme) {
  if (plan.squeezed) return false;
  const double scale = detail == Detail::close || detail == Detail::labels ? close_plot : 1;
  for (std::size_t i = 0; i < plan.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    const double least =
        scale * (panel.x.visible || panel.y.visible ? least_plot : least_symbol) * theme.text_size;
    const Rect& plot = plan.panels[i].frame().plot;
    if (plot.w < least || plot.h < least) return false;
  }
  return true;
}

Rect page_area(const Scene& scene, double margin) {
  const double x = std::min(margin, scene.width / 2), y = std::min(margin, scene.height / 2);
  return {x, y, scene.width - 2 * x, scene.height - 2 * y};
}

}  // namespace

Scene layout(const Figure& figure, const LayoutOptions& options, const Theme& theme,
             const TextMetrics& metrics) {
  Scene scene;
  scene.width = std::isfinite(options.size.width) ? std::max(options.size.width, 0.0) : 0;
  scene.height = std::isfinite(options.size.height) ? std::max(options.size.height, 0.0) : 0;
  scene.background = theme.background;

  Rect area = page_area(scene, page_margin * theme.text_size);
  const Heading title = heading(figure, options, area.w, theme, metrics);
  const double above = title.height(theme.text_size);
  area.y += above;
  area.h = std::max(0.0, area.h - above);

  const Digest own = options.digest ? Digest{} : digest(figure);
  const Digest& data = options.digest ? *options.digest : own;
  const std::map<int, ColorGroup> groups = color_groups(figure, data);
  const Common common{
      figure, data, panel_axes(figure, data, options.view), {groups, options, theme, metrics}};

  std::vector<std::optional<LegendPlace>> places(figure.panels.size());  // of legends that found none inside
  constexpr int most_tries =
      4;  // a legend that goes outside makes plots smaller, and may push another one out
  for (int tries = 1;; ++tries) {
    Plan chosen;
    for (const Detail detail : {Detail::all, Detail::close, Detail::labels, Detail::numbers, Detail::bare}) {
      chosen = plan(common, area, places, detail);
      if (roomy(figure, chosen, detail, theme)) break;
    }
    scene.primitives.clear();
    scene.panels.clear();
    scene.legend.clear();
    scene.records.clear();
    for (std::size_t i = 0; i < title.lines.size(); ++i)
      scene.primitives.emplace_back(Label{{area.x, area.y - above + double(i) * title.step},
                                          title.lines[i],
                                          title.style,
                                          theme.text,
                                          HAlign::left,
                                          VAlign::top,
                                          true});
    scene.heading = {0, scene.primitives.size()};
    bool settled = true;
    for (std::size_t i = 0; i < chosen.panels.size(); ++i) {
      if (!chosen.panels[i].draw(scene)) {
        places[i] = chosen.panels[i].legend_outside();
        settled = false;
      }
      scene.panels.push_back(chosen.panels[i].frame());
    }
    if (settled || tries == most_tries) break;
  }
  return scene;
}

}  // namespace orrery::figure
