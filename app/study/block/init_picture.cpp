#include "app/study/block/init_picture.h"

namespace orrery::study::block_init {
namespace {

std::string expected_column(const Start& start) {
  return std::string(start.name) + ", expected";
}

std::vector<double> whole_layers(const std::vector<double>& places) {
  std::vector<double> some;
  for (std::size_t k = 0; k < places.size(); k += 2) some.push_back(places[k]);
  return some;
}

constexpr std::array array_names{"query and key matrices", "value matrix",  "attention's output",
                                 "first matrix",           "second matrix", "gains"};

/// A line for each start, on a logarithmic scale.
Panel lines_panel(std::string title, const Series& by_start, Axis x) {
  Panel panel{.title = std::move(title),
              .x = std::move(x),
              .y = values(""),
              .legend = LegendPlace::none,
              .series_group = 1};
  panel.y.scale = Scale::log(10);
  for (std::size_t i = 0; i < starts.size(); ++i)
    panel.marks.push_back(by_start.line(
        starts[i].name, {.ink = series(static_cast<int>(i)), .label = std::string(starts[i].name)}));
  return panel;
}

}  // namespace

Series variance_series(const Found& found) {
  Series series("variance", {"layer", "", counted(std::ssize(found.measured[0].variance) / 2 + 1)});
  for (std::size_t i = 0; i < starts.size(); ++i)
    series.add(std::string(starts[i].name), whole_layers(found.measured[i].variance))
        .add(expected_column(starts[i]), whole_layers(found.expected[i].variance));
  return series;
}

Series gradient_series(const Found& found) {
  Series series("gradients", {"layer", "", numbered(std::ssize(found.measured[0].gradient))});
  for (std::size_t i = 0; i < starts.size(); ++i)
    series.add(std::string(starts[i].name), found.measured[i].gradient);
  return series;
}

Series array_series(const ModelStart& start) {
  Series series("arrays", {"layer", "", numbered(std::ssize(start.gradient))});
  for (std::size_t a = 0; a < array_names.size(); ++a) series.add(array_names[a], start.gradients[a]);
  return series;
}

Series depth_series(const Found& found) {
  Series series("depth", {"layers", "", found.depths});
  for (std::size_t i = 0; i < starts.size(); ++i)
    series.add(std::string(starts[i].name), found.first_gradient[i]);
  return series;
}

Panel variance_panel(const Series& variance) {
  Panel panel{.title = "Mean square of the stream",
              .x = counts("layer", Range{0, variance.x().back()}),
              .y = values(""),
              .legend = LegendPlace::above,
              .series_group = 1};
  panel.y.scale = Scale::log(10);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Ink ink = series(static_cast<int>(i));
    panel.marks.push_back(
        variance.line(expected_column(starts[i]), {.ink = ink, .label = std::string(starts[i].name)}));
    panel.marks.push_back(variance.points(starts[i].name, {.ink = ink, .radius = 1.6}));
  }
  return panel;
}

Panel array_panel(const Series& arrays, const Start& start) {
  Panel panel{.title = "Gradients by array: " + std::string(start.name),
              .x = counts("layer", Range{1, std::max(2.0, arrays.x().back())}),
              .y = values(""),
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  for (std::size_t a = 0; a < array_names.size(); ++a)
    panel.marks.push_back(
        arrays.line(array_names[a], {.ink = series(static_cast<int>(a)), .label = array_names[a]}));
  return panel;
}

Panel loss_panel(const Table& losses) {
  const auto places = counted(std::ssize(starts));
  const std::vector<double>&measured = losses.columns[1].values, &expected = losses.columns[2].values;
  const double even = losses.columns[3].values.front();
  Panel panel{.title = "Loss before the first step",
              .x = {.range = cells(number(starts.size()))},
              .y = values("nat"),
              .marks = {level(even, {.text = "$\\ln V$"}),
                        Points{.x = places,
                               .y = expected,
                               .ink = ink(Role::secondary),
                               .radius = 4,
                               .symbol = Symbol::ring,
                               .label = "expected",
                               .symbol_by_series = false},
                        Points{.x = places, .y = measured, .ink = series(0), .label = "measured"}},
              .legend = LegendPlace::above};
  for (const Start& start : starts) panel.x.names.emplace_back(start.name);
  const double most_of_all = std::max({largest(measured), largest(expected), even});
  const double least_of_all = std::min({least(measured), least(expected), even});
  const double margin = std::max(0.1 * (most_of_all - least_of_all), 0.02 * even);
  panel.y.range = Range{least_of_all - margin, most_of_all + margin};
  return panel;
}

Panel gradient_panel(const Series& gradients) {
  return lines_panel("Gradient of each layer", gradients,
                     counts("layer", Range{1, std::max(2.0, gradients.x().back())}));
}

Panel depth_panel(const Series& depth) {
  return lines_panel("Gradient of the first layer, by depth", depth, octaves("layers $N$"));
}

}  // namespace orrery::study::block_init
