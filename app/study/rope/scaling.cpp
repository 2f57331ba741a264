// The rules of context extension, overlaid: what each does to the frequency of every pair, and to the scores.
#include "app/study/kit.h"
#include "app/study/rope/rules.h"
#include "app/study/rope/worked_frequency.h"

namespace orrery::study::rope_scaling {
namespace {

using position::RopeReading;
using position::RopeRule;
using position::RopeType;

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    trained_length_parameter,
    factor_parameter,
    with_fallback(choice("rule", "Bands of", stretched_rules,
                         "the rule whose kept, blended and divided pairs are marked", {.model_fact = "rule"}),
                  "yarn"),
    show_parameter("all|ratio|ramp|attention"),
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

bool is_kept(double ratio) {
  return std::abs(ratio - 1) < 1e-12;
}
bool is_divided(double ratio, double factor) {
  return std::abs(ratio * factor - 1) < 1e-12;
}

/// What became of the pairs between the kept and the divided ones.
const char* between_word(std::span<const double> ratio, double factor) {
  if (std::ranges::count(ratio, 0.0) == std::ssize(ratio)) return "stand still";
  const auto blended = [&](double r) { return r > 1 / factor - 1e-12 && r < 1 + 1e-12; };
  return std::ranges::all_of(ratio, blended) ? "blended" : "changed";
}

/// Kept pairs come first, divided ones last; what lies between is the rule's own.
struct Bands {
  std::size_t kept = 0, divided = 0;  ///< up to which pair, from which on
  double from() const { return number(kept) - 0.5; }
  double to() const { return number(divided) - 0.5; }
};

Bands bands_of(const std::vector<double>& ratio, double factor) {
  Bands bands{0, ratio.size()};
  while (bands.kept < ratio.size() && is_kept(ratio[bands.kept])) ++bands.kept;
  while (bands.divided > bands.kept && is_divided(ratio[bands.divided - 1], factor)) --bands.divided;
  return bands;
}

void name_bands(Panel& panel, const Bands& bands, const std::vector<double>& ratio, double factor) {
  const double pairs = number(ratio.size());
  const auto name = [&](double lo, double hi, const char* text) {
    if (hi - lo < 0.12 * pairs) return;  // no room for the word
    panel.marks.push_back(Note{.x = (lo + hi) / 2,
                               .y = 1.12,
                               .text = text,
                               .ink = ink(Role::secondary),
                               .v = VAlign::bottom,
                               .dy = -2});
  };
  const std::span between = std::span(ratio).subspan(bands.kept, bands.divided - bands.kept);
  name(-0.5, bands.from(), "kept");
  name(bands.from(), bands.to(), between_word(between, factor));
  name(bands.to(), pairs - 0.5, "divided");
}

/// One path in the accent colour through the panels.
figure::Ink ink_of(const std::vector<StretchedRule>& rules, std::string_view id,
                   const StretchedRule& chosen) {
  if (id == chosen.id) return ink(Role::accent);
  const auto color_of = [&](std::string_view of) {
    return static_cast<int>(std::ranges::find(rules, of, &StretchedRule::id) - rules.begin());
  };
  const int own = color_of(id), free = color_of(chosen.id);
  const bool is_free = free < static_cast<int>(rules.size());
  return own == like_the_accent && !is_free ? ink(Role::secondary) : series(beside_accent(own, free));
}

Panel ratio_panel(const std::vector<StretchedRule>& rules, const StretchedRule& plain,
                  const StretchedRule& chosen) {
  const std::vector<double> pairs = counted(std::ssize(plain.rope.inv_freq));
  Panel panel{.title = "Frequency against the unchanged one",
              .x = counts("pair $i$", cells(number(pairs.size()))),
              .y = values(R"($\theta'_i / \theta_i$)"),
              .legend = LegendPlace::above,
              .series_group = 1};
  panel.y.scale = Scale::log(2);
  const std::vector<double> chosen_ratios = ratios(chosen, plain);
  const Bands bands = bands_of(chosen_ratios, chosen.rule.factor);
  if (bands.kept < bands.divided)
    panel.marks.push_back(Rule{.at = bands.from(), .to = bands.to(), .ink = ink(Role::accent_ground)});
  double least = 1 / plain.rule.factor;
  const auto add = [&](const StretchedRule& rule) {
    Line line{.x = pairs,
              .y = ratios(rule, plain),
              .ink = ink_of(rules, rule.id, chosen),
              .width = rule.id == chosen.id ? 1.5 : 1,
              .label = rule.label};
    for (double& ratio : line.y)
      if (ratio > 0)
        least = std::min(least, ratio);
      else
        ratio = std::numeric_limits<double>::quiet_NaN();  // stands still
    panel.marks.push_back(std::move(line));
  };
  for (const StretchedRule& rule : rules) add(rule);
  if (std::ranges::find(rules, chosen.id, &StretchedRule::id) == rules.end()) add(chosen);
  name_bands(panel, bands, chosen_ratios, chosen.rule.factor);
  const double lowest = least / 1.15, for_names = 0.3;  // of what the curves take, above them
  panel.y.range = Range{lowest, std::max(2.4, 1.12 * std::pow(1.12 / lowest, for_names))};
  return panel;
}

/// How far each pair is interpolated: over the pair index in everyone's code, over the turns in the paper.
Panel ramp_panel(const std::vector<StretchedRule>& rules, const StretchedRule& plain,
                 const StretchedRule& chosen, bool alone) {
  Panel panel{.title = "Share that is divided",
              .x = counts("pair $i$"),
              .y = values("$g_i$", Range{-0.03, 1.05}),
              .legend = alone ? LegendPlace::above : LegendPlace::none,  // else the colours are those above
              .series_group = 1};
  for (const StretchedRule& rule : rules) {
    if (rule.rule.type != RopeType::yarn && rule.rule.type != RopeType::llama3) continue;
    Line line{.x = counted(std::ssize(plain.rope.inv_freq)),
              .ink = ink_of(rules, rule.id, chosen),
              .width = rule.id == chosen.id ? 1.5 : 1,
              .label = rule.label};
    for (const double ratio : ratios(rule, plain)) line.y.push_back(interpolated(ratio, plain.rule.factor));
    panel.marks.push_back(std::move(line));
  }
  return panel;
}

/// Factors from 1 to 64, evenly on a log axis.
Series attention_factors(const Stretch& stretch) {
  std::vector<double> factors;
  for (int i = 0; i <= 48; ++i) factors.push_back(std::exp2(i / 8.0));
  Series series("attention_factor", {"factor", "", factors});
  series.add("YaRN", [](double s) { return position::yarn_mscale(s, 1); });
  series.add("LongRoPE", [&](double s) { return std::sqrt(1 + std::log(s) / std::log(stretch.trained)); });
  return series;
}

/// YaRN as above; LongRoPE, which is none of the rules there, without a colour.
Panel attention_panel(const Series& factors, double factor, figure::Ink yarn) {
  // The names stand at the ends of their lines, where rising lines leave room: a legend would cover them. That of the line
  // which ends higher stands above its end; the other below its line, and so below where that runs over the name's first
  // letter: at 2^4.5 of 2^6, a quarter of the axis is as long as the name.
  const bool yarn_is_higher = factors["YaRN"].back() >= factors["LongRoPE"].back();
  const auto name = [&](const char* rule, figure::Ink color, bool higher) {
    return Note{.x = 64,
                .y = higher ? factors[rule].back() : factors[rule][36],
                .text = rule,
                .ink = color,
                .h = HAlign::right,
                .v = higher ? VAlign::bottom : VAlign::top,
                .dx = higher ? -14.0 : -2.0,
                .dy = higher ? -6.0 : 3.0};
  };
  const double top = std::max(factors["YaRN"].back(), factors["LongRoPE"].back()), bottom = 0.98,
               with_name = 1.23;  // what stands above the higher end, of what lies below it
  return {
      .title = "Attention factor, $s$ marked",
      .x = octaves("factor $s$", Range{1, 64}),
      .y = values("$a$", Range{bottom, std::max(1.52, bottom + with_name * (top - bottom))}),
      .marks = {Rule{.at = factor}, factors.line("YaRN", {.ink = yarn}),
                factors.line("LongRoPE", {.ink = ink(Role::secondary)}), quiet_level(1),
                name("YaRN", yarn, yarn_is_higher), name("LongRoPE", ink(Role::secondary), !yarn_is_higher)},
      .legend = LegendPlace::none};
}

/// What the chosen rule does to how many pairs: "Of 64 pairs under YaRN, code: 21 kept, 19 changed, 24 divided by 8".
std::string pairs_text(const StretchedRule& chosen, const StretchedRule& plain, double factor) {
  const std::vector<double> ratio = ratios(chosen, plain);
  double kept = 0, divided = 0, still = 0;
  for (const double r : ratio) {
    if (r == 0)
      ++still;
    else if (is_kept(r))
      ++kept;
    else if (is_divided(r, factor))
      ++divided;
  }
  const double all = number(ratio.size()), changed = all - kept - divided - still;
  std::string text = "Of " + grouped(all) + " pairs under " + chosen.label + ": " + grouped(kept) + " kept";
  if (changed > 0) text += ", " + grouped(changed) + " changed";
  if (divided > 0) text += ", " + grouped(divided) + " divided by " + grouped(factor);
  if (still > 0) text += ", " + grouped(still) + " standing still";
  return text;
}

Series pair_series(const StretchedRule& plain, const Stretch& stretch) {
  Series pairs("frequencies", {"pair", "", counted(std::ssize(plain.rope.inv_freq))});
  pairs.add({"unchanged", "rad/token", plain.rope.inv_freq});
  for (const std::string_view id : parameter::choices_of({.choices = stretched_rules})) {
    const StretchedRule rule = stretched_rule(id, stretch);
    pairs.add({rule.label, "rad/token", rule.rope.inv_freq});
  }
  return pairs;
}

double largest_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  Worst largest;
  for (std::size_t i = 0; i < a.size(); ++i) largest.meet(std::abs(a[i] / b[i] - 1));
  return largest;
}

/// How far code and paper are apart at most for Llama 2 stretched 16 times, as YaRN's authors published it.
double code_against_paper() {
  const Stretch llama2{.head_width = 128, .base = 10000, .trained = 4096, .factor = 16};
  return largest_ratio(stretched_rule("yarn", llama2).rope.inv_freq,
                       stretched_rule("yarn_paper", llama2).rope.inv_freq);
}

/// How far a frequency is off whose base grew: a power whose exponent times ln b is rounded, ln(b')·2^-53 and a few roundings
/// more. The base grows by the square of the growth at most, in a head of two pairs.
double power_slack(double base, double growth) {
  return (std::log(base * growth * growth) + 8) * 0x1p-52;
}

/// By how much a pair is slower than divided by `most`, or faster than kept.
double outside(const StretchedRule& rule, const StretchedRule& plain, double most) {
  Worst worst;
  for (const double ratio : ratios(rule, plain)) worst.meet(std::max(ratio - 1, 1 / most / ratio - 1));
  return worst;
}

/// What the chosen rule promises of every pair: some make one faster, let it stand still, or slow it more than s times.
Check check_of_chosen(const Stretch& stretch, const StretchedRule& plain, const StretchedRule& chosen) {
  const std::vector<double>& now = chosen.rope.inv_freq;
  Worst worst;
  if (chosen.rule.type == RopeType::proportional) {
    const std::vector<double> ratio = ratios(chosen, plain);
    for (std::size_t i = 0; i < ratio.size(); ++i)
      worst.meet(std::abs(ratio[i] - (i < ratio.size() / 4 ? 1 : 0)));
    return {"proportional: a quarter of the pairs, rounded down, is kept, the others stand still", worst, 0};
  }
  if (chosen.rule.type == RopeType::resonance) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double own = 2 * std::numbers::pi / plain.rope.inv_freq[i], whole = 2 * std::numbers::pi / now[i];
      worst.meet(std::abs(whole - std::round(whole)) / whole);
      worst.meet((std::abs(whole - own) - 0.5) / own);
    }
    // Two quotients of 2π, each rounded.
    return {
        "resonance: every wavelength is a whole number of tokens, half a token from the unchanged one at most",
        worst, 8 * 0x1p-53};
  }
  const double s = stretch.factor,
               growth = chosen.rule.type == RopeType::dynamic && chosen.rule.reading == RopeReading::code
                            ? s * s - s + 1
                            : s;
  return {chosen.label + ": every pair stays between kept and divided by " + grouped(growth),
          outside(chosen, plain, growth), 2 * power_slack(stretch.base, growth)};
}

std::vector<Check> checks_of(const Stretch& stretch, const StretchedRule& plain, const StretchedRule& chosen,
                             const std::vector<StretchedRule>& rules, const Series& attention) {
  const double power = power_slack(stretch.base, stretch.factor);
  const std::vector<double> ntk = stretched_rule("ntk", stretch).rope.inv_freq;
  const double ntk_ends = std::max(std::abs(ntk.front() - 1),
                                   std::abs(ntk.back() * stretch.factor / plain.rope.inv_freq.back() - 1));

  RopeRule parts_rule = stretched_rule("llama3", stretch).rule;
  const auto llama = rope_frequencies(parts_rule).inv_freq;
  parts_rule.type = RopeType::by_parts;
  parts_rule.beta_slow = 1;
  parts_rule.beta_fast = 4;

  Worst between;
  for (const StretchedRule& rule : rules)
    if (rule.rule.type != RopeType::dynamic)  // grows beyond the factor by its own design
      between.meet(outside(rule, plain, stretch.factor));
  // Both formulas undone. A factor is rounded three times, its square or tenfold once more, and ln s ≤ 4.2 of it is left;
  // a power's exponent is multiplied by ln L.
  double undone = 0;
  for (std::size_t i = 0; i < attention.size(); ++i) {
    const double s = attention.x()[i], yarn = attention["YaRN"][i], longrope = attention["LongRoPE"][i];
    undone = std::max({undone, std::abs(std::exp(10 * (yarn - 1)) / s - 1),
                       std::abs(std::pow(stretch.trained, longrope * longrope - 1) / s - 1)});
  }
  const RopeRule model = stretched_rule("llama3", {128, 500000, 8192, 8}).rule;
  const auto pairs = count_pairs(model, rope_frequencies(model));
  return {
      {"NTK keeps the fastest pair and divides the slowest by $s$", ntk_ends, 2 * power},
      {R"(Llama 3's rule is NTK-by-parts with $\alpha = 1$, $\beta = 4$)",
       largest_ratio(llama, rope_frequencies(parts_rule).inv_freq), 16 * 0x1p-52},
      {"attention factors give the stretch back: $e^{10(a - 1)}$ for YaRN, $L^{a^2 - 1}$ for LongRoPE",
       undone, (64 + 16 * std::log(stretch.trained)) * 0x1p-52},
      {"linear, NTK, YaRN and Llama 3: every pair stays between kept and divided", between, 2 * power},
      check_of_chosen(stretch, plain, chosen),
      known_answer(
          "Llama 3.1 8B: 29 pairs kept, 6 blended, 29 divided",
          number(std::abs(pairs.kept - 29) + std::abs(pairs.blended - 6) + std::abs(pairs.divided - 29)), 0),
      known_answer("Llama 2 × 16: YaRN's code and paper differ by 204 % at most",
                   std::abs(code_against_paper() - 2.04), 0.005),
  };
}

/// Of a pair that the chosen rule changes: before and after.
std::string worked_of(const StretchedRule& plain, const StretchedRule& chosen) {
  const Index pair = worked_pair(chosen.rule);
  Worked worked;
  add_frequency(worked, "\\theta", plain.rule, pair);
  add_frequency(worked, "\\theta'", chosen.rule, pair);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Stretch stretch = stretch_of(settings);
  const StretchedRule plain = stretched_rule("none", stretch);
  const std::vector<StretchedRule> rules = usual_rules(stretch);
  StretchedRule unchanged = plain;
  unchanged.rule.factor = stretch.factor;
  const Series attention = attention_factors(stretch);
  const StretchedRule chosen = stretched_rule(settings.choice("rule"), stretch);
  Picture picture(
      pairs_text(chosen, plain, stretch.factor),
      "Above, the frequency of every pair over its unchanged one, a line for each rule, with the "
      "pairs shaded that the chosen rule neither keeps nor divides. Below, how far a pair is interpolated by YaRN's "
      "code, its paper and Llama 3, and the attention factor by stretching factor.");
  picture.at({0, 0, 1, 2}, "ratio", ratio_panel(rules, unchanged, chosen));
  picture.at({1, 0}, "ramp", ramp_panel(rules, unchanged, chosen, settings.choice("show") == "ramp"));
  picture.at({1, 1}, "attention", attention_panel(attention, stretch.factor, ink_of(rules, "yarn", chosen)));
  return {std::move(picture).figure(settings, {.aspect = 1.35, .rows = {1.25, 1}, .cols = {1, 1}}),
          {pair_series(plain, stretch).table(), attention.table()},
          checks_of(stretch, plain, chosen, rules, attention),
          worked_of(plain, chosen)};
}

/// How many times slower a pair turns under a rule than without.
double slowed(const StudyResult& result, std::string_view rule, double pair) {
  return at(result, "frequencies", "unchanged", pair) / at(result, "frequencies", rule, pair);
}

/// Whether pairs are kept up to one, divided by the factor from another on, and neither between.
bool ramp_of(const StudyResult& result, std::string_view rule, double kept, double divided, double factor) {
  return is_kept(slowed(result, rule, kept)) && !is_kept(slowed(result, rule, kept + 1)) &&
         !is_divided(1 / slowed(result, rule, divided - 1), factor) &&
         is_divided(1 / slowed(result, rule, divided), factor);
}

constexpr auto tries = std::to_array<Try>({
    {"Llama 3.1: pairs 0 to 28 are kept, 35 to 63 divided by 8.", "model=llama-3.1-8b rule=llama3",
     [](auto& now, auto&) { return ramp_of(now, "Llama 3", 28, 35, 8); }},
    {"Qwen2.5 with YaRN: the ramp runs from pair 23 to 40.", "model=qwen2.5-7b-yarn4 rule=yarn",
     [](auto& now, auto&) { return ramp_of(now, "YaRN, code", 23, 40, 4); }},
    {"DeepSeek: forty times longer, and pair 20 is 4.3 times as fast by the code as by the paper.",
     "model=deepseek-v3 rule=yarn_paper",
     [](auto& now, auto&) {
       return between(4.25, slowed(now, "YaRN, paper", 20) / slowed(now, "YaRN, code", 20), 4.35);
     }},
    {"Gemma 4: a quarter of the pairs turns, the others stand still.",
     "model=gemma-4-shape-v5 rule=proportional",
     [](auto& now, auto&) {
       const auto& turning = column(now, "frequencies", "proportional");
       return 4 * std::ranges::count(turning, 0.0) == 3 * std::ssize(turning);
     }},
    {"Dynamic NTK at eight times the length: the code slows the last pair 57 times, the paper 8 times.",
     "rule=dynamic",
     [](auto& now, auto&) {
       return std::abs(slowed(now, "dynamic NTK, code", 63) - 57) < 1e-9 &&
              std::abs(slowed(now, "dynamic NTK, paper", 63) - 8) < 1e-9;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/scaling",
    .title = "Scaling rules",
    .topic = "Context extension",
    .summary = "most rules slow the slow pairs; they differ in where, and how much",
    .formula = R"(\theta'_i = (1 - g_i)\,\theta_i + g_i\,\theta_i / s)",
    .about =
        "Linear interpolation divides every frequency, and neighbours come to stand closer together. NTK "
        "changes the base, so that fast pairs stay and the slowest is divided. YaRN and Llama 3 keep fast "
        "pairs, divide slow ones and blend between; YaRN's paper blends by the turns a pair makes, every "
        "implementation of it by the pair's number. With all these, g lies between 0 and 1. Dynamic NTK lets the base "
        "grow with the text: in the paper by the length alone, in Hugging Face's code by factor and length both, so that "
        "at s times the length the last pair is slowed s² − s + 1 times, and g exceeds 1. Of proportional rotation three "
        "pairs of four stand still; resonance makes each wavelength a whole number of tokens, and may make pairs faster.",
    .source =
        "Chen et al. 2023, arXiv 2306.15595; Peng et al. 2023, arXiv 2309.00071, definitions 1 to 3; Ding et "
        "al. 2024, arXiv 2402.13753; Barbero et al. 2024, arXiv 2410.06205; Wang et al. 2024, arXiv "
        "2403.00071",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_scaling
