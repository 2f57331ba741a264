#include "app/study/position/sinusoidal_layouts.h"

#include "app/study/kit.h"
#include "app/study/position/sinusoidal_picture.h"
#include "app/study/position/sinusoidal_settings.h"

namespace orrery::study {
namespace {

using position::SinusoidalLayout;

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

Panel layout_panel(const Run& run, Index length, Index width, double base, const Layout& layout) {
  run.check();
  Panel panel =
      sinusoidal_picture(run, length, width, {.base = base, .layout = layout.layout, .offset = layout.first});
  std::get<Heatmap>(panel.marks[0]).colors.group = 1;
  panel.title = layout.title;
  panel.x.label = "row";
  panel.y.group = 1;
  if (layout.layout != SinusoidalLayout::paper) panel.y.label.clear();
  return panel;
}

/// tensor2tensor divides the exponent by d/2 − 1, so that its last wave is 2π b tokens long and not a little less.
Panel speed_panel(Index width, double base) {
  const std::vector<double> paper = frequencies_of(width, base, SinusoidalLayout::paper),
                            other = frequencies_of(width, base, SinusoidalLayout::tensor2tensor);
  Series speeds("speeds", {"pair", "", counted(std::ssize(paper))});
  speeds.add("ratio", [&](double i) { return other[Index(i)] / paper[Index(i)]; });
  return {.title = "Frequency over the paper's",
          .x = counts("pair $i$"),
          .y = values(),
          .marks = {speeds.line("ratio", {.dash_by_series = false}), quiet_level(1)},
          .legend = LegendPlace::none};
}

}  // namespace

figure::Figure layouts_figure(const Run& run, Index length, Index width, double base) {
  Picture picture("One idea, three tables",
                  "The tables of the paper, of tensor2tensor and of fairseq: sines and cosines side by side, "
                  "or all sines above all cosines, or those from the third row on. Below, the ratio of the "
                  "frequencies, 1 for the first pair and smaller towards the last.");
  int column = 0;
  for (const Layout& layout : layouts)
    picture.at({0, column++}, layout.title, layout_panel(run, length, width, base, layout));
  picture.at({1, 0, 1, 3}, "speeds", speed_panel(width, base));
  return std::move(picture).whole({.aspect = 1.25, .rows = {1.4, 1}, .cols = {1, 1, 1}});
}

Table layouts_table(Index width, double base) {
  Series table("layouts", {"dimension", "", counted(width)});
  for (const SinusoidalLayout layout : {SinusoidalLayout::paper, SinusoidalLayout::tensor2tensor}) {
    const std::vector<double> frequencies = frequencies_of(width, base, layout);
    std::vector<double> pair(table.size()), cosine(table.size()), frequency(table.size());
    for (Index i = 0; i < width / 2; ++i) {
      const auto [at_sine, at_cosine] = dimensions_of(i, width, layout);
      pair[at_sine] = pair[at_cosine] = number(i);
      cosine[at_cosine] = 1;
      frequency[at_sine] = frequency[at_cosine] = frequencies[i];
    }
    const std::string name = layout == SinusoidalLayout::paper ? "paper: " : "tensor2tensor: ";
    table.add(name + "pair", pair).add(name + "cosine", cosine);
    table.add({name + "frequency", "rad/token", frequency});
  }
  return table.table();
}

}  // namespace orrery::study
