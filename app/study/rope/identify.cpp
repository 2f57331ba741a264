// A vector of frequencies from a run, recognised: the rule that gives it, its numbers, and what is left over by pair.
#include "app/study/kit.h"
#include "app/study/kit/paragraphs.h"
#include "app/study/reading.h"
#include "app/study/rope/known_rules.h"
#include "app/study/rope/rules.h"
#include "core/model/frequency_file.h"
#include "core/position/rope_identify.h"
#include "core/tensor/format.h"

namespace orrery::study::rope_identify {
namespace {

using position::RopeFit;

constexpr auto parameters = std::to_array<Parameter>({
    file("vector", "Vector", ".npy|.safetensors|.csv|.txt|.json",
         "frequencies from a run: .npy, .safetensors, .json, .csv; without a file, those of the model below"),
    read_when(with_fallback(model_parameter, "llama-3.1-8b"), "vector="),
    with_fallback(choice("format", "Rounded to", "f64|f32|bf16",
                         "what a run would have kept the frequencies in", {.only_when = "vector="}),
                  "f32"),
    with_fallback(choice("rule", "Own rule", "none|linear|ntk|dynamic|yarn|yarn_paper|llama3|resonance",
                         "of the model `own`, with the numbers below",
                         {.only_when = "vector= model=own", .model_fact = "rule"}),
                  "yarn"),
    read_when(head_width_parameter, "vector= model=own"),
    read_when(base_parameter, "vector= model=own"),
    read_when(trained_length_parameter, "vector= model=own"),
    read_when(factor_parameter, "vector= model=own rule=linear|ntk|dynamic|yarn|yarn_paper|llama3|resonance"),
    show_parameter("all|ratio|residual|candidates"),
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

/// How many of those that were compared give the vector.
std::string count_text(const std::vector<RopeFit>& fits, std::size_t numbers) {
  const double give = number(std::ranges::count(fits, true, &RopeFit::fits));
  return (give == 0 ? "None" : grouped(give)) + " of " + amount(number(fits.size()), "rule", "rules") +
         " compared " + (give > 1 ? "give" : "gives") + " these " + grouped(number(numbers)) + " frequencies";
}

/// The first few fits, as many as a figure has colours for.
std::span<const RopeFit> nearest(const std::vector<RopeFit>& fits) {
  return std::span(fits).first(std::min(fits.size(), most_shown));
}

/// A column for each of the nearest, named by its place.
std::string column_of(std::size_t place, const RopeFit& fit) {
  return std::to_string(place + 1) + ", " + std::string(name(fit.rule.type));
}

Series over_pairs(std::string name, const std::vector<double>& f) {
  return {std::move(name), {"pair", "", counted(std::ssize(f))}};
}

/// The vector and the fits over the plain powers of the best one's base.
Panel ratio_panel(const std::vector<double>& f, const std::vector<RopeFit>& fits) {
  position::RopeRule plain = fits.front().rule;
  plain.type = position::RopeType::standard;
  const std::vector<double> w = rope_frequencies(plain).inv_freq;
  const auto over_plain = [&](std::vector<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = values[i] > 0 ? values[i] / w[i] : std::numeric_limits<double>::quiet_NaN();
    return values;
  };
  Series ratios = over_pairs("ratios", f);
  ratios.add("given", over_plain(f));
  Panel panel{
      .title = "Over the plain powers of the nearest rule's base",
      .x = counts("pair $i$"),
      .y = values(R"($\theta_i / b^{-2i/R}$)"),
      .marks = {ratios.points(
          "given", {.ink = ink(Role::text), .radius = 1.6, .symbol = Symbol::ring, .label = "given"})},
      .legend = LegendPlace::above,
      .series_group = 1};
  for (const RopeFit& fit : nearest(fits)) {
    const int place = static_cast<int>(panel.marks.size()) - 1;
    ratios.add(column_of(place, fit), over_plain(fit.inv_freq));
    panel.marks.push_back(ratios.line(column_of(place, fit), {.ink = series(place), .label = label_of(fit)}));
  }
  double least = 1, most = 1;
  for (const double ratio : ratios["given"])
    if (std::isfinite(ratio)) least = std::min(least, ratio), most = std::max(most, ratio);
  panel.x.group = 1;
  panel.y.scale = Scale::log(2);
  panel.y.range = Range{std::min(least / 1.5, 0.5), std::max(most * 1.5, 2.0)};
  return panel;
}

Panel residual_panel(const Series& residuals, const std::vector<RopeFit>& fits, double tolerance) {
  const double last_pair = number(std::max<Index>(1, std::ssize(residuals.x()) - 1));
  Panel panel{.title = "Relative residual by pair",
              .x = counts("pair $i$"),
              .y = values(R"($|\theta_i/\theta'_i - 1|$)"),
              .marks = {Line{.x = {0, last_pair},
                             .y = {tolerance, tolerance},
                             .ink = ink(Role::accent),
                             .dash = Dash::dashed,
                             .label = "what the format allows"}},
              .legend = LegendPlace::above,
              .series_group = 1};
  panel.x.group = 1;
  panel.y.scale = Scale::log(10);
  double least = tolerance, most = tolerance;  // of those that have a place on a log axis
  bool exact = false;
  int place = 0;
  for (const RopeFit& fit : nearest(fits)) {
    Points points = residuals.points(column_of(place, fit), {.ink = series(place), .radius = 1.4});
    points.reading = {.name = label_of(fit)};
    for (double& y : points.y) {
      y = std::abs(y);
      points.reading.value.push_back(y);
      exact = exact || y == 0;
      if (y > 0) least = std::min(least, y), most = std::max(most, y);
    }
    panel.marks.push_back(std::move(points));
    ++place;
  }
  panel.y.range = Range{least / 5, most * 5};
  if (exact)
    panel.marks.push_back(Inset{.text = "residual 0: no point", .ink = ink(Role::secondary), .frame = false});
  return panel;
}

/// The nearest rules in words, the best first: how far off, and with which numbers.
Panel candidate_panel(const std::vector<RopeFit>& fits) {
  std::vector<Paragraph> paragraphs;
  for (const RopeFit& fit : nearest(fits)) {
    paragraphs.push_back(
        {label_of(fit) + "; off by " + scientific_text(fit.max_relative_residual) + " at most",
         ink(fit.fits ? Role::text : Role::secondary)});
    paragraphs.push_back({rule_text(fit.rule) + (fit.names.empty() ? "" : "; as in " + fit.names.front()),
                          ink(Role::secondary)});
  }
  return paragraph_panel(std::move(paragraphs));
}

Series residual_series(const std::vector<double>& f, const std::vector<RopeFit>& fits) {
  Series residuals = over_pairs("residuals", f);
  residuals.add({.name = "given", .unit = "rad/token", .values = f, .digits = 12});
  for (const RopeFit& fit : nearest(fits))
    residuals.add(column_of(residuals.columns().size() - 1, fit), fit.residual);
  return residuals;
}

/// The best first; numbers that a rule does not read are 0.
Table fit_table(const std::vector<RopeFit>& fits) {
  Table table{"fits", {{.name = "fitted rule"}, {.name = "largest residual", .digits = 4}, {.name = "fits"}}};
  constexpr const char* asked[] = {"rope_theta",
                                   "factor",
                                   "original_max_position_embeddings",
                                   "beta_fast",
                                   "beta_slow",
                                   "low_freq_factor",
                                   "high_freq_factor",
                                   "partial_rotary_factor"};
  for (std::size_t i = 0; i < fits.size(); ++i)
    add_row(table, Called{std::string(name(fits[i].rule.type)), number(i + 1)}, fits[i].max_relative_residual,
            fits[i].fits);
  for (const char* const each : asked) {
    Column column{.name = each, .digits = 12};
    for (const RopeFit& fit : fits) {
      const auto numbers = numbers_of(fit.rule);
      const auto found = std::ranges::find(numbers, each, &position::NamedNumber::name);
      column.values.push_back(found == numbers.end() ? 0 : found->value);
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

std::vector<Check> checks_of(const std::vector<double>& f, const std::vector<RopeFit>& fits) {
  const tensor::Format format = position::narrowest_format(f);
  // One that fits anything comes last in the list, and counts here.
  const double closest = std::ranges::min(fits, {}, &RopeFit::max_relative_residual).max_relative_residual;
  return {
      {"the best rule's largest residual, in what the format allows", closest,
       position::identify_tolerance(format)},
  };
}

/// Of the nearest rule, where the most is left over.
std::string worked_of(const std::vector<double>& f, const RopeFit& nearest_fit) {
  std::size_t i = 0;
  for (std::size_t k = 0; k < f.size(); ++k)
    if (nearest_fit.inv_freq[k] > 0 && std::abs(nearest_fit.residual[k]) > std::abs(nearest_fit.residual[i]))
      i = k;
  const double expected = nearest_fit.inv_freq[i];
  const std::string theta = subscripted("\\theta", number(i)), found = subscripted("\\theta'", number(i));
  Worked worked;
  return worked
      .add("|" + theta + " - " + found + "| / " + found, worked::frac(abs(term(f[i]) - expected), expected),
           std::abs(nearest_fit.residual[i]))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<double> f = position::once_per_pair(vector_of(settings, run)).inv_freq;
  run.check();
  const std::vector<RopeFit> fits = position::identify_rope(f, published_rules());
  const double tolerance = position::identify_tolerance(position::narrowest_format(f));
  const Series residuals = residual_series(f, fits);
  Picture picture(count_text(fits, f.size()),
                  "Above, the given frequencies over the plain powers of the base that was found, and the "
                  "nearest rules through them. Below, what is left of each by pair, and what the format of "
                  "the numbers allows; below that these rules in words.");
  picture.at({0, 0}, "ratio", ratio_panel(f, fits));
  picture.at({1, 0}, "residual", residual_panel(residuals, fits, tolerance));
  Panel candidates = candidate_panel(fits);
  const double share = std::clamp((paragraph_lines(candidates) + 1) / 8.5, 0.4, 2.0);
  picture.at({2, 0}, "candidates", std::move(candidates));
  return {std::move(picture).figure(settings, {.aspect = 2.8 / (2.4 + share), .rows = {1.4, 1, share}}),
          {fit_table(fits), residuals.table()},
          checks_of(f, fits),
          worked_of(f, fits.front())};
}

constexpr auto tries = std::to_array<Try>({
    {"gpt-oss in bfloat16: YaRN is still recognised, with its ramp.", "model=gpt-oss-20b format=bf16",
     [](auto& now, auto&) {
       return at(now, "fits", "fits", 1) == 1 && at(now, "fits", "factor", 1) == 32 &&
              at(now, "fits", "beta_fast", 1) == 32 && at(now, "fits", "beta_slow", 1) == 1;
     }},
    {"Kimi's numbers, in double: nothing is left over.",
     "model=own rule=yarn head_width=64 base=50000 trained_length=4096 factor=64 format=f64",
     [](auto& now, auto&) {
       return at(now, "fits", "largest residual", 1) == 0 && at(now, "fits", "rope_theta", 1) == 50000 &&
              at(now, "fits", "factor", 1) == 64;
     }},
    {"NTK and a default with another base are one vector.",
     "model=own rule=ntk head_width=128 base=10000 factor=8",
     [](auto& now, auto&) {
       return at(now, "fits", "fits", 1) == 1 && at(now, "fits", "fits", 3) == 1 &&
              at(now, "fits", "rope_theta", 3) > 8 * at(now, "fits", "rope_theta", 1);
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/identify",
    .title = "Which rule is it?",
    .topic = "Context extension",
    .summary = "frequencies tell which rule made them, and with which numbers",
    .formula = R"(\min_{f,\,b,\,s,\,\ldots}\ \max_i \left| \theta_i / \theta'_i - 1 \right|)",
    .about =
        "A vector dumped from a run is compared with every rule. The base is read off the fastest pairs, the "
        "factor off the slowest, the ramp between; each candidate is then generated in full, and what is "
        "left by pair says whether it is the one. Rules that give the same vector are all named, the "
        "roundest numbers first.",
    .source =
        "Hugging Face transformers, modeling_rope_utils; Peng et al. 2023, arXiv 2309.00071, definition 2",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_identify
