// A vector of frequencies from a run, recognised: the rule that gives it, its numbers, and what is left over by pair.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/reading.h"
#include "app/study/rope/known_rules.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/model/frequency_file.h"
#include "core/position/rope_identify.h"
#include "core/tensor/error.h"
#include "core/tensor/format.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using position::RopeFit;

constexpr std::string_view parts = "all|ratio|residual";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "vector",
     .label = "Vector",
     .kind = Kind::file,
     .help =
         "frequencies from a run: .npy, .safetensors, .json, .csv; without a file, those of the model below",
     .takes = ".npy|.safetensors|.csv|.txt|.json"},
    read_when(with_fallback(model_parameter, "llama-3.1-8b"), "vector="),
    {.name = "format",
     .label = "Rounded to",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = "f64|f32|bf16",
     .help = "what a run would have kept the frequencies in",
     .only_when = "vector="},
    {.name = "rule",
     .label = "Own rule",
     .kind = Kind::choice,
     .fallback = "yarn",
     .choices = "none|linear|ntk|dynamic|yarn|yarn_paper|llama3|resonance",
     .help = "of the model `own`, with the numbers below",
     .only_when = "vector= model=own",
     .model_fact = "rule"},
    read_when(head_width_parameter, "vector= model=own"),
    read_when(base_parameter, "vector= model=own"),
    read_when(trained_length_parameter, "vector= model=own"),
    read_when(factor_parameter, "vector= model=own rule=linear|ntk|dynamic|yarn|yarn_paper|llama3|resonance"),
    show_parameter(parts),
});

constexpr std::size_t most_shown = 4;

std::vector<double> vector_of(const Settings& settings, const Run& run) {
  if (const std::string file = settings.file("vector"); !file.empty())
    return read_patiently(run.stop, file, [file] { return model::read_frequencies(file); });
  std::vector<double> f = settings.choice("model") == "own"
                              ? stretched_rule(settings.choice("rule"), stretch_of(settings)).rope.inv_freq
                              : spectra(settings).front().inv_freq;
  tensor::round_to(tensor::format_from_name(settings.choice("format")), std::span(f));
  return f;
}

std::string label_of(const RopeFit& fit) {
  std::string text(name(fit.rule.type));
  if (!fit.names.empty() && fit.rule.type == position::RopeType::longrope) text += ", a published list";
  if (fits_anything(fit)) return text + ", a divisor for every pair: fits any numbers";
  return text + (fit.fits ? ": fits" : "");
}

/// "default: rope_theta 500 000; as in olmo-3-7b", or that nothing fits.
std::string heading(const RopeFit& best) {
  std::string text = std::string(name(best.rule.type)) + ": " + rule_text(best.rule);
  if (!best.fits) text = "No rule fits; the nearest is " + text;
  return text + (best.names.empty() ? "" : "; as in " + best.names.front());
}

/// The vector and the fits over the plain powers of the best one's base.
figure::Panel ratio_panel(const std::vector<double>& f, const std::vector<RopeFit>& fits) {
  position::RopeRule plain = fits.front().rule;
  plain.type = position::RopeType::standard;
  const std::vector<double> w = rope_frequencies(plain).inv_freq, pairs = pair_numbers(f.size());
  const auto over = [&](const std::vector<double>& values) {
    std::vector<double> ratio;
    for (std::size_t i = 0; i < values.size(); ++i)
      ratio.push_back(values[i] > 0 ? values[i] / w[i] : std::numeric_limits<double>::quiet_NaN());
    return ratio;
  };
  figure::Panel panel;
  const RopeFit& best = fits.front();
  panel.title = heading(best);
  panel.x = {.label = "pair $i$", .ticks = figure::TickHint::integers, .group = 1};
  panel.y = {.label = R"($\theta_i\,b^{2i/R}$)", .scale = figure::Scale::log(2), .grid = true};
  panel.legend = figure::LegendPlace::above;
  panel.series_group = 1;
  figure::Points given{pairs, over(f), {figure::Role::text, 0, 1}, 1.6, figure::Symbol::ring};
  given.label = "given";
  panel.marks.push_back(given);
  double least = 1, most = 1;
  for (std::size_t i = 0; i < std::min(fits.size(), most_shown); ++i) {
    panel.marks.push_back(figure::Line{.x = pairs,
                                       .y = over(fits[i].inv_freq),
                                       .ink = figure::series(static_cast<int>(i)),
                                       .label = label_of(fits[i])});
  }
  for (const double ratio : over(f))
    if (std::isfinite(ratio)) least = std::min(least, ratio), most = std::max(most, ratio);
  panel.y.range = figure::Range{std::min(least / 1.5, 0.5), std::max(most * 1.5, 2.0)};
  return panel;
}

figure::Panel residual_panel(const std::vector<double>& pairs, const std::vector<RopeFit>& fits,
                             double tolerance) {
  figure::Panel panel;
  panel.title = "Relative residual by pair";
  panel.x = {.label = "pair $i$", .ticks = figure::TickHint::integers, .group = 1};
  panel.y = {.label = R"($|\theta_i/\theta'_i - 1|$)",
             .scale = figure::Scale::log(10),
             .range = figure::Range{1e-17, 10},
             .grid = true};
  panel.legend = figure::LegendPlace::none;
  panel.series_group = 1;
  panel.marks.push_back(figure::Rule{.direction = figure::Direction::horizontal,
                                     .at = tolerance,
                                     .ink = {figure::Role::accent, 0, 1},
                                     .text = "what the format allows"});
  for (std::size_t i = 0; i < std::min(fits.size(), most_shown); ++i) {
    figure::Points points{.x = pairs, .ink = figure::series(static_cast<int>(i)), .radius = 1.4};
    points.reading.name = label_of(fits[i]);
    for (const double residual : fits[i].residual) {
      points.reading.value.push_back(std::abs(residual));
      points.y.push_back(std::clamp(std::abs(residual), 1.5e-17, 9.0));
    }
    panel.marks.push_back(std::move(points));
  }
  return panel;
}

figure::Table residual_table(const std::vector<double>& f, const std::vector<RopeFit>& fits) {
  figure::Table table{"residuals",
                      {{.name = "pair", .values = pair_numbers(f.size())},
                       {.name = "given", .unit = "rad/token", .values = f, .digits = 12}}};
  for (std::size_t i = 0; i < std::min(fits.size(), most_shown); ++i)
    table.columns.push_back({.name = std::to_string(i + 1) + ", " + std::string(name(fits[i].rule.type)),
                             .values = fits[i].residual});
  return table;
}

/// The best first; numbers that a rule does not read are 0.
figure::Table fit_table(const std::vector<RopeFit>& fits) {
  figure::Table table{"fits",
                      {{.name = "place"}, {.name = "largest residual", .digits = 4}, {.name = "fits"}}};
  constexpr const char* asked[] = {"rope_theta",
                                   "factor",
                                   "original_max_position_embeddings",
                                   "beta_fast",
                                   "beta_slow",
                                   "low_freq_factor",
                                   "high_freq_factor",
                                   "partial_rotary_factor"};
  for (const char* const each : asked) table.columns.push_back({.name = each, .digits = 12});
  for (std::size_t i = 0; i < fits.size(); ++i) {
    table.columns[0].values.push_back(static_cast<double>(i + 1));
    table.columns[1].values.push_back(fits[i].max_relative_residual);
    table.columns[2].values.push_back(fits[i].fits ? 1 : 0);
    const auto numbers = numbers_of(fits[i].rule);
    for (std::size_t c = 0; c < std::size(asked); ++c) {
      const auto found = std::ranges::find(numbers, asked[c], &position::NamedNumber::name);
      table.columns[3 + c].values.push_back(found == numbers.end() ? 0 : found->value);
    }
  }
  return table;
}

std::vector<Check> checks_of(const std::vector<double>& f, const std::vector<RopeFit>& fits) {
  const tensor::Format format = position::narrowest_format(f);
  // One that fits anything comes last in the list, and counts here.
  const double closest = std::ranges::min(fits, {}, &RopeFit::max_relative_residual).max_relative_residual;
  double recomputed = 0;
  const auto again = rope_frequencies(fits.front().rule).inv_freq;
  for (std::size_t i = 0; i < f.size(); ++i)
    recomputed = std::max(recomputed, std::abs(again[i] - fits.front().inv_freq[i]));
  return {
      {"the best rule's largest residual, in what the format allows", closest,
       position::identify_tolerance(format)},
      {"the rule reported gives the frequencies compared with", recomputed, 0},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<double> f = vector_of(settings, run);
  run.check();
  const std::vector<RopeFit> fits = position::identify_rope(f, published_rules());
  const double tolerance = position::identify_tolerance(position::narrowest_format(f));
  figure::Panel ratio = ratio_panel(f, fits),
                residual = residual_panel(pair_numbers(f.size()), fits, tolerance);
  ratio.cell = {0, 0};
  residual.cell = {1, 0};
  StudyResult result;
  result.figure.title = "Frequencies tell which rule made them";
  result.figure.description =
      "Above, the given frequencies over the plain powers of the base that was found, and the nearest rules "
      "through "
      "them. Below, what is left of each by pair, and what the format of the numbers allows.";
  result.figure.panels = {std::move(ratio), std::move(residual)};
  result.figure.row_weights = {1.4, 1};
  result.figure.aspect = 1.3;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {fit_table(fits), residual_table(f, fits)};
  result.checks = checks_of(f, fits);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"gpt-oss in bfloat16: YaRN is still recognised, with its ramp.", "model=gpt-oss-20b format=bf16"},
    {"Kimi's numbers, in double.",
     "model=own rule=yarn head_width=64 base=50000 trained_length=4096 factor=64 format=f64"},
    {"NTK and a default with another base are one vector.",
     "model=own rule=ntk head_width=128 base=10000 factor=8"},
});

}  // namespace

const Study rope_identify{
    .id = "rope/identify",
    .title = "Which rule is it?",
    .topic = "Context extension",
    .summary = "frequencies tell which rule made them, and with which numbers",
    .formula = R"(\min_{f,\,b,\,s,\,\ldots}\ \max_i \left| \theta_i / \theta'_i - 1 \right|)",
    .about =
        "A vector dumped from a run is compared with every rule. The base is read off the fastest pairs, the "
        "factor off "
        "the slowest, the ramp between; each candidate is then generated in full, and what is left by pair "
        "says "
        "whether it is the one. Rules that give the same vector are all named, the roundest numbers first.",
    .source =
        "Hugging Face transformers, modeling_rope_utils; Peng et al. 2023, arXiv 2309.00071, definition 2",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
