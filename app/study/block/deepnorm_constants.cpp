#include "app/study/block/deepnorm_constants.h"

#include <algorithm>
#include <cmath>

#include "app/study/kit/board.h"

namespace orrery::study::block_deepnorm {

Series constants_series(std::vector<double> depths) {
  const auto alone = [](double n) { return transformer::deep_norm(static_cast<Index>(n)); };
  const auto encoder = [](double n) {
    return transformer::deep_norm_encoder(static_cast<Index>(n), static_cast<Index>(n));
  };
  const auto decoder = [](double n) { return transformer::deep_norm_decoder(static_cast<Index>(n)); };
  return Series("constants", {"layers", "", std::move(depths)})
      .add("$\\alpha$, alone", [&](double n) { return alone(n).alpha; })
      .add("$\\beta$, alone", [&](double n) { return alone(n).beta; })
      .add("$\\alpha$, encoder", [&](double n) { return encoder(n).alpha; })
      .add("$\\beta$, encoder", [&](double n) { return encoder(n).beta; })
      .add("$\\alpha$, decoder", [&](double n) { return decoder(n).alpha; })
      .add("$\\beta$, decoder", [&](double n) { return decoder(n).beta; });
}

std::vector<double> told_depths(double asked) {
  std::vector<double> all{6, 12, 24, 48, 100, 1000};
  if (std::ranges::find(all, asked) == all.end()) {
    all.push_back(asked);
    std::ranges::sort(all);
  }
  return all;
}

std::vector<double> drawn_depths() {
  std::vector<double> all;
  for (int i = 0; std::round(std::exp2(i / 2.0)) <= deepest; ++i) {
    const double depth = std::round(std::exp2(i / 2.0));
    if (all.empty() || all.back() != depth) all.push_back(depth);
  }
  if (all.back() != deepest) all.push_back(deepest);
  return all;
}

Table here_table(Index layers, Index decoder_layers) {
  const transformer::DeepNorm alone = transformer::deep_norm(layers),
                              encoder = transformer::deep_norm_encoder(layers, decoder_layers),
                              decoder = transformer::deep_norm_decoder(decoder_layers);
  Table table{"here", {{.name = "model"}, {.name = "layers"}, {.name = "$\\alpha$"}, {.name = "$\\beta$"}}};
  add_row(table, "alone", layers, alone.alpha, alone.beta);
  add_row(table, "encoder", layers, encoder.alpha, encoder.beta);
  add_row(table, "decoder", decoder_layers, decoder.alpha, decoder.beta);
  return table;
}

double off_from_one(Index layers, Index decoder_layers) {
  const transformer::DeepNorm alone = transformer::deep_norm(layers),
                              decoder = transformer::deep_norm_decoder(decoder_layers);
  const auto ratio = [](const transformer::DeepNorm& of) {
    return of.beta * of.beta / (of.alpha * of.alpha);
  };
  return std::max(std::abs(4 * number(layers) * ratio(alone) - 1),
                  std::abs(6 * number(decoder_layers) * ratio(decoder) - 1));
}

double off_from_published() {
  const transformer::DeepNorm alone = transformer::deep_norm(12),
                              encoder = transformer::deep_norm_encoder(12, 6),
                              decoder = transformer::deep_norm_decoder(6);
  return std::max({std::abs(alone.alpha - 2.213363839), std::abs(alone.beta - 0.319471552),
                   std::abs(encoder.alpha - 1.686222), std::abs(encoder.beta - 0.417916),
                   std::abs(decoder.alpha - 2.059767), std::abs(decoder.beta - 0.343295)});
}

Panel constants_panel(const Series& constants, double asked) {
  Panel panel{.title = "$\\alpha$ and $\\beta$ by depth",
              .x = octaves("layers $N$, of encoder and decoder each", Range{1, deepest}),
              .y = values(),
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  constexpr std::array dashes{Dash::solid, Dash::dashed, Dash::dotted};
  int which = 0;
  for (const Column& column : constants.columns()) {
    const bool is_alpha = which % 2 == 0;
    panel.marks.emplace_back(constants.line(column.name, {.ink = series(is_alpha ? 0 : 1),
                                                          .dash = dashes[static_cast<std::size_t>(which / 2)],
                                                          .label = column.name,
                                                          .dash_by_series = false}));
    ++which;
  }
  panel.marks.emplace_back(Rule{.at = asked, .dash = Dash::dotted});
  return panel;
}

Panel constants_board(const Series& told, double asked) {
  std::vector<BoardLine> lines{{.name = "$N$",
                                .cells = {"$\\alpha$, alone", "$\\beta$, alone", "$\\alpha$, encoder",
                                          "$\\beta$, encoder", "$\\alpha$, decoder", "$\\beta$, decoder"},
                                .quiet = true}};
  for (std::size_t i = 0; i < told.size(); ++i) {
    BoardLine line{.name = grouped(told.x()[i]), .loud = told.x()[i] == asked};
    for (const Column& column : told.columns()) line.cells.push_back(fixed_text(column.values[i], 4));
    lines.push_back(std::move(line));
  }
  return board_panel(
      {.title = "A stack alone, and an encoder–decoder of $N + N$ layers", .columns = 6, .cells_from = 0.1},
      lines);
}

}  // namespace orrery::study::block_deepnorm
