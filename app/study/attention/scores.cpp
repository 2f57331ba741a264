// Attention scores step by step: the products, the mask, the weights, and how many keys a query really looks
// at.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "app/study/twin.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using attention::Mask;
using attention::ScoresParams;
using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::RopeLayout;
using position::RopeTable;
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
     .travel = Travel::powers_of_two,
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
     .help = "d: components of a query and of a key"},
    {.name = "content",
     .label = "Content",
     .kind = Kind::choice,
     .fallback = "random",
     .choices = "random|alike",
     .help = "queries and keys of independent normal numbers, or one vector for all"},
    {.name = "seed",
     .label = "Seed",
     .kind = Kind::integer,
     .fallback = "1",
     .min = 0,
     .max = 1000000,
     .help = "another one gives other vectors"},
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
     .help = "of RoPE's frequencies"},
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
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "of the sliding mask: how many keys, the query's own among them"},
    {.name = "show",
     .label = "Show",
     .kind = Kind::choice,
     .fallback = "all",
     .choices = parts,
     .help = "everything, or one part alone for a column of text"},
});

Mask mask_of(const Settings& settings) {
  const std::string& name = settings.choice("mask");
  if (name == "none") return {};
  if (name == "causal") return {.kind = Mask::Kind::causal};
  return {.kind = Mask::Kind::sliding, .window = settings.integer("window")};
}

double scale_of(const Settings& settings) {
  return settings.toggle("scaled") ? 1 / std::sqrt(static_cast<double>(settings.integer("head_width"))) : 1;
}

/// cos and sin of the positions 0, 1, 2 …
RopeTable positions_table(const Settings& settings) {
  std::vector<double> positions;
  for (Index m = 0; m < settings.integer("length"); ++m) positions.push_back(static_cast<double>(m));
  return position::rope_table(
      positions, position::rope_default_frequencies(settings.integer("head_width"), settings.real("base")));
}

struct Vectors {
  Matrix q, k;
};

/// Before any rotation. Alike: the same vector for all queries and keys, so that only positions make a
/// difference.
Vectors content_of(const Settings& settings) {
  const Index length = settings.integer("length"), width = settings.integer("head_width");
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  if (settings.choice("content") == "alike") {
    const Matrix all = twin::rounded(tensor::Random(seed).normals(1, width)).replicate(length, 1);
    return {all, all};
  }
  return {twin::rounded(tensor::Random(seed, 0).normals(length, width)),
          twin::rounded(tensor::Random(seed, 1).normals(length, width))};
}

Vectors turned(const Run& run, const Vectors& content, const RopeTable& table) {
  return {twin::rope(run, content.q, table, RopeLayout::half),
          twin::rope(run, content.k, table, RopeLayout::half)};
}

struct Attention {
  Vectors vectors;  // as they meet: turned when RoPE is on
  Matrix free, masked, weights;
};

Attention attend(const Settings& settings, const Run& run) {
  Attention a;
  a.vectors = content_of(settings);
  if (settings.toggle("rope")) a.vectors = turned(run, a.vectors, positions_table(settings));
  run.progress(0.2);
  const double scale = scale_of(settings);
  a.free = twin::scores(run, a.vectors.q, a.vectors.k, {.scale = scale, .mask = {}});
  run.progress(0.4);
  a.masked = twin::scores(run, a.vectors.q, a.vectors.k, {.scale = scale, .mask = mask_of(settings)});
  a.weights = twin::softmax(run, a.masked, {.temperature = settings.real("temperature")});
  run.progress(0.6);
  return a;
}

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
    for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].values.push_back(row[c]);
  }
  return table;
}

figure::Table matrix_table(std::string name, const Matrix& matrix) {
  figure::Table table{std::move(name), {}};
  for (Index n = 0; n < matrix.cols(); ++n) {
    figure::Column column{.name = "key " + std::to_string(n)};
    for (Index m = 0; m < matrix.rows(); ++m) column.values.push_back(matrix(m, n));
    table.columns.push_back(std::move(column));
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

/// One vector for all, turned by RoPE: a score may depend on m − n only.
Check offset_check(const Settings& settings, const Run& run) {
  const Index length = settings.integer("length"), width = settings.integer("head_width");
  const Matrix one = twin::rounded(tensor::Random(7).normals(1, width));
  const Matrix all = one.replicate(length, 1);
  const Vectors v = turned(run, {all, all}, positions_table(settings));
  run.check();
  const double scale = scale_of(settings);
  const Matrix s = twin::scores(run, v.q, v.k, {.scale = scale, .mask = {}});
  double worst = 0;
  for (Index m = 1; m < length; ++m)
    for (Index n = 1; n < length; ++n) {
      const double along = n <= m ? s(m - n, 0) : s(0, n - m);
      worst = std::max(worst, std::abs(s(m, n) - along));
    }
  // A turned vector is off by 4 u of its length (two products, a sum, a rounded cos and sin), so a score by 8
  // u |q||k|, and by what the products add; two scores differ.
  const double d = static_cast<double>(width), u = twin::unit_roundoff(run);
  double products = attention::scores_bound(width).rel;
  if (run.device == DeviceChoice::ref) products = d * u;
  if (run.device == DeviceChoice::gpu) products = attention::scores_gpu_bound(width);
  const double bound = 2 * (8 * u + products) * scale * one.squaredNorm();
  return {"RoPE: the score of equal vectors depends on $m - n$ only", worst, bound};
}

Check named(const std::string& name, Check check) {
  check.statement = name + ": " + check.statement;
  return check;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Attention& a) {
  const Mask mask = mask_of(settings);
  const double length = static_cast<double>(settings.integer("length"));
  double forbidden = 0;
  for (Index m = 0; m < a.weights.rows(); ++m)
    for (Index n = 0; n < a.weights.cols(); ++n)
      if (!mask.allows(m, n, a.weights.rows(), a.weights.cols()))
        forbidden = std::max(forbidden, a.weights(m, n));

  const twin::Bounds softmax{attention::softmax_bound, attention::softmax_gpu_bound};
  const tensor::Bound& own = run.device == DeviceChoice::gpu ? softmax.gpu : softmax.cpu;
  // Each weight may be off by rel of itself, so their sum by rel of 1; double loses 2^-53 per term.
  const double sum_bound =
      run.device == DeviceChoice::ref ? length * 0x1p-52 : own.rel + length * (own.abs + 0x1p-52);

  const Index width = settings.integer("head_width");
  const double scale = scale_of(settings);
  // On the graphics processor a score may be off by a part of the sum of its terms' sizes: the largest of
  // those sums.
  const Vectors met{twin::rounded(a.vectors.q), twin::rounded(a.vectors.k)};
  const double terms = scale * (met.q.cwiseAbs() * met.k.cwiseAbs().transpose()).maxCoeff();
  const twin::Bounds scores{attention::scores_bound(width),
                            {.abs = attention::scores_gpu_bound(width) * terms}};
  const ScoresParams params{.scale = scale, .mask = mask};
  const Matrix rounded_scores = twin::rounded(a.masked);

  std::vector<Check> checks{
      {"every row of weights sums to 1", (a.weights.rowwise().sum().array() - 1).abs().maxCoeff(), sum_bound},
      {"what is masked has weight 0", forbidden, 0},
      offset_check(settings, run),
      named("scores",
            twin::equals_reference(
                run, scores, [&](const Run& each) { return twin::scores(each, met.q, met.k, params); })),
      named("softmax", twin::equals_reference(run, softmax,
                                              [&](const Run& each) {
                                                return twin::softmax(
                                                    each, rounded_scores,
                                                    {.temperature = settings.real("temperature")});
                                              })),
  };
  return checks;
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
  result.tables = {std::move(rows), matrix_table("scores", a.free), matrix_table("weights", a.weights)};
  result.checks = checks_of(settings, run, a);
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
