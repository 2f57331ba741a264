// LayerNorm or RMSNorm of a few typed numbers, written out as on a board.
#include "app/study/kit.h"
#include "app/study/norm/hand_norm.h"
#include "core/tensor/error.h"

namespace orrery::study::norm_steps {
namespace {

constexpr std::size_t most_numbers = 8;

constexpr auto parameters = std::to_array<Parameter>({
    choice("norm", "Norm", "layer_norm|rms_norm", "LayerNorm takes the mean away first, RMSNorm does not"),
    numbers("vector", "Vector", "1,2,3,4", {-1000, 1000}, "x: the numbers of one token, up to eight"),
    real("eps", "Epsilon", "1e-6", {0, 1}, "ε, added below the root; without it the roots are exact",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    numbers("gain", "Gain", "1", {-100, 100},
            "γ, one for each number of the vector; where they end, the last goes on"),
    numbers("bias", "Bias", "0", {-100, 100},
            "β, one for each number of the vector; where they end, the last goes on",
            {.only_when = "norm=layer_norm"}),
    whole("component", "Component", "1", {1, 8},
          "the one followed in the accent colour; a number past the last means the last"),
    whole("digits", "Digits", "6", {2, 10}, "after the point; fewer where many numbers share a line",
          {.presentation = true}),
    show_parameter("all|steps|path"),
});

Typed typed_in(const Settings& settings) {
  const std::vector<double>& x = settings.vector("vector");
  if (x.empty() || x.size() > most_numbers)
    throw InvalidArgument(about(Subject::Kind::parameter, "vector")
                              .found(std::to_string(x.size()))
                              .fault("it has {} numbers", std::to_string(x.size()))
                              .allowed("{} to {}", 1, most_numbers));
  const bool layer = settings.choice("norm") == "layer_norm";
  const auto drawn_out = [&](std::vector<double> given) {
    given.resize(x.size(), given.empty() ? 0.0 : given.back());
    return given;
  };
  return {.layer = layer,
          .x = x,
          .gain = drawn_out(settings.vector("gain")),
          .bias = layer ? drawn_out(settings.vector("bias")) : std::vector<double>(x.size(), 0.0),
          .eps = settings.real("eps"),
          .marked = std::min(static_cast<std::size_t>(settings.integer("component")), x.size()) - 1,
          .digits = static_cast<int>(settings.integer("digits"))};
}

/// The vector after each step on a line of its own; the one that is followed in the accent colour.
Panel path_panel(const Typed& typed, const HandNorm& hand) {
  struct Stage {
    const char* name;
    const std::vector<double>& values;
  };
  std::vector<Stage> stages{{"$x$", typed.x}};
  if (typed.layer) stages.push_back({"$x - \\mu$", hand.centred});
  if (hand.defined) {
    stages.push_back({"$\\hat{x}$", hand.normed});
    stages.push_back({"$y$", hand.y});
  }
  double least = 0, most = 0;
  for (const Stage& stage : stages)
    for (const double at : stage.values) least = std::min(least, at), most = std::max(most, at);
  const double margin = std::max(0.03 * (most - least), 1e-9);
  Panel panel{.title = "Where each number goes",
              .x = {.label = "value", .range = Range{least - margin, most + margin}, .grid = true},
              .y = {.range = Range{-0.4, number(stages.size()) - 0.6}, .reversed = true},
              .legend = LegendPlace::none};
  for (const Stage& stage : stages) panel.y.names.emplace_back(stage.name);
  const auto path = [&](std::size_t j) {
    const bool marked = j == typed.marked;
    Line line{.ink = marked ? ink(Role::accent) : ink(Role::outline),
              .width = marked ? 1.4 : 0.8,
              .dash_by_series = false,
              .reading = {.none = true}};
    Points points{.ink = marked ? ink(Role::accent) : series(0),
                  .radius = marked ? 2.4 : 1.9,
                  .symbol_by_series = false};
    for (std::size_t s = 0; s < stages.size(); ++s) {
      line.x.push_back(stages[s].values[j]);
      line.y.push_back(number(s));
    }
    points.x = line.x;
    points.y = line.y;
    points.reading = {.name = "component " + std::to_string(j + 1), .value = points.x};
    panel.marks.emplace_back(std::move(line));
    panel.marks.emplace_back(std::move(points));
  };
  for (std::size_t j = 0; j < typed.x.size(); ++j)
    if (j != typed.marked) path(j);
  path(typed.marked);
  return panel;
}

Table component_table(const Typed& typed, const HandNorm& hand) {
  Table table{"components",
              {{.name = "component", .values = numbered(std::ssize(typed.x))},
               {.name = "$x$", .values = typed.x, .digits = 12}}};
  const auto add = [&](const char* name, const std::vector<double>& values) {
    table.columns.push_back({.name = name, .values = values, .digits = 12});
  };
  if (typed.layer) add("$x - \\mu$", hand.centred);
  add("squared", hand.squared);
  if (hand.defined) add("normalised", hand.normed);
  add("$\\gamma$", typed.gain);
  if (typed.layer) add("$\\beta$", typed.bias);
  if (hand.defined) add("$y$", hand.y);
  return table;
}

Table statistics_table(const Typed& typed, const HandNorm& hand) {
  Table table{"statistics",
              {{.name = "D"},
               {.name = "mean", .digits = 12},
               {.name = "mean square", .digits = 12},
               {.name = "root", .digits = 12}}};
  add_row(table, typed.x.size(), hand.mean, hand.mean_square, hand.root);
  return table;
}

std::string title_of(const Typed& typed, const HandNorm& hand) {
  const std::string norm = typed.layer ? "LayerNorm" : "RMSNorm";
  if (!hand.defined) return norm + " by hand: without ε this vector has 0 above 0";
  return norm + " by hand: " + grouped(typed.x[typed.marked]) + " becomes " +
         short_text(hand.y[typed.marked], 4);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Typed typed = typed_in(settings);
  const HandNorm hand = norm_by_hand(typed);
  const std::vector<BoardLine> lines = board_lines(typed, hand);
  const Panel board = board_panel({.title = typed.layer ? "LayerNorm, line by line" : "RMSNorm, line by line",
                                   .columns = typed.x.size(),
                                   .marked = static_cast<int>(typed.marked),
                                   .cells_from = 0.16,
                                   .cells_to = 0.86},
                                  lines);
  Picture picture(
      title_of(typed, hand),
      "Above, the steps from the vector to its norm, a line each, with the shape of what is on it. Below, "
      "where each number of the vector stands after each step.");
  picture.at({0, 0}, "steps", board);
  picture.at({1, 0}, "path", path_panel(typed, hand));
  return {
      .figure = std::move(picture).figure(
          settings, {.aspect = 1.15, .rows = {0.2 * board_height(lines), 1}, .telling = {"steps", "path"}}),
      .tables = {component_table(typed, hand), statistics_table(typed, hand)},
      .checks = hand_checks(run, typed, hand),
      .worked = worked_text(typed, hand)};
}

constexpr auto tries = std::to_array<Try>({
    {"RMSNorm of the same: 1 becomes 0.365 and 4 becomes 1.461; nothing is centred.", "norm=rms_norm",
     [](auto& now, auto&) {
       const auto& y = column(now, "components", "$y$");
       return std::abs(y.front() - 0.365) < 0.0005 && std::abs(y.back() - 1.461) < 0.0005;
     }},
    {"Without ε the board has roots: the first number is −3 over √5.", "eps=0",
     [](auto& now, auto&) {
       return std::abs(column(now, "components", "$y$").front() + 3 / std::sqrt(5)) < 1e-15;
     }},
    {"Equal numbers: LayerNorm leaves nothing of them.", "vector=5,5,5,5",
     [](auto& now, auto&) { return largest(column(now, "components", "$y$")) == 0; }},
    {"An ε as large as the variance: all results shrink by √2.", "vector=1,3 eps=1",
     [](auto& now, auto&) {
       return std::abs(column(now, "components", "$y$").back() - std::sqrt(0.5)) < 1e-15;
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/steps",
    .title = "Norms by hand",
    .topic = "Normalisation",
    .summary = "LayerNorm or RMSNorm of a few numbers, a line for each step",
    .formula =
        R"(\hat{x} = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}, \quad y = \gamma \hat{x} + \beta; \qquad \text{RMS:} \quad y = \gamma \frac{x}{\sqrt{\overline{x^2} + \epsilon}})",
    .derivation =
        "The deviations $x - \\mu$ add up to 0, so the mean of $\\hat{x}$ is 0.\n"
        "Their mean square is $\\sigma^2$ by "
        "definition, so that of $\\hat{x}$ is $\\sigma^2 / (\\sigma^2 + \\epsilon)$, 1 but for $\\epsilon$.\n"
        "With $c x$ in "
        "the place of $x$, $\\mu$ and $\\sigma$ grow by $c$ as well, and $\\hat{x}$ stays.\n"
        "Where $\\mu = 0$, $\\sigma^2$ "
        "is the mean square: LayerNorm and RMSNorm are then the same.",
    .about =
        "Type the numbers of one token. Each line is a step, exact as long as fractions and roots can say it, then in "
        "digits that are right. Beside it stands the shape that the step has in a program: statistics keep an axis of "
        "length 1, so that they are spread over the numbers again.",
    .source = "Ba et al. 2016, arXiv 1607.06450, eq. 4; Zhang, Sennrich 2019, arXiv 1910.07467, eq. 4",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_steps
