// Attention spreads over longer texts: its entropy by length, and what each remedy does about it.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/attention/entropy.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using attention::LengthRemedy;
using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;

constexpr std::string_view parts = "all|entropy|scale";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "trained_length",
     .label = "Trained length",
     .kind = Kind::integer,
     .fallback = "512",
     .min = 2,
     .max = 65536,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "L: the remedies begin beyond it; the width of the window",
     .model_fact = "trained_length"},
    {.name = "longest",
     .label = "Longest text",
     .kind = Kind::integer,
     .fallback = "32768",
     .min = 16,
     .max = 1048576,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "up to where lengths are drawn"},
    {.name = "deviation",
     .label = "Deviation",
     .kind = Kind::real,
     .fallback = "1.5",
     .min = 0,
     .max = 10,
     .help = "σ of the scores: large ones freeze attention on a few keys"},
    seed_parameter("another one draws other scores"),
    show_parameter(parts),
});

struct Remedy {
  LengthRemedy kind;
  const char* name;
};
constexpr std::array remedies{Remedy{LengthRemedy::none, "no remedy"}, Remedy{LengthRemedy::log_n, "log n"},
                              Remedy{LengthRemedy::yarn, "YaRN's temperature"},
                              Remedy{LengthRemedy::window, "sliding window"}};

/// From 2 to the longest, four to the octave, the trained length among them.
std::vector<double> lengths_of(const Settings& settings) {
  const double longest = static_cast<double>(settings.integer("longest")),
               trained = static_cast<double>(settings.integer("trained_length"));
  std::vector<double> lengths;
  for (double n = 4; n < longest; n *= std::exp2(0.25)) lengths.push_back(std::round(n));
  lengths.push_back(longest);
  if (trained < longest && trained > 4) lengths.push_back(trained);
  std::ranges::sort(lengths);
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
  return lengths;
}

double entropy_of(const Remedy& remedy, std::span<const double> scores, double trained) {
  const double n = static_cast<double>(scores.size());
  if (remedy.kind == LengthRemedy::window && n > trained)
    scores = scores.last(static_cast<std::size_t>(trained));
  return attention::softmax_entropy(scores, attention::logit_scale(remedy.kind, n, trained));
}

figure::Table entropy_table(const Settings& settings, const Run& run) {
  const double trained = static_cast<double>(settings.integer("trained_length"));
  const tensor::Random random(static_cast<std::uint64_t>(settings.integer("seed")));
  std::vector<double> scores(static_cast<std::size_t>(settings.integer("longest")));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (i % 65536 == 0) run.check();
    scores[i] = settings.real("deviation") * random.normal(i);
  }

  figure::Table table{"entropy", {{.name = "length", .unit = "tokens", .values = lengths_of(settings)}}};
  const std::vector<double> lengths = table.columns[0].values;
  figure::Column even{.name = "all keys alike", .unit = "nat"};
  for (const double n : lengths) even.values.push_back(std::log(n));
  table.columns.push_back(std::move(even));
  for (const Remedy& remedy : remedies) {
    figure::Column column{.name = remedy.name, .unit = "nat"};
    for (const double n : lengths) {
      run.progress(0.25 * static_cast<double>(&remedy - remedies.data()));
      column.values.push_back(
          entropy_of(remedy, std::span(scores).first(static_cast<std::size_t>(n)), trained));
    }
    table.columns.push_back(std::move(column));
  }
  for (const Remedy& remedy : remedies) {
    figure::Column column{.name = std::string("scale, ") + remedy.name};
    for (const double n : lengths) column.values.push_back(attention::logit_scale(remedy.kind, n, trained));
    table.columns.push_back(std::move(column));
  }
  return table;
}

figure::Panel panel_of(const figure::Table& table, std::size_t first, const char* title, const char* label,
                       double trained) {
  figure::Panel panel;
  panel.title = title;
  const double longest = table.columns[0].values.back();
  panel.x = {.label = "keys $n$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{table.columns[0].values.front(), longest},
             .ticks = figure::TickHint::powers_of_two,
             .group = 1};
  panel.y = {.label = label, .grid = true};
  if (trained < longest) panel.marks = trained_marks(trained, longest, "");
  for (std::size_t i = 0; i < remedies.size(); ++i)
    panel.marks.push_back(figure::Line{.x = table.columns[0].values,
                                       .y = table.columns[first + i].values,
                                       .ink = figure::series(static_cast<int>(i)),
                                       .label = remedies[i].name});
  panel.legend = figure::LegendPlace::none;
  return panel;
}

std::vector<Check> checks_of(const figure::Table& table, double trained) {
  const auto column = [&](std::size_t c) -> const std::vector<double>& { return table.columns[c].values; };
  double above = 0, raised = 0, window = 0;
  for (std::size_t i = 0; i < column(0).size(); ++i) {
    for (std::size_t c = 2; c < 6; ++c) above = std::max(above, column(c)[i] - column(1)[i]);
    // dH/dκ = −κ Var(s) under the weights: a larger scale never raises the entropy.
    raised = std::max({raised, column(3)[i] - column(2)[i], column(4)[i] - column(2)[i]});
    window = std::max(window, column(5)[i] - std::log(std::min(column(0)[i], trained)));
  }
  const double yarn = std::sqrt(attention::logit_scale(LengthRemedy::yarn, 32.0 * 4096, 4096));
  // Sums of a million terms in order: 2^20 roundings, of which few fall the same way.
  constexpr double rounding = 1e-9;
  return {
      {"no entropy is above $\\ln n$", above, rounding},
      {"a larger scale never raises the entropy", raised, rounding},
      {"a window of $L$ keys keeps it below $\\ln L$", window, rounding},
      {"log n at $n = L^2$ doubles the scores",
       std::abs(attention::logit_scale(LengthRemedy::log_n, 512.0 * 512, 512) - 2), 0x1p-50},
      {"YaRN's factor at 32 times the length: 1.34657359", std::abs(yarn - 1.34657359), 5e-9},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  figure::Table table = entropy_table(settings, run);
  const double trained = static_cast<double>(settings.integer("trained_length"));
  figure::Panel entropy = panel_of(table, 2, "Entropy of the weights", "$H$ (nat)", trained),
                scale = panel_of(table, 6, "What multiplies the scores", R"($\kappa$)", trained);
  entropy.marks.push_back(figure::Line{.x = table.columns[0].values,
                                       .y = table.columns[1].values,
                                       .ink = {figure::Role::secondary, 0, 1},
                                       .dash = figure::Dash::dotted,
                                       .label = R"($\ln n$: all keys alike)",
                                       .dash_by_series = false});
  entropy.legend = figure::LegendPlace::above;
  if (settings.choice("show") == "scale") scale.legend = figure::LegendPlace::top_left;
  entropy.cell = {0, 0};
  scale.cell = {1, 0};
  StudyResult result;
  result.figure.title = "More keys, the same scores: attention spreads, unless something holds it";
  result.figure.description =
      "Entropy of the attention weights by the number of keys: without a remedy it grows like the logarithm "
      "of the "
      "length, with log n and YaRN's temperature less, with a sliding window not at all. Below, what "
      "multiplies the "
      "scores.";
  result.figure.panels = {std::move(entropy), std::move(scale)};
  result.figure.row_weights = {1.7, 1};
  result.figure.aspect = 1.3;
  show_only(result.figure, parts, settings.choice("show"));
  result.checks = checks_of(table, trained);
  result.tables = {std::move(table)};
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Scores that are all alike: no scale helps.", "deviation=0"},
    {"Large scores freeze attention on a few keys.", "deviation=6"},
    {"Trained on 4096 tokens, read to a million.", "trained_length=4096 longest=1048576"},
});

}  // namespace

const Study extrapolation_entropy{
    .id = "extrapolation/entropy",
    .title = "Entropy by length",
    .topic = "Past the trained length",
    .summary = "more keys, the same scores: attention spreads, unless something holds it",
    .formula =
        R"(H = -\sum_j p_j \ln p_j, \quad p = \mathrm{softmax}(\kappa(n)\, s), \quad H \approx \ln n - \kappa^2\sigma^2/2)",
    .about =
        "With independent scores of one deviation the entropy grows like ln n: in a long text no key stands "
        "out any "
        "more. Log n multiplies the scores by ln n over ln L, YaRN by the square of its attention factor; a "
        "sliding "
        "window keeps the number of keys. Each begins past the trained length.",
    .source =
        "Su, kexue.fm 8823; Chiang and Cholak 2022, arXiv 2202.12172; Peng et al. 2023, arXiv 2309.00071, "
        "section 3.4",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
