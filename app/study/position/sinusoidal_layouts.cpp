#include "app/study/position/sinusoidal_layouts.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/study/position/sinusoidal_picture.h"
#include "app/study/position/sinusoidal_settings.h"

namespace orrery::study {
namespace {

using position::SinusoidalLayout;
using position::SinusoidalParams;
using tensor::Index;

struct Layout {
  const char* title;
  SinusoidalLayout layout;
  double first;
};
constexpr std::array<Layout, 3> layouts{{{"paper", SinusoidalLayout::paper, 0},
                                         {"tensor2tensor", SinusoidalLayout::tensor2tensor, 0},
                                         {"fairseq, from 2", SinusoidalLayout::fairseq, fairseq_first}}};

std::vector<double> frequencies_of(Index width, double base, SinusoidalLayout layout) {
  return position::sinusoidal_frequencies(width, {.base = base, .layout = layout});
}

figure::Panel map_panel(const Run& run, Index length, Index width, double base, const Layout& layout) {
  run.check();
  figure::Panel panel =
      sinusoidal_picture(run, length, width, {.base = base, .layout = layout.layout, .offset = layout.first});
  auto& map = std::get<figure::Heatmap>(panel.marks[0]);
  map.colors.group = 1;
  panel.title = layout.title;
  panel.x.label = "row";
  panel.y.group = 1;
  if (layout.layout != SinusoidalLayout::paper) panel.y.label.clear();
  return panel;
}

/// tensor2tensor divides the exponent by d/2 − 1, so that its last wave is 2π b tokens long and not a little less.
figure::Panel speed_panel(Index width, double base) {
  const std::vector<double> paper = frequencies_of(width, base, SinusoidalLayout::paper),
                            other = frequencies_of(width, base, SinusoidalLayout::tensor2tensor);
  figure::Line line{.ink = figure::series(0), .dash_by_series = false};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    line.x.push_back(static_cast<double>(i));
    line.y.push_back(other[i] / paper[i]);
  }
  figure::Panel panel;
  panel.title = "Frequency over the paper's";
  panel.x = {.label = "pair $i$", .ticks = figure::TickHint::integers};
  panel.y = {.grid = true};
  panel.legend = figure::LegendPlace::none;
  panel.marks = {std::move(line), figure::Rule{.direction = figure::Direction::horizontal,
                                               .at = 1,
                                               .ink = {figure::Role::secondary, 0, 1},
                                               .dash = figure::Dash::dotted}};
  return panel;
}

}  // namespace

figure::Figure layouts_figure(const Run& run, Index length, Index width, double base) {
  figure::Figure figure;
  figure.title = "One idea, three tables";
  figure.description =
      "The tables of the paper, of tensor2tensor and of fairseq: sines and cosines side by side, or all "
      "sines above "
      "all cosines, or those from the third row on. Below, the ratio of the frequencies, 1 for the first "
      "pair and "
      "smaller towards the last.";
  int column = 0;
  for (const Layout& layout : layouts) {
    figure.panels.push_back(map_panel(run, length, width, base, layout));
    figure.panels.back().cell = {0, column++};
  }
  figure.panels.push_back(speed_panel(width, base));
  figure.panels.back().cell = {1, 0, 1, 3};
  figure.row_weights = {1.4, 1};
  figure.col_weights = {1, 1, 1};
  figure.aspect = 1.25;
  return figure;
}

figure::Table layouts_table(Index width, double base) {
  figure::Table table{"layouts",
                      {{.name = "dimension"},
                       {.name = "paper: pair"},
                       {.name = "paper: cosine"},
                       {.name = "paper: frequency", .unit = "rad/token"},
                       {.name = "tensor2tensor: pair"},
                       {.name = "tensor2tensor: cosine"},
                       {.name = "tensor2tensor: frequency", .unit = "rad/token"}}};
  const auto rows = static_cast<std::size_t>(width);
  for (figure::Column& column : table.columns) column.values.resize(rows);
  for (std::size_t j = 0; j < rows; ++j) table.columns[0].values[j] = static_cast<double>(j);
  std::size_t at = 1;
  for (const SinusoidalLayout layout : {SinusoidalLayout::paper, SinusoidalLayout::tensor2tensor}) {
    const std::vector<double> frequencies = frequencies_of(width, base, layout);
    for (Index i = 0; i < width / 2; ++i) {
      const auto [sine, cosine] = dimensions_of(i, width, layout);
      for (const Index j : {sine, cosine}) {
        const auto row = static_cast<std::size_t>(j);
        table.columns[at].values[row] = static_cast<double>(i);
        table.columns[at + 1].values[row] = j == cosine;
        table.columns[at + 2].values[row] = frequencies[static_cast<std::size_t>(i)];
      }
    }
    at += 3;
  }
  return table;
}

}  // namespace orrery::study
