#include "app/study/extrapolation/race_picture.h"

#include <algorithm>
#include <optional>

namespace orrery::study::extrapolation_race {

using training::Runner;
using training::runners;

Series means_series(const Told& told) {
  Series means(told.copy() ? "accuracy" : "above_floor",
               {told.copy() ? "length" : "place in a chain", "tokens", told.x()});
  for (const Runner& runner : runners()) {
    std::vector<double> values;
    for (std::size_t i = 0; i < means.size(); ++i) values.push_back(told.at(runner.key, i).mean);
    means.add(figure::Column{
        .name = std::string(runner.name), .unit = told.copy() ? "" : "nat", .values = std::move(values)});
  }
  return means;
}

Series losses_series(const Told& told) {
  Series losses("loss", {"place in a chain", "tokens", told.x()});
  losses.add(figure::Column{.name = "best that can be known", .unit = "nat", .values = told.results.floor});
  for (const Runner& runner : runners()) {
    std::vector<double> values;
    for (std::size_t i = 0; i < losses.size(); ++i)
      values.push_back(told.results.floor[i] + told.at(runner.key, i).mean);
    losses.add(figure::Column{.name = std::string(runner.name), .unit = "nat", .values = std::move(values)});
  }
  return losses;
}

Table runs_table(const Told& told) {
  const bool copy = told.copy();
  Table table{"runs",
              {{.name = "scheme"},
               {.name = "seed"},
               {.name = copy ? "length" : "to place", .unit = "tokens"},
               {.name = copy ? "accuracy" : "above the floor", .unit = copy ? "" : "nat"}}};
  for (const Runner& runner : runners())
    for (const RaceRun& run : told.results.of(runner.key))
      for (std::size_t i = 0; i < run.values.size(); ++i)
        add_row(table, runner.name, run.seed, copy ? training::race_lengths[i] : training::place_edges[i + 1],
                run.values[i]);
  return table;
}

namespace {

figure::ErrorBars seeds_of(const Told& told, const Runner& runner, const Series& means, Ink ink) {
  figure::ErrorBars bars{.x = means.x(), .y = means[runner.name], .ink = ink, .reading = {.none = true}};
  for (std::size_t i = 0; i < means.size(); ++i) {
    const Spread spread = told.at(runner.key, i);
    bars.dy.below.push_back(spread.mean - spread.least);
    bars.dy.above.push_back(spread.most - spread.mean);
  }
  return bars;
}

/// Of losses: all that is drawn, and room above it for the words of the rule. None where all are the same.
std::optional<Range> with_room(const Told& told, const Series& means, const std::vector<Runner>& shown) {
  Spread all;
  for (const Runner& runner : shown)
    for (std::size_t i = 0; i < means.size(); ++i) {
      const Spread one = told.at(runner.key, i);
      all.least = std::min(all.least, one.least);
      all.most = std::max(all.most, one.most);
    }
  const double height = all.most - all.least;
  if (!(height > 0)) return std::nullopt;
  return Range{all.least - 0.05 * height, all.most + 0.15 * height};
}

}  // namespace

Panel race_panel(std::string title, const Told& told, const Series& means, const std::vector<Runner>& shown,
                 int color) {
  const bool copy = told.copy();
  const double end = copy ? means.x().back() : number(training::tested_tokens(told.trial));
  Panel panel{.title = std::move(title),
              .x = octaves(copy ? "word of $n$ tokens" : "place in a chain", Range{means.x().front(), end}),
              .y = copy ? values("tokens copied", Range{0, 1.12})
                        : values("loss above the floor / nat", with_room(told, means, shown)),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(Rule{.at = told.longest_trained(),
                                .ink = ink(Role::accent),
                                .dash = Dash::dotted,
                                .text = "trained to here"});
  for (const Runner& runner : shown) {
    const Ink own = series(color++);
    panel.marks.emplace_back(seeds_of(told, runner, means, own));
    panel.marks.push_back(means.line(runner.name, {.ink = own, .label = std::string(runner.name)}));
    panel.marks.push_back(means.points(runner.name, {.ink = own, .reading = {.none = true}}));
  }
  return panel;
}

}  // namespace orrery::study::extrapolation_race
