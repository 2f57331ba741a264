#include "app/study/tensor_look.h"

#include <cmath>
#include <cstdio>

#include "core/file/tensor_files.h"

namespace orrery::study {
namespace {

/// Six digits, as `orrery inspect` has them.
std::string six_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  std::string shown = text;
  if (shown.starts_with('-')) shown.replace(0, 1, "−");
  return shown;
}

std::vector<TensorFact> facts_of(const file::TensorStatistics& all) {
  const tensor::Statistics& s = all.numbers;
  std::vector<TensorFact> facts;
  const auto add = [&](const Phrase& label, const std::string& value) { facts.push_back({label, value}); };
  if (s.finite() > 0) {
    add(words("minimum"), six_digits(s.min()));
    add(words("maximum"), six_digits(s.max()));
    add(words("mean"), six_digits(s.mean()));
    add(words("standard deviation"), six_digits(s.deviation()));
    add(words("Euclidean norm"), six_digits(s.norm()));
    if (!all.farthest_at.empty())
      add(words("largest absolute value"),
          six_digits(std::abs(s.farthest())) + " " + tensor::place_text(all.farthest_at));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(2, all.rows.size()); ++i)
    add(words("norm of row {}", all.rows[i].row), six_digits(all.rows[i].norm));
  if (s.zeros() > 0) add(words("zeros"), std::to_string(s.zeros()));
  if (s.nan() > 0) add(name_phrase("NaN"), std::to_string(s.nan()));
  if (s.infinite() > 0) add(words("infinite"), std::to_string(s.infinite()));
  return facts;
}

figure::Panel values_panel(const tensor::DyadicHistogram& h) {
  figure::Histogram mark;
  for (std::size_t i = 0; i <= h.counts().size(); ++i) mark.edges.push_back(h.edge(i));
  mark.heights.assign(h.counts().begin(), h.counts().end());
  figure::Panel panel;
  panel.x.label = "value";
  panel.y.label = "count";
  panel.marks.emplace_back(std::move(mark));
  panel.cell.row = 0;
  return panel;
}

figure::Panel magnitudes_panel(const std::vector<tensor::MagnitudeCount>& counts) {
  figure::Histogram mark;
  for (const tensor::MagnitudeCount& each : counts) {
    mark.edges.push_back(each.exponent);
    mark.heights.push_back(static_cast<double>(each.negative + each.positive));
  }
  mark.edges.push_back(counts.back().exponent + 1);
  figure::Panel panel;
  panel.x.label = "$\\log_2 |x|$";
  panel.x.ticks = figure::TickHint::integers;
  panel.y.label = "count";
  panel.y.scale = figure::Scale::log();
  // A count of 1 stands above the ground.
  double most = 1;
  for (const double height : mark.heights) most = std::max(most, height);
  panel.y.range = figure::Range{0.5, 2 * most};
  mark.ink = {figure::Role::series, 1, 1};
  panel.marks.emplace_back(std::move(mark));
  panel.cell.row = 1;
  return panel;
}

figure::Figure tensor_figure(const tensor::Statistics& s) {
  figure::Figure figure;
  figure.description = "how many numbers of a tensor there are at each value, and at each power of two";
  if (!s.histogram().empty()) figure.panels.push_back(values_panel(s.histogram()));
  if (const auto counts = s.magnitudes(); !counts.empty()) figure.panels.push_back(magnitudes_panel(counts));
  figure.row_weights.assign(std::max<std::size_t>(1, figure.panels.size()), 1);
  figure.aspect = 1;
  return figure;
}

}  // namespace

TensorLook look_at_tensor(const std::string& path,
                          const std::function<void(std::uint64_t, std::uint64_t)>& step) {
  const file::StoredArray array = file::open_tensor(file::tensor_path_on_disk(path));
  const file::TensorStatistics all = file::statistics_of(array, [&](std::uint64_t read) {
    if (step) step(read, array.count);
  });
  return {.facts = facts_of(all), .figure = tensor_figure(all.numbers)};
}

}  // namespace orrery::study
