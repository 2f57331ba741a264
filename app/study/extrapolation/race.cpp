// Train short, test long: small models that learned to copy short words, and how much of longer ones they copy.
#include "app/study/extrapolation/race_results.h"
#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "core/bench/benchmark.h"
#include "core/training/kept_training.h"

namespace orrery::study::extrapolation_race {
namespace {

using training::race_lengths;
using training::Runner;
using training::runners;

constexpr auto parameters = std::to_array<Parameter>({
    toggle("retrain", "Retrain", "off",
           "on: here and now, some minutes for each seed; off: what is kept, or came with the program",
           {.measures = true}),
    whole("steps", "Steps", "2000", {1, 20000}, "of each training",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    whole("seeds", "Seeds", "2", {1, 10}, "trainings of each scheme", {.only_when = "retrain=on"}),
    choice("length", "Length", "8|30|36|44|60|90|120|240", "n: the word whose numbers are told"),
    choice("scheme", "Scheme", "alibi|t5|rope|none|learned|sinusoidal",
           "whose numbers are put in, and whose gradient is tried"),
    text("results", "Results", "", {0, 16000},
         "what was trained, as the recipe of a trained figure keeps it; empty: what came with the program",
         {.presentation = true}),
    show_parameter("all|schemes|rules"),
});

/// What all runs of a runner make at one length.
struct Spread {
  double mean = 0, least = INFINITY, most = -INFINITY;
};

Spread spread_of(const RaceResults& results, std::string_view key, std::size_t length) {
  Spread all;
  const std::vector<training::RaceResult> runs = results.of(key);
  for (const training::RaceResult& run : runs) {
    all.mean += run.accuracy[length] / number(runs.size());
    all.least = std::min(all.least, run.accuracy[length]);
    all.most = std::max(all.most, run.accuracy[length]);
  }
  return all;
}

Series accuracy_series(const RaceResults& results) {
  std::vector<double> lengths;
  for (const auto n : race_lengths) lengths.push_back(number(n));
  Series accuracies("accuracy", {"length", "tokens", std::move(lengths)});
  for (const Runner& runner : runners()) {
    std::vector<double> means;
    for (std::size_t i = 0; i < race_lengths.size(); ++i)
      means.push_back(spread_of(results, runner.key, i).mean);
    accuracies.add(std::string(runner.name), std::move(means));
  }
  return accuracies;
}

Table runs_table(const RaceResults& results) {
  Table table{
      "runs",
      {{.name = "scheme"}, {.name = "seed"}, {.name = "length", .unit = "tokens"}, {.name = "accuracy"}}};
  for (const Runner& runner : runners())
    for (const training::RaceResult& run : results.of(runner.key))
      for (std::size_t i = 0; i < race_lengths.size(); ++i)
        add_row(table, runner.name, run.seed, race_lengths[i], run.accuracy[i]);
  return table;
}

figure::ErrorBars seeds_of(const RaceResults& results, const Runner& runner, const Series& accuracies,
                           Ink ink) {
  figure::ErrorBars bars{
      .x = accuracies.x(), .y = accuracies[runner.name], .ink = ink, .reading = {.none = true}};
  for (std::size_t i = 0; i < race_lengths.size(); ++i) {
    const Spread spread = spread_of(results, runner.key, i);
    bars.dy.below.push_back(spread.mean - spread.least);
    bars.dy.above.push_back(spread.most - spread.mean);
  }
  return bars;
}

constexpr double longest_trained = 30;

Panel race_panel(std::string title, const RaceResults& results, const Series& accuracies,
                 std::span<const Runner> shown, int color) {
  Panel panel{.title = std::move(title),
              .x = octaves("word of $n$ tokens", Range{8, 240}),
              .y = values("tokens copied", Range{0, 1.12}),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(
      Rule{.at = longest_trained, .ink = ink(Role::accent), .dash = Dash::dotted, .text = "trained to here"});
  for (const Runner& runner : shown) {
    const Ink own = series(color++);
    panel.marks.emplace_back(seeds_of(results, runner, accuracies, own));
    panel.marks.push_back(accuracies.line(runner.name, {.ink = own, .label = std::string(runner.name)}));
    panel.marks.push_back(accuracies.points(runner.name, {.ink = own, .reading = {.none = true}}));
  }
  return panel;
}

/// RoPE as it was trained, and what rules make of it.
std::vector<Runner> ropes() {
  std::vector<Runner> all;
  for (const Runner& runner : runners())
    if (runner.positions == transformer::Positions::rope) all.push_back(runner);
  return all;
}

std::span<const Runner> trained() {
  return runners().first(static_cast<std::size_t>(training::trained_runners()));
}

std::size_t place_of(const Settings& settings) {
  const std::string& chosen = settings.choice("length");
  return static_cast<std::size_t>(
      std::ranges::find_if(race_lengths, [&](auto n) { return std::to_string(n) == chosen; }) -
      race_lengths.begin());
}

const Runner& scheme_of(const Settings& settings) {
  return *std::ranges::find(runners(), settings.choice("scheme"), &Runner::key);
}

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

std::string title_of(const Settings& settings, const RaceResults& results) {
  const std::size_t at = place_of(settings);
  const auto mean = [&](const Runner& runner) { return spread_of(results, runner.key, at).mean; };
  const Runner& best = *std::ranges::max_element(trained(), {}, mean);
  const Runner& least = *std::ranges::min_element(trained(), {}, mean);
  return "Words of length " + settings.choice("length") + " after words of up to 30: most is copied by " +
         std::string(best.name) + ", " + percent(mean(best)) + ", least by " + std::string(least.name) +
         ", " + percent(mean(least));
}

std::vector<Check> checks_of(const Settings& settings, const RaceResults& results) {
  std::vector<Check> checks{gradient_is_slope(training::race_settings(scheme_of(settings), 1, 1).model)};
  constexpr double long_enough = 2000, learned_enough = 0.1;
  if (results.steps >= long_enough) {
    Worst missed;
    for (const Runner& runner : trained()) missed.meet(1 - spread_of(results, runner.key, 0).mean);
    checks.push_back(known_answer("words of 8 tokens were learned: what the worst scheme misses of them",
                                  missed, learned_enough));
  }
  return checks;
}

std::string worked_of(const Settings& settings, const RaceResults& results) {
  const Runner& runner = scheme_of(settings);
  const std::size_t at = place_of(settings);
  const std::vector<training::RaceResult> runs = results.of(runner.key);
  std::vector<worked::Term> terms;
  for (const training::RaceResult& run : runs) terms.emplace_back(run.accuracy[at]);
  Worked worked;
  return worked
      .add("a", worked::frac(worked::sum(terms), number(runs.size())),
           spread_of(results, runner.key, at).mean)
      .tex();
}

StudyResult drawn(const Settings& settings, const RaceResults& results) {
  const Series accuracies = accuracy_series(results);
  const std::vector<Runner> rules = ropes();
  Picture picture(
      title_of(settings, results),
      "The share of tokens that small models copy of words of 8 to 240 tokens, by the scheme that tells them "
      "positions; trained on words of 4 to 30. Beside it the model with RoPE again, its frequencies made "
      "slower by three rules without further training. Bars reach from the least to the most of all seeds.");
  picture.at({0, 0}, "schemes", race_panel("As they were trained", results, accuracies, trained(), 0));
  picture.at({0, 1}, "rules", race_panel("RoPE, stretched", results, accuracies, rules, 2));
  return {std::move(picture).figure(settings, {.aspect = 1.5, .cols = {1, 1}, .aspect_alone = 1.5}),
          {accuracies.table(), runs_table(results)},
          checks_of(settings, results),
          worked_of(settings, results)};
}

/// Seed by seed, so that there is a whole picture early.
RaceResults trained_now(const Settings& settings, const Run& run) {
  RaceResults results{plain(bench::machine()) + ", " + today(), settings.real("steps"), {}};
  const auto seeds = settings.integer("seeds");
  const double all = number(seeds * training::trained_runners());
  double done = 0;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    for (const Runner& runner : trained()) {
      for (training::RaceResult& result :
           training::race(runner, settings.integer("steps"), static_cast<std::uint64_t>(seed),
                          training::kept_folder(), [&](double share) {
                            run.check();
                            run.progress((done + share) / all);
                          }))
        results.runs.push_back(result);
      ++done;
    }
    run.publish(drawn(settings, results));
  }
  return results;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  if (settings.toggle("retrain")) {
    const RaceResults results = trained_now(settings, run);
    StudyResult result = drawn(settings, results);
    result.keeps = "retrain=off results='" + text_of(results) + "'";
    return result;
  }
  const std::string& kept = settings.text("results");
  return drawn(settings, kept.empty() ? shipped_race() : race_results(kept));
}

constexpr auto tries = std::to_array<Try>({
    {"Words that were trained: all schemes copy most of 30 tokens.", "length=30",
     [](auto& now, auto&) {
       return std::ranges::all_of(trained(),
                                  [&](const Runner& r) { return at(now, "accuracy", r.name, 30) > 0.7; });
     }},
    {"Twice as long: ALiBi still copies more than nine tenths, RoPE less than a fifth.",
     "length=60 scheme=rope",
     [](auto& now, auto&) {
       return at(now, "accuracy", "ALiBi", 60) > 0.9 && at(now, "accuracy", "RoPE", 60) < 0.2;
     }},
    {"RoPE is not lost: stretched by YaRN, without further training, it copies more than nine tenths.",
     "show=rules length=60", [](auto& now, auto&) { return at(now, "accuracy", "RoPE, YaRN", 60) > 0.9; }},
    {"Positions that were never trained: learned rows fail just behind the longest word.",
     "length=36 scheme=learned",
     [](auto& now, auto&) {
       return at(now, "accuracy", "learned", 36) < 0.5 && at(now, "accuracy", "learned", 30) > 0.75;
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/race",
    .title = "Train short, test long",
    .topic = "Past the trained length",
    .summary = "small models that learned to copy short words, and how much of longer ones they copy",
    .formula =
        R"(\mathrm{BOS}\; a_1 \dots a_n\; \mathrm{SEP}\; a_1 \dots a_n, \quad a = \frac{1}{n} \sum_{i=1}^{n} [\hat a_i = a_i])",
    .about =
        "Each model has two layers, is 64 wide and has four heads; without positions it has four layers, for two do not "
        "learn it. It reads a word of 4 to 30 random tokens and says it again, and is then tested on words up to 240. "
        "Every token is asked for with the true ones before it. Learned rows and sinusoids give the model positions that "
        "it has never met; RoPE gives angles that it has never met, and rules that make it turn more slowly bring "
        "them back; ALiBi only ever says how far away a token is. These are models of a hundred thousand numbers on "
        "one task: the order of the schemes is told here, not that of large models.",
    .source =
        "Press, Smith, Lewis 2022, arXiv 2108.12409; Kazemnejad et al. 2023, arXiv 2305.19466; Peng et al. 2023, "
        "arXiv 2309.00071",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_race
