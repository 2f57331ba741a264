// LayerNorm and RMSNorm of the same vector: where they agree, and what a common mean does to that.
#include "app/study/kit.h"
#include "app/study/norm/both_norms.h"
#include "app/study/norm/norm_plane.h"

namespace orrery::study::norm_compare {
namespace {

constexpr double largest_mean = 5;
constexpr int shown_components = 64, curve_samples = 161;

constexpr auto parameters = std::to_array<Parameter>({
    real("mean", "Common mean", "0.75", {-largest_mean, largest_mean},
         "the mean of all components, in standard deviations", {.unit = "deviations", .plays = true}),
    real("scale", "Scale", "1", {1e-4, 1e4}, "the standard deviation of the components",
         {.travel = Travel::log}),
    real("eps", "Epsilon", "1e-5", {1e-12, 1},
         "added to the variance, or to the mean square; takes over when the scale is small",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    whole("width", "Width", "48", {2, 16384}, "D: components of the vector",
          {.travel = Travel::log, .model_fact = "hidden_size"}),
    seed_parameter("another one gives another vector"),
    show_parameter("all|vector|plane|normalised|distance"),
});

/// A row of mean exactly 0 and variance exactly 1, but for rounding.
Matrix standard_row(const Settings& settings) {
  Matrix z = tensor::Random(seed_of(settings)).normals(1, settings.integer("width"));
  z.array() -= z.mean();
  z /= std::sqrt(z.squaredNorm() / number(z.cols()));
  return z;
}

Series component_series(const Matrix& x, const BothNorms& y) {
  Series series("components", {"component", "", counted(x.cols())});
  series.add("$x$", row_of(x)).add("LayerNorm", row_of(y.layer)).add("RMSNorm", row_of(y.rms));
  return series;
}

Range component_range(const Series& components) {
  return {-0.75, number(components.size()) - 0.25};
}

Panel vector_panel(const Series& components, double mean) {
  return {.title = "A vector and its mean",
          .x = counts("component $j$", component_range(components)),
          .y = values("$x_j$"),
          .marks = {components.bars("$x$", {.ink = ink(Role::faint, 0.8)}), level(mean)},
          .legend = LegendPlace::none};
}

/// What became of the same component stands on one stem.
Line stems(const Series& components) {
  Line line{.ink = ink(Role::outline), .width = 0.8, .reading = {.none = true}};
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t j = 0; j < components.size(); ++j) {
    const double at = components.x()[j];
    line.x.insert(line.x.end(), {at, at, gap});
    line.y.insert(line.y.end(), {components["LayerNorm"][j], components["RMSNorm"][j], gap});
  }
  return line;
}

Panel normed_panel(const Series& components) {
  return {.title = "The same, normalised",
          .x = counts("component $j$", component_range(components)),
          .y = values("$y_j$"),
          .marks = {stems(components),
                    components.points("LayerNorm", {.ink = series(0), .radius = 1.8, .label = "LayerNorm"}),
                    components.points(
                        "RMSNorm",
                        {.ink = series(1), .radius = 1.8, .symbol = Symbol::ring, .label = "RMSNorm"})},
          .legend = LegendPlace::above};
}

/// The two norms of the same vector moved to other common means.
Series distance_series(const Settings& settings, const Run& run, const Matrix& z) {
  Series series("distance_by_mean", {"mean", "deviations", symmetric(largest_mean, curve_samples)});
  Matrix x(curve_samples, z.cols());
  for (Index i = 0; i < curve_samples; ++i)
    x.row(i) = settings.real("scale") * (z.array() + series.x()[i]).matrix();
  const BothNorms y = both_norms(run, x, settings.real("eps"));
  std::vector<double> apart;
  for (Index i = 0; i < curve_samples; ++i) apart.push_back(rms_distance(y.layer.row(i), y.rms.row(i)));
  series.add("RMS distance", std::move(apart));
  return series;
}

/// How far apart one common mean sets the two.
std::string apart_text(double mean, double apart) {
  if (mean == 0) return "Without a common mean LayerNorm and RMSNorm agree";
  const bool one = std::abs(mean) == 1;
  return "A common mean of " + grouped(mean) + (one ? " deviation" : " deviations") +
         " sets LayerNorm and RMSNorm " + short_text(apart, 2) + " apart";
}

Panel distance_panel(const Series& distance, double mean, double here) {
  Panel panel{.title = "How far apart they are",
              .x = {.label = "common mean / deviation"},
              .y = values("RMS distance", Range{0, 1.55}),
              .marks = {quiet_level(std::numbers::sqrt2, "$\\sqrt{2}$: at right angles"),
                        distance.line("RMS distance", {.ink = series(2), .dash_by_series = false})},
              .legend = LegendPlace::none};
  add_handle(panel, mean, here, "mean", "drag to move the common mean");
  return panel;
}

/// The first component by both, in double: the digits are the same on every device.
std::string worked_of(const Run& run, const Matrix& x, double eps) {
  const BothNorms exact = both_norms(twin::on_reference(run), x, eps);
  // Of a mean of 0 rounding to float leaves some: no digit that is shown feels it.
  const double rest = 0x1p-20 * x.cwiseAbs().maxCoeff(), mean = std::abs(x.mean()) < rest ? 0 : x.mean(),
               variance = (x.array() - mean).square().mean(),
               mean_square = x.squaredNorm() / number(x.size());
  Worked worked;
  worked.add("\\mathrm{LayerNorm}(x)_0", worked::frac(term(x(0, 0)) - mean, sqrt(term(variance) + eps)),
             exact.layer(0, 0));
  return worked
      .add("\\mathrm{RMSNorm}(x)_0", worked::frac(x(0, 0), sqrt(term(mean_square) + eps)), exact.rms(0, 0))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const double mean = settings.real("mean"), eps = settings.real("eps");
  const Matrix z = standard_row(settings);
  const Matrix x = twin::rounded((settings.real("scale") * (z.array() + mean)).matrix());
  const BothNorms y = both_norms(run, x, eps);
  const Series components = component_series(x, y), distance = distance_series(settings, run, z),
               shown = components.first(shown_components);
  const double apart = rms_distance(y.layer, y.rms);
  Picture picture(
      apart_text(mean, apart),
      "A vector of random components with a common mean, the same vector after LayerNorm and "
      "after RMSNorm, and how far the two results are apart at other means. In the plane of mean and "
      "deviation RMSNorm goes straight towards the origin, LayerNorm to the mean 0, both onto one "
      "circle.");
  const Series plane = norm_plane(x, y, settings.real("scale"));
  picture.at({0, 0}, "vector", vector_panel(shown, x.mean()));
  picture.at({0, 1}, "plane", norm_plane_panel(plane, mean, settings.choice("show") == "plane"));
  picture.at({1, 0}, "normalised", normed_panel(shown));
  picture.at({1, 1}, "distance", distance_panel(distance, mean, apart));
  std::vector<Check> checks = both_norms_checks(run, x, y, eps);
  checks.push_back(stays_in_plane(plane, apart, 2 * norms_slack(run, x, y)));
  return {
      std::move(picture).figure(
          settings,
          {.aspect = 1.25, .rows = {1, 1}, .cols = {1.1, 1}, .telling = {"plane", "normalised", "distance"}}),
      {components.table(), plane.table(), distance.table()},
      std::move(checks),
      worked_of(run, x, eps)};
}

constexpr auto tries = std::to_array<Try>({
    {"Take the mean away: the two agree.", "mean=0",
     [](auto& now, auto&) {
       return largest_difference(column(now, "components", "LayerNorm"),
                                 column(now, "components", "RMSNorm")) < 1e-5;
     }},
    {"A large mean: 94 % of the mean square after RMSNorm is the mean's.", "mean=4",
     [](auto& now, auto&) {
       return between(0.935, std::pow(at(now, "plane", "mean", 2), 2), 0.945);  // row 2 is RMSNorm's
     }},
    {"A small vector: epsilon takes over, and both shrink.", "scale=0.001 mean=0.5",
     [](auto& now, auto& before) {
       const auto shrinks = [&](const char* norm) {
         return 2 * largest(column(now, "components", norm)) < largest(column(before, "components", norm));
       };
       return shrinks("LayerNorm") && shrinks("RMSNorm");
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/compare",
    .title = "LayerNorm and RMSNorm",
    .topic = "Normalisation",
    .summary = "they differ by what they do to the mean",
    .formula =
        R"(\mathrm{LayerNorm}(x) = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}, \quad \mathrm{RMSNorm}(x) = \frac{x}{\sqrt{\overline{x^2} + \epsilon}})",
    .derivation =
        R"(Let the mean be $0$: $\mu = \frac{1}{D} \sum_j x_j = 0$.)"
        "\n"
        R"(The variance is then the mean square: $\sigma^2 = \overline{x^2} - \mu^2 = \overline{x^2}$.)"
        "\n"
        R"(Above the line stands $x - \mu = x$, below it $\sqrt{\sigma^2 + \epsilon} = \sqrt{\overline{x^2} + \epsilon}$: the two norms are one.)"
        "\n"
        R"(For any $x$ therefore $\mathrm{LayerNorm}(x) = \mathrm{RMSNorm}(x - \mu)$: what RMSNorm leaves out is the centring alone.)"
        "\n"
        R"(With a mean, $\overline{x^2} = \sigma^2 + \mu^2$: RMSNorm divides by more, and a part $\mu$ of what it divides stays.)",
    .about =
        "LayerNorm takes the mean away and divides by the deviation; RMSNorm divides by the root of the mean "
        "square and keeps the mean. Where the mean is near 0 the two are nearly equal, so taking one for the "
        "other is easy to miss.",
    .source = "Ba et al. 2016, arXiv 1607.06450; Zhang, Sennrich 2019, arXiv 1910.07467",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_compare
