// A model with RoPE read past its trained length, and what can be done for it: at once, and after a short training.
#include "app/study/extrapolation/rescue_results.h"
#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "app/study/rope/worked_frequency.h"
#include "core/bench/benchmark.h"

namespace orrery::study::extrapolation_rescue {
namespace {

using training::RescueResult;
using training::Task;
using training::Treatment;
using training::treatments;

constexpr auto parameters = std::to_array<Parameter>({
    choice("task", "Task", "copy|chains",
           "words that are said again, or chains whose next state is guessed from those before"),
    choice("treatment", "Treatment", "yarn|none|pi|ntk|by_parts|yarn_paper_4|yarn_paper_32|log_n|window",
           "what is told, and drawn in the accent's colour"),
    choice("times", "Longer by", "2|4", "how often the text holds the trained length", {.unit = "times"}),
    toggle("retrain", "Retrain", "off",
           "on: here and now, some minutes for each seed; off: what is kept, or came with the program",
           {.measures = true}),
    whole("steps", "Steps", "2000", {1, 20000}, "of each training on words; on chains half as many again",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    whole("seeds", "Seeds", "1", {1, 10}, "trainings", {.only_when = "retrain=on"}),
    text("results", "Results", "", {0, 40000},
         "what was trained, as the recipe of a trained figure keeps it; empty: what came with the program",
         {.presentation = true}),
    show_parameter("all|at-once|trained|pairs"),
});

Task task_of(const Settings& settings) {
  return settings.choice("task") == "copy" ? Task::copy : Task::markov;
}

const Treatment& treatment_of(const Settings& settings) {
  return *std::ranges::find(treatments(), settings.choice("treatment"), &Treatment::key);
}

/// Which of rescue_words or rescue_chains: of so many times the trained length.
std::size_t place_of(const Settings& settings) {
  const bool twice = settings.choice("times") == "2";
  if (task_of(settings) == Task::markov) return twice ? 0 : 1;
  return static_cast<std::size_t>(std::ranges::find(training::rescue_words, twice ? 60 : 120) -
                                  training::rescue_words.begin());
}

/// The tokens of the text that is told of: of a word those that are said again.
training::Index tokens_of(const Settings& settings) {
  return task_of(settings) == Task::copy ? training::rescue_words[place_of(settings)]
                                         : training::rescue_chains[place_of(settings)];
}

/// The factor that a rule is asked for.
double factor_of(const Settings& settings) {
  const double tokens = number(tokens_of(settings));
  return (task_of(settings) == Task::copy ? 2 * tokens + 2 : tokens) /
         training::trained_tokens(task_of(settings));
}

/// A mean over the seeds.
template <class F>
double mean_of(const std::vector<RescueResult>& results, std::string_view key, F value) {
  double sum = 0, count = 0;
  for (const RescueResult& result : results)
    if (result.key == key) sum += value(result), ++count;
  return sum / count;
}

/// What the results say of one task, in what is drawn: shares copied, or losses.
struct Told {
  Task task;
  const std::vector<RescueResult>& results;
  const std::vector<double>& floor;

  bool more_is_better() const { return task == Task::copy; }
  /// The floor where a text of chains ends.
  double floor_at(std::size_t place) const {
    return task == Task::copy ? 0 : floor[training::parts_within(training::rescue_chains[place]) - 1];
  }
  double at_once(std::string_view key, std::size_t place) const {
    return floor_at(place) + mean_of(results, key, [&](const RescueResult& r) { return r.at_once[place]; });
  }
  /// `longer`: at twice the trained length, else at the trained one.
  double tuned(std::string_view key, std::size_t steps, bool longer) const {
    const double best = task == Task::copy ? 0 : longer ? floor_at(0) : floor[training::part_from(48)];
    return best + mean_of(results, key, [&](const RescueResult& r) { return r.tuned[steps][longer]; });
  }
};

Told told_of(const Settings& settings, const RescueResults& results) {
  const Task task = task_of(settings);
  if (results.of(task).empty()) refuse_results(settings.choice("task"));
  return {task, results.of(task), results.floor};
}

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
  // A part stands at its middle, as log axes have it.
  std::vector<double> places;
  for (std::size_t i = 0; i < told.floor.size(); ++i)
    places.push_back(std::sqrt(number(training::place_edges[i] + 1) * number(training::place_edges[i + 1])));
  Series series("at_once", {"place", "tokens", std::move(places)});
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

/// After each number of steps, at twice the trained length; and at the trained one.
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

/// The pairs that a treatment leaves: their frequencies as a share of what they were.
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

/// Every rule in a colour of its own, what is no rule without one, and the chosen treatment over them in the accent's.
template <class Add>
void each_in_turn(const Settings& settings, Add add) {
  int color = 0;
  const Treatment& chosen = treatment_of(settings);
  for (const Treatment& treatment : treatments()) {
    const bool rule = treatment.rule != position::RopeType::standard;
    const Ink own = rule ? series(color++) : ink(Role::text, treatment.log_n || treatment.window ? 0.55 : 1);
    if (treatment.key != chosen.key) add(treatment, own, 1.0);
  }
  add(chosen, ink(Role::accent), 1.6);
}

Dash dash_of(const Treatment& treatment) {
  return treatment.log_n ? Dash::dash_dot : treatment.window ? Dash::dashed : Dash::solid;
}

Panel at_once_panel(const Settings& settings, const Told& told, const Series& at_once) {
  const bool copy = told.task == Task::copy;
  const std::vector<double>& x = at_once.x();
  Panel panel{.title = "At once",
              .x = octaves(copy ? "word of $n$ tokens" : "place in a chain of 512 tokens",
                           Range{x.front(), copy ? x.back() : 512}),
              .y = copy ? values("tokens copied", Range{0, 1.05}) : values("loss, nat", Range{1.2, 2.1}),
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
              .y = copy ? values("tokens copied", Range{0, 1.05}) : values("loss, nat"),
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
  panel.marks.push_back(trained.line(treatment_of(settings).name, {.ink = ink(Role::accent, 0.7),
                                                                   .dash = Dash::dotted,
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
    panel.marks.push_back(
        pairs.line(name, {.ink = own, .width = width, .label = std::string(treatment.name)}));
    panel.marks.push_back(pairs.points(name, {.ink = own, .reading = {.none = true}}));
  });
  return panel;
}

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

std::string title_of(const Settings& settings, const Told& told) {
  const std::size_t place = place_of(settings);
  const auto value = [&](const Treatment& t) { return told.at_once(t.key, place); };
  const std::string tokens = std::to_string(tokens_of(settings)), plain{treatments().front().key};
  if (told.task == Task::copy) {
    const Treatment& best = *std::ranges::max_element(treatments(), {}, value);
    return "Words of " + tokens + " tokens after words of up to 30: RoPE as it is copies " +
           percent(told.at_once(plain, place)) + ", at best " + percent(value(best)) + ", by " +
           std::string(best.name);
  }
  const Treatment& best = *std::ranges::min_element(treatments(), {}, value);
  const double floor = told.floor_at(place);
  return "At the end of chains of " + tokens + " after chains of 64: RoPE as it is loses " +
         fixed_text(told.at_once(plain, place) - floor, 2) + " nat to the best that can be known, " +
         std::string(best.name) + " the least, " + fixed_text(value(best) - floor, 2);
}

std::vector<Check> checks_of(const Settings& settings, const RescueResults& results, const Told& told) {
  transformer::Config small =
      training::treated(treatment_of(settings), told.task,
                        training::race_settings(training::runners()[2], 1, 1).model, factor_of(settings));
  // As far past what was trained as the small model's eight tokens go.
  if (small.window > 0) small.window = 3;
  if (small.score_log_n) small.score_log_n->trained = 3;
  std::vector<Check> checks{gradient_is_slope(small)};
  constexpr double kept_digits = 5e-5;  // of 2.0794
  checks.push_back(known_answer("nothing is known of the first step of a chain: its floor is $\\ln 8$",
                                std::abs(results.floor.front() - std::log(8)), kept_digits));
  constexpr double long_enough = 2000;
  if (results.steps < long_enough) return checks;
  if (told.task == Task::copy) {
    const auto at_60 = static_cast<std::size_t>(std::ranges::find(training::rescue_words, 60) -
                                                training::rescue_words.begin());
    checks.push_back(
        known_answer("words of 60: by how much YaRN, as code has it, copies less than RoPE as it is",
                     told.at_once("none", at_60) - told.at_once("yarn", at_60), 0));
  } else {
    checks.push_back(known_answer("chains of 128: by how much PI at once is better than nothing at the end",
                                  told.at_once("none", 0) - told.at_once("pi", 0), 0));
  }
  return checks;
}

std::string worked_of(const Settings& settings, const Told& told) {
  const Treatment& treatment = treatment_of(settings);
  const Task task = told.task;
  const double trained = training::trained_tokens(task), factor = factor_of(settings);
  Worked worked;
  worked.add("s", worked::frac(number(std::lround(factor * trained)), trained), factor);
  const transformer::Config model =
      transformer::resolved(training::race_settings(training::runners()[0], 1, 1).model);
  const position::RopeRule rule = training::rule_of(treatment, task, model, factor);
  if (treatment.rule != position::RopeType::standard) {
    add_frequency(worked, "\\theta'", rule, worked_pair(rule));
    add_attention_factor(worked, rule);
  }
  if (treatment.log_n) {
    const double tokens = std::round(factor * trained);
    worked.add("f_{" + std::to_string(std::lround(tokens)) + "}",
               worked::frac(worked::ln(tokens), worked::ln(trained)), std::log(tokens) / std::log(trained));
  }
  return worked.tex();
}

StudyResult drawn(const Settings& settings, const RescueResults& results) {
  const Told told = told_of(settings, results);
  const Series at_once = at_once_series(told), longer = tuned_series(told, true),
               trained = tuned_series(told, false), pairs = pairs_series(settings);
  const bool alone = settings.choice("show") != "all";
  Picture picture(
      title_of(settings, told),
      "A small model with RoPE past the length that it was trained on, treated in nine ways. Left: at once, by the "
      "length of the text or by the place in it, the rule's factor being what the text needs. Right: after a few "
      "steps of training at twice the length; dotted, the same at the trained length. Below: what a rule leaves of "
      "the frequency of each pair.");
  picture.at({0, 0}, "at-once", at_once_panel(settings, told, at_once));
  picture.at({0, 1}, "trained", tuned_panel(settings, told, longer, trained, alone));
  picture.at({1, 0, 1, 2}, "pairs", pairs_panel(settings, pairs, alone));
  return {std::move(picture).figure(settings, {.aspect = 1.25,
                                               .rows = {1.5, 1},
                                               .cols = {1.25, 1},
                                               .aspect_alone = 1.5,
                                               .telling = {"at-once", "trained", "pairs"}}),
          {at_once.table(), longer.table(), trained.table(), pairs.table(), runs_table(told)},
          checks_of(settings, results, told),
          worked_of(settings, told)};
}

/// Both tasks, so that the figure that keeps the results can be turned from one to the other.
RescueResults trained_now(const Settings& settings, const Run& run) {
  RescueResults results{plain(bench::machine()) + ", " + today(), settings.real("steps"), {}, {}, {}};
  results.floor = training::floor_by_part(training::rescue_chains.back(), [&] { run.check(); });
  const auto seeds = settings.integer("seeds"), steps = settings.integer("steps");
  // By tokens: a step on chains has three times those of a step on words.
  constexpr double of_words = 0.18;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    const auto share = [&](double done) { run.progress((number(seed - 1) + done) / number(seeds)); };
    const auto add = [&](std::vector<RescueResult>& to, Task task, training::Index count, double from,
                         double end) {
      for (RescueResult& result :
           training::rescue(task, count, static_cast<std::uint64_t>(seed), training::kept_folder(),
                            training::part_of(share, from, end)))
        to.push_back(std::move(result));
    };
    add(results.words, Task::copy, steps, 0, of_words);
    if (task_of(settings) == Task::copy) run.publish(drawn(settings, results));
    add(results.chains, Task::markov, chain_steps(number(steps)), of_words, 1);
    run.publish(drawn(settings, results));
  }
  return results;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  if (settings.toggle("retrain")) {
    const RescueResults results = trained_now(settings, run);
    StudyResult result = drawn(settings, results);
    result.keeps = "retrain=off results='" + text_of(results) + "'";
    return result;
  }
  const std::string& kept = settings.text("results");
  return drawn(settings, kept.empty() ? shipped_rescue() : rescue_results(kept));
}

constexpr auto tries = std::to_array<Try>({
    {"Position interpolation divides every frequency: neighbours look alike, and it copies less than YaRN does.",
     "treatment=pi task=copy",
     [](auto& now, auto&) {
       return at(now, "at_once", "PI", 60) < at(now, "at_once", "YaRN, code", 60) &&
              std::ranges::all_of(column(now, "pairs", "PI"), [&](double r) {
                return std::abs(r - column(now, "pairs", "PI").front()) < 1e-9;
              });
     }},
    {"On chains PI without training is worse than nothing: the head that looks one token back no longer finds it.",
     "task=chains treatment=pi",
     [](auto& now, auto&) {
       return at(now, "runs", "at once", "PI") > at(now, "runs", "at once", "no rule");
     }},
    {"The paper's ramp from 32 turns: no pair turns so often within 64 tokens, and none is kept.",
     "treatment=yarn_paper_32 show=pairs",
     [](auto& now, auto&) {
       return most(column(now, "pairs", "turns within L")) < 32 &&
              most(column(now, "pairs", "YaRN, paper, 32 turns")) < 1;
     }},
    {"Only the last tokens read: a window keeps the loss level, and learns nothing more from a longer text.",
     "task=chains treatment=window",
     [](auto& now, auto&) {
       const auto losses = column_from(now, "at_once", "window", 100);
       return most(losses) - least(losses) < 0.1;
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/rescue",
    .title = "Rescued by rules",
    .topic = "Past the trained length",
    .summary =
        "a small model with RoPE past its trained length: rules for its frequencies, at once and trained on",
    .formula = R"(s = \frac{T}{L}, \quad \theta'_i = (1 - g_i)\, \theta_i + g_i\, \frac{\theta_i}{s})",
    .derivation =
        "Past $L$ a slow pair comes to angles that it has never shown in training.\n"
        "Dividing every frequency by $s$ brings all angles back, but puts neighbours $s$ times closer: heads that look one "
        "token back lose it.\n"
        "So pairs that turn often within $L$ are kept, for they have shown every angle, and pairs that do not finish a turn "
        "are divided: $g_i$ goes from 0 to 1 between them. Where it begins and ends is what the rules differ in.",
    .about =
        "A model of two layers, 64 wide, with heads of 16: eight pairs, of which three turn at least once within what was "
        "trained. It learned to copy words of up to 30 tokens, or to guess the next state of chains of 64. The rules then "
        "change its frequencies, without further training, by the factor that the text needs; log-n makes scores larger, "
        "a window hides what is too far. After 50 and 150 steps at twice the length the factor is 2 whatever is read.",
    .source =
        "Chen et al. 2023, arXiv 2306.15595; Peng et al. 2023, arXiv 2309.00071; Su, kexue.fm/archives/8823; Edelman "
        "et al. 2024, arXiv 2402.11004",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_rescue
