// Which numbers of a batch share one mean: BatchNorm's, InstanceNorm's, GroupNorm's, LayerNorm's and RMSNorm's. What the
// size of the batch does to a sample, and what BatchNorm keeps for evaluation.
#include "app/study/kit.h"
#include "app/study/norm/averaged_cubes.h"
#include "app/study/norm/axes_measured.h"

namespace orrery::study::norm_axes {
namespace {

constexpr double unmoved = 1e-3;  // what moves by less counts as the same

constexpr auto parameters = std::to_array<Parameter>({
    whole("batch", "Batch", "5", {1, 16}, "B: samples that are normalised together", {.plays = true}),
    whole("positions", "Positions", "3", {1, 8}, "T: of each sample"),
    whole("features", "Features", "8", {2, 16}, "D: of each position"),
    whole("groups", "Groups", "2", {1, 16},
          "G: parts of the features for GroupNorm; fewer where so many do not divide them"),
    real("feature_offset", "Features apart", "1", {0, 5}, "the deviation of the features' own means"),
    real("feature_scale", "Features unlike", "0.5", {0, 1},
         "how unlike in size features are: 0 for all alike"),
    real("sample_offset", "Samples apart", "1", {0, 5},
         "the deviation of what is added to all numbers of a sample"),
    real("eps", "Epsilon", "1e-5", {1e-12, 1}, "added to the variance, and to the mean square",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    real("momentum", "Momentum", "0.1", {0.001, 1},
         "m: what a new batch counts for in the running statistics", {.travel = Travel::log}),
    whole("steps", "Training steps", "60", {10, 200}, "batches that BatchNorm has seen", {.unit = "batches"}),
    seed_parameter("another one gives other samples"),
    within({-60, -5}, azimuth_parameter("-32")),
    within({5, 60}, elevation_parameter("24")),
    show_parameter("all|cubes|batch|evaluation|running"),
});

BatchShape shape_of(const Settings& settings) {
  BatchShape shape{settings.integer("batch"), settings.integer("positions"), settings.integer("features"),
                   std::min(settings.integer("groups"), settings.integer("features"))};
  while (shape.features % shape.groups != 0) --shape.groups;
  return shape;
}

Ink ink_of(Averaging norm) {
  constexpr std::array colors{3, 4, 2, 0, 1};  // as in the other studies of norms
  return series(colors[static_cast<std::size_t>(norm)]);
}

Asked asked_of(const Settings& settings) {
  return {shape_of(settings), Samples(settings), settings.real("eps"), settings.real("momentum"),
          settings.integer("steps")};
}

Table norms_table(const Run& run, const Asked& asked, const Growth& growth) {
  Table table{"norms",
              {{.name = "norm"},
               {.name = "a mean goes over"},
               {.name = "numbers in a mean"},
               {.name = "means in a batch"},
               {.name = "kept for evaluation"},
               {.name = "other samples matter"},
               {.name = "moved by the batch"},
               {.name = "other positions matter"},
               {.name = "moved by other positions"}}};
  const auto yes_or_no = [](double moved) {
    return Called{moved > unmoved ? "yes" : "no", moved > unmoved ? 1.0 : 0.0};
  };
  const Cells whole{asked.shape.samples, asked.shape.positions, asked.shape.features};
  for (const Averaging norm : averagings) {
    const Index in_set = count_of(set_of(norm, asked.shape));
    const double by_batch = growth.moved[static_cast<std::size_t>(norm)],
                 by_positions = moved_by_positions(run, norm, asked);
    add_row(table, Called{name_of(norm), number(static_cast<int>(norm))}, axes_of(norm), in_set,
            count_of(whole) / in_set, norm == Averaging::batch ? 2 * asked.shape.features : 0,
            yes_or_no(by_batch), by_batch, yes_or_no(by_positions), by_positions);
  }
  return table;
}

/// What the numbers of a set have in common; of a single one a norm leaves nothing, or RMSNorm its sign.
std::string shared_text(Averaging norm, double count) {
  if (norm == Averaging::rms)
    return count == 1 ? "1 square: gives its sign" : amount(count, "square", "squares");
  return count == 1 ? "1 number: gives 0" : amount(count, "number", "numbers");
}

Panel cubes_panel(const Settings& settings, const BatchShape& shape) {
  std::vector<AveragedCube> cubes;
  for (const Averaging norm : averagings) {
    const Cells set = set_of(norm, shape);
    std::string shared = shared_text(norm, number(count_of(set)));
    // Fewer than were asked for, as so many do not divide the features: that is not left to be counted.
    if (norm == Averaging::group && shape.groups != settings.integer("groups"))
      shared += ", $G = " + std::to_string(shape.groups) + "$";
    cubes.push_back({name_of(norm), std::move(shared), set, ink_of(norm)});
  }
  return averaged_cubes_panel(view_of(settings), {shape.samples, shape.positions, shape.features}, cubes);
}

Panel batch_panel(const Settings& settings, const Growth& growth) {
  constexpr std::array dashes{Dash::solid, Dash::long_dash, Dash::dotted, Dash::dashed, Dash::dash_dot};
  Panel panel{.title = "One number as the batch grows",
              .x = octaves("batch size"),
              .y = values("normalised value"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(Rule{.at = number(settings.integer("batch")), .text = "$B$"});
  for (const Averaging norm : averagings)
    panel.marks.emplace_back(
        growth.values.line(name_of(norm), {.ink = ink_of(norm),
                                           .width = norm == Averaging::batch ? 1.8 : 1.0,
                                           .dash = dashes[static_cast<std::size_t>(norm)],
                                           .label = name_of(norm),
                                           .dash_by_series = false}));
  return panel;
}

/// What the running statistics are to come to, dotted; on the way there they begin at 0 and 1.
figure::Figure running_figure(const Asked& asked, const Training& training) {
  Panel panel{.x = counts("training step"), .y = values("statistic"), .legend = LegendPlace::above};
  panel.marks.emplace_back(quiet_level(asked.samples.mean(followed)));
  panel.marks.emplace_back(quiet_level(kept_variance(asked)));
  panel.marks.emplace_back(training.kept.line("running mean", {.ink = series(0), .label = "running mean"}));
  panel.marks.emplace_back(training.kept.line(
      "running variance", {.ink = series(1), .dash = Dash::dashed, .label = "running variance"}));
  const auto said = [&](const char* column) { return short_text(training.kept[column].back(), 2); };
  return {.title = "After " + grouped(number(asked.steps)) + " batches BatchNorm keeps a mean of " +
                   said("running mean") + " and a variance of " + said("running variance"),
          .description = "The running mean and the running variance of one feature, batch after batch.",
          .panels = {std::move(panel)}};
}

Panel evaluation_panel(const Asked& asked, const Training& training) {
  Panel panel{.title = "One number in training and in evaluation",
              .x = counts("training step"),
              .y = values("normalised value"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(quiet_level(evaluated_at_last(asked)));
  panel.marks.emplace_back(training.outputs.points(
      "in training",
      {.ink = {Role::series, 3, 0.6}, .radius = 1.3, .label = "in training", .symbol_by_series = false}));
  panel.marks.emplace_back(training.outputs.line(
      "in evaluation", {.ink = ink(Role::text), .width = 1.3, .label = "in evaluation"}));
  return panel;
}

std::string title_of(const Growth& growth) {
  const std::vector<double>& y = growth.values[name_of(Averaging::batch)];
  return "As the batch grows, BatchNorm takes the same number from " + short_text(y.front(), 2) + " to " +
         short_text(y.back(), 2) + "; the other norms leave it";
}

std::string worked_of(const Asked& asked, const Training& training) {
  const double m = asked.momentum, T = number(asked.shape.positions);
  const auto &mean = training.kept["running mean"], &variance = training.kept["running variance"];
  const double x = asked.samples.feature_from(0, 1, followed)(followed, 0);
  const double first = mean[1] / m;  // of the first batch: the average began at 0
  return Worked()
      .add("n_{\\mathrm{BatchNorm}}", term(number(asked.shape.samples)) * T, number(asked.shape.samples) * T)
      .add("n_{\\mathrm{GroupNorm}}",
           term(T) * frac(term(number(asked.shape.features)), number(asked.shape.groups)),
           T * number(asked.shape.features / asked.shape.groups))
      .add("\\hat\\mu", (term(1) - m) * 0 + term(m) * first, m * first)
      .add("\\hat y", frac(term(x) - mean.back(), sqrt(term(variance.back()) + asked.eps)),
           (x - mean.back()) / std::sqrt(variance.back() + asked.eps))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const Growth growth = growth_of(run, asked);
  const Training training = training_of(run, asked);
  Picture picture(
      title_of(growth),
      "A batch as a cube of samples, positions and features, and the same cube for five norms, each parted "
      "into the sets of numbers that share one mean, with one set filled. Below, one number of a sample after "
      "each norm as the batch grows; and the number after BatchNorm in training and, by what is kept of the "
      "batches, in evaluation.");
  picture.at({0, 0, 1, 2}, "cubes", cubes_panel(settings, asked.shape))
      .at({1, 0}, "batch", batch_panel(settings, growth))
      .at({1, 1}, "evaluation", evaluation_panel(asked, training))
      .instead("running", [&] { return running_figure(asked, training); });
  return {.figure = std::move(picture).figure(settings, {.aspect = 0.95,
                                                         .rows = {1.7, 1},
                                                         .cols = {1.1, 1},
                                                         .aspect_alone = 1.6,
                                                         .telling = {"cubes", "batch", "evaluation"}}),
          .tables = {norms_table(run, asked, growth), growth.values.table(), training.kept.table(),
                     training.outputs.table()},
          .checks = checks_of(run, asked, growth, training),
          .worked = worked_of(asked, training)};
}

constexpr auto tries = std::to_array<Try>({
    {"A batch of one sample: BatchNorm averages what InstanceNorm does, and the number in training never changes.",
     "batch=1",
     [](auto& now, auto&) {
       return at(now, "norms", "numbers in a mean", "BatchNorm") ==
                  at(now, "norms", "numbers in a mean", "InstanceNorm") &&
              least(column(now, "outputs", "in training")) == most(column(now, "outputs", "in training"));
     }},
    {"One group: GroupNorm averages a whole sample, positions and features, as LayerNorm does with images.",
     "groups=1",
     [](auto& now, auto&) {
       return at(now, "norms", "numbers in a mean", "GroupNorm") == 24 &&
              at(now, "norms", "means in a batch", "GroupNorm") == 5;
     }},
    {"One sample of one position: BatchNorm, too, has one number in a mean; PyTorch refuses to train so.",
     "batch=1 positions=1",
     [](auto& now, auto&) {
       return at(now, "norms", "numbers in a mean", "BatchNorm") == 1 &&
              most(column(now, "outputs", "in training")) == 0 &&
              least(column(now, "outputs", "in training")) == 0;
     }},
    {"One position, as of a single word: InstanceNorm has one number in a mean, and leaves nothing of it.",
     "positions=1",
     [](auto& now, auto&) {
       return at(now, "norms", "numbers in a mean", "InstanceNorm") == 1 &&
              most(column(now, "by_batch", "InstanceNorm")) == 0 &&
              least(column(now, "by_batch", "InstanceNorm")) == 0;
     }},
    {"Momentum 0.01: after 60 batches the running variance is still on its way.", "momentum=0.01",
     [](auto& now, auto& before) {
       const auto &slow = column(now, "running", "running variance"),
                  &fast = column(before, "running", "running variance");
       return std::abs(slow.back() - 1) < 0.6 * std::abs(fast.back() - 1);
     }},
    {"Samples far apart: a small batch tells BatchNorm little of them, and its number jumps from batch to batch.",
     "sample_offset=4 batch=2",
     [](auto& now, auto& before) {
       const auto range = [](auto& of) {
         return most(column(of, "outputs", "in training")) - least(column(of, "outputs", "in training"));
       };
       return range(now) > range(before);
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/axes",
    .title = "What a norm averages",
    .topic = "Normalisation",
    .summary = "samples, positions, features: which numbers share one mean",
    .formula =
        R"(\mu_S = \frac{1}{|S|} \sum_{i \in S} x_i, \quad y_i = \frac{x_i - \mu_S}{\sqrt{\sigma_S^2 + \epsilon}}, \; i \in S; \qquad \hat\mu \leftarrow (1 - m)\,\hat\mu + m\,\mu_B)",
    .about =
        "Norms differ in the set S of numbers that share one mean and one deviation; RMSNorm takes no mean off, and shares a root mean square. "
        "BatchNorm's reaches over all samples of the batch, so a sample's result depends on the others, and "
        "evaluation needs running averages in the place of the batch. InstanceNorm and GroupNorm stay in a sample "
        "but mix its positions, later ones with earlier ones. LayerNorm and RMSNorm take one token: the same in "
        "training, in evaluation, and while a text is written.",
    .source = "Ioffe, Szegedy 2015, algorithms 1 and 2; Ba, Kiros, Hinton 2016; Wu, He 2018, figure 2",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_axes
