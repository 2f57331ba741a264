// LayerNorm and RMSNorm in one small model: what it learns with each, and how long a step takes.
#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "app/study/kit/words.h"
#include "app/study/training/courses.h"
#include "core/bench/benchmark.h"
#include "core/training/norm_trial.h"

namespace orrery::study::norm_training {
namespace {

using training::norm_trial_kinds;
using transformer::NormKind;

constexpr auto parameters = std::to_array<Parameter>({
    toggle("retrain", "Retrain", "off",
           "on: here and now, a minute or two; off: what is kept, or came with the program",
           {.measures = true}),
    whole("steps", "Steps", "400", {2, 10000}, "of each training",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    whole("seeds", "Seeds", "1", {1, 10}, "trainings of each", {.only_when = "retrain=on"}),
    whole("timed", "Steps timed", "60", {4, 1000}, "of each, in turns",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    choice("norm", "Norm", "layer|rms", "whose numbers are put in"),
    text(
        "results", "Results", "", {0, 40000},
        "what was trained and measured, as the recipe of such a figure keeps it; empty: what came with the program",
        {.presentation = true}),
    show_parameter("all|loss|time"),
});

constexpr std::array<const char*, 2> kind_keys{"layer", "rms"}, kind_names{"LayerNorm", "RMSNorm"};

/// Of the milliseconds of one norm's steps: where a quarter, half and three quarters lie below; and then the same of how many
/// times as long a step with LayerNorm took as the one with RMSNorm beside it.
struct Quartiles {
  double low = 0, middle = 0, high = 0;
};
constexpr std::size_t measured_kept = 9;

Quartiles quartiles(std::vector<double> x) {
  std::ranges::sort(x);
  const auto at = [&](double share) { return x[static_cast<std::size_t>(share * (number(x.size()) - 1))]; };
  return {at(0.25), at(0.5), at(0.75)};
}

Quartiles measured(const Courses& courses, std::size_t which) {
  return {courses.measured[3 * which], courses.measured[3 * which + 1], courses.measured[3 * which + 2]};
}

Courses kept_courses(std::string_view text) {
  Courses courses = courses_in(text, {kind_keys.begin(), kind_keys.end()}, 1, measured_kept);
  for (std::size_t i = 0; i < measured_kept; i += 3)
    if (!(courses.measured[i] > 0 && courses.measured[i] <= courses.measured[i + 1] &&
          courses.measured[i + 1] <= courses.measured[i + 2]))
      refuse_results(text.substr(0, text.find("; layer")));
  return courses;
}

std::string name_of(const Courses& courses, std::size_t kind, std::uint64_t seed) {
  const bool several = std::ranges::any_of(
      courses.runs, [&](const auto& run) { return run.key == kind_keys[kind] && run.seed != seed; });
  return kind_names[kind] + (several ? ", seed " + std::to_string(seed) : std::string());
}

Series losses_of(const Courses& courses) {
  Series losses("loss", {"step", "", courses.places()});
  for (std::size_t kind = 0; kind < 2; ++kind) {
    losses.add(figure::Column{.name = kind_names[kind],
                              .unit = "nat",
                              .values = courses.mean(kind_keys[kind], &TrainedCourse::loss)});
    for (const TrainedCourse& run : courses.runs)
      if (run.key == kind_keys[kind] && name_of(courses, kind, run.seed) != kind_names[kind])
        losses.add(
            figure::Column{.name = name_of(courses, kind, run.seed), .unit = "nat", .values = run.loss});
  }
  return losses;
}

Table times_table(const Courses& courses) {
  Table table{"times",
              {{.name = "of"},
               {.name = "a quarter below"},
               {.name = "half below"},
               {.name = "three quarters below"}}};
  const char* const rows[] = {"LayerNorm, ms", "RMSNorm, ms", "LayerNorm / RMSNorm"};
  for (std::size_t i = 0; i < 3; ++i) {
    const Quartiles q = measured(courses, i);
    add_row(table, rows[i], q.low, q.middle, q.high);
  }
  return table;
}

Panel loss_panel(const Courses& courses, const Series& losses) {
  Panel panel{.title = "Loss",
              .x = {.label = "training step"},
              .y = values("loss / nat"),
              .legend = LegendPlace::above};
  panel.x.scale = Scale::log();
  panel.x.range = Range{1, number(courses.steps)};
  for (std::size_t kind = 0; kind < 2; ++kind)
    for (const figure::Column& column : losses.columns())
      if (column.name.starts_with(kind_names[kind]) && column.name != kind_names[kind])
        panel.marks.push_back(losses.line(
            column.name, {.ink = series(static_cast<int>(kind)), .width = 0.5, .dash_by_series = false}));
  for (std::size_t kind = 0; kind < 2; ++kind)
    panel.marks.push_back(losses.line(
        kind_names[kind], {.ink = series(static_cast<int>(kind)), .width = 1.3, .label = kind_names[kind]}));
  return panel;
}

Panel time_panel(const Courses& courses) {
  Panel panel{.title = "A step, as measured",
              .x = {.label = in_quotes(courses.where)},
              .y = values("time / ms"),
              .legend = LegendPlace::none};
  panel.y.range = Range{0, 1.25 * std::max(measured(courses, 0).high, measured(courses, 1).high)};
  panel.x.range = cells(2);
  panel.x.names = {kind_names[0], kind_names[1]};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const Quartiles q = measured(courses, kind);
    const Ink own = series(static_cast<int>(kind));
    panel.marks.emplace_back(Bars{.x = {number(kind)}, .height = {q.middle}, .width = 0.5, .ink = own});
    panel.marks.emplace_back(figure::ErrorBars{.x = {number(kind)},
                                               .y = {q.middle},
                                               .dy = {{q.middle - q.low}, {q.high - q.middle}},
                                               .ink = ink(Role::text),
                                               .reading = {.none = true}});
    panel.marks.push_back(
        Note{.x = number(kind), .y = q.high, .text = short_text(q.middle, 3), .v = VAlign::bottom, .dy = -3});
  }
  return panel;
}

double last_loss(const Courses& courses, std::size_t kind) {
  return courses.mean(kind_keys[kind], &TrainedCourse::loss).back();
}

std::string title_of(const Courses& courses) {
  const Quartiles ratio = measured(courses, 2);
  return "After " + grouped(number(courses.steps)) + " steps the loss is " +
         fixed_text(last_loss(courses, 0), 2) + " nat with LayerNorm, " +
         fixed_text(last_loss(courses, 1), 2) + " with RMSNorm; a step with LayerNorm takes " +
         rounded_text(ratio.middle, 3) + " times as long, half of all between " + rounded_text(ratio.low, 3) +
         " and " + rounded_text(ratio.high, 3);
}

Check first_step_is_short(const Courses& courses, std::size_t kind) {
  Worst over;
  for (const TrainedCourse& run : courses.runs) {
    if (run.key != kind_keys[kind]) continue;
    const training::Plan plan = training::norm_plan(norm_trial_kinds[kind], courses.steps, run.seed);
    const transformer::Transformer<float> model(plan.settings.model);
    const auto values = transformer::initial_values(model, plan.settings.start, plan.settings.seed);
    double square = 0;
    for (const float x : values) square += static_cast<double>(x) * static_cast<double>(x);
    const double rate = training::learning_rate(plan.settings.schedule, 1);
    // And the decay takes its share of every weight.
    const double most = rate * std::sqrt(number(values.size()) / square) + rate * plan.settings.adam.decay;
    over.meet(run.moved.front() / most);
  }
  constexpr double roundings = 1e-4;  // five digits are kept, and weights are floats
  return {"the first update is no longer than Adam allows: its length over $\\eta \\sqrt{P}$ and the decay",
          over, 1 + roundings};
}

std::size_t kind_of(const Settings& settings) {
  return settings.choice("norm") == "layer" ? 0 : 1;
}

std::string worked_of(const Settings& settings) {
  const std::size_t kind = kind_of(settings);
  const tensor::Index width = training::norm_plan(norm_trial_kinds[kind], 2, 1).settings.model.width;
  const auto layers = training::norm_plan(norm_trial_kinds[kind], 2, 1).settings.model.layers;
  const double norms = 2 * number(layers) + 1, each = kind == 0 ? 2 : 1;
  Worked worked;
  worked.add("P_N", term(norms) * term(each) * number(width), norms * each * number(width));
  return worked.tex();
}

StudyResult drawn(const Settings& settings, const Courses& courses) {
  const Series losses = losses_of(courses);
  Picture picture(
      title_of(courses),
      "The loss of one small model by the step, with LayerNorm and with RMSNorm, thin lines for each seed; "
      "and how long a training step took, both in turns on one machine, with its middle half.");
  picture.at({0, 0}, "loss", loss_panel(courses, losses));
  picture.at({0, 1}, "time", time_panel(courses));
  return {std::move(picture).figure(settings, {.aspect = 1.7, .cols = {1.3, 1}, .aspect_alone = 1.5}),
          {losses.table(), times_table(courses)},
          {gradient_is_slope(training::norm_plan(norm_trial_kinds[kind_of(settings)], 2, 1).settings.model),
           first_step_is_short(courses, kind_of(settings))},
          worked_of(settings)};
}

Courses trained_now(const Settings& settings, const Run& run) {
  Courses courses;
  courses.where = plain(bench::machine()) + ", " + today();
  courses.steps = settings.integer("steps");
  courses.settings = {settings.real("timed")};
  constexpr double trained_share = 0.9;
  const auto seeds = settings.integer("seeds");
  double done = 0;
  for (std::int64_t seed = 1; seed <= seeds; ++seed)
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const training::Trained trained = training::train(
          training::norm_plan(norm_trial_kinds[kind], courses.steps, static_cast<std::uint64_t>(seed)),
          training::kept_folder(),
          [&](double share) { run.progress(trained_share * (done + share) / (2 * number(seeds))); });
      courses.runs.push_back(course_of(kind_keys[kind], static_cast<std::uint64_t>(seed), trained));
      ++done;
    }
  const auto times = training::norm_step_times(settings.integer("timed"), [&](double share) {
    run.progress(trained_share + (1 - trained_share) * share);
  });
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times[0].size(); ++i) ratios.push_back(times[0][i] / times[1][i]);
  for (const auto& q : {quartiles(times[0]), quartiles(times[1]), quartiles(ratios)})
    courses.measured.insert(courses.measured.end(), {q.low, q.middle, q.high});
  return courses;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  if (settings.toggle("retrain")) {
    const Courses courses = trained_now(settings, run);
    StudyResult result = drawn(settings, courses);
    result.keeps = "retrain=off results='" + text_of(courses) + "'";
    return result;
  }
  const std::string& kept = settings.text("results");
  return drawn(settings, kept_courses(kept.empty() ? trained_line("norm.txt") : std::string_view(kept)));
}

constexpr auto tries = std::to_array<Try>({
    {"What is learned: both norms end within a tenth of a nat of each other.", "show=loss",
     [](auto& now, auto&) {
       return std::abs(column(now, "loss", "LayerNorm").back() - column(now, "loss", "RMSNorm").back()) < 0.1;
     }},
    {"Time: whole steps with LayerNorm and with RMSNorm differ by less than a tenth.", "show=time",
     [](auto& now, auto&) {
       return between(0.9, at(now, "times", "half below", "LayerNorm / RMSNorm"), 1.1);
     }},
    {"RMSNorm has half of the numbers: gains and no biases.", "norm=rms",
     [](auto& now, auto&) { return now.worked.find("320") != std::string::npos; }},
});

}  // namespace

extern const Study study{
    .id = "norm/training",
    .title = "Trained with either norm",
    .topic = "Normalisation",
    .summary = "LayerNorm and RMSNorm in one small model: the loss by step, and the time of a step",
    .formula =
        R"(\mathrm{LN}(x) = g \odot \frac{x - \bar x}{\sqrt{\sigma^2 + \varepsilon}} + b, \quad \mathrm{RMS}(x) = g \odot \frac{x}{\sqrt{\overline{x^2} + \varepsilon}})",
    .about =
        "Two layers, 64 wide, with RoPE learn chains of eight states, from the same matrices and the same batches; only the "
        "norm differs. What is drawn of the loss is the mean of stretches of steps that grow. Times are those of whole "
        "training steps, taken in turns, as measured on the machine and the day that the results name.",
    .source = "Zhang, Sennrich 2019, arXiv 1910.07467; Ba, Kiros, Hinton 2016, arXiv 1607.06450",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_training
