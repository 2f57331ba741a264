#include "app/study/position/sinusoidal_example.h"

#include "app/study/kit.h"
#include "app/study/position/sinusoidal_settings.h"

namespace orrery::study {
namespace {

using position::SinusoidalLayout;

constexpr Index example_width = 4;
constexpr Index neighbours = 3;  // rows shown on either side

/// Its digits are right on every device.
Run exact() {
  Run run;
  run.device = DeviceChoice::ref;
  return run;
}

/// What one dimension is made of.
struct Entry {
  Index pair;
  bool sine;
  double frequency, angle, value;
};

std::array<Entry, example_width> entries_of(const WorkedExample& example) {
  position::SinusoidalParams params = example.params;
  const std::vector<double> frequencies = position::sinusoidal_frequencies(example_width, params);
  const auto p = static_cast<double>(example.position);
  params.offset = p;
  const Matrix row = twin::sinusoidal(exact(), 1, example_width, params);
  std::array<Entry, example_width> entries{};
  for (Index i = 0; i < example_width / 2; ++i) {
    const auto [s, c] = dimensions_of(i, example_width, params.layout);
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

Note written(double x, double line, std::string text, HAlign h, Ink ink, bool numbers) {
  Note note{.x = x, .y = -line, .text = std::move(text), .ink = ink};
  note.h = h;
  note.numbers = numbers;
  return note;
}

Panel computation_panel(const std::array<Entry, example_width>& entries, const WorkedExample& example) {
  constexpr Ink quiet = ink(Role::secondary), plain = ink(Role::text), loud = ink(Role::accent);
  Panel panel{.title = "$d = 4$, position " + std::to_string(example.position),
              .x = {.range = Range{-0.02, 1.02}, .visible = false},
              .y = {.range = Range{-4.6, 0.6}, .visible = false},
              .marks = {written(at_name, 0, "value", HAlign::left, quiet, false),
                        written(at_frequency, 0, "frequency $\\omega_i$", HAlign::right, quiet, false),
                        written(at_angle, 0, "angle $p\\,\\omega_i$", HAlign::right, quiet, false),
                        written(at_value, 0, "digits", HAlign::right, quiet, false)},
              .legend = LegendPlace::none};
  for (std::size_t j = 0; j < entries.size(); ++j) {
    const Entry& e = entries[j];
    const double line = number(j + 1);
    const auto write = [&](double x, std::string text, HAlign h, Ink ink, bool numbers) {
      panel.marks.emplace_back(written(x, line, std::move(text), h, ink, numbers));
    };
    write(at_name, "$y_" + std::to_string(j) + " =$", HAlign::left, plain, false);
    write(at_formula, formula_of(e, example), HAlign::left, plain, false);
    write(at_frequency, rounded_text(e.frequency, 4), HAlign::right, plain, true);
    write(at_angle, rounded_text(e.angle, 6), HAlign::right, plain, true);
    write(at_value, fixed_text(e.value, example.digits), HAlign::right, loud, true);
  }
  return panel;
}

/// The row among its neighbours, each value in its cell.
Panel rows_panel(const WorkedExample& example) {
  position::SinusoidalParams params = example.params;
  params.offset = number(std::max<Index>(0, example.position - neighbours));
  const Matrix rows = twin::sinusoidal(exact(), 2 * neighbours + 1, example_width, params);
  // Twice the range of the values: pale colours, on which words can be read.
  Heatmap map = heatmap(rows, {.map = ColorMap::diverging, .range = Range{-2, 2}, .bar = false});
  map.y = {map.y.lo + params.offset, map.y.hi + params.offset};
  Panel panel = map_panel("Among its neighbours", std::move(map), "dimension", "position $p$");
  for (Index r = 0; r < rows.rows(); ++r)
    for (Index j = 0; j < example_width; ++j) {
      Note note{.x = number(j),
                .y = params.offset + number(r),
                .text = fixed_text(rows(r, j), std::min(example.digits, 5))};
      note.numbers = true;
      panel.marks.emplace_back(std::move(note));
    }
  panel.marks.emplace_back(row_frame(number(example.position), number(example_width)));
  return panel;
}

}  // namespace

figure::Figure example_figure(const WorkedExample& example) {
  Picture picture("Four dimensions, digit by digit",
                  "Above, the four values of one row: formula, frequency, angle and digits. Below, that row "
                  "and its neighbours with the value of each cell.");
  picture.at({0, 0}, "computation", computation_panel(entries_of(example), example));
  picture.at({1, 0}, "rows", rows_panel(example));
  return std::move(picture).whole({.aspect = 1.2, .rows = {1, 1.5}});
}

Table example_table(const WorkedExample& example) {
  Table table{"worked_example",
              {{.name = "dimension"},
               {.name = "pair"},
               {.name = "frequency", .unit = "rad/token"},
               {.name = "angle", .unit = "rad"},
               {.name = "value", .digits = 12}}};
  const std::array<Entry, example_width> entries = entries_of(example);
  for (std::size_t j = 0; j < entries.size(); ++j)
    add_row(table, j, entries[j].pair, entries[j].frequency, entries[j].angle, entries[j].value);
  return table;
}

}  // namespace orrery::study
