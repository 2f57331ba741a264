// Decoding with a cache: every new token must be turned to its place in the text. What becomes of attention when a
// program forgets that.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/decoding.h"
#include "app/study/rope/source.h"
#include "app/study/studies.h"
#include "app/study/tables.h"
#include "app/study/text.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|positions|right|mistaken|last";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "prompt",
     .label = "Prompt",
     .kind = Kind::integer,
     .fallback = "40",
     .min = 1,
     .max = 512,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "read at once, at positions 0, 1, 2 …"},
    {.name = "decoded",
     .label = "Decoded",
     .kind = Kind::integer,
     .fallback = "12",
     .min = 1,
     .max = 128,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "one by one, with the keys of all before them in the cache"},
    {.name = "mistake",
     .label = "Mistake",
     .kind = Kind::choice,
     .fallback = "at_zero",
     .choices = offset_mistakes,
     .help = "decoded tokens at position 0, counted from 0, one too early, or shifted"},
    {.name = "shift",
     .label = "Shift",
     .kind = Kind::integer,
     .fallback = "5",
     .min = -512,
     .max = 512,
     .unit = "tokens",
     .help = "of shifted: padding on the left, or merged caches",
     .only_when = "mistake=shifted"},
    always_read(base_parameter),
    always_read(with_fallback(head_width_parameter, "64")),
    content_parameter("one vector for all queries and keys, so that only places count, or independent ones"),
    seed_parameter("another one gives other vectors"),
    show_parameter(parts),
});

Decoding decoding_of(const Settings& settings) {
  const Index width = settings.integer("head_width");
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  Decoding d{.prompt = settings.integer("prompt"),
             .decoded = settings.integer("decoded"),
             .base = settings.real("base"),
             .q = {},
             .k = {}};
  if (settings.choice("content") == "random") {
    d.q = twin::rounded(tensor::Random(seed, 0).normals(d.tokens(), width));
    d.k = twin::rounded(tensor::Random(seed, 1).normals(d.tokens(), width));
  } else {
    d.q = d.k = twin::rounded(tensor::Random(seed).normals(1, width)).replicate(d.tokens(), 1);
  }
  return d;
}

figure::Panel position_panel(const Decoding& d, const std::vector<double>& right,
                             const std::vector<double>& wrong) {
  figure::Panel panel;
  panel.title = "Position that each token is turned to";
  panel.x = {.label = "token", .ticks = figure::TickHint::integers};
  panel.y = {.label = "position", .grid = true};
  panel.legend = figure::LegendPlace::best;
  figure::Rule decoding{.at = static_cast<double>(d.prompt) - 0.5,
                        .to = static_cast<double>(d.tokens()) - 0.5};
  decoding.ink = {figure::Role::accent_ground, 0, 1};
  decoding.text = "decoded";
  const std::vector<double>& tokens = right;  // a token's number is its right position
  const auto points = [&](const std::vector<double>& positions, int series, double radius,
                          std::string label) {
    return figure::Points{.x = tokens,
                          .y = positions,
                          .ink = figure::series(series),
                          .radius = radius,
                          .symbol = series == 0 ? figure::Symbol::disc : figure::Symbol::square,
                          .label = std::move(label),
                          .symbol_by_series = false};
  };
  panel.marks = {decoding, points(right, 0, 1.8, "right"), points(wrong, 1, 1.2, "mistaken")};
  return panel;
}

/// Decoded queries from top to bottom, keys from left to right; keys not yet there are masked.
figure::Panel weight_panel(const Decoding& d, const Matrix& weights, double largest, std::string title) {
  const int rows = static_cast<int>(d.decoded), cols = static_cast<int>(d.tokens());
  tensor::Matrix<float> cells = weights.cast<float>();
  for (Index row = 0; row < rows; ++row)
    for (Index n = d.prompt + row + 1; n < cols; ++n) cells(row, n) = -std::numeric_limits<float>::infinity();
  const double first = static_cast<double>(d.prompt) - 0.5;
  figure::Heatmap map;
  map.x = {-0.5, cols - 0.5};
  map.y = {first, first + rows};
  map.grid =
      std::make_shared<figure::Grid>(figure::Grid{rows, cols, {cells.data(), cells.data() + cells.size()}});
  map.colors = {.map = figure::ColorMap::viridis, .range = figure::Range{0, largest}, .label = "weight"};
  map.colors.group = 1;
  figure::Panel panel;
  panel.title = std::move(title);
  panel.x = {.label = "key", .range = map.x, .ticks = figure::TickHint::integers};
  panel.y = {.label = "query", .range = map.y, .ticks = figure::TickHint::integers, .reversed = true};
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

figure::Panel last_panel(const Decoding& d, const Looks& right, const Looks& wrong,
                         const std::vector<double>& keys) {
  const Index last = d.decoded - 1;
  figure::Panel panel;
  panel.title = "Where the last query looks";
  panel.x = {.label = "key", .ticks = figure::TickHint::integers};
  panel.y = {.label = "weight", .grid = true};
  panel.legend = figure::LegendPlace::best;
  const auto line = [&](const Matrix& weights, int series, std::string label) {
    figure::Line curve{.x = keys, .ink = figure::series(series), .label = std::move(label)};
    for (Index n = 0; n < weights.cols(); ++n) curve.y.push_back(weights(last, n));
    return curve;
  };
  panel.marks = {line(right.weights, 0, "right"), line(wrong.weights, 1, "mistaken")};
  return panel;
}

figure::Table token_table(const Decoding& d, const std::vector<double>& right,
                          const std::vector<double>& wrong, const Looks& good, const Looks& bad) {
  const Index last = d.decoded - 1;
  figure::Table table{"tokens",
                      {{.name = "token", .values = right},
                       {.name = "right position", .unit = "tokens", .values = right},
                       {.name = "mistaken position", .unit = "tokens", .values = wrong},
                       {.name = "last query, score"},
                       {.name = "mistaken score"},
                       {.name = "weight"},
                       {.name = "mistaken weight"}}};
  for (Index n = 0; n < d.tokens(); ++n) {
    const std::array row{good.scores(last, n), bad.scores(last, n), good.weights(last, n),
                         bad.weights(last, n)};
    for (std::size_t c = 0; c < row.size(); ++c) table.columns[3 + c].values.push_back(row[c]);
  }
  return table;
}

/// How much of a row's weight went elsewhere: half the sum of the differences, 0 to 1.
figure::Table step_table(const Decoding& d, const Looks& good, const Looks& bad) {
  figure::Table table{
      "steps",
      {{.name = "token"}, {.name = "weight that went elsewhere"}, {.name = "largest score difference"}}};
  for (Index row = 0; row < d.decoded; ++row) {
    const Index seen = d.prompt + row + 1;
    table.columns[0].values.push_back(static_cast<double>(d.prompt + row));
    table.columns[1].values.push_back(0.5 * (good.weights.row(row) - bad.weights.row(row)).cwiseAbs().sum());
    table.columns[2].values.push_back(
        (good.scores.row(row).head(seen) - bad.scores.row(row).head(seen)).cwiseAbs().maxCoeff());
  }
  return table;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Decoding& d, const Looks& good,
                             const Looks& bad) {
  const double scale = 1 / std::sqrt(static_cast<double>(d.q.cols()));
  const double lengths = d.q.rowwise().norm().maxCoeff() * d.k.rowwise().norm().maxCoeff() * scale;
  // Two scores differ; angles up to some thousand radians are rounded by 2^-42.
  const double bound = lengths * (2 * twin::turned_score_slack(run, d.q.cols()) + 0x1p-40);
  const auto seen_difference = [&](const Matrix& a, const Matrix& b, Index from) {
    double worst = 0;
    for (Index row = 0; row < d.decoded; ++row)
      for (Index n = from; n <= d.prompt + row; ++n) worst = std::max(worst, std::abs(a(row, n) - b(row, n)));
    return worst;
  };
  std::vector<Check> checks{{"decoding token by token gives the scores of the whole text at once",
                             seen_difference(scores_step_by_step(run, d, right_positions(d)), good.scores, 0),
                             bound}};
  if (settings.choice("mistake") == "at_zero") {
    double turned = 0;  // a query at 0 is not turned: with an unturned key its score is the plain product
    for (Index row = 0; row < d.decoded; ++row)
      turned =
          std::max(turned, std::abs(bad.scores(row, 0) - scale * d.q.row(d.prompt + row).dot(d.k.row(0))));
    checks.push_back(
        {"at position 0 a query meets the first key unturned, as if it stood beside it", turned, bound});
  } else {
    checks.push_back({"a shift of all decoded tokens changes no score among them",
                      seen_difference(bad.scores, good.scores, d.prompt), bound});
  }
  double rows = 0;
  for (const Matrix* weights : {&good.weights, &bad.weights})
    rows = std::max(rows, (weights->rowwise().sum().array() - 1).abs().maxCoeff());
  const tensor::Bound& softmax =
      run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound : attention::softmax_bound;
  const auto length = static_cast<double>(d.tokens());
  // Each weight may be off by rel of itself, so their sum by rel of 1; double loses 2^-53 per term.
  const double sum_bound =
      run.device == DeviceChoice::ref ? length * 0x1p-52 : softmax.rel + length * (softmax.abs + 0x1p-52);
  checks.push_back({"every row of weights sums to 1", rows, sum_bound});
  return checks;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Decoding d = decoding_of(settings);
  const std::vector<double> right = right_positions(d);
  const std::vector<double> wrong =
      mistaken_positions(d, settings.choice("mistake"), static_cast<double>(settings.integer("shift")));
  const Looks good = looks(run, d, right), bad = looks(run, d, wrong);
  run.check();
  const double largest = std::max(good.weights.maxCoeff(), bad.weights.maxCoeff());

  StudyResult result;
  result.figure.title = "A decoded token turned to the wrong place looks at the wrong keys";
  result.figure.description =
      "The position that each token of a prompt and of the decoded text is turned to, rightly and by "
      "mistake; two "
      "maps of the attention weights of the decoded queries; and the weights of the last one.";
  result.figure.panels = {
      position_panel(d, right, wrong), weight_panel(d, good.weights, largest, "Weights, right"),
      weight_panel(d, bad.weights, largest, "Weights, mistaken"), last_panel(d, good, bad, right)};
  constexpr std::array<figure::Cell, 4> cells{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}};
  for (std::size_t i = 0; i < cells.size(); ++i) result.figure.panels[i].cell = cells[i];
  result.figure.row_weights = {1, 1};
  result.figure.col_weights = {1, 1.15};
  result.figure.aspect = 1.35;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {token_table(d, right, wrong, good, bad), step_table(d, good, bad),
                   key_table("weights_right", good.weights), key_table("weights_mistaken", bad.weights)};
  result.checks = checks_of(settings, run, d, good, bad);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Count the decoded tokens from 0 again: they see each other rightly, and the prompt from its beginning.",
     "mistake=from_zero"},
    {"Shift them by five, as merged caches did: the nearest keys seem five tokens away.",
     "mistake=shifted shift=5"},
    {"Be one position behind: a small mistake, and hardly seen.", "mistake=one_behind"},
    {"Vectors without anything in common: every weight is different, and nothing looks wrong.",
     "content=random"},
});

}  // namespace

const Study rope_cache_offset{
    .id = "rope/cache-offset",
    .title = "Cache offset",
    .topic = "Rotary positions",
    .summary = "what a decode step at the wrong position looks at",
    .formula = R"(s_{t,n} = \frac{(R_{p(t)}\, q_t)^T (R_n k_n)}{\sqrt{d}}, \quad p(t) = t)",
    .about =
        "Keys are cached after they were turned, so that a decoded token needs its own place in the text: "
        "the "
        "length of the cache. A program that turns every new token to position 0 makes it look at the "
        "beginning "
        "of the prompt. The first tokens may still come out well, since little separates small positions.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 16; ml-explore/mlx-vlm#1983 (every decoded token at 0)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
