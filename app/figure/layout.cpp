#include "app/figure/layout.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "app/figure/page_choice.h"
#include "app/figure/texts.h"

namespace orrery::figure {

namespace {

/// Of what is left out, each text once, and none that is said elsewhere on the page; numbers are no words, but for those
/// without a trace.
void tidy_left_out(Scene& scene) {
  std::set<std::string_view> said;
  for (const Primitive& primitive : scene.primitives)
    if (const auto* label = std::get_if<Label>(&primitive)) said.insert(label->text);
  scene.left_out.insert(scene.left_out.end(), scene.shortened.begin(), scene.shortened.end());
  scene.shortened.clear();
  const auto is_told = [&](const std::string& text) {
    return (is_word(text) && !said.contains(text)) ||
           std::ranges::find(scene.numbers_gone, text) != scene.numbers_gone.end();
  };
  std::vector<std::string> once;
  for (const std::string& text : scene.left_out)
    if (is_told(text) && std::ranges::find(once, text) == once.end()) once.push_back(text);
  scene.numbers_gone.clear();
  scene.left_out = std::move(once);
}

/// The first entry of a panel's legend.
std::optional<Point> legend_of(const Scene& scene, std::size_t panel) {
  for (const LegendBox& box : scene.legend)
    if (static_cast<std::size_t>(box.panel) == panel) return Point{box.box.x, box.box.y};
  return std::nullopt;
}

bool apart(const std::optional<Point>& a, const std::optional<Point>& b) {
  constexpr double same_place = 0.5;  // points
  if (!a || !b) return a.has_value() != b.has_value();
  return std::hypot(a->x - b->x, a->y - b->y) > same_place;
}

/// All of them as one: with the margins of all, and a legend outside where it would stand here in one and there in another.
Attempt together(const std::vector<BlankPage>& pages, Standing standing,
                 const std::function<void()>& before_each) {
  constexpr int most_rounds =
      6;  // margins grow with legends that go outside, and legends go outside as plots shrink
  for (int round = 1;; ++round) {
    Attempt all;
    bool steady = true;
    for (const BlankPage& page : pages) {
      before_each();
      Attempt made = attempt(page, standing);
      if (&page == &pages.front()) {
        all = std::move(made);
        continue;
      }
      all.roomy = all.roomy && made.roomy;
      all.pressed = all.pressed || made.pressed;
      all.whole = all.whole && made.whole;
      all.collisions = std::max(all.collisions, made.collisions);
      all.missing.insert(all.missing.end(), made.missing.begin(), made.missing.end());
      all.least = std::min(all.least, made.least);
      for (std::size_t i = 0; i < made.standing.margins.size(); ++i) {
        all.standing.margins[i] = larger(all.standing.margins[i], made.standing.margins[i]);
        std::optional<LegendPlace>&legend = all.standing.legends[i], &own = made.standing.legends[i];
        if (own == LegendPlace::none) legend = own;  // without one in one, without one in all
        if (legend) continue;
        if (own || apart(legend_of(all.scene, i), legend_of(made.scene, i)))
          legend = own ? own : made.outside[i];
      }
    }
    for (std::size_t i = 0; i < standing.legends.size(); ++i)
      steady = steady && all.standing.legends[i] == standing.legends[i];
    if ((steady && round > 1) || round == most_rounds) return all;
    standing = all.standing;
  }
}

/// To see how words stand: maps are asked for a few values only.
LayoutOptions quick(LayoutOptions options, double times = 1) {
  constexpr double few_cells = 1 << 14;
  options.most_cells = std::min(options.most_cells, few_cells);
  options.size.width *= times;
  options.size.height *= times;
  return options;
}

bool asks_samplers(const Figure& figure) {
  return std::ranges::any_of(figure.panels, [](const Panel& panel) {
    return std::ranges::any_of(panel.marks, [](const Mark& mark) {
      const auto* map = std::get_if<Heatmap>(&mark);
      return map && !map->grid;
    });
  });
}

}  // namespace

Scene layout(const Figure& figure, const LayoutOptions& options, const Theme& theme,
             const TextMetrics& metrics) {
  const Digest own = options.digest ? Digest{} : digest(figure);
  const Digest& data = options.digest ? *options.digest : own;
  const BlankPage page(figure, data, options, theme, metrics);
  const LayoutOptions quickly = quick(options);
  const bool costly = asks_samplers(figure);
  const auto try_out = [&](const Standing& standing, double times) {
    if (times == 1 && !costly) return attempt(page, standing);
    const LayoutOptions other = times == 1 ? quickly : quick(options, times);
    return attempt(BlankPage(figure, data, other, theme, metrics), standing);
  };
  Attempt made;
  if (options.like && options.like->arrangement.cells.size() == figure.panels.size()) {
    made = attempt(page, *options.like);
  } else {
    made = choose(figure, options, try_out);
    if (costly) made = attempt(page, made.standing);
  }
  tidy_left_out(made.scene);
  return std::move(made.scene);
}

std::optional<Arrangement> roomier_arrangement(const Figure& figure, const LayoutOptions& options,
                                               const Theme& theme, const TextMetrics& metrics) {
  const Digest own = options.digest ? Digest{} : digest(figure);
  const Digest& data = options.digest ? *options.digest : own;
  return other_columns(figure, [&](const Standing& standing, double times) {
    const LayoutOptions other = quick(options, times);
    return attempt(BlankPage(figure, data, other, theme, metrics), standing);
  });
}

Standing standing(std::span<const Figure> figures, const LayoutOptions& options, const Theme& theme,
                  const TextMetrics& metrics, const std::function<void()>& before_each) {
  const std::function<void()> heard = before_each ? before_each : [] {};
  const LayoutOptions quickly = quick(options);
  std::vector<Digest> digests;
  std::vector<BlankPage> pages;
  for (const Figure& figure : figures) {
    heard();
    digests.push_back(digest(figure));
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (figures[i].panels.size() != figures.front().panels.size()) continue;
    heard();
    pages.emplace_back(figures[i], digests[i], quickly, theme, metrics);
  }
  if (pages.empty()) return {};
  // Many frames differ little: a few of them choose, and then all of them settle margins and legends.
  constexpr std::size_t choosing = 12;
  std::vector<BlankPage> few;
  const std::size_t step = (pages.size() + choosing - 1) / choosing;
  for (std::size_t i = 0; i < pages.size(); i += step) few.push_back(pages[i]);
  if (step > 1) few.push_back(pages.back());
  const auto try_out = [&](const Standing& tried, double times) {
    if (times == 1) return together(few, tried, heard);
    heard();
    const LayoutOptions larger_page = quick(options, times);
    return attempt(BlankPage(figures.front(), digests.front(), larger_page, theme, metrics), tried);
  };
  const Attempt chosen = choose(figures.front(), options, try_out);
  return step > 1 ? together(pages, chosen.standing, heard).standing : chosen.standing;
}

}  // namespace orrery::figure
