// LayerNorm and RMSNorm of the same vector: where they agree, and what a common mean does to that.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/study/norm/both_norms.h"
#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "app/study/twin.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;
using twin::Matrix;

constexpr double largest_mean = 5;

constexpr std::string_view parts = "all|vector|normalised|distance";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "mean",
     .label = "Common mean",
     .kind = Kind::real,
     .fallback = "0.75",
     .min = -largest_mean,
     .max = largest_mean,
     .unit = "deviations",
     .help = "the mean of all components, in standard deviations",
     .plays = true},
    {.name = "scale",
     .label = "Scale",
     .kind = Kind::real,
     .fallback = "1",
     .min = 1e-4,
     .max = 1e4,
     .travel = Travel::log,
     .help = "the standard deviation of the components"},
    {.name = "eps",
     .label = "Epsilon",
     .kind = Kind::real,
     .fallback = "1e-5",
     .min = 1e-12,
     .max = 1,
     .travel = Travel::log,
     .help = "added to the variance, or to the mean square; takes over when the scale is small",
     .model_fact = "rms_norm_eps"},
    {.name = "width",
     .label = "Width",
     .kind = Kind::integer,
     .fallback = "48",
     .min = 2,
     .max = 4096,
     .travel = Travel::log,
     .help = "D: components of the vector",
     .model_fact = "hidden_size"},
    seed_parameter("another one gives another vector"),
    show_parameter(parts),
});

constexpr Index shown_components = 64;
constexpr int curve_samples = 161;
constexpr double gap = std::numeric_limits<double>::quiet_NaN();

/// A row of mean exactly 0 and variance exactly 1, but for rounding.
Matrix standard_row(const Settings& settings) {
  Matrix z = tensor::Random(static_cast<std::uint64_t>(settings.integer("seed")))
                 .normals(1, settings.integer("width"));
  z.array() -= z.mean();
  z /= std::sqrt(z.squaredNorm() / static_cast<double>(z.cols()));
  return z;
}

std::vector<double> numbers(Index count) {
  std::vector<double> v;
  for (Index i = 0; i < count; ++i) v.push_back(static_cast<double>(i));
  return v;
}

std::vector<double> head(const Matrix& row, Index count) {
  return {row.data(), row.data() + count};
}

figure::Range component_range(Index count) {
  return {-0.75, static_cast<double>(count) - 0.25};
}

figure::Panel vector_panel(const Matrix& x) {
  const Index count = std::min(x.cols(), shown_components);
  figure::Panel panel;
  panel.title = "A vector and its mean";
  panel.x = {.range = component_range(count), .ticks = figure::TickHint::integers};
  panel.y = {.label = "$x_j$", .grid = true};
  panel.legend = figure::LegendPlace::none;
  figure::Rule mean{.direction = figure::Direction::horizontal, .at = x.mean()};
  panel.marks = {
      figure::Bars{.x = numbers(count), .height = head(x, count), .ink = {figure::Role::faint, 0, 0.8}},
      mean};
  return panel;
}

figure::Panel normed_panel(const BothNorms& y) {
  const Index count = std::min(y.layer.cols(), shown_components);
  figure::Panel panel;
  panel.title = "The same, normalised";
  panel.x = {.label = "component $j$", .range = component_range(count), .ticks = figure::TickHint::integers};
  panel.y = {.label = "$y_j$", .grid = true};
  panel.legend = figure::LegendPlace::above;
  // What became of the same component stands on one stem.
  figure::Line stems{.ink = {figure::Role::outline, 0, 1}, .width = 0.8, .dash_by_series = false};
  for (Index j = 0; j < count; ++j) {
    const auto at = static_cast<double>(j);
    stems.x.insert(stems.x.end(), {at, at, gap});
    stems.y.insert(stems.y.end(), {y.layer(0, j), y.rms(0, j), gap});
  }
  panel.marks = {std::move(stems),
                 figure::Points{.x = numbers(count),
                                .y = head(y.layer, count),
                                .ink = figure::series(0),
                                .radius = 1.8,
                                .label = "LayerNorm"},
                 figure::Points{.x = numbers(count),
                                .y = head(y.rms, count),
                                .ink = figure::series(1),
                                .radius = 1.8,
                                .symbol = figure::Symbol::ring,
                                .label = "RMSNorm"}};
  return panel;
}

/// The two norms of the same vector moved to other common means.
figure::Table distance_table(const Settings& settings, const Run& run, const Matrix& z) {
  const double scale = settings.real("scale");
  figure::Table table{"distance_by_mean", {{.name = "mean", .unit = "deviations"}, {.name = "RMS distance"}}};
  Matrix x(curve_samples, z.cols());
  for (int i = 0; i < curve_samples; ++i) {
    const double mean = largest_mean * (2.0 * i / (curve_samples - 1) - 1);
    table.columns[0].values.push_back(mean);
    x.row(i) = scale * (z.array() + mean).matrix();
  }
  run.check();
  const BothNorms y = both_norms(run, x, settings.real("eps"));
  for (int i = 0; i < curve_samples; ++i)
    table.columns[1].values.push_back(rms_distance(y.layer.row(i), y.rms.row(i)));
  return table;
}

figure::Panel distance_panel(const figure::Table& table, double mean, double here) {
  figure::Panel panel;
  panel.title = "Their distance";
  panel.x = {.label = "common mean / deviation"};
  panel.y = {.label = "RMS distance", .grid = true};
  panel.legend = figure::LegendPlace::none;
  figure::Rule right_angle{.direction = figure::Direction::horizontal,
                           .at = std::numbers::sqrt2,
                           .ink = {figure::Role::secondary, 0, 1},
                           .dash = figure::Dash::dotted,
                           .text = "$\\sqrt{2}$: at right angles"};
  panel.y.range = figure::Range{0, 1.55};
  panel.marks = {
      std::move(right_angle),
      figure::Line{.x = table.columns[0].values,
                   .y = table.columns[1].values,
                   .ink = figure::series(2),
                   .dash_by_series = false},
      figure::Points{.x = {mean}, .y = {here}, .ink = {figure::Role::accent, 0, 1}, .radius = 2.4}};
  panel.handles.push_back(
      {.x = mean, .y = here, .parameter = "mean", .hint = "drag to move the common mean"});
  return panel;
}

figure::Table component_table(const Matrix& x, const BothNorms& y) {
  const Index count = x.cols();
  return {"components",
          {{.name = "component", .values = numbers(count)},
           {.name = "$x$", .values = head(x, count)},
           {.name = "LayerNorm", .values = head(y.layer, count)},
           {.name = "RMSNorm", .values = head(y.rms, count)}}};
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Matrix z = standard_row(settings);
  const Matrix x = twin::rounded((settings.real("scale") * (z.array() + settings.real("mean"))).matrix());
  const BothNorms y = both_norms(run, x, settings.real("eps"));
  figure::Table distances = distance_table(settings, run, z);

  figure::Panel vector = vector_panel(x), normed = normed_panel(y);
  figure::Panel distance = distance_panel(distances, settings.real("mean"), rms_distance(y.layer, y.rms));
  vector.cell = {0, 0};
  normed.cell = {1, 0};
  distance.cell = {0, 1, 2, 1};

  StudyResult result;
  result.figure.title = "LayerNorm and RMSNorm differ by what they do to the mean";
  result.figure.description =
      "A vector of random components with a common mean, the same vector after LayerNorm and after RMSNorm, "
      "and how far "
      "the two results are apart as the mean grows.";
  result.figure.panels = {std::move(vector), std::move(normed), std::move(distance)};
  result.figure.row_weights = {1, 1.3};
  result.figure.col_weights = {1.5, 1};
  result.figure.aspect = 1.6;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {component_table(x, y), std::move(distances)};
  result.checks = both_norms_checks(run, x, y, settings.real("eps"));
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Take the mean away: the two agree.", "mean=0"},
    {"A large mean: RMSNorm leaves hardly anything but the mean.", "mean=4"},
    {"A small vector: epsilon takes over, and both shrink.", "scale=0.001 mean=0.5"},
});

}  // namespace

const Study norm_compare{
    .id = "norm/compare",
    .title = "LayerNorm and RMSNorm",
    .topic = "Normalisation",
    .summary = "they differ by what they do to the mean",
    .formula =
        R"(\frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \quad \frac{x}{\sqrt{\overline{x^2} + \epsilon}})",
    .about =
        "LayerNorm takes the mean away and divides by the deviation; RMSNorm divides by the root of the mean "
        "square and "
        "keeps the mean. Where the mean is near 0 the two are nearly equal, so taking one for the other is "
        "easy to miss.",
    .source = "Ba et al. 2016, arXiv 1607.06450; Zhang, Sennrich 2019, arXiv 1910.07467",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
