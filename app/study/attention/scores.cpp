// Attention scores step by step: the products, the mask, the weights, and how many keys a query really looks
// at.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/study/attention/attend.h"
#include "app/study/attention/score_checks.h"
#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/studies.h"
#include "app/study/tables.h"

namespace orrery::study {
namespace {

using attention::Mask;
using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|scores|masked|weights|entropy";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "length",
     .label = "Length",
     .kind = Kind::integer,
     .fallback = "24",
     .min = 2,
     .max = 512,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "queries and keys"},
    {.name = "head_width",
     .label = "Head width",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 2,
     .max = 256,
     .travel = Travel::powers_of_two,
     .multiple = 2,
     .help = "d: components of a query and of a key",
     .model_fact = "head_dim"},
    {.name = "content",
     .label = "Content",
     .kind = Kind::choice,
     .fallback = "random",
     .choices = "random|alike",
     .help = "queries and keys of independent normal numbers, or one vector for all"},
    seed_parameter("another one gives other vectors"),
    {.name = "rope",
     .label = "RoPE",
     .kind = Kind::toggle,
     .fallback = "on",
     .help = "turn queries and keys"},
    {.name = "base",
     .label = "Base",
     .kind = Kind::real,
     .fallback = "10000",
     .min = 2,
     .max = 1e9,
     .travel = Travel::log,
     .help = "of RoPE's frequencies",
     .only_when = "rope=on",
     .model_fact = "rope_theta"},
    {.name = "scaled",
     .label = "Divide by √d",
     .kind = Kind::toggle,
     .fallback = "on",
     .help = "without it the scores of wide heads are large, and one key takes all"},
    {.name = "temperature",
     .label = "Temperature",
     .kind = Kind::real,
     .fallback = "1",
     .min = 0.05,
     .max = 20,
     .travel = Travel::log,
     .help = "of the softmax: low is sharp, high is even"},
    {.name = "mask",
     .label = "Mask",
     .kind = Kind::choice,
     .fallback = "causal",
     .choices = "none|causal|sliding",
     .help = "which keys a query may see"},
    {.name = "window",
     .label = "Window",
     .kind = Kind::integer,
     .fallback = "8",
     .min = 1,
     .max = 512,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "of the sliding mask: how many keys, the query's own among them",
     .only_when = "mask=sliding",
     .model_fact = "sliding_window"},
    show_parameter(parts),
});

figure::Panel map_panel(const Matrix& values, std::string title, figure::ColorScale colors) {
  const int rows = static_cast<int>(values.rows()), cols = static_cast<int>(values.cols());
  const tensor::Matrix<float> cells = values.cast<float>();
  figure::Heatmap map;
  map.x = {-0.5, cols - 0.5};
  map.y = {-0.5, rows - 0.5};
  map.grid =
      std::make_shared<figure::Grid>(figure::Grid{rows, cols, {cells.data(), cells.data() + cells.size()}});
  map.colors = std::move(colors);
  figure::Panel panel;
  panel.title = std::move(title);
  panel.x = {.label = "key $n$", .range = map.x, .ticks = figure::TickHint::integers};
  panel.y = {.label = "query $m$", .range = map.y, .ticks = figure::TickHint::integers, .reversed = true};
  panel.equal_aspect = true;
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

/// Weights that the mask made 0 are shown as masked, not as a small weight.
Matrix seen_weights(const Matrix& weights, const Mask& mask) {
  Matrix seen = weights;
  for (Index m = 0; m < seen.rows(); ++m)
    for (Index n = 0; n < seen.cols(); ++n)
      if (!mask.allows(m, n, seen.rows(), seen.cols())) seen(m, n) = -std::numeric_limits<double>::infinity();
  return seen;
}

/// The first rows have few keys to share their weight among, and would leave the others in the dark: the
/// colours end at the largest weight of the later rows, and the bar says so.
figure::ColorScale weight_colors(const Matrix& weights) {
  const double later = weights.bottomRows(weights.rows() - weights.rows() / 4).maxCoeff();
  const bool clipped = weights.maxCoeff() > later;
  return {.map = figure::ColorMap::viridis,
          .range = figure::Range{0, later},
          .label = clipped ? "weight, clipped" : "weight"};
}

double entropy(const Matrix& weights, Index row) {
  double sum = 0;
  for (Index n = 0; n < weights.cols(); ++n)
    if (const double p = weights(row, n); p > 0) sum -= p * std::log(p);
  return sum;
}

figure::Table row_table(const Attention& a, const Mask& mask) {
  figure::Table table{"rows",
                      {{.name = "query", .unit = "tokens"},
                       {.name = "keys seen"},
                       {.name = "entropy", .unit = "nat", .digits = 5},
                       {.name = "entropy if even", .unit = "nat", .digits = 5},
                       {.name = "largest weight", .digits = 5}}};
  for (Index m = 0; m < a.weights.rows(); ++m) {
    int seen = 0;
    for (Index n = 0; n < a.weights.cols(); ++n)
      seen += mask.allows(m, n, a.weights.rows(), a.weights.cols());
    const std::array row{static_cast<double>(m), static_cast<double>(seen), entropy(a.weights, m),
                         std::log(seen), a.weights.row(m).maxCoeff()};
    add_row(table, row);
  }
  return table;
}

figure::Panel entropy_panel(const figure::Table& rows) {
  figure::Panel panel;
  panel.title = "Entropy by row";
  panel.x = {.label = "query $m$", .ticks = figure::TickHint::integers};
  panel.y = {.label = "nat", .grid = true};
  panel.legend = figure::LegendPlace::best;
  panel.marks = {figure::Line{.x = rows.columns[0].values,
                              .y = rows.columns[3].values,
                              .ink = {figure::Role::secondary, 0, 1},
                              .dash = figure::Dash::dotted,
                              .label = "all keys alike",
                              .dash_by_series = false},
                 figure::Line{.x = rows.columns[0].values,
                              .y = rows.columns[2].values,
                              .ink = figure::series(0),
                              .label = "these weights"}};
  return panel;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Attention a = attend(settings, run);
  const Mask mask = mask_of(settings);
  figure::Table rows = row_table(a, mask);
  const double largest = a.free.cwiseAbs().maxCoeff();
  const figure::ColorScale score_colors{.map = figure::ColorMap::diverging,
                                        .range = figure::Range{-largest, largest}};

  StudyResult result;
  figure::Figure& figure = result.figure;
  figure.title = "From products to weights: scores, mask, softmax";
  figure.description =
      "Three maps of query against key: the scores, the scores with masked cells left blank, and the weights "
      "after the "
      "softmax; beside them the entropy of every row of weights.";
  figure.panels = {
      map_panel(a.free, "Scores", score_colors), map_panel(a.masked, "Scores, masked", score_colors),
      map_panel(seen_weights(a.weights, mask), "Weights", weight_colors(a.weights)), entropy_panel(rows)};
  for (int i = 0; i < 4; ++i) figure.panels[i].cell = {i / 2, i % 2};
  figure.row_weights = {1, 1};
  figure.col_weights = {1, 1};
  figure.aspect = 1.25;
  show_only(figure, parts, settings.choice("show"));
  result.tables = {std::move(rows), key_table("scores", a.free), key_table("weights", a.weights)};
  result.checks = score_checks(settings, run, a);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"One vector everywhere: what is left is RoPE's own pattern.", "content=alike rope=on"},
    {"Do not divide by the root of d: one key takes nearly all.", "scaled=off content=random"},
    {"A sliding window: every query sees eight keys.", "mask=sliding window=8"},
});

}  // namespace

const Study attention_scores{
    .id = "attention/scores",
    .title = "Score matrices",
    .topic = "Attention",
    .summary = "from products to weights: scores, mask, softmax",
    .formula = R"(A = \mathrm{softmax}\left(\frac{Q K^T}{\sqrt{d}} + M\right))",
    .about =
        "A score is the product of a query and a key over the root of the head width; the mask forbids keys "
        "by setting "
        "scores to minus infinity; the softmax makes each row a distribution. Its entropy says how many keys "
        "share the "
        "weight.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, eq. 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
