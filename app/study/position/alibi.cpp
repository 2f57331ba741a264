// ALiBi: the slopes of any number of heads by each published rule, the biases, and how far each head looks.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/bias_curves.h"
#include "app/study/studies.h"
#include "core/position/alibi.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::AlibiRule;
using tensor::Index;

constexpr std::string_view parts = "all|slopes|reach|bias";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "heads",
     .label = "Heads",
     .kind = Kind::integer,
     .fallback = "12",
     .min = 1,
     .max = 256,
     .travel = Travel::log,
     .help = "H: for a power of two all rules agree"},
    {.name = "rule",
     .label = "Rule",
     .kind = Kind::choice,
     .fallback = "code",
     .choices = "code|mosaic|formula",
     .help =
         "whose slopes the biases have: the authors' code, MPT's code, or the paper's formula for every H"},
    {.name = "length",
     .label = "Keys",
     .kind = Kind::integer,
     .fallback = "1024",
     .min = 2,
     .max = 65536,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "L: how many keys there are to look at"},
    {.name = "direction",
     .label = "Direction",
     .kind = Kind::choice,
     .fallback = "causal",
     .choices = "causal|bidirectional",
     .help = "keys before the query only, or on both sides of it"},
    show_parameter(parts),
});

struct Rule {
  AlibiRule rule;
  const char* name;
};
constexpr std::array rules{Rule{AlibiRule::code, "authors' code"}, Rule{AlibiRule::mosaic, "MPT's code"},
                           Rule{AlibiRule::formula, "formula for every $H$"}};

AlibiRule chosen(const Settings& settings) {
  const std::string& name = settings.choice("rule");
  return name == "code" ? AlibiRule::code : name == "mosaic" ? AlibiRule::mosaic : AlibiRule::formula;
}

/// Of a head whose scores are its bias alone: the mean distance of what it attends to among so many keys. Weights q^k,
/// q = e^−slope, summed from the smallest on; beyond 50/slope they are below 2e-22 of the nearest one.
double mean_distance(double slope, double keys, bool two_sided) {
  double sum = 0, far = 0;
  for (double k = std::min(keys - 1, std::ceil(50 / slope)); k >= 0; --k) {
    const double weight = std::exp(-slope * k) * (two_sided && k > 0 ? 2 : 1);
    sum += weight;
    far += weight * k;
  }
  return far / sum;
}

/// The same with keys without end: 1/(e^slope − 1), and 1/sinh(slope) with keys on both sides.
double geometric_reach(double slope, bool two_sided) {
  return two_sided ? 1 / std::sinh(slope) : 1 / std::expm1(slope);
}

/// Of the weights (1 − q) q^k, in nats.
double geometric_entropy(double slope) {
  return -std::log(-std::expm1(-slope)) + slope / std::expm1(slope);
}

std::vector<double> head_numbers(std::size_t heads) {
  std::vector<double> h(heads);
  for (std::size_t i = 0; i < heads; ++i) h[i] = static_cast<double>(i + 1);
  return h;
}

figure::Table slope_table(const Settings& settings, const Run& run) {
  const Index heads = settings.integer("heads");
  const bool two_sided = settings.choice("direction") == "bidirectional";
  const double keys = static_cast<double>(settings.integer("length"));
  figure::Table table{"slopes", {{.name = "head", .values = head_numbers(static_cast<std::size_t>(heads))}}};
  for (const Rule& each : rules)
    table.columns.push_back({.name = each.name, .values = position::alibi_slopes(heads, each.rule)});
  figure::Column mean{.name = "mean distance", .unit = "tokens"},
      limit{.name = "of endless keys", .unit = "tokens"}, most{.name = "99 % within", .unit = "tokens"},
      entropy{.name = "entropy", .unit = "nat"};
  for (const double slope : position::alibi_slopes(heads, chosen(settings))) {
    run.check();
    mean.values.push_back(mean_distance(slope, keys, two_sided));
    limit.values.push_back(geometric_reach(slope, two_sided));
    most.values.push_back(std::log(100) / slope);
    entropy.values.push_back(geometric_entropy(slope));
  }
  for (figure::Column& column : std::array{mean, limit, most, entropy}) table.columns.push_back(column);
  return table;
}

figure::Axis head_axis(const figure::Table& slopes) {
  return {.label = "head $h$",
          .range = figure::Range{0.5, slopes.columns[0].values.back() + 0.5},
          .ticks = figure::TickHint::integers};
}

/// Discs, crosses over them, and rings: where two rules agree both are seen.
figure::Panel slope_panel(const figure::Table& slopes) {
  figure::Panel panel;
  panel.title = "Slopes";
  panel.x = head_axis(slopes);
  panel.y = {.label = "slope $k_h$",
             .scale = figure::Scale::log(2),
             .ticks = figure::TickHint::powers_of_two,
             .grid = true};
  panel.legend = figure::LegendPlace::above;
  constexpr std::array symbols{figure::Symbol::ring, figure::Symbol::cross, figure::Symbol::triangle};
  for (std::size_t i = 0; i < rules.size(); ++i)
    panel.marks.push_back(figure::Points{.x = slopes.columns[0].values,
                                         .y = slopes.columns[i + 1].values,
                                         .ink = figure::series(static_cast<int>(i)),
                                         .radius = i == 0 ? 3.2 : 2.0,
                                         .symbol = symbols[i],
                                         .label = rules[i].name,
                                         .symbol_by_series = false});
  return panel;
}

figure::Panel reach_panel(const Settings& settings, const figure::Table& slopes) {
  const bool two_sided = settings.choice("direction") == "bidirectional";
  figure::Panel panel;
  panel.title = "How far each head looks";
  panel.x = head_axis(slopes);
  panel.y = {.label = "mean distance (tokens)",
             .scale = figure::Scale::log(2),
             .ticks = figure::TickHint::powers_of_two,
             .grid = true};
  panel.legend = figure::LegendPlace::above;
  panel.marks = {figure::Points{.x = slopes.columns[0].values,
                                .y = slopes.columns[5].values,
                                .ink = figure::series(0),
                                .radius = 3.2,
                                .symbol = figure::Symbol::ring,
                                .label = two_sided ? R"($1/\sinh k_h$)" : R"($1/(e^{k_h}-1)$)",
                                .symbol_by_series = false},
                 figure::Points{.x = slopes.columns[0].values,
                                .y = slopes.columns[4].values,
                                .ink = figure::series(1),
                                .radius = 2,
                                .symbol = figure::Symbol::cross,
                                .label = "with $L$ keys",
                                .symbol_by_series = false}};
  return panel;
}

/// The bias of every head by distance: two points are enough for a straight line.
figure::Panel bias_panel(const Settings& settings) {
  constexpr double lowest = -12;  // e^-12 is 6e-6: nobody looks there
  const double keys = static_cast<double>(settings.integer("length"));
  const bool two_sided = settings.choice("direction") == "bidirectional";
  figure::Panel panel;
  panel.title = "Bias by distance";
  panel.x = {.label = two_sided ? "key before or after the query (tokens)" : "distance $m - n$",
             .range = figure::Range{two_sided ? -keys : 0, keys},
             .ticks = figure::TickHint::integers};
  panel.y = {.label = "added to the score", .range = figure::Range{lowest, 0}, .grid = true};
  panel.legend = figure::LegendPlace::above;
  const double left = panel.x.range->lo, hundredth = -std::log(100);
  figure::Line floor = curve({left, keys}, {hundredth, hundredth}, 0, "1 % of the nearest key");
  floor.ink = {figure::Role::secondary, 0, 1};
  floor.dash = figure::Dash::dotted;
  floor.dash_by_series = false;

  const std::vector<double> k = position::alibi_slopes(settings.integer("heads"), chosen(settings));
  const auto below = static_cast<Index>(std::bit_floor(k.size()));
  const std::vector<double> power = position::alibi_slopes(below);
  const bool one_list = chosen(settings) == AlibiRule::formula;
  bool named[2] = {false, false};
  for (const double slope : k) {
    const bool between = !one_list && std::ranges::find(power, slope) == power.end();
    const double end = std::min(keys, -lowest / slope);
    std::vector<double> x = two_sided ? std::vector{-end, 0.0, end} : std::vector{0.0, end}, y;
    for (const double each : x) y.push_back(-slope * std::abs(each));
    figure::Line line = curve(std::move(x), std::move(y), between ? 1 : 0, "");
    line.width = 0.8;
    if (!std::exchange(named[between], true))
      line.label = between ? "slopes between"
                           : "slopes of " + std::to_string(one_list ? std::ssize(k) : below) + " heads";
    panel.marks.push_back(std::move(line));
  }
  panel.marks.push_back(std::move(floor));
  return panel;
}

/// Weights of the last query by −k(m − n) and by +k n, as some code has it: one constant a row between them.
double shift_error(std::span<const double> slopes, Index length) {
  attention::SoftmaxParams params;
  twin::Matrix fall(static_cast<Index>(slopes.size()), length), rise = fall;
  for (Index h = 0; h < fall.rows(); ++h) {
    for (Index n = 0; n < length; ++n) {
      const double slope = slopes[static_cast<std::size_t>(h)];
      fall(h, n) = -slope * static_cast<double>(length - 1 - n);
      rise(h, n) = slope * static_cast<double>(n);
    }
  }
  Run exact;
  exact.device = DeviceChoice::ref;
  return (twin::softmax(exact, fall, params) - twin::softmax(exact, rise, params)).cwiseAbs().maxCoeff();
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run) {
  const Index heads = settings.integer("heads");
  const std::vector<double> slopes = position::alibi_slopes(heads, chosen(settings)),
                            eight = position::alibi_slopes(8);
  double published = 0, powers = 0, geometric = 0;
  for (int h = 0; h < 8; ++h) {
    published = std::max(published, std::abs(eight[static_cast<std::size_t>(h)] - std::exp2(-h - 1)));
  }
  for (Index power = 1; power <= 256; power *= 2)
    powers = std::max(powers, largest_difference(position::alibi_slopes(power),
                                                 position::alibi_slopes(power, AlibiRule::formula)));
  for (const double slope : eight) {
    const double limit = geometric_reach(slope, false);
    geometric = std::max(geometric, std::abs(mean_distance(slope, 1e9, false) / limit - 1));
  }
  const Index seen = std::min<Index>(settings.integer("length"), 256);
  const double steepest = *std::ranges::max_element(slopes);
  return {
      {"8 heads have the paper's slopes $1/2, 1/4, 1/8 … 1/256$", published, 0},
      {"MPT's code gives the authors' list",
       largest_difference(position::alibi_slopes(heads), position::alibi_slopes(heads, AlibiRule::mosaic)),
       0},
      {"powers of two up to 256: the formula gives the code's list", powers, 0},
      // A quotient of sums of thousands of rounded weights, which fall one way and the other.
      {"summed weights have the mean distance $1/(e^k-1)$", geometric, 1e-12},
      {"slope $1/256$: 255.500325520751 tokens", std::abs(geometric_reach(0x1p-8, false) - 255.500325520751),
       1e-12},
      // Each bias is rounded by 2^-53 of at most k L; a weight moves by as much of itself, and the sum too.
      {"adding $+k_h n$ instead of $-k_h(m-n)$ changes no weight", shift_error(slopes, seen),
       steepest * static_cast<double>(seen) * 0x1p-51 + 0x1p-51},
      spread_check(
          run, position::alibi_values(std::span(slopes).first(std::min<std::size_t>(slopes.size(), 8)), 33,
                                      position::Direction::bidirectional)),
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  figure::Table slopes = slope_table(settings, run);
  figure::Panel slope = slope_panel(slopes), reach = reach_panel(settings, slopes),
                bias = bias_panel(settings);
  slope.cell = {0, 0};
  reach.cell = {0, 1};
  bias.cell = {1, 0, 1, 2};

  StudyResult result;
  result.figure.title = "Each head forgets at a rate of its own";
  result.figure.description =
      "The slope of every head by three published rules: a falling row of points, and for a number of heads "
      "that is no "
      "power of two a second row that fills the gaps. Beside it the mean distance that a head attends to "
      "when its "
      "scores are the bias alone. Below, the bias of every head as a straight line that falls with distance.";
  result.figure.panels = {std::move(slope), std::move(reach), std::move(bias)};
  result.figure.row_weights = {1.15, 1};
  result.figure.col_weights = {1, 1};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {std::move(slopes)};
  result.checks = checks_of(settings, run);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Eight heads: every rule agrees.", "heads=8"},
    {"Forty heads, as Baichuan 13B has them.", "heads=40"},
    {"Two sided, as encoders have it.", "direction=bidirectional"},
});

}  // namespace

const Study position_alibi{
    .id = "position/alibi",
    .title = "ALiBi",
    .topic = "Absolute and additive",
    .summary = "each head forgets at a rate of its own",
    .formula = R"(s_{mn} = \frac{\langle q_m, k_n\rangle}{\sqrt d} - k_h (m-n), \quad k_h = 2^{-8h/H})",
    .about =
        "Every head takes a penalty off its scores that grows with distance, at its own slope. With equal "
        "contents the "
        "weights are a geometric sequence: a head sees about 1 over its slope tokens, however long the text "
        "is. For a "
        "number of heads that is no power of two the published code fills the gaps between the slopes of the "
        "power "
        "below; the formula read literally gives other slopes, and a model trained with one list fails with "
        "the other.",
    .source =
        "Press et al. 2022, arXiv 2108.12409, section 3, and its code; MosaicML's llm-foundry, gen_slopes",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
