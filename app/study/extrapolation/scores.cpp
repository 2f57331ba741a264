// The score of a key by its distance, to any length, under each rule: what was trained, and what comes after.
#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/position/rope_decay.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using Products = std::vector<std::complex<double>>;

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    trained_length_parameter,
    factor_parameter,
    {.name = "reach",
     .label = "Reach",
     .kind = Kind::real,
     .fallback = "8",
     .min = 1,
     .max = 1024,
     .travel = Travel::log,
     .help = "the largest distance drawn, in trained lengths"},
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("of the random query and key", "content=random"),
    show_parameter("all|linear|ntk|yarn|yarn_paper|llama3|dynamic",
                   "all rules, or one alone for a column of text"),
});

constexpr int samples = 700;

Products products_of(const Settings& settings, std::size_t pairs) {
  Products h(pairs, 1);
  if (settings.choice("content") == "alike") return h;
  const tensor::Random random(static_cast<std::uint64_t>(settings.integer("seed")));
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::complex<double> q(random.normal(4 * i), random.normal(4 * i + 1));
    const std::complex<double> k(random.normal(4 * i + 2), random.normal(4 * i + 3));
    h[i] = q * std::conj(k);
  }
  return h;
}

/// Over the largest that any rotation could give, without the rule's own factor: from −1 to 1, and with it a² more.
std::vector<double> scores(const StretchedRule& rule, const Products& h,
                           const std::vector<double>& distances) {
  double most = 0;
  for (const auto& each : h) most += std::abs(each);
  const double a = rule.rope.attention_factor, scale = a * a / std::max(most, 1e-300);
  std::vector<double> s;
  for (const double r : distances) s.push_back(scale * position::score_at(h, rule.rope.inv_freq, r));
  return s;
}

figure::Panel panel_of(const StretchedRule& rule, const std::vector<double>& r,
                       const std::vector<double>& plain, const std::vector<double>& now, double trained,
                       int color, bool first) {
  figure::Panel panel;
  panel.title = rule.label;
  panel.x = {.label = "distance $r$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{1, r.back()},
             .ticks = figure::TickHint::powers_of_two,
             .group = 1};
  panel.y = {.label = "score", .grid = true, .group = 2};
  panel.legend = figure::LegendPlace::none;
  panel.marks = trained_marks(trained, r.back(), "");
  panel.marks.push_back(figure::Line{
      .x = r, .y = plain, .ink = {figure::Role::faint, 0, 0.7}, .width = 0.7, .dash_by_series = false});
  panel.marks.push_back(
      figure::Line{.x = r, .y = now, .ink = figure::series(color), .width = 0.8, .dash_by_series = false});
  if (first) {
    panel.marks.push_back(figure::Inset{.text = "grey: no rule",
                                        .place = figure::LegendPlace::top_right,
                                        .ink = {figure::Role::secondary, 0, 1},
                                        .frame = false});
  }
  return panel;
}

std::vector<Check> checks_of(const Stretch& s, const Products& h, const std::vector<double>& r,
                             const std::vector<StretchedRule>& rules) {
  const StretchedRule plain = stretched_rule("none", s);
  // Interpolation is the unchanged score at r/s. An angle up to s·r·θ is rounded by 2^-52 of itself.
  const StretchedRule& linear = rules[0];
  std::vector<double> shrunk = r;
  for (double& each : shrunk) each /= s.factor;
  const std::vector<double> a = scores(linear, h, r), b = scores(plain, h, shrunk);
  double interpolation = 0, largest = 0;
  for (std::size_t i = 0; i < r.size(); ++i) interpolation = std::max(interpolation, std::abs(a[i] - b[i]));
  double roformer = 0;
  for (const StretchedRule& rule : rules) {
    const double most = rule.rope.attention_factor * rule.rope.attention_factor;
    for (const double score : scores(rule, h, r)) largest = std::max(largest, std::abs(score) / most);
  }
  const StretchedRule known = stretched_rule("none", {128, 10000, 4096, 1});
  roformer = std::abs(position::score_at(Products(64, 1), known.rope.inv_freq, 1024) - 13.084250832);
  const double angle = (r.back() + 64) * 0x1p-51;
  return {
      {"linear: the score at $r$ is the unchanged one at $r/s$", interpolation, angle},
      {"no score exceeds $a^2 \\sum |h_i|$", largest, 1 + 1e-12},
      {"d = 128, base 10 000: $B(1024)$ is 13.084250832", roformer, 5e-10},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Stretch s = stretch_of(settings);
  const std::vector<StretchedRule> rules = usual_rules(s);
  const Products h = products_of(settings, static_cast<std::size_t>(s.head_width / 2));
  const std::vector<double> r = spread_distances(s.trained * settings.real("reach"), samples);
  const std::vector<double> plain = scores(stretched_rule("none", s), h, r);

  StudyResult result;
  figure::Figure& figure = result.figure;
  figure::Table table{
      "scores",
      {{.name = "distance", .unit = "tokens", .values = r}, {.name = "unchanged", .values = plain}}};
  const std::string& shown = settings.choice("show");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    run.check();
    table.columns.push_back({.name = rules[i].label, .values = scores(rules[i], h, r)});
    if (shown != "all" && shown != rules[i].id) continue;
    figure.panels.push_back(panel_of(rules[i], r, plain, table.columns.back().values, s.trained,
                                     static_cast<int>(i), figure.panels.empty()));
    if (shown == "all") figure.panels.back().cell = {static_cast<int>(i) / 2, static_cast<int>(i) % 2};
  }
  if (shown == "all") {
    figure.row_weights = {1, 1, 1};
    figure.col_weights = {1, 1};
  }
  figure.aspect = shown == "all" ? 1.3 : 1.6;
  figure.title = "What each rule makes of the distances that were never trained";
  figure.description =
      "A panel for each rule: the score of a key by its distance on a log axis, over the score without any "
      "rule in "
      "grey. Beyond the dashed line no distance was seen in training.";
  result.tables = {std::move(table)};
  result.checks = checks_of(s, h, r, rules);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"A random query and key: the rules keep its shape, shifted by their stretching.", "content=random"},
    {"Llama 3.1, to 128k tokens.", "model=llama-3.1-8b reach=16"},
    {"Sixty-four times longer: the scores swing without end.", "reach=64 factor=32"},
});

}  // namespace

const Study extrapolation_scores{
    .id = "extrapolation/scores",
    .title = "Scores past the end",
    .topic = "Past the trained length",
    .summary = "what each rule makes of the distances that were never trained",
    .formula = R"(s(r) = a^2\, \mathrm{Re} \sum_i q_i \bar{k}_i\, e^{\mathrm{i} r \theta'_i})",
    .about =
        "A score is a sum of waves, one for each pair, and nothing stops it at the trained length. "
        "Interpolation draws "
        "the whole curve out by s; NTK, YaRN and Llama 3 keep the fast waves near the start and draw out the "
        "slow "
        "ones. YaRN multiplies all scores besides.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, eq. 16; Peng et al. 2023, arXiv 2309.00071, section 3; Chen et "
        "al. 2023, "
        "arXiv 2306.15595, section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
