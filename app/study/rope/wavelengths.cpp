// How long each pair takes to come round, against the length of the text: which pairs the training showed whole.
#include <set>

#include "app/study/kit.h"
#include "app/study/rope/source.h"
#include "app/study/rope/worked_frequency.h"
#include "core/position/rope_coverage.h"
#include "core/position/rope_wavelengths.h"

namespace orrery::study::rope_wavelengths {
namespace {

using position::RopeType;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(model_parameter, "llama-3.1-8b"),
    with_fallback(base_parameter, "500000"),
    head_width_parameter,
    with_fallback(trained_length_parameter, "8192"),
    toggle("before", "Before scaling", "on",
           "the wavelengths that the base alone would give, where a rule has changed them"),
});

std::vector<double> wavelengths(std::span<const double> inv_freq) {
  std::vector<double> lambda;
  for (const double theta : inv_freq) lambda.push_back(position::rope_wavelength(theta));
  return lambda;
}

/// Of the training: before a rule for longer texts changed them.
std::vector<double> wavelengths_in_training(const Spectrum& s) {
  return wavelengths(s.unscaled());
}

Index come_round_in_training(const Spectrum& s) {
  return position::pairs_that_come_round(s.unscaled(), s.trained_length);
}

std::string prefix(const Spectrum& s) {
  return s.name.empty() ? std::string() : s.name + ": ";
}

/// Points of one kind of layer: those that come round in training, those that do not in the accent colour, and in the legend
/// alone those whose wavelength is endless.
void add_points(Panel& panel, const Spectrum& s, int index) {
  const Symbol symbol = index == 0 ? Symbol::disc : Symbol::square;
  Points whole{.ink = series(index), .radius = 1.5, .symbol = symbol, .symbol_by_series = false},
      part{.ink = ink(Role::accent), .radius = 1.8, .symbol = symbol},
      still{.ink = ink(Role::secondary), .radius = 1.8, .symbol = Symbol::ring, .symbol_by_series = false};
  const std::vector<double> lambda = wavelengths(s.inv_freq), before = wavelengths_in_training(s);
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    Points& points = std::isinf(lambda[i]) ? still : before[i] <= s.trained_length ? whole : part;
    points.x.push_back(number(i));
    points.y.push_back(lambda[i]);
  }
  whole.label = prefix(s) + amount(number(whole.x.size()), "pair comes round", "pairs come round");
  part.label = prefix(s) + amount(number(part.x.size()), "pair needs longer", "pairs need longer");
  still.label = prefix(s) + amount(number(still.x.size()), "pair stands still", "pairs stand still");
  whole.reading.role = prefix(s) + "come round";
  part.reading.role = prefix(s) + "need longer";
  still.reading.role = prefix(s) + "stand still";
  for (Points* points : {&whole, &part, &still})
    if (!points->x.empty()) panel.marks.emplace_back(std::move(*points));
}

Panel picture(const std::vector<Spectrum>& layers, bool before) {
  const Spectrum& first = layers.front();
  double slowest = first.context;
  Index pairs = 0;
  for (const Spectrum& s : layers) {
    pairs = std::max(pairs, s.pairs());
    for (const double lambda : wavelengths(s.inv_freq))
      if (std::isfinite(lambda)) slowest = std::max(slowest, lambda);
  }
  const double trained = first.trained_length, top = 3 * slowest;
  std::set<double> lengths{trained};  // of which there are lines
  Panel panel{.x = counts("pair $i$", Range{-1, number(pairs)}),
              .y = {.label = "wavelength $2\\pi/\\theta_i$ (tokens)",
                    .scale = Scale::log(10),
                    .range = Range{3, top}},
              .marks = {level(trained, {.to = top, .ink = ink(Role::accent_ground)}),
                        level(trained, {.text = trained_text(first)})},
              .legend = LegendPlace::above};
  if (first.context > trained)
    panel.marks.push_back(level(
        first.context, {.ink = ink(Role::secondary), .text = "longest text " + grouped(first.context)}));
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const Spectrum& s = layers[k];
    const std::vector<double> lambda = wavelengths_in_training(s);
    if (before && lambda != wavelengths(s.inv_freq)) {
      panel.marks.push_back(Line{.x = counted(std::ssize(lambda)),
                                 .y = lambda,
                                 .ink = ink(Role::secondary),
                                 .width = 0.8,
                                 .dash = Dash::dotted,
                                 .label = prefix(s) + "before scaling"});
    }
    add_points(panel, s, static_cast<int>(k));
    if (s.window > 0 && lengths.insert(s.trained_length).second)
      panel.marks.push_back(level(
          s.trained_length, {.ink = series(static_cast<int>(k)), .text = "window " + grouped(s.window)}));
  }
  return panel;
}

/// The pairs that turn; one that stands still has no wavelength, and is counted in the other table.
Table pair_table(const Spectrum& s, std::string name) {
  Table table{std::move(name),
              {{.name = "pair"},
               {.name = "wavelength", .unit = "tokens"},
               {.name = "frequency", .unit = "rad/token"},
               {.name = "turns in training", .digits = 5},
               {.name = "turns by the longest distance", .digits = 5},
               {.name = "before scaling", .unit = "tokens"}}};
  const std::vector<double> before = wavelengths_in_training(s);
  for (std::size_t i = 0; i < s.inv_freq.size(); ++i) {
    const double lambda = position::rope_wavelength(s.inv_freq[i]);
    if (s.inv_freq[i] != 0)
      add_row(table, i, lambda, s.inv_freq[i], s.trained_length / before[i], s.reach() / lambda, before[i]);
  }
  return table;
}

Table count_table(const std::vector<Spectrum>& layers) {
  Table table{"layers",
              {{.name = "layer"},
               {.name = "pairs"},
               {.name = "trained length", .unit = "tokens"},
               {.name = "come round in training"},
               {.name = "longest distance", .unit = "tokens"},
               {.name = "come round in it"},
               {.name = "stand still"}}};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const Spectrum& s = layers[k];
    add_row(table, k, s.pairs(), s.trained_length, come_round_in_training(s), s.reach(),
            position::pairs_that_come_round(s.inv_freq, s.reach()), std::ranges::count(s.inv_freq, 0.0));
  }
  return table;
}

/// How far the ratio of a wavelength to that of the base alone leaves 1 … factor, the rules' promise.
double outside_of_factor(const Spectrum& s) {
  const std::vector<double> before = wavelengths_in_training(s), now = wavelengths(s.inv_freq);
  double worst = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (std::isinf(now[i])) continue;
    const double ratio = now[i] / before[i];
    worst = std::max({worst, 1 - ratio, ratio / std::max(s.rule.factor, 1.0) - 1});
  }
  return worst;
}

void add_checks(std::vector<Check>& checks, const Spectrum& s) {
  if (s.rule.type == RopeType::standard) {
    const double counted_dimensions = number(2 * come_round_in_training(s)),
                 critical =
                     number(position::critical_dimension(s.rule.rotary_dim, s.rule.base, s.trained_length));
    checks.push_back({prefix(s) + "$2\\lceil (d/2) \\log_b (L/2\\pi)\\rceil$ = " + grouped(critical) +
                          " dimensions come round in training",
                      std::abs(counted_dimensions - critical), 0});
    const double closed = 2 * std::numbers::pi * std::pow(s.rule.base, 1 - 2 / number(s.rule.rotary_dim));
    // The exponent is rounded twice on either way, which ln b ≤ 21 multiplies; powers and quotients add 8 more.
    checks.push_back({prefix(s) + "the slowest wavelength is $2\\pi b^{1-2/d}$",
                      std::abs(position::rope_wavelength(s.inv_freq.back()) / closed - 1), 50 * 0x1p-53});
  } else if (s.rule.type != RopeType::longrope && s.rule.type != RopeType::resonance) {
    // 64 roundings of 2^-53 are more than any rule makes.
    checks.push_back({prefix(s) + "no wavelength is shorter than before, none longer than " +
                          grouped(s.rule.factor) + " times that",
                      outside_of_factor(s), 0x1p-47});
  }
  const std::vector<double> lambda = wavelengths(s.inv_freq);
  double falls = 0;  // LongRoPE's published divisors grow from pair to pair too
  for (std::size_t i = 1; i < lambda.size(); ++i)
    if (std::isfinite(lambda[i])) falls = std::max(falls, lambda[i - 1] / lambda[i]);
  checks.push_back({prefix(s) + "every pair is slower than the one before it: their ratio", falls, 1});
}

/// How many pairs the training never showed whole; those that stand still are among them.
std::string round_text(const std::vector<Spectrum>& layers) {
  double pairs = 0, partly = 0;
  for (const Spectrum& s : layers) {
    pairs += number(s.pairs());
    partly += number(s.pairs() - come_round_in_training(s));
  }
  const std::string of = layers.size() == 1 ? grouped(pairs) + " pairs"
                                            : grouped(pairs) + " pairs in " + grouped(number(layers.size())) +
                                                  " kinds of layers",
                    within = layers.size() == 1
                                 ? " within the " + amount(layers[0].trained_length, "token", "tokens") +
                                       " of training"
                                 : " in training";
  if (partly == 0) return "All " + of + " come round" + within;
  return grouped(partly) + " of " + of + (partly == 1 ? " does" : " do") + " not come round" + within;
}

/// Of the first pair that the training never showed whole, or else of the slowest that turns.
std::string worked_of(const Spectrum& s) {
  Index pair = come_round_in_training(s);
  while (pair > 0 && (pair >= s.pairs() || s.inv_freq[static_cast<std::size_t>(pair)] == 0)) --pair;
  const double theta = s.inv_freq[static_cast<std::size_t>(pair)], lambda = position::rope_wavelength(theta);
  const std::string name = subscripted("\\lambda", number(pair));
  Worked worked;
  if (s.rule.type == RopeType::standard)
    return worked
        .add(
            name,
            worked::two_pi() * worked::power(s.rule.base, term(2 * number(pair)) / number(s.rule.rotary_dim)),
            lambda)
        .tex();
  add_frequency(worked, "\\theta", s.rule, pair);
  return worked.add(name, worked::frac(worked::two_pi(), theta), lambda).tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<Spectrum> layers = spectra(settings);
  StudyResult result{
      .figure =
          {.title = round_text(layers),
           .description =
               "The wavelength of every pair of dimensions that turns, on a logarithmic scale. "
               "Pairs that never completed a turn in training are in the accent colour: before any "
               "rule changed it, their wavelength lay above the line of the trained length: the original "
               "length of the file, a known one, M/s where positions are divided by s, the longest length, or "
               "the window of the layers.",
           .panels = {picture(layers, settings.toggle("before"))},
           .aspect = 1.45},
      .tables = {count_table(layers)},
      .checks = {},
      .worked = worked_of(layers.front())};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    result.tables.push_back(
        pair_table(layers[k], layers.size() == 1 ? "pairs" : "pairs_of_layer_" + std::to_string(k)));
    add_checks(result.checks, layers[k]);
  }
  return result;
}

/// The first distance at which a like key scores below an unlike one.
double first_negative(const std::vector<double>& frequencies) {
  double distance = 0, sum = 1;
  while (sum >= 0) {
    sum = 0;
    ++distance;
    for (const double w : frequencies) sum += std::cos(distance * w);
  }
  return distance;
}

constexpr auto tries = std::to_array<Try>({
    {"Llama 2: 46 of its 64 pairs come round within 4096 tokens, 92 dimensions in all.",
     "model=own base=10000 head_width=128 trained_length=4096",
     [](auto& now, auto&) { return at(now, "layers", "come round in training", 0) == 46; }},
    {"Two kinds of layers: local ones with a small base, global ones stretched by 8.", "model=gemma-3-4b-v5",
     [](auto& now, auto&) {
       const auto &whole = column(now, "pairs_of_layer_0", "wavelength"),
                  &local = column(now, "pairs_of_layer_1", "wavelength");
       return std::abs(whole.front() / local.front() - 8) < 1e-9 && whole.back() > 100 * local.back();
     }},
    {"A base of 500 lets every pair come round, and from 171 tokens on a like key may score below an unlike one.",
     "model=own base=500 trained_length=4096",
     [](auto& now, auto&) {
       return at(now, "layers", "come round in training", 0) == 64 &&
              first_negative(column(now, "pairs", "frequency")) == 171;
     }},
    {"p-RoPE: three of four pairs stand still and have no wavelength.", "model=gemma-4-shape-v5",
     [](auto& now, auto&) {
       return 4 * at(now, "layers", "stand still", 0) == 3 * at(now, "layers", "pairs", 0);
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/wavelengths",
    .title = "Wavelengths",
    .topic = "Rotary positions",
    .summary = "which pairs come round within the text, and which never do",
    .formula = R"(\lambda_i = \frac{2\pi}{\theta_i} = 2\pi\, b^{2i/d})",
    .about =
        "A pair comes round once in its wavelength. Pairs whose wavelength was longer than the trained length, "
        "before any rule changed it (in the accent colour), have shown the model a part of their circle only: a longer text leads them "
        "to angles never seen. Rules that stretch wavelengths for longer texts stretch these, and others too: linear "
        "interpolation every pair, Llama 3's those that come round fewer than four times.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, section 3.2.2; Liu et al. 2023, arXiv 2310.05209, definition 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_wavelengths
