#include "app/figure/layout.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/figure/page_plan.h"

namespace orrery::figure {

namespace {

using TryOut = std::function<Attempt(const Standing&)>;

constexpr double comfortable = 3.6;  // the shortest side of a plot, text sizes: below it is a stamp

/// Panels of no higher rank, in the columns that leave the largest plots; nothing where none has room for all their words.
std::optional<Attempt> rearranged(const Figure& figure, int highest_rank, double least,
                                  const TryOut& try_out) {
  constexpr int most_columns = 6;
  const int count = static_cast<int>(
      std::ranges::count_if(figure.panels, [&](const Panel& panel) { return panel.rank <= highest_rank; }));
  std::optional<Attempt> best;
  for (int columns = 1; columns <= std::min(count, most_columns); ++columns) {
    Attempt made = try_out({in_columns(figure, columns, highest_rank), Detail::close, {}, {}});
    if (made.roomy && made.whole && made.least >= (best ? best->least : least)) best = std::move(made);
  }
  return best;
}

/// The first that says everything, of those with the most panels.
std::optional<Attempt> whole(const Figure& figure, double least, const TryOut& try_out) {
  for (const Detail detail : {Detail::all, Detail::close}) {
    Attempt made = try_out({own_arrangement(figure), detail, {}, {}});
    if (made.roomy && made.whole && made.least >= least) return made;
  }
  // Halving: what has room for so many panels has room for fewer.
  const std::vector<int> ranks = ranks_of(figure);
  std::optional<Attempt> best;
  for (std::size_t low = 0, high = ranks.size(); low < high;) {
    const std::size_t middle = best || low > 0 ? (low + high) / 2 : low;  // first of all, all of them
    if (auto made = rearranged(figure, ranks[middle], least, try_out)) {
      best = std::move(made);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best;
}

Attempt choose(const Figure& figure, bool all_panels, const TryOut& try_out) {
  if (!all_panels)
    for (const double least : {comfortable, 0.0})
      if (auto made = whole(figure, least, try_out)) return std::move(*made);
  Standing own{own_arrangement(figure), Detail::all, {}, {}};
  if (const std::vector<int> ranks = ranks_of(figure); !all_panels && ranks.size() > 1)
    own.arrangement = in_columns(figure, 1, ranks.back());
  Attempt made;
  for (const Detail detail : {Detail::all, Detail::close, Detail::labels, Detail::numbers, Detail::bare}) {
    own.detail = detail;
    made = try_out(own);
    if (made.roomy) break;
  }
  return made;
}

Margins larger(const Margins& a, const Margins& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

/// Each text, in the order in which they come.
void keep_once(std::vector<std::string>& texts) {
  std::vector<std::string> once;
  for (std::string& text : texts)
    if (std::ranges::find(once, text) == once.end()) once.push_back(std::move(text));
  texts = std::move(once);
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
Attempt together(const std::vector<BlankPage>& pages, Standing standing) {
  constexpr int most_rounds =
      6;  // margins grow with legends that go outside, and legends go outside as plots shrink
  for (int round = 1;; ++round) {
    Attempt all;
    bool steady = true;
    for (const BlankPage& page : pages) {
      Attempt made = attempt(page, standing);
      if (&page == &pages.front()) {
        all = std::move(made);
        continue;
      }
      all.roomy = all.roomy && made.roomy;
      all.whole = all.whole && made.whole;
      all.least = std::min(all.least, made.least);
      for (std::size_t i = 0; i < made.standing.margins.size(); ++i) {
        all.standing.margins[i] = larger(all.standing.margins[i], made.standing.margins[i]);
        std::optional<LegendPlace>&legend = all.standing.legends[i], &own = made.standing.legends[i];
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

}  // namespace

Scene layout(const Figure& figure, const LayoutOptions& options, const Theme& theme,
             const TextMetrics& metrics) {
  const Digest own = options.digest ? Digest{} : digest(figure);
  const BlankPage page(figure, options.digest ? *options.digest : own, options, theme, metrics);
  const bool alike = options.like && options.like->arrangement.cells.size() == figure.panels.size();
  Attempt made = alike ? attempt(page, *options.like)
                       : choose(figure, options.all_panels,
                                [&](const Standing& standing) { return attempt(page, standing); });
  keep_once(made.scene.left_out);
  return std::move(made.scene);
}

Standing standing(std::span<const Figure> figures, const LayoutOptions& options, const Theme& theme,
                  const TextMetrics& metrics) {
  std::vector<Digest> digests;
  std::vector<BlankPage> pages;
  for (const Figure& figure : figures) digests.push_back(digest(figure));
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (figures[i].panels.size() == figures.front().panels.size())
      pages.emplace_back(figures[i], digests[i], options, theme, metrics);
  if (pages.empty()) return {};
  return choose(figures.front(), options.all_panels,
                [&](const Standing& tried) { return together(pages, tried); })
      .standing;
}

}  // namespace orrery::figure
