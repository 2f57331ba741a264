#include "app/figure/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "app/figure/page_plan.h"
#include "app/figure/texts.h"

namespace orrery::figure {

namespace {

/// How much a page has to show before a panel is given up for it.
struct Comfort {
  double side = 0;    ///< the shortest of a plot, text sizes: below it is a stamp
  double filled = 0;  ///< of the page, by plots: below it there are words about pictures
};
constexpr Comfort comfortable{3.6, 0.18};

/// One way to stand on a page of so many times the size, for whatever is laid out.
using TryOut = std::function<Attempt(const Standing&, double times)>;

/// Looks for the way in which a figure says everything that it says on a page of any size.
class Choice {
 public:
  Choice(const Figure& figure, const TryOut& try_out) : figure_(figure), try_out_(try_out) {}

  /// The best place for the most panels: without plots pressed flat by their legends where these panels can stand so.
  std::optional<Attempt> chosen(const Comfort& least) {
    std::optional<Attempt> made = found(least);
    if (!made || !made->pressed) return made;
    spares_plots_ = true;
    const int rank = highest_rank_on(made->standing.arrangement);
    std::optional<Attempt> other = rank == ranks_of(figure_).front() ? as_it_is(least) : std::nullopt;
    if (!other) other = rearranged(rank, least);
    spares_plots_ = false;
    return other ? std::move(other) : std::move(made);
  }
  /// Panels of no higher rank, in the columns that leave the largest plots.
  std::optional<Attempt> rearranged(int highest_rank, Comfort least) {
    constexpr int most_columns = 6;
    const int count = static_cast<int>(std::ranges::count_if(
        figure_.panels, [&](const Panel& panel) { return panel.rank <= highest_rank; }));
    std::optional<Attempt> best;
    for (int columns = 1; columns <= std::min(count, most_columns); ++columns) {
      Attempt made = try_out_({in_columns(figure_, columns, highest_rank), Detail::close, {}, {}}, 1);
      if (!says_all(made, least)) continue;
      least.side = made.least;
      best = std::move(made);
    }
    return best;
  }

 private:
  /// The first of those with the most panels; nothing where not even one panel has room for its words.
  std::optional<Attempt> found(const Comfort& least) {
    if (auto made = as_it_is(least)) return made;
    const std::vector<int> ranks = ranks_of(figure_);
    std::optional<Attempt> best;
    for (std::size_t low = 0, high = ranks.size(); low < high;) {
      // First of all, all of them; then halving: what has room for so many panels has room for fewer.
      const std::size_t middle = best || low > 0 ? (low + high) / 2 : low;
      if (auto made = rearranged(ranks[middle], least)) {
        best = std::move(made);
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return best;
  }
  int highest_rank_on(const Arrangement& arrangement) const {
    int rank = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      if (arrangement.cells[i].on_page()) rank = std::max(rank, figure_.panels[i].rank);
    return rank;
  }
  std::optional<Attempt> as_it_is(const Comfort& least) {
    for (const Detail detail : {Detail::all, Detail::close}) {
      Attempt made = try_out_({own_arrangement(figure_), detail, {}, {}}, 1);
      if (says_all(made, least)) return made;
    }
    return std::nullopt;
  }
  bool says_all(const Attempt& made, const Comfort& least) {
    if (!made.roomy || made.least < least.side || made.filled < least.filled) return false;
    if (spares_plots_ && made.pressed) return false;
    if (made.missing.empty() && made.collisions == 0) return true;
    const Attempt& large = on_a_large_page();
    return made.collisions <= large.collisions &&
           std::ranges::all_of(made.missing, [&](const std::string& text) {
             return std::ranges::find(large.missing, text) != large.missing.end();
           });
  }
  /// What is not said there has no room anywhere: no panel has to go for it.
  const Attempt& on_a_large_page() {
    constexpr double times = 3;
    if (!large_) large_ = try_out_({own_arrangement(figure_), Detail::all, {}, {}}, times);
    return *large_;
  }

  const Figure& figure_;
  const TryOut& try_out_;
  std::optional<Attempt> large_;
  bool spares_plots_ = false;  ///< while a way without pressed plots is looked for
};

/// The panels of one arrangement, whatever the page has room for: with all their words, else with fewer.
Attempt with_fewer_words(Standing standing, const TryOut& try_out) {
  const auto tried = [&](Detail detail, bool sparing) {
    standing.detail = detail;
    standing.sparing = sparing;
    return try_out(standing, 1);
  };
  constexpr std::array said{Detail::all, Detail::close, Detail::labels, Detail::numbers};
  std::optional<Attempt> roomy;
  for (const Detail detail : said) {
    if (detail >= Detail::labels && roomy) break;  // no title goes for a name or a line
    Attempt made = tried(detail, false);
    if (!made.roomy) continue;
    if (made.whole) return made;
    if (!roomy || (roomy->pressed && !made.pressed)) roomy = std::move(made);
  }
  if (roomy) return roomy->pressed ? tried(roomy->standing.detail, true) : std::move(*roomy);
  for (const Detail detail : said)
    if (Attempt made = tried(detail, true); made.roomy) return made;
  return tried(Detail::bare, false);
}

/// All panels with the words that there is room for, or as many panels as say all of theirs.
Attempt choose(const Figure& figure, const LayoutOptions& options, const TryOut& try_out) {
  if (options.all_panels) {
    const bool arranged = options.arranged && options.arranged->cells.size() == figure.panels.size();
    return with_fewer_words({arranged ? *options.arranged : own_arrangement(figure), Detail::all, {}, {}},
                            try_out);
  }
  Choice choice(figure, try_out);
  for (const Comfort& least : {comfortable, Comfort{}})
    if (auto made = choice.chosen(least)) return std::move(*made);
  Standing own{own_arrangement(figure), Detail::all, {}, {}};
  if (const std::vector<int> ranks = ranks_of(figure); ranks.size() > 1)
    own.arrangement = in_columns(figure, 1, ranks.back());
  return with_fewer_words(std::move(own), try_out);
}

Margins larger(const Margins& a, const Margins& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

/// Of what is left out, each text once, and none that is said elsewhere on the page; numbers are no words.
void tidy_left_out(Scene& scene) {
  std::set<std::string_view> said;
  for (const Primitive& primitive : scene.primitives)
    if (const auto* label = std::get_if<Label>(&primitive)) said.insert(label->text);
  scene.left_out.insert(scene.left_out.end(), scene.shortened.begin(), scene.shortened.end());
  scene.shortened.clear();
  std::vector<std::string> once;
  for (const std::string& text : scene.left_out)
    if (is_word(text) && !said.contains(text) && std::ranges::find(once, text) == once.end())
      once.push_back(text);
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
  constexpr double worth_moving = 1.25;  // times as large
  if (figure.panels.size() < 2) return std::nullopt;
  const Digest own = options.digest ? Digest{} : digest(figure);
  const Digest& data = options.digest ? *options.digest : own;
  const auto try_out = [&](const Standing& standing, double times) {
    const LayoutOptions other = quick(options, times);
    return attempt(BlankPage(figure, data, other, theme, metrics), standing);
  };
  const Attempt made = with_fewer_words({own_arrangement(figure), Detail::all, {}, {}}, try_out);
  if (made.roomy && made.least >= comfortable.side) return std::nullopt;
  auto other = Choice(figure, try_out).rearranged(ranks_of(figure).front(), {worth_moving * made.least, 0});
  if (!other) return std::nullopt;
  return std::move(other->standing.arrangement);
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
