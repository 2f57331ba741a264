#include "app/study/norm/absorbed_bias.h"

#include <algorithm>

#include "app/study/kit.h"

namespace orrery::study {
namespace {

struct TokenWords {
  const char *without, *with, *added;
};
constexpr std::array<TokenWords, 2> token_words{
    {{"first token", "first token, with the bias", "added to the first token"},
     {"second token", "second token, with the bias", "added to the second token"}}};
constexpr const char* through = "bias through the layer";

/// Both tokens stand at every output, side by side.
std::vector<double> beside(const Series& outputs, std::size_t token) {
  std::vector<double> x = outputs.x();
  for (double& each : x) each += token == 0 ? -0.16 : 0.16;
  return x;
}

/// What the bias does to each output: from the ring to the disc.
Panel tokens_panel(const Series& outputs) {
  Panel panel{.title = "Two tokens through the next layer",
              .x = counts("output", Range{-0.75, number(outputs.size()) - 0.25}),
              .y = values("$W y$, $W (y + \\beta)$"),
              .legend = LegendPlace::above};
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t t = 0; t < token_words.size(); ++t) {
    const std::vector<double> x = beside(outputs, t), &from = outputs[token_words[t].without],
                              &to = outputs[token_words[t].with];
    Line stems{.ink = ink(Role::outline), .width = 0.8, .reading = {.none = true}};
    for (std::size_t k = 0; k < x.size(); ++k) {
      stems.x.insert(stems.x.end(), {x[k], x[k], gap});
      stems.y.insert(stems.y.end(), {from[k], to[k], gap});
    }
    panel.marks.emplace_back(std::move(stems));
  }
  for (std::size_t t = 0; t < token_words.size(); ++t) {
    const auto points = [&](const char* column, Symbol symbol) {
      return Points{.x = beside(outputs, t),
                    .y = outputs[column],
                    .ink = series(static_cast<int>(t)),
                    .radius = 1.9,
                    .symbol = symbol,
                    .label = column,
                    .symbol_by_series = false};
    };
    panel.marks.emplace_back(points(token_words[t].without, Symbol::ring));
    panel.marks.emplace_back(points(token_words[t].with, Symbol::disc));
  }
  return panel;
}

Panel added_panel(const Series& outputs) {
  return {.title = "What the bias added",
          .x = counts("output", Range{-0.75, number(outputs.size()) - 0.25}),
          .y = values(""),
          .marks = {outputs.bars(through, {.ink = ink(Role::faint, 0.8), .label = "$W \\beta$"}),
                    outputs.points(token_words[0].added, {.ink = series(0),
                                                          .radius = 1.5,
                                                          .label = token_words[0].added,
                                                          .symbol_by_series = false}),
                    outputs.points(token_words[1].added, {.ink = series(1),
                                                          .radius = 2.8,
                                                          .symbol = Symbol::ring,
                                                          .label = token_words[1].added,
                                                          .symbol_by_series = false})},
          .legend = LegendPlace::above};
}

}  // namespace

AbsorbedBias absorbed_bias(const Matrix& tokens, std::uint64_t seed) {
  const Index width = tokens.cols();
  const Matrix w = tensor::Random(seed, 2).normals(width, width) / std::sqrt(number(width)),
               bias = tensor::Random(seed, 3).normals(1, width), through_w = bias * w.transpose();
  AbsorbedBias result{{"absorbed", {"output", "", counted(width)}}, 0};
  for (Index t = 0; t < tokens.rows(); ++t) {
    const Matrix y = tokens.row(t), without = y * w.transpose(), with = (y + bias) * w.transpose();
    const TokenWords& words = token_words[static_cast<std::size_t>(t)];
    result.outputs.add(words.without, row_of(without))
        .add(words.with, row_of(with))
        .add(words.added, row_of(Matrix(with - without)));
    // y + β, D products and as many sums are rounded on each side, and the difference of both.
    const double largest = (w.cwiseAbs() * (y.cwiseAbs() + bias.cwiseAbs()).transpose().eval()).maxCoeff();
    result.allowed = std::max(result.allowed, 2 * (number(width) + 3) * 0x1p-53 * largest);
  }
  result.outputs.add(through, row_of(through_w));
  return result;
}

std::vector<Check> absorbed_bias_checks(const AbsorbedBias& bias) {
  const Series& outputs = bias.outputs;
  return {
      {"a bias is absorbed: $W(y + \\beta) = W y + W \\beta$",
       largest_difference(outputs[token_words[0].added], outputs[through]), bias.allowed},
      {"it adds the same to another token",
       largest_difference(outputs[token_words[0].added], outputs[token_words[1].added]), 2 * bias.allowed}};
}

figure::Figure absorbed_bias_figure(const AbsorbedBias& bias, const std::string& norm) {
  Picture picture(
      "What a bias behind " + norm +
          " adds is the same for every token: the next layer's own bias can hold it",
      "Above, two tokens behind a linear layer, output by output: rings without the bias, discs with it. Below, "
      "what the bias added to each of the two, on bars that show the bias through the layer alone.");
  picture.at({0, 0}, "tokens", tokens_panel(bias.outputs));
  picture.at({1, 0}, "added", added_panel(bias.outputs));
  return std::move(picture).whole({.aspect = 1.3, .rows = {1.2, 1}});
}

}  // namespace orrery::study
