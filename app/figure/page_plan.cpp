#include "app/figure/page_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "app/figure/cells.h"
#include "app/figure/color_bar.h"
#include "app/figure/color_groups.h"
#include "app/figure/heading.h"
#include "app/figure/panel_plan.h"
#include "app/figure/set_alike.h"
#include "app/figure/shared_axes.h"
#include "app/figure/shared_legends.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr int passes = 3;           // labels → margins → plots, and again with the plots' true sizes
constexpr int further_passes = 4;   // where a title or a legend has less room in the end than it was set for
constexpr double least_plot = 2.5;  // text sizes: with less, the page does without words
constexpr double close_plot = 0.8;  // of that, where plots stand close to save their words
constexpr double least_symbol = 1;

// Distances in text sizes.
constexpr double page_margin = 0.3, column_gap = 2, row_gap = 1.2;
constexpr double heading_reach = 1.2;  // of a title into the gap before the next column
constexpr double bar_to_heading = 0.4;

struct Plan {
  std::vector<PanelPlan> panels;
  bool squeezed = false;  ///< there is less room than the margins need
};

/// The titles of a row begin at one height, whatever stands between them and their plots.
void align_titles(const std::vector<Cell>& cells, std::vector<PanelPlan>& panels) {
  std::map<int, double> top;  // by row
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (!cells[i].on_page()) continue;
    const double own = panels[i].title_top();
    const auto [row, fresh] = top.emplace(cells[i].row, own);
    if (!fresh) row->second = std::min(row->second, own);
  }
  for (std::size_t i = 0; i < panels.size(); ++i)
    if (cells[i].on_page()) panels[i].set_title_top(top[cells[i].row]);
}

/// A bar that several panels share is as high as all that it stands beside, and right of them.
void stretch_bars(const Sheet& sheet, const std::vector<Cell>& cells, std::vector<PanelPlan>& panels,
                  const std::vector<Rect>& rooms) {
  const double clear_of_bar = bar_gap(sheet.theme) - bar_to_heading * sheet.theme.text_size;
  for (PanelPlan& panel : panels) panel.set_heading_end({});
  for (const auto& [number, group] : sheet.groups) {
    if (group.bar < 0) continue;  // none of its panels is on the page
    PanelPlan& carrier = panels[std::size_t(group.bar)];
    if (carrier.bar_group() != number) continue;
    double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
    int first_row = std::numeric_limits<int>::max();
    for (const int i : group.beside) {
      first_row = std::min(first_row, cells[std::size_t(i)].row);
      const Rect plot = panels[std::size_t(i)].plot_in(rooms[std::size_t(i)]);
      left = std::min(left, plot.x);
      top = std::min(top, plot.y);
      right = std::max(right, plot.x + plot.w);
      bottom = std::max(bottom, plot.y + plot.h);
    }
    carrier.set_bar_beside({left, top, right - left, bottom - top});
    // What stands above lower rows would run through it.
    for (const int i : group.beside)
      if (cells[std::size_t(i)].row > first_row) panels[std::size_t(i)].set_heading_end(right + clear_of_bar);
  }
}

/// What all plans of a figure have in common.
struct Common {
  const Figure& figure;
  const Digest& digest;
  const std::vector<PanelAxes> axes;
  const Sheet sheet;
};

Plan plan(const Common& common, const Rect& area, const Standing& standing) {
  const Detail detail = standing.detail;
  const Figure& figure = common.figure;
  Plan plan;
  std::vector<PanelPlan>& panels = plan.panels;
  panels.reserve(figure.panels.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    panels.emplace_back(figure.panels[i], common.digest.panels[i], int(i), common.axes[i], common.sheet,
                        detail);
    if (standing.legends[i]) panels.back().set_legend_place(*standing.legends[i]);
    panels.back().set_least_margins(standing.margins[i]);
    if (standing.sparing) panels.back().set_sparing();
  }
  const bool close = detail == Detail::close || detail == Detail::labels || detail == Detail::bare;
  const double em = (close ? 0.5 : 1) * common.sheet.theme.text_size;
  int columns = 1;
  const std::vector<Cell>& cells = standing.arrangement.cells;
  for (const Cell& cell : cells) columns = std::max(columns, cell.col + cell.cols);
  for (std::size_t i = 0; i < panels.size(); ++i)
    if (cells[i].col + cells[i].cols < columns) panels[i].set_heading_reach(heading_reach * em);
  std::vector<Margins> margins(panels.size(), Margins{4 * em, em, em, 3 * em});
  std::vector<double> shapes;
  for (const PanelPlan& panel : panels) shapes.push_back(panel.shape());
  const auto rooms = [&] {
    return plot_rooms(standing.arrangement, area, margins, shapes, column_gap * em, row_gap * em);
  };
  SharedLegends legends(figure, cells);
  const SetAlike alike(figure, cells);
  // Where names lose their place at the ends of lines, the page is laid out again with a legend instead.
  const auto settled = [&](const std::vector<Rect>& room) {
    bool fit = legends.stand_below(panels) && alike.headings_agree(panels);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      if (!panels[i].keeps_ends(room[i])) return true;
      fit = fit && (!cells[i].on_page() || panels[i].heading_fits(room[i]));
    }
    return fit;
  };
  for (int pass = 0; pass < passes + further_passes; ++pass) {
    const std::vector<Rect> room = rooms().plots;
    if (pass >= passes && settled(room)) break;
    stretch_bars(common.sheet, cells, panels, room);
    if (pass > 0) {
      legends.choose(panels, room, margins);
      alike.headings(panels, pass >= passes);
    }
    for (std::size_t i = 0; i < panels.size(); ++i) {
      // Margins that give way to each other in turns come to rest where none gives way any more.
      if (pass >= passes) panels[i].hold(margins[i], room[i]);
      margins[i] = panels[i].measure(room[i]);
    }
  }
  const Rooms room = rooms();
  stretch_bars(common.sheet, cells, panels, room.plots);
  legends.place(panels, room.plots, margins);
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].settle(room.plots[i]);
  alike.letters(panels);
  alike.legends(panels);
  align_titles(cells, panels);
  plan.squeezed = room.squeezed;
  return plan;
}

/// Whether every plot on the page has a size worth the words around it; one without axes may be as small as a symbol.
bool roomy(const Common& common, const Standing& standing, const Plan& plan) {
  if (plan.squeezed) return false;
  const bool close = standing.detail == Detail::close || standing.detail == Detail::labels;
  const double scale = close ? close_plot : 1;
  for (std::size_t i = 0; i < plan.panels.size(); ++i) {
    const Panel& panel = common.figure.panels[i];
    const bool with_axes = panel.x.visible || panel.y.visible;
    const double least = scale * (with_axes ? least_plot : least_symbol) * common.sheet.theme.text_size;
    const Rect& plot = plan.panels[i].frame().plot;
    if (standing.arrangement.cells[i].on_page() && (plot.w < least || plot.h < least)) return false;
  }
  return true;
}

Rect page_area(const Scene& scene, double margin) {
  const double x = std::min(margin, scene.width / 2), y = std::min(margin, scene.height / 2);
  return {x, y, scene.width - 2 * x, scene.height - 2 * y};
}

}  // namespace

double heading_height(const Figure& figure, const LayoutOptions& options, const Theme& theme,
                      const TextMetrics& metrics) {
  Scene page;
  page.width = options.size.width;
  page.height = options.size.height;
  return heading_height(figure, options, page_area(page, page_margin * theme.text_size), theme, metrics);
}

BlankPage::BlankPage(const Figure& of, const Digest& data, const LayoutOptions& asked, const Theme& look,
                     const TextMetrics& text)
    : figure(of), digest(data), options(asked), theme(look), metrics(text) {
  scene.width = std::isfinite(options.size.width) ? std::max(options.size.width, 0.0) : 0;
  scene.height = std::isfinite(options.size.height) ? std::max(options.size.height, 0.0) : 0;
  scene.background = theme.background;
  area = page_area(scene, page_margin * theme.text_size);
  const double above = draw_heading(figure, options, area, theme, metrics, scene);
  area.y += above;
  area.h = std::max(0.0, area.h - above);
}

namespace {

/// How often words lie on words, or reach beyond the page.
int collisions_of_words(const Scene& scene, const TextMetrics& metrics) {
  constexpr double touching = 0.12;  // of a line: extents are of lines, not of their ink
  const Rect page = grown({0, 0, scene.width, scene.height}, 0.5);
  std::vector<Rect> boxes;
  int count = 0;
  for (const Primitive& primitive : scene.primitives)
    if (const auto* label = std::get_if<Label>(&primitive)) {
      const Rect box = label_box(*label, metrics);
      count += !page.contains({box.x, box.y}) || !page.contains({box.x + box.w, box.y + box.h});
      boxes.push_back(grown(box, -touching * std::min(box.w, box.h)));
    }
  std::ranges::sort(boxes, {}, &Rect::y);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size() && boxes[k].y < boxes[i].y + boxes[i].h; ++k)
      count += overlap(boxes[i], boxes[k]);
  return count;
}

/// The panel on the page whose legend takes most from its plot.
std::optional<std::size_t> pressed(const Standing& standing, const Plan& plan) {
  std::optional<std::size_t> found;
  double most = 0;
  for (std::size_t i = 0; i < plan.panels.size(); ++i) {
    const double height = standing.arrangement.cells[i].on_page() ? plan.panels[i].pressing_legend() : 0;
    if (height <= most) continue;
    most = height;
    found = i;
  }
  return found;
}

/// One legend after the other goes where plots are to be spared: without the highest, others of its row may have their room.
Plan plan_sparing(const Common& common, const Rect& area, Standing& standing) {
  for (;;) {
    Plan made = plan(common, area, standing);
    const auto without = standing.sparing ? pressed(standing, made) : std::nullopt;
    if (!without) return made;
    standing.legends[*without] = LegendPlace::none;
  }
}

}  // namespace

Attempt attempt(const BlankPage& page, Standing standing) {
  const Figure& figure = page.figure;
  const std::map<int, ColorGroup> groups = color_groups(figure, page.digest, standing.arrangement);
  const Common common{figure,
                      page.digest,
                      panel_axes(figure, page.digest, page.options.view, standing.arrangement),
                      {groups, page.options, page.theme, page.metrics}};
  standing.legends.resize(figure.panels.size());
  standing.margins.resize(figure.panels.size());
  constexpr int most_tries =
      4;  // a legend that goes outside makes plots smaller, and may push another one out
  for (int tries = 1;; ++tries) {
    const Plan chosen = plan_sparing(common, page.area, standing);
    Attempt made;
    made.scene = page.scene;
    made.standing = standing;
    made.roomy = roomy(common, standing, chosen);
    made.pressed = pressed(standing, chosen).has_value();
    made.whole = !made.pressed;
    made.least = std::numeric_limits<double>::infinity();
    bool settled = true;
    for (std::size_t i = 0; i < chosen.panels.size(); ++i) {
      const PanelPlan& panel = chosen.panels[i];
      const std::size_t before = made.scene.left_out.size();  // texts that are not said
      made.outside.push_back(panel.legend_outside());
      if (!panel.draw(made.scene)) {
        standing.legends[i] = made.outside[i];
        settled = false;
      }
      made.standing.margins[i] = panel.margins();
      const PanelFrame& frame = made.scene.panels.emplace_back(panel.frame());
      if (!standing.arrangement.cells[i].on_page()) continue;
      made.missing.insert(made.missing.end(),
                          made.scene.left_out.begin() + static_cast<std::ptrdiff_t>(before),
                          made.scene.left_out.end());
      if (panel.small_title()) made.missing.push_back(figure.panels[i].title);
      made.whole = made.whole && panel.says_its_words();
      if (figure.panels[i].x.visible || figure.panels[i].y.visible)
        made.least = std::min(made.least, panel.shape() > 0 ? std::sqrt(frame.plot.w * frame.plot.h)
                                                            : std::min(frame.plot.w, frame.plot.h));
      made.filled += frame.plot.w * frame.plot.h / (page.scene.width * page.scene.height);
    }
    made.least /= page.theme.text_size;
    if (!settled && tries < most_tries) continue;
    if (!page.options.all_panels)
      made.collisions = collisions_of_words(made.scene, page.metrics) + made.scene.tangles;
    return made;
  }
}

}  // namespace orrery::figure
