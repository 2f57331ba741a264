// One distance at many places of a text: a rotated score should be the same everywhere, and in few bits it is not.
#include "app/study/kit.h"
#include "app/study/rope/relative_picture.h"
#include "app/study/rope/source.h"
#include "app/study/rope/stages.h"
#include "core/position/rope_precision.h"

namespace orrery::study::rope_relative {
namespace {

using position::RopeFormats;
using position::RopeStage;
using tensor::Format;

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    base_parameter,
    head_width_parameter,
    whole("distance", "Distance", "17", {0, 131072},
          "m - n: how far the key stands behind the query, everywhere the same",
          {.travel = Travel::log, .unit = "tokens"}),
    whole("longest", "Last position", "131072", {16, 4194304},
          "of the key: the pair of tokens is moved as far as this",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice("stage", "Low stage", stage_names,
           "what is rounded to 16 bits: the turned vectors, or a step before them; the others are f32"),
    seed_parameter("another one gives another query and key"),
    show_parameter("all|score|error"),
});

constexpr int per_octave = 64;

/// 0, and whole numbers evenly spread on a log axis up to the last.
std::vector<double> key_positions(double last) {
  std::vector<double> n{0};
  for (int i = 0; i <= std::log2(last) * per_octave; ++i)
    n.push_back(std::round(std::exp2(double{1} * i / per_octave)));
  n.push_back(last);
  n.erase(std::unique(n.begin(), n.end()), n.end());
  return n;
}

struct Vectors {
  std::vector<double> q, k;
  double q_length = 1, k_length = 1;
  double lengths = 1;  ///< |q||k|
  double speed =
      1;  ///< the pairs' frequencies, each weighed by its part of |q||k|: what a wrong position costs
};

/// Normal numbers of so few bits that all four formats hold them: what differs later came of turning.
Vectors vectors_of(const Spectrum& s, std::uint64_t seed) {
  const auto draw = [&](std::uint32_t stream) {
    std::vector<double> x = row_of(tensor::Random(seed, stream).normals(1, 2 * s.pairs()));
    for (double& each : x) each = tensor::round_to(Format::f16, tensor::round_to(Format::bf16, each));
    return x;
  };
  const auto length = [](const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
  };
  Vectors v{draw(0), draw(1)};
  v.q_length = length(v.q);
  v.k_length = length(v.k);
  v.lengths = v.q_length * v.k_length;
  v.speed = 0;
  const auto pairs = static_cast<std::size_t>(s.pairs());
  for (std::size_t i = 0; i < pairs; ++i)
    v.speed +=
        s.inv_freq[i] * std::hypot(v.q[i], v.q[i + pairs]) * std::hypot(v.k[i], v.k[i + pairs]) / v.lengths;
  return v;
}

/// Sums are kept in double for double, in float for all else.
Format sums_of(Format format) {
  return format == Format::f64 ? Format::f64 : Format::f32;
}

struct Moved {
  Vectors vectors;
  double exact = 0;
  std::vector<MovedScores> scores{};
};

Moved move(const Settings& settings, const Run& run, const Spectrum& s) {
  const Vectors v = vectors_of(s, seed_of(settings));
  const RopeStage stage = stage_from_name(settings.choice("stage"));
  const std::vector<double> n = key_positions(settings.real("longest"));
  const auto scores = [&](std::span<const double> keys, Format format) {
    run.check();
    return position::rope_staged_scores(v.q, v.k, settings.real("distance"), keys, s.inv_freq,
                                        s.attention_factor,
                                        position::rope_formats({format, sums_of(format)}, stage));
  };
  Moved moved{.vectors = v, .exact = scores(std::array{0.0}, Format::f64)[0] / v.lengths};
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    const auto found = scores(n, format);
    std::vector<double> position, score, error;
    for (std::size_t i = 0; i < n.size(); ++i) {
      if (!std::isfinite(found[i])) continue;
      position.push_back(n[i]);
      score.push_back(found[i] / v.lengths);
      error.push_back(std::abs(score.back() - moved.exact));
    }
    const std::string name(tensor::name(format));
    Series series("scores_" + name, {"position of the key", "tokens", position});
    series.add({.name = "score", .values = score, .digits = 8}).add("|error|", error);
    const std::string label =
        position.size() == n.size() ? name : name + ", overflow at " + grouped(n[position.size()]);
    moved.scores.push_back({format, position::rope_formats({format, sums_of(format)}, stage).positions, name,
                            label, std::move(series)});
  }
  return moved;
}

std::vector<Table> tables_of(const Moved& moved, const std::vector<Series>& octaves) {
  std::vector<Table> tables{
      {"spread",
       {{.name = "bits of the format"}, {.name = "largest error"}, {.name = "exact score", .digits = 10}}}};
  for (const MovedScores& each : moved.scores)
    add_row(tables[0], 8 * tensor::info(each.format).bytes, largest(each.series["|error|"]), moved.exact);
  for (const Series& each : octaves) tables.push_back(each.table());
  for (const MovedScores& each : moved.scores) tables.push_back(each.series.table());
  return tables;
}

/// The two formats that hold every position.
std::string errors_text(const Settings& settings, const Moved& moved) {
  const auto most = [&](Format format) {
    return short_text(
        largest(std::ranges::find(moved.scores, format, &MovedScores::format)->series["|error|"]), 2);
  };
  return "At distance " + grouped(settings.real("distance")) + " a score is off by up to " +
         most(Format::bf16) + " of $|q||k|$ in bf16, " + most(Format::f32) + " in f32";
}

std::vector<Check> checks_of(const Settings& settings, const Spectrum& s, const Moved& moved) {
  const RopeStage stage = stage_from_name(settings.choice("stage"));
  const double last = settings.real("longest") + settings.real("distance"),
               a2 = s.attention_factor * s.attention_factor;
  std::vector<Check> checks;
  for (const MovedScores& scores : moved.scores) {
    const double each =
        turned_vector_error(stage, scores.format, sums_of(scores.format), last * moved.vectors.speed);
    // Query and key are off by that much each; the exact score and the sum of d products cost 2^-53 a term.
    const double bound = a2 * (2 * each + each * each + (last + 4.0 * number(s.pairs())) * 0x1p-52);
    if (bound >= 2 * a2) continue;  // no two scores lie further apart: nothing is said
    checks.push_back(
        {scores.name + ": the score depends on $m - n$ only", largest(scores.series["|error|"]), bound});
  }
  return checks;
}

/// The score at the distance, and what is farthest from it in bf16.
std::string worked_of(const Settings& settings, const Moved& moved) {
  const Vectors& v = moved.vectors;
  Worked worked;
  worked.add("q^T " + subscripted("R", -settings.real("distance")) + "\\,k / (|q||k|)",
             worked::frac(moved.exact * v.lengths, term(v.q_length) * v.k_length), moved.exact);
  const Series& low = std::ranges::find(moved.scores, Format::bf16, &MovedScores::format)->series;
  const auto at = static_cast<std::size_t>(std::ranges::max_element(low["|error|"]) - low["|error|"].begin());
  return worked
      .add("|" + subscripted("\\hat s", low.x()[at]) + " - s|", abs(term(low["score"][at]) - moved.exact),
           low["|error|"][at])
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Spectrum s = spectra(settings).front();
  const Moved moved = move(settings, run, s);
  Picture picture(
      errors_text(settings, moved),
      "The score of one query and one key at a fixed distance while both are moved along the text, in four "
      "number formats: from the lowest to the highest of each octave of positions. Below, the largest "
      "distance from the exact score, on a logarithmic scale; where a format stops holding every whole "
      "number, and positions are kept in it, a line says so.");
  const double longest = settings.real("longest");
  std::vector<Series> octaves;
  for (const MovedScores& each : moved.scores) octaves.push_back(octave_series(each, longest));
  picture
      .at({0, 0}, "score",
          moved_score_panel(moved.scores, octaves, longest, settings.real("distance"),
                            settings.choice("show") == "score"))
      .at({1, 0}, "error", moved_error_panel(moved.scores, octaves, longest));
  return {
      std::move(picture).figure(settings, {.aspect = 1.2, .rows = {1, 1.4}, .telling = {"error", "score"}}),
      tables_of(moved, octaves), checks_of(settings, s, moved), worked_of(settings, moved)};
}

constexpr auto tries = std::to_array<Try>({
    {"Round the angles to 16 bits, as autocast once did: in bf16 the score is off by 70 % of itself.",
     "stage=angle",
     [](auto& now, auto&) {  // the last row of 16 bits is bf16's
       return between(0.68, at(now, "spread", "largest error", 16) / at(now, "spread", "exact score", 16),
                      0.72);
     }},
    {"Positions in 16 bits: right up to 256 (bf16) and 2048 (f16).", "stage=positions",
     [](auto& now, auto&) {  // where the query, 17 tokens further, is past them
       const auto off = [](double error) { return error > 0.01; };
       return between(256 - 17, x_where(now, "scores_bf16", "|error|", off), 257) &&
              between(2048 - 17, x_where(now, "scores_f16", "|error|", off), 2090);
     }},
    {"Go to four million: f32 is off by as much as bf16, double is not.", "longest=4194304 stage=result",
     [](auto& now, auto&) {
       return at(now, "spread", "largest error", 32) > 0.9 * at(now, "spread", "largest error", 16) &&
              at(now, "spread", "largest error", 64) < 1e-9;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/relative",
    .title = "Relative scores",
    .topic = "Rotary positions",
    .summary = "one distance at many places: what few bits make of a score",
    .formula = R"((R_m q)^T (R_n k) = q^T R_{n-m}\, k)",
    .derivation =
        R"(As a complex number a pair of the query at position $m$ is turned to $q\,e^{\mathrm{i}m\theta}$, that of the key at position $n$ to $k\,e^{\mathrm{i}n\theta}$.)"
        "\n"
        R"(The product of two vectors of a plane is the real part of one times the conjugate of the other: $\mathrm{Re}(q\,e^{\mathrm{i}m\theta}\,\overline{k\,e^{\mathrm{i}n\theta}})$.)"
        "\n"
        R"(The conjugate turns the angle's sign and exponents add, so this is $\mathrm{Re}(q\bar{k}\,e^{\mathrm{i}(m-n)\theta})$: only $m - n$ is left.)"
        "\n"
        R"(A score is the sum of this over all pairs, each with its own $\theta_i$, and so it depends on $m - n$ only.)"
        "\n"
        R"(With matrices: a rotation is undone by turning back, $R_m^T = R_{-m}$, hence $(R_m q)^T (R_n k) = q^T R_{-m} R_n k = q^T R_{n-m}\,k$.)",
    .about =
        "A rotated score depends on the distance of two tokens and not on where they stand. That holds for "
        "real numbers. In float the angles grow and lose digits; in bf16 the turned vectors themselves are "
        "rounded, differently at every place, so that attention feels the absolute position after all.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 16; Wang et al. 2024, arXiv 2411.13476",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_relative
