// The rules of context extension, overlaid: what each does to the frequency of every pair, and to the scores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using position::RopeRule;
using position::RopeType;

constexpr std::string_view parts = "all|ratio|ramp|attention";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    trained_length_parameter,
    factor_parameter,
    {.name = "rule",
     .label = "Bands of",
     .kind = Kind::choice,
     .fallback = "yarn",
     .choices = stretched_rules,
     .help = "the rule whose kept, blended and divided pairs are marked",
     .model_fact = "rule"},
    show_parameter(parts),
});

std::vector<double> ratios(const StretchedRule& rule, const StretchedRule& plain) {
  std::vector<double> ratio;
  for (std::size_t i = 0; i < plain.rope.inv_freq.size(); ++i)
    ratio.push_back(rule.rope.inv_freq[i] / plain.rope.inv_freq[i]);
  return ratio;
}

/// g: 0 for a pair that is kept, 1 for one that is divided by the whole factor.
double interpolated(double ratio, double factor) {
  return factor > 1 ? std::clamp((1 - ratio) / (1 - 1 / factor), 0.0, 1.0) : 0;
}

/// Kept pairs come first, divided ones last; what lies between is the rule's blend.
void add_bands(figure::Panel& panel, const std::vector<double>& ratio, double factor) {
  std::size_t kept = 0, divided = ratio.size();
  while (kept < ratio.size() && std::abs(ratio[kept] - 1) < 1e-12) ++kept;
  while (divided > kept && std::abs(ratio[divided - 1] * factor - 1) < 1e-12) --divided;
  const double from = static_cast<double>(kept) - 0.5, to = static_cast<double>(divided) - 0.5;
  if (kept < divided) {
    panel.marks.push_back(figure::Rule{.at = from, .to = to, .ink = {figure::Role::accent_ground, 0, 1}});
  }
  const auto name = [&](double lo, double hi, const char* text) {
    if (hi - lo < 0.12 * static_cast<double>(ratio.size())) return;  // no room for the word
    figure::Note note{.x = (lo + hi) / 2, .y = 1.12, .text = text, .ink = {figure::Role::secondary, 0, 1}};
    note.v = figure::VAlign::bottom;
    note.dy = -2;
    panel.marks.push_back(note);
  };
  name(-0.5, from, "kept");
  name(from, to, kept == 0 && divided == ratio.size() ? "changed" : "blended");
  name(to, static_cast<double>(ratio.size()) - 0.5, "divided");
}

figure::Panel ratio_panel(const std::vector<StretchedRule>& rules, const StretchedRule& plain,
                          const StretchedRule& chosen) {
  const std::vector<double> pairs = pair_numbers(plain.rope.inv_freq.size());
  figure::Panel panel;
  panel.title = "Frequency against the unchanged one";
  panel.x = {.label = "pair $i$",
             .range = figure::Range{-0.5, pairs.back() + 0.5},
             .ticks = figure::TickHint::integers};
  panel.y = {.label = R"($\theta'_i / \theta_i$)", .scale = figure::Scale::log(2), .grid = true};
  panel.legend = figure::LegendPlace::above;
  double least = 1 / plain.rule.factor;
  add_bands(panel, ratios(chosen, plain), chosen.rule.factor);
  const auto line = [&](const StretchedRule& rule, figure::Ink ink) {
    std::vector<double> y = ratios(rule, plain);
    for (double& value : y) {
      if (value > 0) {
        least = std::min(least, value);
      } else {
        value = std::numeric_limits<double>::quiet_NaN();  // stands still
      }
    }
    return figure::Line{.x = pairs, .y = std::move(y), .ink = ink, .label = rule.label};
  };
  for (std::size_t i = 0; i < rules.size(); ++i)
    panel.marks.push_back(line(rules[i], figure::series(static_cast<int>(i))));
  const bool drawn = std::ranges::any_of(rules, [&](const auto& each) { return each.id == chosen.id; });
  if (!drawn) panel.marks.push_back(line(chosen, {figure::Role::accent, 0, 1}));
  panel.y.range = figure::Range{least / 1.15, 2.4};
  return panel;
}

/// How far each pair is interpolated: over the pair index in everyone's code, over the turns in the paper.
figure::Panel ramp_panel(const std::vector<StretchedRule>& rules, const StretchedRule& plain) {
  figure::Panel panel;
  panel.title = "Share that is divided";
  const std::vector<double> pairs = pair_numbers(plain.rope.inv_freq.size());
  panel.x = {.label = "pair $i$", .ticks = figure::TickHint::integers};
  panel.y = {.label = "$g_i$", .range = figure::Range{-0.03, 1.05}, .grid = true};
  panel.legend = figure::LegendPlace::none;  // the colours are those above
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].rule.type != RopeType::yarn && rules[i].rule.type != RopeType::llama3) continue;
    figure::Line line{
        .x = pairs, .ink = figure::series(static_cast<int>(i)), .label = std::string(rules[i].label)};
    for (const double ratio : ratios(rules[i], plain))
      line.y.push_back(interpolated(ratio, plain.rule.factor));
    panel.marks.push_back(std::move(line));
  }
  return panel;
}

/// Factors from 1 to 64, evenly on a log axis.
figure::Table attention_table(const Stretch& stretch) {
  figure::Table table{"attention_factor", {{.name = "factor"}, {.name = "YaRN"}, {.name = "LongRoPE"}}};
  for (int i = 0; i <= 48; ++i) {
    const double s = std::exp2(i / 8.0);
    table.columns[0].values.push_back(s);
    table.columns[1].values.push_back(position::yarn_mscale(s, 1));
    table.columns[2].values.push_back(std::sqrt(1 + std::log(s) / std::log(stretch.trained)));
  }
  return table;
}

figure::Panel attention_panel(const figure::Table& table, double factor) {
  figure::Panel panel;
  panel.title = "Attention factor";
  panel.x = {.label = "factor $s$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{1, 64},
             .ticks = figure::TickHint::powers_of_two};
  panel.y = {.label = "$a$", .range = figure::Range{0.98, 1.52}, .grid = true};
  panel.legend = figure::LegendPlace::none;
  const auto line = [&](std::size_t column, int ink) {
    return figure::Line{
        .x = table.columns[0].values, .y = table.columns[column].values, .ink = figure::series(ink)};
  };
  // The names stand at the ends of their lines, where rising lines leave room: a legend would cover them. One stands
  // above its end; the other below its line, and so below where that runs over the name's first letter.
  const auto name = [&](std::size_t column, int ink) {
    figure::Note note{.x = 64, .y = table.columns[column].values.back(), .text = table.columns[column].name};
    note.ink = figure::series(ink);
    note.h = figure::HAlign::right;
    note.v = figure::VAlign::bottom;
    note.dx = -14;
    note.dy = -6;
    return note;
  };
  figure::Note lower = name(2, 1);
  lower.y = table.columns[2].values[36];  // at 2^4.5 of 2^6: a quarter of the axis is as long as the name
  lower.v = figure::VAlign::top;
  lower.dx = -2;
  lower.dy = 3;
  panel.marks = {figure::Rule{.at = factor},
                 line(1, 2),
                 line(2, 1),
                 figure::Rule{.direction = figure::Direction::horizontal,
                              .at = 1,
                              .ink = {figure::Role::secondary, 0, 1},
                              .dash = figure::Dash::dotted},
                 name(1, 2),
                 std::move(lower)};
  return panel;
}

figure::Table pair_table(const StretchedRule& plain, const Stretch& stretch) {
  figure::Table table{"frequencies",
                      {{.name = "pair", .values = pair_numbers(plain.rope.inv_freq.size())},
                       {.name = "unchanged", .unit = "rad/token", .values = plain.rope.inv_freq}}};
  std::string_view rest = stretched_rules;
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    const StretchedRule rule = stretched_rule(rest.substr(0, bar), stretch);
    table.columns.push_back({.name = rule.label, .unit = "rad/token", .values = rule.rope.inv_freq});
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return table;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] / b[i] - 1));
  return largest;
}

/// Llama 2 stretched 16 times, as YaRN's authors published it: where code and paper differ most.
double code_against_paper() {
  const Stretch llama2{.head_width = 128, .base = 10000, .trained = 4096, .factor = 16};
  return largest_difference(stretched_rule("yarn", llama2).rope.inv_freq,
                            stretched_rule("yarn_paper", llama2).rope.inv_freq);
}

std::vector<Check> checks_of(const Stretch& stretch, const StretchedRule& plain,
                             const std::vector<StretchedRule>& rules) {
  // A frequency is a power whose exponent times ln b is rounded: ln(b')·2^-53 and a few roundings more.
  const double power = (std::log(stretch.base * stretch.factor * stretch.factor) + 8) * 0x1p-52;
  const StretchedRule ntk = stretched_rule("ntk", stretch);
  const double ntk_ends =
      std::max(std::abs(ntk.rope.inv_freq.front() - 1),
               std::abs(ntk.rope.inv_freq.back() * stretch.factor / plain.rope.inv_freq.back() - 1));

  RopeRule parts_rule = stretched_rule("llama3", stretch).rule;
  const auto llama = rope_frequencies(parts_rule).inv_freq;
  parts_rule.type = RopeType::by_parts;
  parts_rule.beta_slow = 1;
  parts_rule.beta_fast = 4;

  double outside = 0;  // by how much a pair is slower than divided or faster than kept
  for (const auto& rule : rules) {
    if (rule.rule.type == RopeType::dynamic) continue;  // grows beyond the factor by its own design
    for (const double ratio : ratios(rule, plain))
      outside = std::max({outside, ratio - 1, 1 / stretch.factor / ratio - 1});
  }
  RopeRule model = stretched_rule("llama3", {128, 500000, 8192, 8}).rule;
  const auto counts = count_pairs(model, rope_frequencies(model));
  return {
      {"NTK keeps the fastest pair and divides the slowest by $s$", ntk_ends, 2 * power},
      {R"(Llama 3's rule is NTK-by-parts with $\alpha = 1$, $\beta = 4$)",
       largest_difference(llama, rope_frequencies(parts_rule).inv_freq), 16 * 0x1p-52},
      {"every pair stays between kept and divided", std::max(0.0, outside), 2 * power},
      {"Llama 3.1 8B: 29 pairs kept, 6 blended, 29 divided",
       static_cast<double>(std::abs(counts.kept - 29) + std::abs(counts.blended - 6) +
                           std::abs(counts.divided - 29)),
       0},
      {"Llama 2 × 16: YaRN's code and paper differ by 204 % at most", std::abs(code_against_paper() - 2.04),
       0.005},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Stretch stretch = stretch_of(settings);
  const StretchedRule plain = stretched_rule("none", stretch);
  const std::vector<StretchedRule> rules = usual_rules(stretch);
  StretchedRule unchanged = plain;
  unchanged.rule.factor = stretch.factor;
  figure::Table attention = attention_table(stretch);
  figure::Panel ratio = ratio_panel(rules, unchanged, stretched_rule(settings.choice("rule"), stretch)),
                ramp = ramp_panel(rules, unchanged), factor = attention_panel(attention, stretch.factor);
  ratio.cell = {0, 0, 1, 2};
  ramp.cell = {1, 0};
  factor.cell = {1, 1};

  StudyResult result;
  result.figure.title = "Every rule slows the slow pairs; they differ in where, and how much";
  result.figure.description =
      "Above, the frequency of every pair over its unchanged one, a line for each rule, with the pairs that "
      "the "
      "chosen rule blends shaded. Below, how far a pair is interpolated by YaRN's code, its paper and Llama "
      "3, and "
      "the attention factor by stretching factor.";
  result.figure.panels = {std::move(ratio), std::move(ramp), std::move(factor)};
  result.figure.row_weights = {1.25, 1};
  result.figure.col_weights = {1, 1};
  result.figure.aspect = 1.35;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {pair_table(plain, stretch), std::move(attention)};
  result.checks = checks_of(stretch, plain, rules);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Llama 3.1: pairs 0 to 28 are kept, 35 to 63 divided by 8.", "model=llama-3.1-8b rule=llama3"},
    {"Qwen2.5 with YaRN: the ramp runs from pair 23 to 40.", "model=qwen2.5-7b-yarn4 rule=yarn"},
    {"DeepSeek: forty times longer, where code and paper are furthest apart.",
     "model=deepseek-v3 rule=yarn_paper"},
    {"Gemma 4: a quarter of the pairs turns, the others stand still.",
     "model=gemma-4-shape-v5 rule=proportional"},
});

}  // namespace

const Study rope_scaling{
    .id = "rope/scaling",
    .title = "Scaling rules",
    .topic = "Context extension",
    .summary = "every rule slows the slow pairs; they differ in where, and how much",
    .formula = R"(\theta'_i = (1 - g_i)\,\theta_i + g_i\,\theta_i / s, \quad 0 \le g_i \le 1)",
    .about =
        "Linear interpolation divides every frequency, and neighbours come to stand closer together. NTK "
        "changes the "
        "base, so that fast pairs stay and the slowest is divided. YaRN and Llama 3 keep fast pairs, divide "
        "slow ones "
        "and blend between; YaRN's paper blends by the turns a pair makes, every implementation of it by the "
        "pair's "
        "number.",
    .source =
        "Chen et al. 2023, arXiv 2306.15595; Peng et al. 2023, arXiv 2309.00071, definitions 1 to 3; Ding et "
        "al. "
        "2024, arXiv 2402.13753; Barbero et al. 2024, arXiv 2410.06205; Wang et al. 2024, arXiv 2403.00071",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
