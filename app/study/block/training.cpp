// Post-LN and Pre-LN with a warm-up and without: the loss, and how far each step moves the weights.
#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "app/study/training/courses.h"
#include "core/bench/benchmark.h"
#include "core/training/placement_trial.h"

namespace orrery::study::block_training {
namespace {

using training::placement_kinds;
using training::PlacementKind;
using training::PlacementTrial;

constexpr auto parameters = std::to_array<Parameter>({
    choice("kind", "Model", "post|post_warm|pre_warm|pre", "whose first step is worked out"),
    toggle("retrain", "Retrain", "off",
           "on: here and now, a minute or two; off: what is kept, or came with the program",
           {.measures = true}),
    whole("layers", "Layers", "12", {1, 24}, "of each model, 32 wide", {.only_when = "retrain=on"}),
    real("rate", "Rate", "0.001", {1e-5, 0.1}, "η: after the warm-up, or from the first step on",
         {.travel = Travel::log, .only_when = "retrain=on"}),
    whole("warm_up", "Warm-up", "100", {2, 5000}, "steps in which the rate rises on a line",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    whole("steps", "Steps", "400", {2, 10000}, "of each training",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    whole("seeds", "Seeds", "1", {1, 10}, "trainings of each", {.only_when = "retrain=on"}),
    text("results", "Results", "", {0, 40000},
         "what was trained, as the recipe of a trained figure keeps it; empty: what came with the program",
         {.presentation = true}),
    show_parameter("all|loss|updates"),
});

constexpr std::size_t settings_kept = 3;

PlacementTrial trial_of(const Courses& courses) {
  return {.layers = static_cast<tensor::Index>(courses.settings[0]),
          .rate = courses.settings[1],
          .steps = courses.steps,
          .warm_up = courses.settings[2],
          .seed = courses.runs.front().seed};
}

std::vector<std::string_view> keys() {
  std::vector<std::string_view> all;
  for (const PlacementKind& kind : placement_kinds()) all.push_back(kind.key);
  return all;
}

Courses kept_courses(std::string_view text) {
  Courses courses = courses_in(text, keys(), settings_kept, 0);
  const bool possible = courses.settings[0] >= 1 && courses.settings[0] <= 24 && courses.settings[1] > 0 &&
                        courses.settings[1] <= 1 && courses.settings[2] >= 1;
  if (!possible) refuse_results(text.substr(0, text.find("; measured")));
  return courses;
}

Series series_of(const char* name, const char* unit, const Courses& courses,
                 std::vector<double> TrainedCourse::*of) {
  Series all(name, {"step", "", courses.places()});
  for (const PlacementKind& kind : placement_kinds())
    all.add(
        figure::Column{.name = std::string(kind.name), .unit = unit, .values = courses.mean(kind.key, of)});
  return all;
}

/// One colour for a placement, dashed without a warm-up.
Panel curves(std::string title, figure::Axis y, const Courses& courses, const Series& all, bool legend) {
  Panel panel{.title = std::move(title),
              .x = {.label = "training step"},
              .y = std::move(y),
              .legend = legend ? LegendPlace::best : LegendPlace::none,
              .series_group = 1};
  panel.x.scale = Scale::log();
  panel.x.range = Range{1, number(courses.steps)};
  panel.marks.emplace_back(
      Rule{.at = courses.settings[2], .ink = ink(Role::accent), .dash = Dash::dotted, .text = "warm-up"});
  for (const PlacementKind& kind : placement_kinds())
    panel.marks.push_back(
        all.line(kind.name, {.ink = series(kind.placement == transformer::Placement::post ? 1 : 0),
                             .width = 1.2,
                             .dash = kind.warm_up ? Dash::solid : Dash::dashed,
                             .label = std::string(kind.name),
                             .dash_by_series = false}));
  return panel;
}

double last_loss(const Courses& courses, const PlacementKind& kind) {
  return courses.mean(kind.key, &TrainedCourse::loss).back();
}

std::string title_of(const Courses& courses) {
  const auto at_end = [&](const PlacementKind& kind) { return last_loss(courses, kind); };
  const PlacementKind& best = *std::ranges::min_element(placement_kinds(), {}, at_end);
  const PlacementKind& worst = *std::ranges::max_element(placement_kinds(), {}, at_end);
  return "After " + grouped(number(courses.steps)) + " steps the loss is least with " +
         std::string(best.name) + ", " + fixed_text(at_end(best), 2) + " nat, and largest with " +
         std::string(worst.name) + ", " + fixed_text(at_end(worst), 2);
}

/// The first step of a training: what Adam moves, and what it can move at most.
struct FirstStep {
  double parameters = 0, length = 0, rate = 0;
  double most() const { return rate * std::sqrt(parameters) / length; }
};

FirstStep first_step_of(const Courses& courses, const PlacementKind& kind) {
  const training::Plan plan = training::placement_plan(trial_of(courses), kind);
  const transformer::Transformer<float> model(plan.settings.model);
  double square = 0;
  const auto values = transformer::initial_values(model, plan.settings.start, plan.settings.seed);
  for (const float x : values) square += static_cast<double>(x) * static_cast<double>(x);
  return {number(values.size()), std::sqrt(square), training::learning_rate(plan.settings.schedule, 1)};
}

const PlacementKind& kind_of(const Settings& settings) {
  return *std::ranges::find(placement_kinds(), settings.choice("kind"), &PlacementKind::key);
}

/// The first direction of Adam has no component longer than 1 (adam_w.h: largest_direction).
Check first_step_is_short(const Courses& courses, const PlacementKind& kind) {
  const double most = first_step_of(courses, kind).most();
  Worst over;
  for (const TrainedCourse& run : courses.runs)
    if (run.key == kind.key && run.seed == courses.runs.front().seed) over.meet(run.moved.front() / most);
  // Weights and their change are floats, and five digits are kept.
  constexpr double roundings = 1e-4;
  return {"the first update is no longer than Adam allows: its length over $\\eta \\sqrt{P}$", over,
          1 + roundings};
}

/// By the definition of the warm-up its first update is shorter by as much as its rate.
Check warm_up_shortens(const Courses& courses, const PlacementKind& kind) {
  const auto first = [&](bool warm_up) {
    const PlacementKind& own = *std::ranges::find_if(placement_kinds(), [&](const PlacementKind& other) {
      return other.placement == kind.placement && other.warm_up == warm_up;
    });
    return std::ranges::find(courses.runs, own.key, &TrainedCourse::key)->moved.front();
  };
  const double off = std::abs(first(true) * courses.settings[2] / first(false) - 1);
  // Two lengths of five digits; and weights of about 1, which move by the rate over the warm-up, are rounded to 2^-24 of
  // themselves on the way.
  constexpr double digits = 1e-4;
  const double rounding = 0x1p-23 * courses.settings[2] / courses.settings[1];
  return {"a warm-up makes the first update shorter by the number of its steps", off, digits + rounding};
}

std::string worked_of(const Settings& settings, const Courses& courses) {
  const PlacementKind& kind = kind_of(settings);
  const FirstStep first = first_step_of(courses, kind);
  Worked worked;
  if (kind.warm_up) worked.add("\\eta_1", worked::frac(courses.settings[1], courses.settings[2]), first.rate);
  worked.add("\\frac{|\\Delta w|}{|w|} \\le \\frac{\\eta_1 \\sqrt{P}}{|w|}",
             worked::frac(term(first.rate) * worked::sqrt(first.parameters), first.length), first.most());
  return worked.tex();
}

StudyResult drawn(const Settings& settings, const Courses& courses) {
  const Series losses = series_of("loss", "nat", courses, &TrainedCourse::loss),
               moved = series_of("updates", "", courses, &TrainedCourse::moved);
  figure::Axis lengths = values(R"($|\Delta w| / |w|$)");
  lengths.scale = Scale::log();
  Picture picture(
      title_of(courses),
      "The loss of four small models by the step, and how far each step moves the weights as a share of "
      "their length: the norm behind each sum or before each part, with a warm-up or without.");
  picture.at({0, 0}, "loss", curves("Loss", values("loss / nat"), courses, losses, true));
  picture.at({0, 1}, "updates",
             curves("Length of each update", lengths, courses, moved, settings.choice("show") == "updates"));
  return {std::move(picture).figure(settings, {.aspect = 1.6, .cols = {1, 1}, .aspect_alone = 1.5}),
          {losses.table(), moved.table()},
          {first_step_is_short(courses, kind_of(settings)), warm_up_shortens(courses, kind_of(settings))},
          worked_of(settings, courses)};
}

Courses trained_now(const Settings& settings, const Run& run) {
  Courses courses;
  courses.where = plain(bench::machine()) + ", " + today();
  courses.steps = settings.integer("steps");
  courses.settings = {settings.real("layers"), settings.real("rate"), settings.real("warm_up")};
  const auto seeds = settings.integer("seeds");
  const double all = number(seeds) * number(placement_kinds().size());
  double done = 0;
  for (std::int64_t seed = 1; seed <= seeds; ++seed)
    for (const PlacementKind& kind : placement_kinds()) {
      const PlacementTrial trial{settings.integer("layers"), settings.real("rate"), courses.steps,
                                 settings.real("warm_up"), static_cast<std::uint64_t>(seed)};
      const training::Trained trained =
          training::train(training::placement_plan(trial, kind), training::kept_folder(),
                          [&](double share) { run.progress((done + share) / all); });
      courses.runs.push_back(course_of(std::string(kind.key), trial.seed, trained));
      ++done;
    }
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
  return drawn(settings, kept_courses(kept.empty() ? trained_line("placement.txt") : std::string_view(kept)));
}

constexpr auto tries = std::to_array<Try>({
    {"Without a warm-up Post-LN learns least of all.", "show=loss kind=post",
     [](auto& now, auto&) {
       const double post = column(now, "loss", "Post-LN without warm-up").back();
       return post > column(now, "loss", "Post-LN with warm-up").back() &&
              post > column(now, "loss", "Pre-LN without warm-up").back() &&
              post > column(now, "loss", "Pre-LN with warm-up").back();
     }},
    {"A warm-up of 100 steps: the first update is a hundredth of what it is without.",
     "show=updates kind=pre_warm",
     [](auto& now, auto&) {
       return std::abs(column(now, "updates", "Pre-LN without warm-up").front() /
                           column(now, "updates", "Pre-LN with warm-up").front() -
                       100) < 1;
     }},
    {"Pre-LN needs no warm-up: with it and without, it ends at about the same loss.", "kind=pre",
     [](auto& now, auto&) {
       return std::abs(column(now, "loss", "Pre-LN without warm-up").back() -
                       column(now, "loss", "Pre-LN with warm-up").back()) < 0.1;
     }},
});

}  // namespace

extern const Study study{
    .id = "block/training",
    .title = "Warm-up and the norm's place",
    .topic = "Blocks",
    .summary = "small models with the norm behind or before each part, trained with a warm-up and without",
    .formula =
        R"(\text{Post: } y = N(x + F(x)) \quad \text{Pre: } y = x + F(N(x)), \quad w \leftarrow w - \eta_t \frac{\hat m}{\sqrt{\hat v} + \varepsilon})",
    .derivation =
        "Adam's first directions are $\\pm 1$ for every weight, whatever the gradient: each step is as long as the rate "
        "says.\n"
        "With the norm behind the sum, gradients near the output are large and do not shrink with depth (Xiong et al.), and a "
        "few long steps in a direction that one batch gave leave the model where nothing is learned.\n"
        "With the norm before each part the gradient is smaller by $\\sqrt{L}$, and the stream goes past every step.",
    .about =
        "Models 32 wide (those that came with the program: of twelve layers) learn chains of eight states, all of them "
        "from the same matrices and the same batches. The rate is constant after the warm-up, or from the first step on; "
        "nothing is clipped. A stretch of steps is drawn as its mean; stretches grow with the step.",
    .source = "Xiong et al. 2020, arXiv 2002.04745; Vaswani et al. 2017, arXiv 1706.03762",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_training
