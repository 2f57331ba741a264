// LayerNorm and RMSNorm of the same vector: where they agree, and what a common mean does to that; and a batch through all
// of their kin.
#include <iterator>

#include "app/study/kit.h"
#include "app/study/norm/both_norms.h"
#include "app/study/norm/hidden_states.h"
#include "app/study/norm/norm_kin.h"
#include "app/study/norm/norm_plane.h"

namespace orrery::study::norm_compare {
namespace {

constexpr double largest_mean = 5;
constexpr int curve_samples = 161;
constexpr Index single_components = 64, most_blocks = 192;  // drawn one by one; else blocks of them

constexpr std::string_view with_batch = "show=kin|histograms|difference|angles";

constexpr auto parameters = std::to_array<Parameter>({
    file(
        "states", "Hidden states", ".npy|.safetensors",
        "tokens of a layer, features along the last axis: .npy, or .safetensors#NAME; without a file, the vector below"),
    choice("components", "Components", "seeded|typed", "drawn by chance, or typed", {.only_when = "states="}),
    numbers("vector", "Vector", "1,2,3,4", {-1e4, 1e4}, "the components",
            {.only_when = "states= components=typed"}),
    real("mean", "Common mean", "0.75", {-largest_mean, largest_mean},
         "the mean of all components, in standard deviations",
         {.unit = "deviations", .plays = true, .only_when = "states= components=seeded"}),
    real("scale", "Scale", "1", {1e-4, 1e4}, "the standard deviation of the components",
         {.travel = Travel::log, .only_when = "states= components=seeded"}),
    real(
        "outlier", "Outlier", "0", {0, 1000},
        "added to one channel of every token, in deviations of all others; mean and scale stay those of all components",
        {.unit = "deviations", .only_when = "states= components=seeded"}),
    real("eps", "Epsilon", "1e-5", {1e-12, 1},
         "added to the variance, or to the mean square; takes over when the scale is small",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    whole("width", "Width", "48", {2, 16384}, "D: components of the vector",
          {.travel = Travel::log, .only_when = "states= components=seeded", .model_fact = "hidden_size"}),
    whole("token", "Token", "0", {0, 65535},
          "the one that is looked at, in the file or among those drawn by chance; the batch begins with it"),
    whole("tokens", "Batch", "8", {2, 32}, "tokens of the batch, as far as a file has them",
          {.unit = "tokens", .only_when = with_batch}),
    file("gains", "Gains", ".npy|.safetensors", "w of a model's own norm: one number for each feature",
         {.only_when = with_batch}),
    real("gain_spread", "Gain's spread", "0", {0, 1}, "the gains are 1 and random numbers of this size",
         {.only_when = "gains= show=kin|histograms|difference|angles"}),
    file("biases", "Biases", ".npy|.safetensors", "b of a model's own norm: one number for each feature",
         {.only_when = with_batch}),
    real("bias", "Bias", "0", {-4, 4}, "b: added to every component, by the norms that have one",
         {.only_when = "biases= show=kin|histograms|difference|angles"}),
    real("partial", "Part", "0.25", {0.01, 1},
         "p: the part of the features whose root mean square RMSNorm takes", {.only_when = with_batch}),
    real("alpha", "Alpha", "0.5", {0.01, 10}, "$\\alpha$ of DyT",
         {.travel = Travel::log, .only_when = with_batch}),
    seed_parameter("another one gives another vector"),
    show_parameter(
        "all|vector|plane|normalised|distance|kin|histograms|difference|angles",
        "one vector: everything, or one part alone; a batch through all norms: their results (kin), "
        "histograms, differences or angles"),
});

Series component_series(const Matrix& x, const BothNorms& y) {
  Series series("components", {"component", "", counted(x.cols())});
  series.add("$x$", row_of(x)).add("LayerNorm", row_of(y.layer)).add("RMSNorm", row_of(y.rms));
  return series;
}

Range component_range(const Series& components) {
  return {-0.75, number(components.size()) - 0.25};
}

/// The least and the largest of each block of components, for vectors too long to show them one by one.
struct Blocks {
  Series series;
  Index size = 1;
};

Blocks blocks_of(const Series& components) {
  const auto count = static_cast<Index>(components.size()), size = (count + most_blocks - 1) / most_blocks;
  std::vector<double> middles;
  for (Index from = 0; from < count; from += size)
    middles.push_back(number(from + std::min(from + size, count) - 1) / 2);
  Blocks blocks{{"blocks", {"component", "", middles}}, size};
  for (const char* name : {"$x$", "LayerNorm", "RMSNorm"}) {
    std::vector<double> low, high;
    for (Index from = 0; from < count; from += size) {
      const auto begin = components[name].begin() + from, end = begin + std::min(size, count - from);
      const auto [least, most] = std::minmax_element(begin, end);
      low.push_back(*least);
      high.push_back(*most);
    }
    blocks.series.add(std::string(name) + ", least", std::move(low));
    blocks.series.add(std::string(name) + ", largest", std::move(high));
  }
  return blocks;
}

std::string component_label(const Blocks& blocks) {
  if (blocks.size == 1) return "component $j$";
  return "component $j$ in blocks of " + grouped(number(blocks.size));
}

/// Bars from the least to the largest; where blocks are single components, from 0.
void add_extent(Panel& panel, const Blocks& blocks, const std::string& name, Ink of,
                const std::string& label) {
  const auto &low = blocks.series[name + ", least"], &high = blocks.series[name + ", largest"];
  Line line{.ink = of, .width = 0.8, .label = label, .dash_by_series = false};
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < low.size(); ++i) {
    const double at = blocks.series.x()[i], from = blocks.size == 1 ? std::min(0.0, low[i]) : low[i],
                 to = blocks.size == 1 ? std::max(0.0, high[i]) : high[i];
    line.x.insert(line.x.end(), {at, at, gap});
    line.y.insert(line.y.end(), {from, to, gap});
  }
  panel.marks.emplace_back(std::move(line));
}

bool one_by_one(const Series& components) {
  return std::ssize(components.x()) <= single_components;
}

Panel vector_panel(const Series& components, double mean) {
  Panel panel{.title = "A vector and its mean",
              .x = counts("component $j$", component_range(components)),
              .y = values("$x_j$"),
              .legend = LegendPlace::none};
  if (one_by_one(components)) {
    panel.marks = {components.bars("$x$", {.ink = ink(Role::faint, 0.8)})};
  } else {
    const Blocks blocks = blocks_of(components);
    panel.x.label = component_label(blocks);
    add_extent(panel, blocks, "$x$", ink(Role::faint), "");
  }
  panel.marks.emplace_back(level(mean));
  return panel;
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
  if (!one_by_one(components)) {
    const Blocks blocks = blocks_of(components);
    Panel panel{.title = "The same, normalised",
                .x = counts(component_label(blocks), component_range(components)),
                .y = values("$y_j$"),
                .legend = LegendPlace::above};
    add_extent(panel, blocks, "LayerNorm", series(0), "LayerNorm");
    add_extent(panel, blocks, "RMSNorm", {Role::series, 1, 0.6}, "RMSNorm");
    return panel;
  }
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

/// Equal components have no deviation to count their mean in: it is a plain number then.
bool has_deviation(const Standardised& row) {
  return !row.z.isZero(0);
}

/// The two norms of the same vector moved to other common means.
Series distance_series(const Run& run, const Standardised& row, double eps) {
  Series series("distance_by_mean",
                {"mean", has_deviation(row) ? "deviations" : "", symmetric(largest_mean, curve_samples)});
  Matrix x(curve_samples, row.z.cols());
  for (Index i = 0; i < curve_samples; ++i)
    x.row(i) = row.scale * (row.z.array() + series.x()[static_cast<std::size_t>(i)]).matrix();
  const BothNorms y = both_norms(run, x, eps);
  std::vector<double> apart;
  for (Index i = 0; i < curve_samples; ++i) apart.push_back(rms_distance(y.layer.row(i), y.rms.row(i)));
  series.add("RMS distance", std::move(apart));
  return series;
}

/// As the title says 1: where epsilon takes no more than a hundredth of a size that norms make 1.
bool is_whole_size(double size) {
  return size > 0.99;
}

/// How far apart its common mean sets the two.
std::string apart_text(const HiddenStates& states, const BothNorms& y, double apart) {
  const double mean = states.row.mean;
  if (states.seeded && mean == 0) return "Without a common mean LayerNorm and RMSNorm agree";
  if (!has_deviation(states.row)) {
    const double left = y.rms(0, 0);
    if (left == 0) return "LayerNorm and RMSNorm leave nothing of this row";
    return is_whole_size(std::abs(left))
               ? "Of equal components LayerNorm leaves nothing, RMSNorm their sign"
               : "Of equal components LayerNorm leaves nothing, RMSNorm " + short_text(left, 3);
  }
  const std::string said = states.seeded ? grouped(mean) : short_text(mean, 3);
  return "A common mean of " + said + (said == "1" || said == "−1" ? " deviation" : " deviations") +
         " sets LayerNorm and RMSNorm " + short_text(apart, 2) + " apart";
}

Panel distance_panel(const Series& distance, const HiddenStates& states, double here, bool of_whole_size) {
  Panel panel{.title = "How far apart they are",
              .x = {.label = has_deviation(states.row) ? "common mean / deviation" : "common mean"},
              .y = values("RMS distance", Range{0, 1.8}),  // with room for words above √2
              .marks = {distance.line("RMS distance", {.ink = series(2), .dash_by_series = false})},
              .legend = LegendPlace::none};
  // Of results of size 1 alone: epsilon makes both shorter, and right angles a smaller distance.
  if (of_whole_size)
    panel.marks.insert(panel.marks.begin(), quiet_level(std::numbers::sqrt2, "$\\sqrt{2}$: at right angles"));
  if (states.seeded)
    add_handle(panel, states.row.mean, here, "mean", "drag to move the common mean");
  else if (std::abs(states.row.mean) <= largest_mean)
    panel.marks.emplace_back(
        Points{.x = {states.row.mean}, .y = {here}, .ink = ink(Role::accent), .radius = 2.4});
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

/// The unit of the plane of mean and deviation: the deviation, and where the mean is far more than that, a part of it.
double unit_of(const HiddenStates& states) {
  const Standardised& row = states.row;
  return row.scale * std::max(1.0, std::abs(row.mean) / largest_mean);
}

/// As with_batch has it.
bool shows_batch(const Settings& settings) {
  const std::string& shown = settings.choice("show");
  return shown == "kin" || shown == "histograms" || shown == "difference" || shown == "angles";
}

NormKin kin_of(const Settings& settings, const Run& run, const Matrix& x) {
  return norm_kin(
      run, x, gain_and_bias(settings, run, x.cols()),
      {.eps = settings.real("eps"), .partial = settings.real("partial"), .alpha = settings.real("alpha")});
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const double eps = settings.real("eps");
  const HiddenStates states = hidden_states(settings, run);
  const Matrix x = states.x.topRows(1);
  const BothNorms y = both_norms(run, x, eps);
  const Series components = component_series(x, y), distance = distance_series(run, states.row, eps);
  const double apart = rms_distance(y.layer, y.rms);
  Picture picture(
      apart_text(states, y, apart),
      "A vector with a common mean, the same vector after LayerNorm and "
      "after RMSNorm, and how far the two results are apart at other means. In the plane of mean and "
      "deviation RMSNorm goes straight towards the origin, LayerNorm to the mean 0, both onto one "
      "circle, or as far short of it as epsilon keeps them.");
  const double unit = unit_of(states);
  const Series plane = norm_plane(x, y, unit);
  picture.at({0, 0}, "vector", vector_panel(components, x.mean()));
  Panel plane_panel =
      norm_plane_panel(plane, states.row.mean * states.row.scale / unit, settings.choice("show") == "plane");
  if (!states.seeded) plane_panel.handles.clear();
  picture.at({0, 1}, "plane", std::move(plane_panel));
  picture.at({1, 0}, "normalised", normed_panel(components));
  picture.at({1, 1}, "distance",
             distance_panel(distance, states, apart,
                            is_whole_size(y.layer.norm() / std::sqrt(number(y.layer.cols())))));
  const NormKin kin = shows_batch(settings) ? kin_of(settings, run, states.x) : NormKin{};
  picture.instead("kin", [&] { return kin_figure(kin); });
  picture.instead("histograms", [&] { return kin_histograms_figure(kin); });
  picture.instead("difference", [&] { return kin_difference_figure(kin); });
  picture.instead("angles", [&] { return kin_angles_figure(kin); });
  std::vector<Check> checks = both_norms_checks(run, x, y, eps);
  checks.push_back(stays_in_plane(plane, apart, 2 * norms_slack(run, x, y)));
  std::vector<Table> tables{components.table(), plane.table(), distance.table()};
  if (shows_batch(settings)) {
    std::ranges::move(kin_checks(run, kin), std::back_inserter(checks));
    std::ranges::move(kin_tables(kin), std::back_inserter(tables));
  }
  return {
      std::move(picture).figure(
          settings,
          {.aspect = 1.25, .rows = {1, 1}, .cols = {1.1, 1}, .telling = {"plane", "normalised", "distance"}}),
      std::move(tables), std::move(checks), worked_of(run, x, eps)};
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
    {"A batch through all of them: with a weight stored as w, 1 + w doubles RMSNorm.", "show=kin",
     [](auto& now, auto&) {
       return std::abs(at(now, "kin", "RMS", 5) / at(now, "kin", "RMS", 1) - 2) < 1e-5;
     }},
    {"Angles: what only rescales does not turn; the mean and BatchNorm do.", "show=angles",
     [](auto& now, auto&) {
       const auto& norm = column(now, "kin_angles", "norm");
       const auto& other = column(now, "kin_angles", "other norm");
       const auto& angle = column(now, "kin_angles", "angle");
       const auto between_norms = [&](double a, double b) {
         for (std::size_t i = 0; i < angle.size(); ++i)
           if (norm[i] == a && other[i] == b) return angle[i];
         return std::numeric_limits<double>::quiet_NaN();
       };
       return between_norms(7, 1) < 1e-3 && between_norms(3, 1) < 1e-3 && between_norms(1, 0) > 10 &&
              between_norms(4, 1) > 10;
     }},
    {"One channel far above the others, as in trained models: it takes nearly all of the norm.",
     "outlier=200 width=256 mean=0",
     [](auto& now, auto&) {
       const auto& y = column(now, "components", "RMSNorm");
       return y[85] * y[85] > 0.95 * 256;
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
