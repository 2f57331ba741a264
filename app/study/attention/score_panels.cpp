#include "app/study/attention/score_panels.h"

#include "app/study/attention/weights_entropy.h"
#include "app/study/kit/words.h"

namespace orrery::study::attention_scores {
namespace {

constexpr Index shown_components = 16;  // of the outputs

bool seen(const Attention& a, Index m, Index n) {
  return std::isfinite(a.masked(m, n));
}

/// Weights that the mask made 0 are shown as masked, not as a small weight.
Matrix seen_weights(const Attention& a) {
  return a.masked.array().isInf().select(a.masked, a.weights);
}

/// Scores before the mask and behind it have one range, and so one bar.
ColorScale score_colors(const Attention& a) {
  const double largest = a.free.cwiseAbs().maxCoeff();
  return {.map = ColorMap::diverging, .range = Range{-largest, largest}, .group = 1};
}

ColorScale diverging(const Matrix& values) {
  const double largest = values.cwiseAbs().maxCoeff();
  return {.map = ColorMap::diverging, .range = Range{-largest, largest}};
}

/// The first rows have few keys to share their weight among, and would leave the others in the dark: the
/// colours end at the largest weight of the later rows, and the bar says so.
ColorScale weight_colors(const Matrix& weights) {
  const double later = weights.bottomRows(weights.rows() - weights.rows() / 4).maxCoeff();
  const double most = weights.maxCoeff();
  // A little more would only be a bar that ends at a number that looks like the largest.
  if (later > 0.8 * most) return {.range = Range{0, most}, .label = "weight"};
  return {.range = Range{0, later}, .label = "weight, clipped at " + short_text(later, 2)};
}

/// A cell in the frame of its row.
figure::Shape cell_frame(Index query, Index key) {
  const double x = number(key), y = number(query);
  return {.x = {x - 0.5, x + 0.5, x + 0.5, x - 0.5},
          .y = {y - 0.5, y - 0.5, y + 0.5, y + 0.5},
          .fill = {},
          .edge = ink(Role::accent),
          .width = 2.4};
}

Panel matrix_panel(std::string title, const Matrix& matrix, ColorScale colors, const Attention& a,
                   const Framed& framed) {
  Heatmap map = heatmap(matrix, std::move(colors));
  map.decimals = 1;
  const bool words = !a.content.words.empty();
  Panel panel = square_map_panel(std::move(title), std::move(map), words ? "key" : "key $n$",
                                 words ? "query" : "query $m$");
  name_by_words(panel.x, a);
  name_by_words(panel.y, a);
  panel.marks.emplace_back(row_frame(number(framed.query), number(matrix.cols())));
  if (framed.key) panel.marks.emplace_back(cell_frame(framed.query, *framed.key));
  return panel;
}

/// Scores above, weights below.
figure::Figure stacked(Picture picture, std::string_view above, Panel scores, std::string_view below,
                       Panel weights) {
  picture.at({0, 0}, std::string(above), std::move(scores))
      .at({1, 0}, std::string(below), std::move(weights));
  return std::move(picture).whole({.aspect = 1.3, .rows = {1.15, 1}, .cols = {1}});
}

Axis weight_axis(const std::vector<double>& weights) {
  return values("weight", Range{0, 1.08 * std::max(most(weights), 1e-6)});
}

}  // namespace

void name_by_words(Axis& axis, const Attention& a) {
  axis.names = as_typed(a.content.words);
  axis.typed_names = true;
}

Series framed_row(const Attention& a, Index query) {
  Series row("framed_row", {"key", "", counted(a.products.cols())});
  row.add({.name = "dot product", .digits = 6}, [&](double n) { return a.products(query, Index(n)); });
  row.add({.name = "score", .digits = 6}, [&](double n) {
    return seen(a, query, Index(n)) ? a.masked(query, Index(n)) : a.free(query, Index(n));
  });
  row.add("seen", [&](double n) { return seen(a, query, Index(n)) ? 1.0 : 0.0; });
  return row.add({.name = "weight", .digits = 6}, [&](double n) { return a.weights(query, Index(n)); });
}

Series score_rows(const Attention& a) {
  const Index keys = a.weights.cols();
  const auto count = [&](double query) {
    double sum = 0;
    for (Index n = 0; n < keys; ++n) sum += seen(a, Index(query), n);
    return sum;
  };
  Series series("rows", {"query", "tokens", counted(a.weights.rows())});
  series.add("keys seen", count);
  series.add({.name = "entropy", .unit = "nat", .digits = 5},
             [&](double m) { return weights_entropy(row_of(a.weights, Index(m))); });
  series.add({.name = "entropy if even", .unit = "nat", .digits = 5},
             [&](double m) { return std::log(count(m)); });
  series.add({.name = "largest weight", .digits = 5},
             [&](double m) { return a.weights.row(Index(m)).maxCoeff(); });
  return series;
}

Series score_offsets(const Attention& a) {
  const Index length = a.free.rows();
  bool ahead = false;  // somebody sees a key behind its query
  for (Index m = 0; m + 1 < length; ++m) ahead = ahead || seen(a, m, m + 1);
  std::vector<double> offsets, pairs, mean, least, largest, weight;
  for (Index r = ahead ? 1 - length : 0; r < length; ++r) {
    double sum = 0, low = a.free(std::max<Index>(r, 0), std::max<Index>(-r, 0)), high = low, shared = 0;
    const Index count = length - std::abs(r);
    for (Index i = 0; i < count; ++i) {
      const Index m = i + std::max<Index>(r, 0), n = i + std::max<Index>(-r, 0);
      sum += a.free(m, n);
      shared += a.weights(m, n);
      low = std::min(low, a.free(m, n));
      high = std::max(high, a.free(m, n));
    }
    offsets.push_back(number(r));
    pairs.push_back(number(count));
    mean.push_back(sum / number(count));
    least.push_back(low);
    largest.push_back(high);
    weight.push_back(shared / number(count));
  }
  Series by_offset("offsets", {"offset", "tokens", std::move(offsets)});
  by_offset.add("pairs of tokens", std::move(pairs)).add("mean score", std::move(mean));
  return by_offset.add("least score", std::move(least))
      .add("largest score", std::move(largest))
      .add("mean weight", std::move(weight));
}

Table outputs_table(const Attention& a) {
  Table table{"outputs", {{.name = "query", .values = counted(a.outputs.rows())}}};
  for (Index j = 0; j < std::min(shown_components, a.outputs.cols()); ++j)
    table.columns.push_back(
        {.name = "component " + std::to_string(j), .values = row_of(a.outputs.transpose(), j), .digits = 6});
  return table;
}

Panel products_panel(const Attention& a, const Framed& framed) {
  return matrix_panel("Products $Q K^T$", a.products, diverging(a.products), a, framed);
}

Panel scores_panel(const Attention& a, const Framed& framed) {
  return matrix_panel("Scores before the mask", a.free, score_colors(a), a, framed);
}

Panel masked_panel(const Attention& a, const Framed& framed) {
  const bool masks = a.masked.array().isInf().any();
  return matrix_panel(masks ? "Scores, masked" : "Scores, none masked", a.masked, score_colors(a), a, framed);
}

Panel weights_panel(const Attention& a, const Framed& framed) {
  return matrix_panel("Weights", seen_weights(a), weight_colors(a.weights), a, framed);
}

Panel outputs_panel(const Attention& a, const Framed& framed) {
  const Matrix first = a.outputs.leftCols(std::min(shown_components, a.outputs.cols()));
  Heatmap map = heatmap(first, diverging(first));
  map.decimals = 1;
  const bool drawn = a.content.from && !a.content.from->files.v;
  Panel panel = map_panel(drawn ? "Outputs $A V$, values by chance" : "Outputs $A V$", std::move(map),
                          "component", a.content.words.empty() ? "query $m$" : "query");
  name_by_words(panel.y, a);
  panel.marks.emplace_back(row_frame(number(framed.query), number(first.cols())));
  return panel;
}

Panel entropy_panel(const Series& rows, const Framed& framed) {
  const double here = rows["entropy"][static_cast<std::size_t>(framed.query)];
  return {.title = "Entropy by row",
          .x = counts("query $m$"),
          .y = values("nat"),
          .marks = {rows.line("entropy if even",
                              {.ink = ink(Role::secondary), .dash = Dash::dotted, .label = "all keys alike"}),
                    rows.line("entropy", {.label = "these weights"}),
                    Points{.x = {number(framed.query)},
                           .y = {here},
                           .ink = ink(Role::accent),
                           .radius = 2.4,
                           .reading = {.name = "the framed row"}}}};
}

figure::Figure row_figure(std::string title, const Attention& a, const Series& row,
                          std::optional<double> sink) {
  const bool words = !a.content.words.empty();
  const Range keys = cells(number(row.size()));
  Panel scores{.title = "Scores of the framed query",
               .x = counts(words ? "key" : "key $n$", keys),
               .y = values("score"),
               .legend = LegendPlace::above};
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < row.size(); ++n)
    if (row["seen"][n] > 0) places.push_back(n);
  const Series kept = row.rows(places);
  if (kept.size() < row.size())
    scores.marks.push_back(
        row.line("score", {.ink = ink(Role::secondary), .dash = Dash::dotted, .label = "before the mask"}));
  scores.marks.push_back(kept.line("score", {.label = "score"}));
  scores.marks.push_back(kept.points("score", {.radius = 2, .within = 0.3, .reading = {.none = true}}));
  if (sink) scores.marks.push_back(quiet_level(*sink, "sink"));
  Panel weights{.title = "Weights of the framed query",
                .x = counts(words ? "key" : "key $n$", keys),
                .y = weight_axis(row["weight"]),
                .marks = {row.bars("weight", {.width = 0.7, .ink = series(0)})},
                .legend = LegendPlace::none};
  for (Panel* each : {&scores, &weights}) name_by_words(each->x, a);
  return stacked(
      {std::move(title),
       "One query's scores over its keys as a curve, before the mask and behind it; below, a bar for "
       "the weight of each key."},
      "scores of the row", std::move(scores), "weights of the row", std::move(weights));
}

figure::Figure offset_figure(std::string title, const Series& offsets) {
  Panel scores{
      .title = "Score by offset",
      .x = counts("offset $m - n$"),
      .y = values("score"),
      .marks = {offsets.band("least score", "largest score", {.ink = series(0), .label = "least to largest"}),
                offsets.line("mean score", {.label = "mean"})},
      .legend = LegendPlace::above};
  Panel weights{.title = "Mean weight by offset",
                .x = counts("offset $m - n$"),
                .y = weight_axis(offsets["mean weight"]),
                .marks = {offsets.line("mean weight", {.label = "mean"})},
                .legend = LegendPlace::none};
  return stacked(
      {std::move(title),
       "Scores before the mask by how far the key stands before its query: their mean in the range from "
       "the least to the largest; below, the mean weight of such pairs."},
      "scores by offset", std::move(scores), "weights by offset", std::move(weights));
}

}  // namespace orrery::study::attention_scores
