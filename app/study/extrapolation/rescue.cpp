// A model with RoPE read past its trained length, and what can be done for it: at once, and after a short training.
#include "app/study/extrapolation/rescue_picture.h"
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
    choice("times", "Longer by", "2|4", "how often the text holds the trained length"),
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
      "steps of training at twice the length; in long dashes, the same at the trained length. Below: what a rule leaves of "
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
        "A model of two layers, 64 wide, with heads of 16: eight pairs. It learned to copy words of up to 30 tokens, 62 "
        "read and said in all, within which two pairs come round, or to guess the next state of chains of 64, within which "
        "three do. The rules then change its frequencies, without further training, by the factor that the text needs; "
        "log-n makes scores larger, a window hides what is too far. After 50 and 150 steps of training on words of up to 60 "
        "tokens, or on chains of 128, the factor is 122/62, or 2, whatever is read.",
    .source =
        "Chen et al. 2023, arXiv 2306.15595; Peng et al. 2023, arXiv 2309.00071; Su, kexue.fm/archives/8823; Edelman "
        "et al. 2024, arXiv 2402.11004",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_rescue
