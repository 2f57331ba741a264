#include "app/figure/page_choice.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace orrery::figure {
namespace {

/// How much a page has to show before a panel is given up for it.
struct Comfort {
  double side = 0;    ///< the shortest of a plot, text sizes: below it is a stamp
  double filled = 0;  ///< of the page, by plots: below it there are words about pictures
};
constexpr Comfort comfortable{3.6, 0.18};

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
      if (has_pairs(figure_) && columns > 1 && columns % 2 != 0) continue;  // pairs stay beside each other
      Attempt made = try_out_({in_columns(figure_, columns, highest_rank), Detail::close, {}, {}}, 1);
      if (!says_all(made, least)) continue;
      // The lowest plot goes across in either: then more columns only leave a hole beside another.
      if (best && made.least <= best->least && made.filled < best->filled) continue;
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
  using Legends = std::vector<std::optional<LegendPlace>>;

  std::optional<Attempt> as_it_is(const Comfort& least) {
    // Names at the ends of lines take width from every plot of their column: before a panel goes for it they make a key.
    for (const Legends& legends : {Legends{}, keys()})
      for (const Detail detail : {Detail::all, Detail::close}) {
        Attempt made = try_out_({own_arrangement(figure_), detail, legends, {}}, 1);
        if (says_all(made, least)) return made;
      }
    return std::nullopt;
  }
  /// Where the figure has its legends itself: a place that is asked for has no names at the ends of lines.
  Legends keys() const {
    Legends places;
    for (const Panel& panel : figure_.panels) places.emplace_back(panel.legend);
    return places;
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

}  // namespace

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

std::optional<Arrangement> other_columns(const Figure& figure, const TryOut& try_out) {
  constexpr double worth_moving = 1.25;  // times as large
  if (figure.panels.size() < 2) return std::nullopt;
  const Attempt made = with_fewer_words({own_arrangement(figure), Detail::all, {}, {}}, try_out);
  if (made.roomy && made.least >= comfortable.side) return std::nullopt;
  auto other = Choice(figure, try_out).rearranged(ranks_of(figure).front(), {worth_moving * made.least, 0});
  if (!other) return std::nullopt;
  return std::move(other->standing.arrangement);
}

}  // namespace orrery::figure
