// Train short, test long: small models that learned from short texts, and how they do on longer ones.
#include "app/study/extrapolation/race_picture.h"
#include "app/study/extrapolation/rescue_results.h"
#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "core/bench/benchmark.h"
#include "core/training/kept_training.h"

namespace orrery::study::extrapolation_race {
namespace {

using training::Runner;
using training::runners;
using training::Task;

constexpr auto parameters = std::to_array<Parameter>({
    choice(
        "task", "Task", "copy|chains|long_chains",
        "words of up to 30 tokens that are said again; chains whose next state is guessed from those before: of 64 "
        "tokens, or of 512"),
    choice("length", "Length", "8|30|36|44|60|90|120|240", "n: the word whose numbers are told",
           {.only_when = "task=copy"}),
    choice("times", "Longer by", "2|4|8", "how often the text holds the trained length",
           {.only_when = "task=chains"}),
    choice("scheme", "Scheme", "alibi|t5|rope|none|learned|sinusoidal",
           "whose numbers are put in, and whose gradient is tried"),
    toggle(
        "retrain", "Retrain", "off",
        "on: here and now, for each seed some minutes on words, more on chains; off: what is kept, or came with the "
        "program",
        {.measures = true}),
    whole("steps", "Steps", "2000", {1, 20000},
          "of each training on words; on chains half as many again, without positions a quarter more",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    whole("seeds", "Seeds", "2", {1, 10}, "trainings of each scheme", {.only_when = "retrain=on"}),
    text(
        "results", "Results", "", {0, 40000},
        "what was trained, as the recipe of a trained figure keeps it; empty, or of another task: what came with the "
        "program",
        {.presentation = true}),
    show_parameter("all|schemes|rules"),
});

const Runner& scheme_of(const Settings& settings) {
  return *std::ranges::find(runners(), settings.choice("scheme"), &Runner::key);
}

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

std::string title_of(const Settings& settings, const Told& told) {
  const auto value = [&](const Runner& runner) { return told.mean(runner.key); };
  const std::vector<Runner> all = trained_ones();
  const Runner& most = *std::ranges::max_element(all, {}, value);
  const Runner& least = *std::ranges::min_element(all, {}, value);
  const std::string tokens = std::to_string(tokens_of(settings));
  if (told.copy())
    return "Words of length " + tokens +
           " after words of up to 30: of the schemes as trained, most is copied by " +
           std::string(most.name) + ", " + percent(value(most)) + ", least by " + std::string(least.name) +
           ", " + percent(value(least));
  return "Chains of " + tokens + " after chains of " + std::to_string(told.trial.length) +
         ": of the schemes as trained, nearest to the best that can be known ends " +
         std::string(least.name) + ", " + fixed_text(value(least), 2) + " nat above it, farthest " +
         std::string(most.name) + ", " + fixed_text(value(most), 2);
}

std::vector<Check> checks_of(const Settings& settings, const RaceResults& results, const Told& told) {
  std::vector<Check> checks{gradient_is_slope(training::race_settings(scheme_of(settings), 1, 1).model)};
  constexpr double long_enough = 2000, words_learned = 0.1, chains_learned = 0.05, kept_digits = 5e-5;
  if (!told.copy())
    checks.push_back(known_answer("nothing is known of the first step of a chain: its floor is $\\ln 8$",
                                  std::abs(told.results.floor.front() - std::log(8)), kept_digits));
  if (results.steps < long_enough) return checks;
  if (told.copy()) {
    Worst missed;
    for (const Runner& runner : trained_ones()) missed.meet(1 - told.at(runner.key, 0).mean);
    checks.push_back(known_answer("words of 8 tokens were learned: what the worst scheme misses of them",
                                  missed, words_learned));
  } else {
    const std::size_t end = training::parts_within(told.trial.length) - 1;
    const bool longer = told.trial == training::long_trial;
    checks.push_back(known_answer(
        longer ? "long chains were learned: how far RoPE lies above the floor where the trained length ends"
               : "chains were learned: how far RoPE lies above the floor where the trained length ends",
        told.at("rope", end).mean, chains_learned));
  }
  return checks;
}

/// A mean over the seeds: of shares, or of what lies above the floor.
std::string worked_of(const Settings& settings, const Told& told) {
  const Runner& runner = scheme_of(settings);
  const std::vector<RaceRun> runs = told.results.of(runner.key);
  std::vector<worked::Term> terms;
  for (const RaceRun& run : runs) terms.emplace_back(run.values[told.place]);
  Worked worked;
  return worked
      .add(told.copy() ? "a" : "d", worked::frac(worked::sum(terms), number(runs.size())),
           told.mean(runner.key))
      .tex();
}

StudyResult drawn(const Settings& settings, const RaceResults& results) {
  const Told told = told_of(settings, results);
  const Series means = means_series(told);
  Picture picture(
      title_of(settings, told),
      told.copy()
          ? "The share of tokens that small models copy of words of 8 to 240 tokens, by the scheme that tells them "
            "positions; trained on words of 4 to 30. Beside it the model with RoPE again, its frequencies made "
            "slower by three rules without further training. Bars reach from the least to the most of all seeds."
          : "How far the loss of small models lies above the best that can be known, by the place in a chain, for each "
            "scheme that tells them positions; trained on the first places only. Beside it the model with RoPE again, "
            "its frequencies made slower by three rules without further training, by what the whole chain needs. Bars "
            "reach from the least to the most of all seeds.");
  picture.at({0, 0}, "schemes", race_panel("As they were trained", told, means, trained_ones(), 0));
  picture.at({0, 1}, "rules", race_panel("RoPE, stretched", told, means, ropes(), 2));
  std::vector<Table> tables{means.table()};
  if (!told.copy()) tables.push_back(losses_series(told).table());
  tables.push_back(runs_table(told));
  return {std::move(picture).figure(settings, {.aspect = 1.5, .cols = {1, 1}, .aspect_alone = 1.5}),
          std::move(tables), checks_of(settings, results, told), worked_of(settings, told)};
}

/// What one training gives: of a RoPE its rules too.
std::vector<RaceRun> runs_of(const training::Trial& trial, const Runner& runner, training::Index steps,
                             std::uint64_t seed, const training::Between& between) {
  std::vector<RaceRun> runs;
  if (trial.task == Task::copy)
    for (const training::RaceResult& one :
         training::race(runner, steps, seed, training::kept_folder(), between))
      runs.push_back({one.key, seed, {one.accuracy.begin(), one.accuracy.end()}});
  else
    for (training::ChainResult& one : training::chain_race(trial, runner, chain_steps(number(steps)), seed,
                                                           training::kept_folder(), between))
      runs.push_back({one.key, seed, std::move(one.above)});
  return runs;
}

/// The task that is looked at, seed by seed, so that there is a whole picture early.
RaceResults trained_now(const Settings& settings, const Run& run) {
  RaceResults results{plain(bench::machine()) + ", " + today(), settings.real("steps"), {}};
  const RaceTask& task = task_of(settings);
  TaskResults& told = results.tasks[static_cast<std::size_t>(&task - race_tasks.data())];
  if (task.trial.task == Task::markov)
    told.floor = training::floor_by_part(training::tested_tokens(task.trial), [&] { run.check(); });
  const auto seeds = settings.integer("seeds");
  const double all = number(seeds * training::trained_runners());
  double done = 0;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    for (const Runner& runner : trained_ones()) {
      for (RaceRun& one :
           runs_of(task.trial, runner, settings.integer("steps"), static_cast<std::uint64_t>(seed),
                   [&](double share) { run.progress((done + share) / all); }))
        told.runs.push_back(std::move(one));
      ++done;
    }
    run.publish(drawn(settings, results));
  }
  return results;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  if (settings.toggle("retrain")) {
    // What is drawn is what is kept: five digits.
    const std::string line = text_of(trained_now(settings, run));
    StudyResult result = drawn(settings, race_results(line));
    result.keeps = "retrain=off results='" + line + "'";
    return result;
  }
  const std::string& kept = settings.text("results");
  if (kept.empty()) return drawn(settings, shipped_race());
  const RaceResults results = race_results(kept);
  return drawn(settings, has_task(settings, results) ? results : shipped_race());
}

constexpr auto tries = std::to_array<Try>({
    {"Words that were trained: all schemes copy most of 30 tokens.", "task=copy length=30",
     [](auto& now, auto&) {
       return std::ranges::all_of(trained_ones(),
                                  [&](const Runner& r) { return at(now, "accuracy", r.name, 30) > 0.7; });
     }},
    {"Twice as long: ALiBi still copies more than nine tenths, RoPE less than a fifth.",
     "task=copy length=60 scheme=rope",
     [](auto& now, auto&) {
       return at(now, "accuracy", "ALiBi", 60) > 0.9 && at(now, "accuracy", "RoPE", 60) < 0.2;
     }},
    {"RoPE is not lost: stretched by YaRN, without further training, it copies more than nine tenths.",
     "task=copy show=rules length=60",
     [](auto& now, auto&) { return at(now, "accuracy", "RoPE, YaRN", 60) > 0.9; }},
    {"Positions that were never trained: learned rows fail just behind the longest word.",
     "task=copy length=36 scheme=learned",
     [](auto& now, auto&) {
       return at(now, "accuracy", "learned", 36) < 0.5 && at(now, "accuracy", "learned", 30) > 0.75;
     }},
    {"Chains twice as long: RoPE still ends within a tenth of a nat of the best that can be known, learned rows do not.",
     "task=chains times=2 scheme=learned",
     [](auto& now, auto&) {
       const std::size_t end = training::parts_within(128) - 1;
       return column(now, "above_floor", "RoPE")[end] < 0.1 &&
              column(now, "above_floor", "learned")[end] > 0.1;
     }},
    {"Eight times as long: RoPE ends farther off than a model without positions; of the schemes as trained, ALiBi and T5's bias end nearest.",
     "task=chains times=8 scheme=rope",
     [](auto& now, auto&) {
       const auto end = [&](const char* name) { return column(now, "above_floor", name).back(); };
       return end("RoPE") > end("none (4 layers)") &&
              std::max(end("ALiBi"), end("T5 bias")) <
                  std::min({end("RoPE"), end("learned"), end("sinusoidal"), end("none (4 layers)")});
     }},
    {"From 512 tokens to 1024: at the end RoPE loses a little, and NTK and YaRN give it back.",
     "task=long_chains show=rules scheme=rope",
     [](auto& now, auto&) {
       const auto end = [&](const char* name) { return column(now, "above_floor", name).back(); };
       return end("RoPE") > 2 * std::max(end("RoPE, NTK"), end("RoPE, YaRN"));
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/race",
    .title = "Train short, test long",
    .topic = "Past the trained length",
    .summary = "small models that learned from short texts, and how they do on longer ones",
    .formula =
        R"(a = \frac{1}{n} \sum_{i=1}^{n} [\hat a_i = a_i], \quad d_t = \ln p^*(x_{t+1}) - \ln p(x_{t+1}), \quad p^* = \frac{c_{ij} + \alpha}{c_i + S \alpha})",
    .about =
        "Each model has two layers, is 64 wide and has four heads; without positions it has four layers, for two do not "
        "learn it. It reads a word of 4 to 30 random tokens and says it again, and is then tested on words up to 240. "
        "Every token is asked for with the true ones before it. Or it guesses the next of eight states in chains that "
        "have each a table of transitions of their own. The best that can be known, $p^*$, counts how often $j$ came behind "
        "$i$, $c_{ij}$, and adds $\\alpha = 0.3$ for each of $S = 8$ states; a longer text tells it more. On chains of 512 "
        "the trainings that came with the program are short: but for RoPE and T5's bias all schemes stay above that "
        "floor even where they were trained. Learned rows and sinusoids give the model positions that "
        "it has never met; RoPE gives angles that it has never met, and rules that make it turn more slowly bring "
        "them back; ALiBi only ever says how far away a token is. These are models of a hundred thousand numbers on "
        "two tasks: the order of the schemes is told here, not that of large models.",
    .source =
        "Press, Smith, Lewis 2022, arXiv 2108.12409; Kazemnejad et al. 2023, arXiv 2305.19466; Peng et al. 2023, "
        "arXiv 2309.00071; Edelman et al. 2024, arXiv 2402.11004",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_race
