#include "app/study/extrapolation/rescue_picture.h"

#include <algorithm>

namespace orrery::study::extrapolation_rescue {

using training::RescueResult;
using training::Task;
using training::Treatment;
using training::treatments;

Series at_once_series(const Told& told) {
  if (told.task == Task::copy) {
    std::vector<double> lengths;
    for (const auto n : training::rescue_words) lengths.push_back(number(n));
    Series series("at_once", {"length", "tokens", std::move(lengths)});
    for (const Treatment& treatment : treatments()) {
      std::vector<double> shares;
      for (std::size_t i = 0; i < training::rescue_words.size(); ++i)
        shares.push_back(told.at_once(treatment.key, i));
      series.add(std::string(treatment.name), std::move(shares));
    }
    return series;
  }
  Series series("at_once", {"place in a chain", "tokens", training::part_middles(told.floor.size())});
  for (const Treatment& treatment : treatments()) {
    std::vector<double> losses;
    for (std::size_t i = 0; i < told.floor.size(); ++i)
      losses.push_back(told.floor[i] +
                       mean_of(told.results, treatment.key, [&](const auto& r) { return r.by_part[i]; }));
    series.add(
        figure::Column{.name = std::string(treatment.name), .unit = "nat", .values = std::move(losses)});
  }
  series.add(figure::Column{.name = "best that can be known", .unit = "nat", .values = told.floor});
  return series;
}

Series tuned_series(const Told& told, bool longer) {
  std::vector<double> steps;
  for (const auto count : training::tuning_steps) steps.push_back(number(count));
  Series series(longer ? "trained_on" : "trained_length", {"steps", "", std::move(steps)});
  for (const Treatment& treatment : treatments()) {
    std::vector<double> values;
    for (std::size_t i = 0; i < training::tuning_steps.size(); ++i)
      values.push_back(told.tuned(treatment.key, i, longer));
    series.add(figure::Column{.name = std::string(treatment.name),
                              .unit = told.task == Task::copy ? "" : "nat",
                              .values = std::move(values)});
  }
  return series;
}

Table runs_table(const Told& told) {
  Table table{"runs", {{.name = "treatment"}, {.name = "seed"}, {.name = "tokens"}, {.name = "at once"}}};
  for (const RescueResult& result : told.results) {
    const Treatment& treatment = *std::ranges::find(treatments(), result.key, &Treatment::key);
    for (std::size_t i = 0; i < result.at_once.size(); ++i) {
      const auto tokens = told.task == Task::copy ? training::rescue_words[i] : training::rescue_chains[i];
      add_row(table, treatment.name, result.seed, tokens, told.floor_at(i) + result.at_once[i]);
    }
  }
  return table;
}

Series pairs_series(const Settings& settings) {
  const transformer::Config model =
      transformer::resolved(training::race_settings(training::runners()[0], 1, 1).model);
  const double factor = factor_of(settings);
  const auto frequencies = [&](const Treatment& treatment) {
    return position::rope_frequencies(training::rule_of(treatment, task_of(settings), model, factor))
        .inv_freq;
  };
  const std::vector<double> plain = frequencies(treatments().front());
  Series series("pairs", {"pair", "", counted(std::ssize(plain))});
  std::vector<double> turns;
  for (const double theta : plain)
    turns.push_back(training::trained_tokens(task_of(settings)) * theta / (2 * std::numbers::pi));
  series.add("turns within L", std::move(turns));
  for (const Treatment& treatment : treatments()) {
    if (treatment.rule == position::RopeType::standard && treatment.key != treatments().front().key) continue;
    std::vector<double> ratio = frequencies(treatment);
    for (std::size_t i = 0; i < plain.size(); ++i) ratio[i] /= plain[i];
    series.add(std::string(treatment.name), std::move(ratio));
  }
  return series;
}

namespace {

bool is_rule(const Treatment& treatment) {
  return treatment.rule != position::RopeType::standard;
}

/// The accent for a rule; what is none has no colour, and is told by its width.
Ink chosen_ink(const Treatment& treatment, double alpha = 1) {
  return ink(is_rule(treatment) ? Role::accent : Role::text, alpha);
}

/// Every rule in a colour of its own, what is no rule without one, and the chosen treatment over them.
template <class Add>
void each_in_turn(const Settings& settings, Add add) {
  const Treatment& chosen = treatment_of(settings);
  int color = 0, free = like_the_accent;
  for (const Treatment& treatment : treatments()) {
    if (treatment.key == chosen.key && is_rule(treatment)) free = color;
    const int own_color = beside_accent(color, free);
    const Ink own = is_rule(treatment)
                        ? series(own_color)
                        : ink(Role::text, treatment.log_n || treatment.window || !is_rule(chosen) ? 0.55 : 1);
    color += is_rule(treatment) ? 1 : 0;
    if (treatment.key != chosen.key) add(treatment, own, 1.0);
  }
  add(chosen, chosen_ink(chosen), 1.6);
}

Dash dash_of(const Treatment& treatment) {
  return treatment.log_n ? Dash::dash_dot : treatment.window ? Dash::dashed : Dash::solid;
}

}  // namespace

namespace {

/// All of them, and at least what tells the floor from what is lost.
Range losses_shown(const Series& at_once) {
  double most = 2.1;
  for (const figure::Column& column : at_once.columns())
    for (const double loss : column.values) most = std::max(most, loss);
  return {1.2, most > 2.1 ? most + 0.04 * (most - 1.2) : most};
}

}  // namespace

Panel at_once_panel(const Settings& settings, const Told& told, const Series& at_once) {
  const bool copy = told.task == Task::copy;
  const std::vector<double>& x = at_once.x();
  Panel panel{
      .title = "At once",
      .x = octaves(copy ? "word of $n$ tokens" : "place in a chain of 512 tokens",
                   Range{x.front(), copy ? x.back() : 512}),
      .y = copy ? values("tokens copied", Range{0, 1.05}) : values("loss / nat", losses_shown(at_once)),
      .legend = LegendPlace::above,
      .series_group = 1};
  panel.marks.emplace_back(Rule{.at = copy ? 30.0 : training::trained_tokens(told.task),
                                .ink = ink(Role::accent),
                                .dash = Dash::dotted,
                                .text = "trained to here"});
  if (!copy)
    panel.marks.push_back(at_once.line("best that can be known", {.ink = ink(Role::text),
                                                                  .width = 1.4,
                                                                  .dash = Dash::dotted,
                                                                  .label = "best that can be known",
                                                                  .dash_by_series = false}));
  each_in_turn(settings, [&](const Treatment& treatment, Ink own, double width) {
    panel.marks.push_back(
        at_once.line(treatment.name, {.ink = own,
                                      .width = width,
                                      .dash = dash_of(treatment),
                                      .label = std::string(treatment.name),
                                      .dash_by_series = treatment.rule != position::RopeType::standard}));
  });
  return panel;
}

Panel tuned_panel(const Settings& settings, const Told& told, const Series& longer, const Series& trained,
                  bool alone) {
  const bool copy = told.task == Task::copy;
  Panel panel{.title = "After steps at twice the length",
              .x = counts("steps of training at twice the length", Range{-4, 154}),
              .y = copy ? values("tokens copied", Range{0, 1.05}) : values("loss / nat"),
              .legend = alone ? LegendPlace::above : LegendPlace::none,
              .series_group = 1};
  each_in_turn(settings, [&](const Treatment& treatment, Ink own, double width) {
    panel.marks.push_back(
        longer.line(treatment.name, {.ink = own,
                                     .width = width,
                                     .dash = dash_of(treatment),
                                     .label = std::string(treatment.name),
                                     .dash_by_series = treatment.rule != position::RopeType::standard}));
    panel.marks.push_back(longer.points(treatment.name, {.ink = own, .reading = {.none = true}}));
  });
  panel.marks.push_back(
      trained.line(treatment_of(settings).name, {.ink = chosen_ink(treatment_of(settings), 0.7),
                                                 .dash = Dash::long_dash,
                                                 .label = "at the trained length",
                                                 .dash_by_series = false}));
  return panel;
}

Panel pairs_panel(const Settings& settings, const Series& pairs, bool alone) {
  Panel panel{.title = "Frequencies that are left",
              .x = counts("pair $i$", cells(number(pairs.size()))),
              .y = values(R"($\theta'_i / \theta_i$)", Range{0, 1.12}),
              .legend = alone ? LegendPlace::above : LegendPlace::none,
              .series_group = 1};
  panel.marks.emplace_back(quiet_level(1 / factor_of(settings), "$1/s$"));
  each_in_turn(settings, [&](const Treatment& treatment, Ink own, double width) {
    const bool turned = treatment.rule != position::RopeType::standard;
    if (!turned && treatment.key != treatment_of(settings).key) return;
    const std::string_view name = turned ? treatment.name : treatments().front().name;
    panel.marks.push_back(pairs.line(name, {.ink = own,
                                            .width = width,
                                            .dash = dash_of(treatment),
                                            .label = std::string(treatment.name),
                                            .dash_by_series = turned}));
    panel.marks.push_back(pairs.points(name, {.ink = own, .reading = {.none = true}}));
  });
  return panel;
}

}  // namespace orrery::study::extrapolation_rescue
