#include "app/study/position/sinusoidal_example.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/study/position/sinusoidal_settings.h"
#include "app/study/tables.h"
#include "app/study/text.h"
#include "core/parameter/parameter.h"

namespace orrery::study {
namespace {

using figure::HAlign;
using figure::Ink;
using figure::Role;
using position::SinusoidalLayout;
using tensor::Index;
using twin::Matrix;

constexpr Index width = 4;
constexpr Index neighbours = 3;  // rows shown on either side

/// What one dimension is made of.
struct Entry {
  Index pair;
  bool sine;
  double frequency, angle, value;
};

std::array<Entry, width> entries_of(const Run& run, const WorkedExample& example) {
  position::SinusoidalParams params = example.params;
  const std::vector<double> frequencies = position::sinusoidal_frequencies(width, params);
  const auto p = static_cast<double>(example.position);
  params.offset = p;
  const Matrix row = twin::sinusoidal(run, 1, width, params);
  std::array<Entry, width> entries{};
  for (Index i = 0; i < width / 2; ++i) {
    const auto [s, c] = dimensions_of(i, width, params.layout);
    const double w = frequencies[static_cast<std::size_t>(i)];
    entries[static_cast<std::size_t>(s)] = {i, true, w, p * w, row(0, s)};
    entries[static_cast<std::size_t>(c)] = {i, false, w, p * w, row(0, c)};
  }
  return entries;
}

/// "\sin(3 \cdot 10000^{-2/4})": a base too long to read is b.
std::string formula_of(const Entry& entry, const WorkedExample& example) {
  std::string base = parameter::shortest(example.params.base);
  if (base.size() > 6) base = "b";
  const bool paper = example.params.layout == SinusoidalLayout::paper;
  const std::string exponent =
      paper ? std::to_string(2 * entry.pair) + "/4" : std::to_string(entry.pair) + "/1";
  return std::string("$\\") + (entry.sine ? "sin" : "cos") + "(" + std::to_string(example.position) +
         " \\cdot " + base + "^{-" + exponent + "})$";
}

/// Where the columns of the computation stand, between 0 and 1; numbers end there, formulas begin.
constexpr double at_name = 0, at_formula = 0.12, at_frequency = 0.56, at_angle = 0.76, at_value = 1;

figure::Note written(double x, double line, std::string text, HAlign h, Ink ink, bool numbers) {
  figure::Note note{.x = x, .y = -line, .text = std::move(text), .ink = ink};
  note.h = h;
  note.numbers = numbers;
  return note;
}

figure::Panel computation_panel(const std::array<Entry, width>& entries, const WorkedExample& example) {
  constexpr Ink quiet{Role::secondary, 0, 1}, plain{Role::text, 0, 1}, loud{Role::accent, 0, 1};
  figure::Panel panel;
  panel.title = "$d = 4$, position " + std::to_string(example.position);
  panel.x = {.range = figure::Range{-0.02, 1.02}, .visible = false};
  panel.y = {.range = figure::Range{-4.6, 0.6}, .visible = false};
  panel.legend = figure::LegendPlace::none;
  panel.marks = {written(at_name, 0, "value", HAlign::left, quiet, false),
                 written(at_frequency, 0, "frequency $\\omega_i$", HAlign::right, quiet, false),
                 written(at_angle, 0, "angle $p\\,\\omega_i$", HAlign::right, quiet, false),
                 written(at_value, 0, "digits", HAlign::right, quiet, false)};
  for (std::size_t j = 0; j < entries.size(); ++j) {
    const Entry& e = entries[j];
    const double line = static_cast<double>(j) + 1;
    panel.marks.emplace_back(
        written(at_name, line, "$y_" + std::to_string(j) + " =$", HAlign::left, plain, false));
    panel.marks.emplace_back(written(at_formula, line, formula_of(e, example), HAlign::left, plain, false));
    panel.marks.emplace_back(
        written(at_frequency, line, rounded_text(e.frequency, 4), HAlign::right, plain, true));
    panel.marks.emplace_back(written(at_angle, line, rounded_text(e.angle, 6), HAlign::right, plain, true));
    panel.marks.emplace_back(
        written(at_value, line, fixed_text(e.value, example.digits), HAlign::right, loud, true));
  }
  return panel;
}

/// The row among its neighbours, each value in its cell.
figure::Panel rows_panel(const Run& run, const WorkedExample& example) {
  const Index first = std::max<Index>(0, example.position - neighbours), count = 2 * neighbours + 1;
  position::SinusoidalParams params = example.params;
  params.offset = static_cast<double>(first);
  const Matrix rows = twin::sinusoidal(run, count, width, params);
  const tensor::Matrix<float> cells = rows.cast<float>();
  figure::Heatmap map;
  map.x = {-0.5, width - 0.5};
  map.y = {params.offset - 0.5, params.offset + static_cast<double>(count) - 0.5};
  // Twice the range of the values: pale colours, on which words can be read.
  map.colors = {.map = figure::ColorMap::diverging, .range = figure::Range{-2, 2}, .bar = false};
  map.grid = std::make_shared<figure::Grid>(figure::Grid{
      static_cast<int>(count), static_cast<int>(width), {cells.data(), cells.data() + cells.size()}});
  figure::Panel panel;
  panel.title = "Among its neighbours";
  panel.x = {.label = "dimension", .range = map.x, .ticks = figure::TickHint::integers};
  panel.y = {.label = "position $p$", .range = map.y, .ticks = figure::TickHint::integers, .reversed = true};
  panel.frame = true;
  panel.marks.emplace_back(std::move(map));
  for (Index r = 0; r < count; ++r)
    for (Index j = 0; j < width; ++j) {
      figure::Note note{.x = static_cast<double>(j),
                        .y = static_cast<double>(first + r),
                        .text = fixed_text(rows(r, j), std::min(example.digits, 5))};
      note.numbers = true;
      panel.marks.emplace_back(std::move(note));
    }
  const auto p = static_cast<double>(example.position);
  panel.marks.emplace_back(figure::Shape{.x = {-0.5, width - 0.5, width - 0.5, -0.5},
                                         .y = {p - 0.5, p - 0.5, p + 0.5, p + 0.5},
                                         .fill = {},
                                         .edge = Ink{Role::accent, 0, 1},
                                         .width = 1.4});
  return panel;
}

}  // namespace

figure::Figure example_figure(const Run& run, const WorkedExample& example) {
  figure::Figure figure;
  figure.title = "Four dimensions, digit by digit";
  figure.description =
      "Above, the four values of one row: formula, frequency, angle and digits. Below, that row and its "
      "neighbours "
      "with the value of each cell.";
  figure.panels = {computation_panel(entries_of(run, example), example), rows_panel(run, example)};
  figure.panels[1].cell = {1, 0};
  figure.row_weights = {1, 1.5};
  figure.aspect = 1.2;
  return figure;
}

figure::Table example_table(const Run& run, const WorkedExample& example) {
  figure::Table table{"worked_example",
                      {{.name = "dimension"},
                       {.name = "pair"},
                       {.name = "frequency", .unit = "rad/token"},
                       {.name = "angle", .unit = "rad"},
                       {.name = "value", .digits = 12}}};
  const std::array<Entry, width> entries = entries_of(run, example);
  for (std::size_t j = 0; j < entries.size(); ++j) {
    const Entry& e = entries[j];
    const double row[] = {static_cast<double>(j), static_cast<double>(e.pair), e.frequency, e.angle, e.value};
    add_row(table, row);
  }
  return table;
}

}  // namespace orrery::study
