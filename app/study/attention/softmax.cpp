// Softmax of a row: temperature, a number added to all logits, and what goes wrong in narrow formats.
//
//   weights, exact and in the format | largest weight and entropy by temperature
//   the largest weight without the maximum taken off, by what is added to all logits
//   a row whose keys are all hidden, by what stands for −∞     (a board)
#include "core/attention/softmax.h"
#include "app/study/attention/softmax_formats.h"
#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "core/attention/entropy.h"
#include "core/tensor/error.h"

namespace orrery::study::attention_softmax {
namespace {

using tensor::Format;

constexpr std::size_t most_logits = 32;
constexpr std::array formats{Format::f32, Format::bf16, Format::f16};

constexpr auto parameters = std::to_array<Parameter>({
    numbers("logits", "Logits", "2,1,0.5,-1,3", {-100, 100}, "the scores of a row, up to 32"),
    real("temperature", "Temperature", "1", {0.1, 100}, "τ: all logits are divided by it",
         {.travel = Travel::log, .plays = true}),
    real("shift", "Shift", "0", {-200, 200}, "a number added to all logits", {.plays = true}),
    choice("format", "Format", "f16|bf16|f32", "every step is rounded to it"),
    show_parameter("all|weights|temperature|shift|masked"),
});

Format format_of(const Settings& settings) {
  return tensor::format_from_name(settings.choice("format"));
}

struct Logits {
  std::vector<double> given, used;  ///< as typed; shifted, over the temperature
  double temperature = 1, shift = 0;
};

Logits logits_in(const Settings& settings) {
  Logits logits{.given = settings.vector("logits"),
                .used = {},
                .temperature = settings.real("temperature"),
                .shift = settings.real("shift")};
  if (logits.given.empty() || logits.given.size() > most_logits)
    throw InvalidArgument(about(Subject::Kind::parameter, "logits")
                              .found(std::to_string(logits.given.size()))
                              .fault("it has {} numbers", std::to_string(logits.given.size()))
                              .allowed("{} to {}", 1, most_logits));
  for (const double x : logits.given) logits.used.push_back((x + logits.shift) / logits.temperature);
  return logits;
}

std::vector<double> weights_of(const Run& run, const std::vector<double>& x, double temperature) {
  return row_of(twin::softmax(run, row_matrix(x), {.temperature = temperature}), 0);
}

/// What is no number is 0 in a table, and said.
double number_or_0(double x) {
  return std::isfinite(x) ? x : 0;
}

Series weights_series(const Run& run, const Settings& settings, const Logits& logits) {
  const std::vector<double> exact = weights_of(run, logits.given, logits.temperature),
                            safe = softmax_in(format_of(settings), logits.used, RowMaximum::taken_off),
                            naive = softmax_in(format_of(settings), logits.used, RowMaximum::left);
  Series series("weights", {"key", "", numbered(std::ssize(exact))});
  const auto at = [](const std::vector<double>& of) {
    return [&of](double k) { return number_or_0(of[static_cast<std::size_t>(k) - 1]); };
  };
  series.add("logit", at(logits.given))
      .add("weight", at(exact))
      .add("in the format", at(safe))
      .add("maximum left", at(naive))
      .add("maximum left, no number",
           [&](double k) { return std::isfinite(naive[static_cast<std::size_t>(k) - 1]) ? 0 : 1; });
  return series;
}

Panel weights_panel(const Series& weights, double temperature) {
  Bars exact{
      .x = weights.x(), .height = weights["weight"], .width = 0.6, .ink = series(0), .label = "exact weight"};
  exact.reading.name = "weight";
  return {.title = "Weights at $\\tau = " + parameter::shortest(temperature) + "$",
          .x = counts("key", Range{0.25, number(weights.size()) + 0.75}),
          .y = values("weight", Range{0, 1}),
          .marks = {std::move(exact),
                    weights.points(
                        "in the format",
                        {.ink = series(1), .radius = 2, .symbol = Symbol::ring, .label = "in the format"})},
          .legend = LegendPlace::above};
}

Series temperatures_of(const Logits& logits) {
  std::vector<double> taus;
  for (int i = 0; i <= 96; ++i) taus.push_back(std::pow(10.0, i / 32.0 - 1));
  Series series("temperatures", {"temperature", "", std::move(taus)});
  const double keys = number(logits.given.size());
  series.add("largest weight",
             [&](double tau) { return largest(weights_of(twin::on_reference({}), logits.given, tau)); });
  series.add("entropy over ln n", [&](double tau) {
    return keys == 1 ? 0 : attention::softmax_entropy(logits.given, 1 / tau) / std::log(keys);
  });
  return series;
}

Panel temperature_panel(const Series& temperatures, double tau) {
  return {
      .title = "From one key to all alike",
      .x = {.label = "temperature $\\tau$", .scale = Scale::log(10)},
      .y = values({}, Range{0, 1.04}),
      .marks = {Rule{.at = tau, .ink = ink(Role::accent)},
                temperatures.line("largest weight", {.ink = series(0), .label = "largest weight"}),
                temperatures.line("entropy over ln n", {.ink = series(2), .label = "entropy / $\\ln n$"})},
      .legend = LegendPlace::above};
}

/// Where the largest logit's exponential begins and ceases to be a number above 0, as something added to all logits; with
/// room about it, and with the shift that is set.
struct Reach {
  double begins, ends, from, to;
};
Reach reach_of(Format format, const Logits& logits) {
  const double top = largest(logits.given);
  // Dividing by the temperature comes first: e^((x + c)/τ) is finite while (x + c)/τ is below the end.
  const double begins = least_exponent(format) * logits.temperature - top,
               ends = largest_exponent(format) * logits.temperature - top, room = 0.15 * (ends - begins);
  return {begins, ends, std::min(begins - room, logits.shift), std::max(ends + room, logits.shift)};
}

/// By what is added to all logits, the largest weight of a row in the format whose maximum is left: where it is a number.
Series shifts_of(const Settings& settings, const Logits& logits) {
  constexpr int samples = 400;
  const Format format = format_of(settings);
  const Reach reach = reach_of(format, logits);
  std::vector<double> shifts, weight;
  for (int i = 0; i <= samples; ++i) {
    const double shift = reach.from + (reach.to - reach.from) * i / samples;
    std::vector<double> used;
    for (const double x : logits.given) used.push_back((x + shift) / logits.temperature);
    const std::vector<double> weights = softmax_in(format, used, RowMaximum::left);
    if (std::ranges::any_of(weights, [](double w) { return !std::isfinite(w); })) continue;
    shifts.push_back(shift);
    weight.push_back(largest(weights));
  }
  Series series("shifts", {"shift", "", std::move(shifts)});
  series.add("largest weight", std::move(weight));
  return series;
}

Panel shift_panel(const Series& shifts, const Logits& logits, Format format, double right) {
  const Reach reach = reach_of(format, logits);
  Panel panel{.title = "Without the maximum taken off",
              .x = {.label = "added to all logits", .range = Range{reach.from, reach.to}},
              .y = values("largest weight", Range{-0.04, 1.04}),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(Line{.x = {reach.from, reach.to},
                                .y = {right, right},
                                .ink = ink(Role::secondary),
                                .width = 0.8,
                                .dash = Dash::dashed,
                                .label = "as it should be",
                                .reading = {.between = true}});
  if (shifts.size() > 0)
    panel.marks.emplace_back(shifts.points(
        "largest weight", {.ink = series(1), .radius = 1.4, .label = "as it is, where it is a number"}));
  for (const double end : {reach.begins, reach.ends})
    panel.marks.emplace_back(Rule{.at = end, .ink = ink(Role::secondary), .dash = Dash::dotted});
  panel.marks.emplace_back(Rule{.at = logits.shift, .ink = ink(Role::accent)});
  return panel;
}

/// Of a row whose keys are all hidden, by way and format.
Table hidden_table(const Logits& logits) {
  Table table{"masked", {{.name = "way"}}};
  for (const Format format : formats)
    for (const char* what : {": largest weight", ": no number"})
      table.columns.push_back({.name = std::string(tensor::name(format)) + what});
  for (std::size_t i = 0; i < ways_to_hide.size(); ++i) {
    add_cell(table.columns[0], Called{ways_to_hide[i].name, number(i)});
    for (std::size_t f = 0; f < formats.size(); ++f) {
      const double weight =
          largest_weight_of_hidden(formats[f], logits.given, ways_to_hide[i], logits.temperature);
      table.columns[1 + 2 * f].values.push_back(number_or_0(weight));
      table.columns[2 + 2 * f].values.push_back(std::isfinite(weight) ? 0 : 1);
    }
  }
  return table;
}

std::vector<BoardLine> hidden_lines(const Table& hidden) {
  std::vector<BoardLine> lines;
  lines.push_back({.name = "added to each score", .cells = {}, .quiet = true});
  for (const Format format : formats) lines[0].cells.emplace_back(tensor::name(format));
  for (std::size_t i = 0; i < ways_to_hide.size(); ++i) {
    BoardLine line{.name = ways_to_hide[i].name};
    for (std::size_t f = 0; f < formats.size(); ++f)
      line.cells.push_back(hidden.columns[2 + 2 * f].values[i] == 1
                               ? "NaN"
                               : in_dollars(tex_digits(hidden.columns[1 + 2 * f].values[i], 3)));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Logits& logits) {
  const Run ref = twin::on_reference({});
  const std::vector<double> exact = weights_of(ref, logits.given, logits.temperature);
  std::vector<double> moved, divided;
  double size = 1;
  for (const double x : logits.given) {
    moved.push_back(x + logits.shift);
    divided.push_back(x / logits.temperature);
    size = std::max(size, std::abs(x) + std::abs(logits.shift));
  }
  double sum = 0;
  for (const double w : exact) sum += w;
  const Format format = format_of(settings);
  Worst off;
  const std::vector<double> safe = softmax_in(format, logits.used, RowMaximum::taken_off);
  for (std::size_t i = 0; i < safe.size(); ++i) off.meet(std::abs(safe[i] - exact[i]));
  const double u = tensor::info(format).unit_roundoff;
  double reach = 1;  // of what is rounded before the exponential
  for (const double x : logits.used) reach = std::max(reach, std::abs(x));
  const double keys = number(exact.size());
  return {
      {"the weights sum to 1", std::abs(sum - 1), (keys + 4) * 0x1p-53},
      {"a number added to all logits changes no weight",
       largest_difference(weights_of(ref, moved, logits.temperature), exact),
       std::expm1(4 * size / logits.temperature * 0x1p-52) + 8 * 0x1p-53},
      {"a temperature divides the logits, nothing else",
       largest_difference(weights_of(ref, divided, 1), exact),
       std::expm1(4 * size / logits.temperature * 0x1p-52) + 8 * 0x1p-53},
      {"with the maximum taken off each weight is right to what the format rounds", off,
       // Logits and their differences off by u of themselves, both in the exponent; the exponential, a sum of n, a quotient.
       std::min(1.0, std::expm1(10 * reach * u) + (keys + 4) * u + keys * tensor::info(format).min_normal)},
      known_answer("f16: $e^x$ is finite up to $\\ln 65520 = 11.0901$",
                   std::abs(largest_exponent(Format::f16) - std::log(65520.0)), 1e-12),
      known_answer("f32: $e^x$ is finite up to 88.7228", std::abs(largest_exponent(Format::f32) - 88.7228391),
                   1e-6),
      twin::equals_reference(
          run, {attention::softmax_bound(std::ssize(logits.given)), attention::softmax_gpu_bound},
          [&](const Run& each) {
            return twin::softmax(each, twin::rounded(row_matrix(logits.given)),
                                 {.temperature = logits.temperature});
          })};
}

std::string worked_of(const Logits& logits, const std::vector<double>& exact) {
  using worked::term;
  std::vector<worked::Term> powers;
  for (const double x : logits.given) powers.push_back(exp(term(x) / logits.temperature));
  return Worked().add("p_1", worked::frac(powers[0], worked::sum(powers)), exact[0]).tex();
}

std::string title_of(const Settings& settings, const Series& weights, double temperature) {
  // Where the sum alone overflows, all weights are 0.
  double sum = 0;
  for (const double weight : weights["maximum left"]) sum += weight;
  if (!(std::abs(sum - 1) < 0.5))
    return "Without its maximum taken off this row has no softmax in " + settings.choice("format");
  return "At a temperature of " + short_text(temperature, 4) + " the largest logit has a weight of " +
         short_text(largest(weights["weight"]), 3);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Logits logits = logits_in(settings);
  const Series weights = weights_series(run, settings, logits), temperatures = temperatures_of(logits),
               shifts = shifts_of(settings, logits);
  const Table hidden = hidden_table(logits);
  const std::vector<BoardLine> lines = hidden_lines(hidden);
  Picture picture(
      title_of(settings, weights, logits.temperature),
      "The weights of a row, exact and with every step rounded; its largest weight and its entropy by temperature; the "
      "largest weight in the format when the row's maximum is not taken off first, by a number added to all logits, where "
      "there is a result at all; and the largest weight of the row when all its keys are hidden, by what was added to hide "
      "them, in three formats.");
  picture.at({0, 0}, "weights", weights_panel(weights, logits.temperature));
  picture.at({0, 1}, "temperature", temperature_panel(temperatures, logits.temperature));
  picture.at({1, 0, 1, 2}, "shift",
             shift_panel(shifts, logits, format_of(settings),
                         largest(weights_of(twin::on_reference({}), logits.given, logits.temperature))));
  picture.at({2, 0, 1, 2}, "masked",
             board_panel({.title = "Every key hidden: the largest weight that one has",
                          .columns = formats.size(),
                          .cells_from = 0.45,
                          .cells_to = 0.95},
                         lines));
  return {.figure =
              std::move(picture).figure(settings, {.aspect = 0.95,
                                                   .rows = {1, 0.8, 0.13 * board_height(lines)},
                                                   .cols = {1, 1},
                                                   .telling = {"weights", "shift", "masked", "temperature"}}),
          .tables = {weights.table(), temperatures.table(), shifts.table(), hidden},
          .checks = checks_of(run, settings, logits),
          .worked = worked_of(logits, weights["weight"])};
}

constexpr auto tries = std::to_array<Try>({
    {"A low temperature: the largest logit takes all.", "temperature=0.1",
     [](auto& now, auto&) { return largest(column(now, "weights", "weight")) > 0.99; }},
    {"A high temperature: all keys alike.", "temperature=100",
     [](auto& now, auto&) {
       return largest(column(now, "weights", "weight")) - least(column(now, "weights", "weight")) < 0.01;
     }},
    {"Add 20 to all logits: f16 overflows unless the maximum is taken off first.", "format=f16 shift=20",
     [](auto& now, auto& before) {
       return at(now, "weights", "maximum left, no number", 5) == 1 &&
              largest_difference(column(now, "weights", "weight"), column(before, "weights", "weight")) <
                  1e-6;
     }},
    {"f32 holds on until 88.", "format=f32 shift=80",
     [](auto& now, auto&) { return at(now, "weights", "maximum left, no number", 5) == 0; }},
    {"Hidden by the least number, keys of small scores weigh alike; by twice that, which is −∞, none has a weight.",
     "logits=3,0,-3",
     [](auto& now, auto&) {
       return std::abs(at(now, "masked", "f32: largest weight", 1) - 1.0 / 3) < 1e-6 &&
              at(now, "masked", "f32: no number", 2) == 1 && at(now, "masked", "f32: no number", 0) == 1;
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/softmax",
    .title = "Softmax in narrow formats",
    .topic = "Attention",
    .summary = "temperature, what may be added to all logits, and what a fully hidden row gives",
    .formula = R"(p_n = \frac{e^{(x_n - m)/\tau}}{\sum_j e^{(x_j - m)/\tau}}, \quad m = \max_j x_j)",
    .derivation = {},
    .about =
        "Softmax sees differences only, so the largest logit may be taken from all of them; then no exponential is above 1. "
        "A kernel that forgets this fails at the latest when a logit passes 11.091 in f16, 88.723 in f32. A mask of −∞ makes a row "
        "without a visible key 0/0; the least finite number instead gives hidden keys the same weight, where their scores are "
        "lost beside it; two masks of it added are −∞ again.",
    .source =
        "PyTorch issue 103749; Hugging Face transformers issue 31303; Milakov, Gimelshein 2018, arXiv 1805.02867",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_softmax
