// One distance at many places of a text: a rotated score should be the same everywhere, and in few bits it is not.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/source.h"
#include "app/study/rope/stages.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/position/rope_precision.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::RopeFormats;
using position::RopeStage;
using tensor::Format;
using tensor::Index;

constexpr std::string_view parts = "all|score|error";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    base_parameter,
    head_width_parameter,
    {.name = "distance",
     .label = "Distance",
     .kind = Kind::integer,
     .fallback = "16",
     .min = 0,
     .max = 131072,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "m - n: how far the key stands behind the query, everywhere the same"},
    {.name = "longest",
     .label = "Last position",
     .kind = Kind::integer,
     .fallback = "131072",
     .min = 16,
     .max = 4194304,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "of the key: the pair of tokens is moved as far as this"},
    {.name = "stage",
     .label = "Low stage",
     .kind = Kind::choice,
     .fallback = "result",
     .choices = stage_names,
     .help = "what is rounded to 16 bits: the turned vectors, or a step before them; the others are f32"},
    seed_parameter("another one gives another query and key"),
    show_parameter(parts),
});

constexpr int per_octave = 8;

/// 0, and whole numbers evenly spread on a log axis up to the last.
std::vector<double> key_positions(double last) {
  std::vector<double> n{0};
  const double octaves = std::log2(last);
  for (int i = 0; i <= octaves * per_octave; ++i)
    n.push_back(std::round(std::exp2(double{1} * i / per_octave)));
  n.push_back(last);
  n.erase(std::unique(n.begin(), n.end()), n.end());
  return n;
}

struct Vectors {
  std::vector<double> q, k;
  double lengths = 1;  ///< |q||k|
  double speed =
      1;  ///< the pairs' frequencies, each weighed by its part of |q||k|: what a wrong position costs
};

/// Normal numbers of so few bits that all four formats hold them: what differs later came of turning.
Vectors vectors_of(const Spectrum& s, std::int64_t seed) {
  const auto draw = [&](std::uint32_t stream) {
    const tensor::Random random(static_cast<std::uint64_t>(seed), stream);
    std::vector<double> x;
    for (Index j = 0; j < 2 * s.pairs(); ++j)
      x.push_back(tensor::round_to(
          Format::f16, tensor::round_to(Format::bf16, random.normal(static_cast<std::uint64_t>(j)))));
    return x;
  };
  const auto length = [](const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
  };
  Vectors v{draw(0), draw(1)};
  v.lengths = length(v.q) * length(v.k);
  v.speed = 0;
  const auto pairs = static_cast<std::size_t>(s.pairs());
  for (std::size_t i = 0; i < pairs; ++i)
    v.speed +=
        s.inv_freq[i] * std::hypot(v.q[i], v.q[i + pairs]) * std::hypot(v.k[i], v.k[i + pairs]) / v.lengths;
  return v;
}

/// The scores of one format over |q||k|. Positions whose angle the format cannot hold are left out.
struct Series {
  Format format;
  std::vector<double> position, score, error;
  double spread = 0;  ///< largest |error|
};

struct Moved {
  double exact = 0;
  double speed = 1;  ///< of the vectors
  std::vector<Series> series;
};

Moved move(const Settings& settings, const Run& run, const Spectrum& s) {
  const Vectors v = vectors_of(s, settings.integer("seed"));
  const RopeStage stage = stage_from_name(settings.choice("stage"));
  const auto distance = static_cast<double>(settings.integer("distance"));
  const std::vector<double> n = key_positions(static_cast<double>(settings.integer("longest")));
  const auto scores = [&](std::span<const double> keys, const RopeFormats& formats) {
    run.check();
    return position::rope_staged_scores(v.q, v.k, distance, keys, s.inv_freq, s.attention_factor, formats);
  };
  Moved moved{.speed = v.speed, .series = {}};
  moved.exact =
      scores(std::array{0.0}, position::rope_formats({Format::f64, Format::f64}, stage))[0] / v.lengths;
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    Series series{.format = format, .position = {}, .score = {}, .error = {}};
    const Format accumulate = format == Format::f64 ? Format::f64 : Format::f32;
    const auto found = scores(n, position::rope_formats({format, accumulate}, stage));
    for (std::size_t i = 0; i < n.size(); ++i) {
      if (!std::isfinite(found[i])) continue;
      const double score = found[i] / v.lengths;
      series.position.push_back(n[i]);
      series.score.push_back(score);
      series.error.push_back(std::abs(score - moved.exact));
      series.spread = std::max(series.spread, series.error.back());
    }
    moved.series.push_back(std::move(series));
  }
  return moved;
}

figure::Axis place_axis(const Settings& settings) {
  return {.label = "position of the key $n$",
          .scale = figure::Scale::log(2),
          .range = figure::Range{1, static_cast<double>(settings.integer("longest"))},
          .ticks = figure::TickHint::powers_of_two,
          .group = 1};
}

constexpr std::array shown_symbols{figure::Symbol::disc, figure::Symbol::square, figure::Symbol::triangle,
                                   figure::Symbol::diamond};

std::string label_of(const Series& series) {
  return std::string(tensor::name(series.format));
}

figure::Panel score_panel(const Settings& settings, const Moved& moved) {
  figure::Panel panel;
  panel.title =
      "Score at distance " + grouped(static_cast<double>(settings.integer("distance"))) + ", over $|q||k|$";
  panel.x = place_axis(settings);
  panel.y = {.label = "score", .grid = true};
  panel.legend = figure::LegendPlace::none;
  for (std::size_t i = moved.series.size(); i-- > 0;) {  // the roughest below, the exact one on top
    const Series& series = moved.series[i];
    panel.marks.emplace_back(figure::Line{.x = series.position,
                                          .y = series.score,
                                          .ink = figure::series(static_cast<int>(i)),
                                          .dash_by_series = false});
  }
  return panel;
}

figure::Panel error_panel(const Settings& settings, const Moved& moved) {
  figure::Panel panel;
  panel.title = "How far it is from its exact value";
  panel.x = place_axis(settings);
  panel.y = {
      .label = "|error|", .scale = figure::Scale::log(10), .range = figure::Range{1e-18, 4}, .grid = true};
  panel.legend = figure::LegendPlace::above;
  for (std::size_t i = 0; i < moved.series.size(); ++i) {
    const Series& series = moved.series[i];
    panel.marks.emplace_back(figure::Points{.x = series.position,
                                            .y = series.error,
                                            .ink = figure::series(static_cast<int>(i)),
                                            .radius = 1.6,
                                            .symbol = shown_symbols[i],
                                            .label = label_of(series),
                                            .symbol_by_series = false});
  }
  return panel;
}

figure::Table series_table(const Series& series) {
  return {"scores_" + label_of(series),
          {{.name = "position of the key", .unit = "tokens", .values = series.position},
           {.name = "score", .values = series.score, .digits = 8},
           {.name = "|error|", .values = series.error}}};
}

figure::Table spread_table(const Moved& moved) {
  figure::Table table{
      "spread",
      {{.name = "bits of the format"}, {.name = "largest error"}, {.name = "exact score", .digits = 10}}};
  for (const Series& series : moved.series) {
    table.columns[0].values.push_back(8.0 * tensor::info(series.format).bytes);
    table.columns[1].values.push_back(series.spread);
    table.columns[2].values.push_back(moved.exact);
  }
  return table;
}

std::vector<Check> checks_of(const Settings& settings, const Spectrum& s, const Moved& moved) {
  const RopeStage stage = stage_from_name(settings.choice("stage"));
  const double last = static_cast<double>(settings.integer("longest") + settings.integer("distance"));
  const double a2 = s.attention_factor * s.attention_factor;
  std::vector<Check> checks;
  for (const Series& series : moved.series) {
    const Format accumulate = series.format == Format::f64 ? Format::f64 : Format::f32;
    const double each = turned_vector_error(stage, series.format, accumulate, last * moved.speed);
    // Query and key are off by that much each; the exact score and the sum of d products cost 2^-53 a term.
    const double bound =
        a2 * (2 * each + each * each + (last + 4.0 * static_cast<double>(s.pairs())) * 0x1p-52);
    checks.push_back({label_of(series) + ": the score depends on $m - n$ only", series.spread, bound});
  }
  return checks;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Spectrum s = spectra(settings).front();
  const Moved moved = move(settings, run, s);
  StudyResult result;
  result.figure.title = "The same distance, further and further into the text";
  result.figure.description =
      "The score of one query and one key at a fixed distance while both are moved along the text: exact in "
      "double, and scattered in few bits. Below, the errors of four number formats on a logarithmic scale.";
  result.figure.panels = {score_panel(settings, moved), error_panel(settings, moved)};
  result.figure.panels[1].cell = {1, 0};
  result.figure.row_weights = {1, 1.4};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {spread_table(moved)};
  for (const Series& series : moved.series) result.tables.push_back(series_table(series));
  result.checks = checks_of(settings, s, moved);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Round the angles to 16 bits, as autocast once did: nothing is left of the score.", "stage=angle"},
    {"Positions in 16 bits: right up to 256 (bf16) and 2048 (f16).", "stage=positions"},
    {"Go to four million: f32 loses the fast pairs, double does not.", "longest=4194304 stage=result"},
});

}  // namespace

const Study rope_relative{
    .id = "rope/relative",
    .title = "Relative scores",
    .topic = "Rotary positions",
    .summary = "one distance at many places: what few bits make of a score",
    .formula = R"((R_m q)^T (R_n k) = q^T R_{n-m}\, k)",
    .about =
        "A rotated score depends on the distance of two tokens and not on where they stand. That holds for "
        "real "
        "numbers. In float the angles grow and lose digits; in bf16 the turned vectors themselves are "
        "rounded, "
        "differently at every place, so that attention feels the absolute position after all.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 16; Wang et al. 2024, arXiv 2411.13476",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
