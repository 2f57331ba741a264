#include "app/study/extrapolation/race_chains.h"

#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "core/bench/benchmark.h"

namespace orrery::study {
namespace {

using training::Runner;

constexpr const char* floor_name = "best that can be known";

double mean_above(const ChainResults& results, std::string_view key, std::size_t part) {
  double sum = 0;
  const auto runs = results.of(key);
  for (const ChainRun* run : runs) sum += run->above[part];
  return sum / number(runs.size());
}

/// A part stands at its middle, as log axes have it.
std::vector<double> places(const ChainResults& results) {
  std::vector<double> all;
  for (std::size_t i = 0; i < results.floor.size(); ++i)
    all.push_back(std::sqrt(number(training::place_edges[i] + 1) * number(training::place_edges[i + 1])));
  return all;
}

Series losses_of(const ChainResults& results) {
  Series losses("loss", {"place", "tokens", places(results)});
  losses.add(figure::Column{.name = floor_name, .unit = "nat", .values = results.floor});
  for (const Runner* runner : results.runners()) {
    std::vector<double> values;
    for (std::size_t i = 0; i < results.floor.size(); ++i)
      values.push_back(results.floor[i] + mean_above(results, runner->key, i));
    losses.add(figure::Column{.name = std::string(runner->name), .unit = "nat", .values = std::move(values)});
  }
  return losses;
}

/// Above the floor: the mean of the seeds, the least and the most.
Series above_of(const ChainResults& results) {
  Series above("above_floor", {"place", "tokens", places(results)});
  for (const Runner* runner : results.runners()) {
    const auto add = [&](const std::string& what, auto pick) {
      std::vector<double> values;
      for (std::size_t i = 0; i < results.floor.size(); ++i) values.push_back(pick(i));
      above.add(figure::Column{.name = std::string(runner->name) + what, .unit = "nat", .values = values});
    };
    const auto runs = results.of(runner->key);
    const auto at = [](std::size_t i) { return [i](const ChainRun* run) { return run->above[i]; }; };
    add("", [&](std::size_t i) { return mean_above(results, runner->key, i); });
    add(", least", [&](std::size_t i) { return at(i)(*std::ranges::min_element(runs, {}, at(i))); });
    add(", most", [&](std::size_t i) { return at(i)(*std::ranges::max_element(runs, {}, at(i))); });
  }
  return above;
}

Panel chains_panel(std::string title, const ChainResults& results, figure::Axis y) {
  Panel panel{
      .title = std::move(title),
      .x = octaves("place in a chain of " + grouped(number(training::place_edges[results.floor.size()])),
                   Range{4, number(training::place_edges[results.floor.size()])}),
      .y = std::move(y),
      .legend = LegendPlace::above,
      .series_group = 1};
  panel.marks.emplace_back(
      Rule{.at = results.trained, .ink = ink(Role::accent), .dash = Dash::dotted, .text = "trained to here"});
  return panel;
}

Panel loss_panel(const ChainResults& results, const Series& losses) {
  Panel panel = chains_panel("Loss by place", results, values("loss, nat", Range{1.2, 2.05}));
  panel.marks.push_back(losses.line(floor_name, {.ink = ink(Role::text),
                                                 .width = 1.4,
                                                 .dash = Dash::dotted,
                                                 .label = floor_name,
                                                 .dash_by_series = false}));
  int color = 0;
  for (const Runner* runner : results.runners())
    panel.marks.push_back(
        losses.line(runner->name, {.ink = series(color++), .label = std::string(runner->name)}));
  return panel;
}

Panel above_panel(const ChainResults& results, const Series& above) {
  Panel panel =
      chains_panel("Above the floor", results, values("loss above the floor, nat", Range{-0.02, 0.6}));
  int color = 0;
  for (const Runner* runner : results.runners()) {
    const std::string name(runner->name);
    if (results.of(runner->key).size() > 1) {
      Ink light = series(color);
      light.alpha = 0.2;
      panel.marks.emplace_back(above.band(name + ", least", name + ", most", {.ink = light}));
    }
    panel.marks.push_back(above.line(name, {.ink = series(color++), .label = name}));
  }
  return panel;
}

/// The last part: where chains end.
std::size_t last(const ChainResults& results) {
  return results.floor.size() - 1;
}

std::string title_of(const ChainResults& results) {
  const auto at_end = [&](const Runner* runner) { return mean_above(results, runner->key, last(results)); };
  const auto runners = results.runners();
  const Runner& best = **std::ranges::min_element(runners, {}, at_end);
  const Runner& worst = **std::ranges::max_element(runners, {}, at_end);
  return "Chains of " + grouped(number(training::place_edges[results.floor.size()])) + " after chains of " +
         grouped(results.trained) + ": at the end " + std::string(best.name) +
         " lies nearest to the best that can be known, " + fixed_text(at_end(&best), 2) + " nat above it, " +
         std::string(worst.name) + " farthest, " + fixed_text(at_end(&worst), 2);
}

std::vector<Check> checks_of(const Runner& runner, const ChainResults& results) {
  std::vector<Check> checks{gradient_is_slope(training::race_settings(runner, 1, 1).model)};
  constexpr double kept_digits = 5e-5;  // of 2.0794
  checks.push_back(known_answer("nothing is known of the first step of a chain: its floor is $\\ln 8$",
                                std::abs(results.floor.front() - std::log(8)), kept_digits));
  // What is known grows with what was read, on the mean of all chains.
  Worst rise;
  for (std::size_t i = 1; i < results.floor.size(); ++i) rise.meet(results.floor[i] - results.floor[i - 1]);
  checks.push_back({"the floor falls with every part of a chain: its largest rise", rise, 0});
  return checks;
}

std::string worked_of(const Runner& runner, const ChainResults& results) {
  std::vector<worked::Term> terms;
  for (const ChainRun* run : results.of(runner.key)) terms.emplace_back(run->above[last(results)]);
  const double above = mean_above(results, runner.key, last(results));
  Worked worked;
  // Of a state that was left c = 5 times, twice to the one that follows: what can be known of it.
  constexpr double met = 2, left = 5, alpha = 0.3, states = 8;
  worked.add("p", worked::frac(term(met) + alpha, term(left) + term(states) * alpha),
             (met + alpha) / (left + states * alpha));
  worked.add("\\ell - \\ell_*", worked::frac(worked::sum(terms), number(terms.size())), above);
  return worked.tex();
}

}  // namespace

StudyResult chains_drawn(const parameter::Settings& settings, const ChainResults& results) {
  const auto runners = results.runners();
  // A scheme that was not trained so: the first that was.
  const auto asked =
      std::ranges::find(runners, settings.choice("scheme"), [](const Runner* runner) { return runner->key; });
  const Runner& runner = asked == runners.end() ? *runners.front() : **asked;
  const Series losses = losses_of(results), above = above_of(results);
  Picture picture(
      title_of(results),
      "The loss of small models by place in a chain, by the scheme that tells them positions, beside the "
      "best that can be known of it; right, how far above that they lie, from the least to the most of "
      "all seeds. The trained length is marked.");
  picture.at({0, 0}, "schemes", loss_panel(results, losses));
  picture.at({0, 1}, "beside", above_panel(results, above));
  return {std::move(picture).figure(settings, {.aspect = 1.5, .cols = {1, 1}, .aspect_alone = 1.5}),
          {losses.table(), above.table()},
          checks_of(runner, results),
          worked_of(runner, results)};
}

ChainResults chains_trained_now(const parameter::Settings& settings, const Run& run) {
  ChainResults results{plain(bench::machine()) + ", " + today(), settings.real("steps"), 64, {}, {}};
  if (settings.choice("trained") == "512") results.trained = 512;
  const bool long_chains = results.trained != 64;
  const training::Trial trial = long_chains ? training::long_trial : training::markov_trial;
  results.floor = training::floor_by_part(training::tested_tokens(trial), [&] { run.check(); });
  const auto seeds = settings.integer("seeds");
  std::vector<const Runner*> trained;
  for (const Runner& runner :
       training::runners().first(static_cast<std::size_t>(training::trained_runners())))
    if (!long_chains || (runner.key != "t5" && runner.key != "none")) trained.push_back(&runner);
  const double all = number(seeds) * number(trained.size());
  double done = 0;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    for (const Runner* runner : trained) {
      results.runs.push_back(
          {runner->key, static_cast<std::uint64_t>(seed),
           training::chain_race(trial, *runner, settings.integer("steps"), static_cast<std::uint64_t>(seed),
                                training::kept_folder(),
                                [&](double share) { run.progress((done + share) / all); })});
      ++done;
    }
    run.publish(chains_drawn(settings, results));
  }
  return results;
}

ChainResults chains_kept(const parameter::Settings& settings) {
  const double trained = settings.choice("trained") == "512" ? 512 : 64;
  const std::string& kept = settings.text("results");
  if (kept.empty()) return shipped_chains(trained);
  return chain_results(kept);
}

}  // namespace orrery::study
