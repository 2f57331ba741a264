// Five additive biases as functions of distance, and how much of the attention each leaves to the far keys.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/bias_curves.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/position/alibi.h"
#include "core/position/fire.h"
#include "core/position/kerple.h"
#include "core/position/sandwich.h"
#include "core/position/t5_bias.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::Direction;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|bias|attention|fire";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "trained_length",
     .label = "Trained length",
     .kind = Kind::integer,
     .fallback = "512",
     .min = 16,
     .max = 4096,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "L: FIRE's threshold; beyond it no distance was seen in training"},
    {.name = "reach",
     .label = "Reach",
     .kind = Kind::integer,
     .fallback = "8",
     .min = 2,
     .max = 16,
     .help = "keys of the query, in trained lengths"},
    {.name = "head",
     .label = "Head",
     .kind = Kind::integer,
     .fallback = "7",
     .min = 1,
     .max = 8,
     .help = "h of 8: ALiBi's slope is 2^-h, sandwich is divided by h"},
    {.name = "r1",
     .label = "KERPLE r1",
     .kind = Kind::real,
     .fallback = "1.5",
     .min = 0.0001,
     .max = 100,
     .travel = Travel::log,
     .help = "learned: how strong both kernels are"},
    {.name = "r2",
     .label = "KERPLE r2",
     .kind = Kind::real,
     .fallback = "1",
     .min = 0.001,
     .max = 100,
     .travel = Travel::log,
     .help = "learned: where the logarithm begins to bend"},
    {.name = "exponent",
     .label = "KERPLE exponent",
     .kind = Kind::real,
     .fallback = "0.3",
     .min = 0.01,
     .max = 2,
     .travel = Travel::log,
     .help = "learned: of the power kernel; 1 is ALiBi's straight line"},
    {.name = "fire",
     .label = "FIRE at the end",
     .kind = Kind::real,
     .fallback = "10",
     .min = 0.01,
     .max = 100,
     .travel = Travel::log,
     .help = "a: what is taken off at the far end; the network here is one unit"},
    {.name = "fire_c",
     .label = "FIRE c",
     .kind = Kind::real,
     .fallback = "0.1",
     .min = 0.0001,
     .max = 100,
     .travel = Travel::log,
     .help = "learned: the larger, the more of the scale is spent on near keys"},
    {.name = "t5",
     .label = "T5 copies",
     .kind = Kind::choice,
     .fallback = "kerple",
     .choices = "kerple|alibi",
     .help = "whose curve the learned table holds, at the first distance of each bucket"},
    show_parameter(parts),
});

position::KerpleParams kerple_of(const Settings& settings, position::KerpleKernel kernel) {
  const bool log = kernel == position::KerpleKernel::log;
  return {.kernel = kernel, .r1 = {settings.real("r1")}, .r2 = {settings.real(log ? "r2" : "exponent")}};
}

double slope_of(const Settings& settings) {
  return position::alibi_slopes(8)[static_cast<std::size_t>(settings.integer("head") - 1)];
}

/// The table of a head whose buckets hold another rule's bias at their first distance.
Matrix t5_table(const std::vector<double>& copied) {
  const position::T5Buckets buckets;
  Matrix table = Matrix::Zero(buckets.num_buckets, 1);
  for (Index d = std::ssize(copied) - 1; d >= 0; --d)
    table(position::t5_bucket(-d, buckets), 0) = copied[static_cast<std::size_t>(d)];
  return table;
}

/// −a u: a network 1 → 1 → 1 with weights 1 and −a.
position::FireWeights fire_network(double a) {
  return {.w_in = {1}, .b_in = {0}, .w_out = Matrix::Constant(1, 1, -a), .b_out = {0}};
}

std::vector<double> fire_bias(const Settings& settings, Index query) {
  const position::FireParams params{.c = settings.real("fire_c"),
                                    .threshold = static_cast<double>(settings.integer("trained_length"))};
  std::vector<double> bias;
  for (Index d = 0; d <= query; ++d)
    bias.push_back(-settings.real("fire") * position::fire_distance(query, query - d, params));
  return bias;
}

struct Bias {
  std::string name;
  std::vector<double> at;  ///< by distance, from 0
};

std::vector<Bias> biases_of(const Settings& settings, Index keys, const Run& run) {
  const auto behind = [](const Matrix& values, Index head = 0) { return bias_behind(values, head); };
  const std::array slope{slope_of(settings)};
  const std::vector<double> alibi = behind(position::alibi_values(slope, keys, Direction::causal)),
                            log = behind(position::kerple_values(
                                kerple_of(settings, position::KerpleKernel::log), keys));
  const Matrix table = t5_table(settings.choice("t5") == "alibi" ? alibi : log);
  run.check();
  std::vector<Bias> all{{"ALiBi", alibi},
                        {"T5", behind(position::t5_bias_values<double>(table, {}, keys))},
                        {"KERPLE, log", log},
                        {"KERPLE, power", behind(position::kerple_values(
                                              kerple_of(settings, position::KerpleKernel::power), keys))},
                        {"FIRE", fire_bias(settings, keys - 1)}};
  run.check();
  all.push_back({"sandwich", behind(position::sandwich_values({}, keys), settings.integer("head") - 1)});
  run.check();
  return all;
}

/// How much of the attention the nearest keys get when all contents are alike.
std::vector<double> attended_within(const std::vector<double>& bias) {
  const double most = *std::ranges::max_element(bias);
  std::vector<double> sum;
  double total = 0;
  for (const double b : bias) sum.push_back(total += std::exp(b - most));
  for (double& each : sum) each /= total;
  return sum;
}

/// Whole distances up to the last, ever sparser: what a log axis can show.
std::vector<Index> drawn_distances(Index last) {
  std::vector<Index> distances;
  for (const double r : spread_distances(static_cast<double>(last), 300)) distances.push_back(std::lround(r));
  distances.erase(std::ranges::unique(distances).begin(), distances.end());
  return distances;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<Index>& distances) {
  std::vector<double> y;
  for (const Index d : distances)
    if (d < std::ssize(values)) y.push_back(values[static_cast<std::size_t>(d)]);
  return y;
}

figure::Panel distance_panel(const char* title, const char* label, double trained, double end) {
  figure::Panel panel;
  panel.title = title;
  panel.x = {.label = "distance $m - n$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{1, end},
             .ticks = figure::TickHint::powers_of_two};
  panel.y = {.label = label, .grid = true};
  panel.legend = figure::LegendPlace::none;
  panel.marks = trained_marks(trained, end, "");
  return panel;
}

figure::Panel fire_panel(const Settings& settings, double trained, double end) {
  figure::Panel panel = distance_panel("FIRE by query", "added to the score", trained, end);
  panel.legend = figure::LegendPlace::bottom_left;
  constexpr std::array colours{4, 6, 7, 0};  // the farthest query has FIRE's own colour of the other panels
  const std::size_t shades = panel.marks.size();
  std::vector<Index> queries;
  for (double m = end; m >= trained / 2 && queries.size() < 4; m /= 4) queries.push_back(std::lround(m));
  for (const Index m : queries) {
    const std::vector<Index> distances = drawn_distances(m);
    panel.marks.push_back(
        curve({distances.begin(), distances.end()}, picked(fire_bias(settings, m), distances),
              colours[panel.marks.size() - shades], "$m$ = " + grouped(static_cast<double>(m))));
  }
  return panel;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const std::vector<Bias>& all) {
  const Index keys = std::ssize(all[0].at);
  const double slope = slope_of(settings), a = settings.real("fire");
  const auto line =
      position::kerple_values({.kernel = position::KerpleKernel::power, .r1 = {slope}, .r2 = {1}}, keys);
  double straight = 0, rises = 0, beyond = 0, network = 0;
  for (Index d = 0; d < keys; ++d) {
    const auto i = static_cast<std::size_t>(d);
    straight = std::max(straight, std::abs(line(0, keys - 1 - d) - all[0].at[i]));
    if (d > 128) beyond = std::max(beyond, std::abs(all[1].at[i] - all[1].at[128]));
    if (d == 0) continue;
    for (const std::size_t each : {2u, 3u, 4u})
      rises = std::max(rises, all[each].at[i] - all[each].at[i - 1]);
  }
  const position::FireParams small{.c = settings.real("fire_c"), .threshold = 8};
  constexpr Index length = 33;
  Matrix reference(length, length);
  position::fire_ref(fire_network(a), small, reference);
  for (Index m = 0; m < length; ++m)
    for (Index n = 0; n <= m; ++n)
      network = std::max(network, std::abs(reference(m, n) + a * position::fire_distance(m, n, small)));
  const Matrix sandwich = position::sandwich_values({}, 2);

  Matrix spread(4, 2 * length - 1);
  const std::array slopes{slope};
  spread << position::alibi_values(slopes, length, Direction::bidirectional),
      position::kerple_values({.direction = Direction::bidirectional, .r1 = {1.5}, .r2 = {1}}, length),
      position::sandwich_values({.heads = 1, .direction = Direction::bidirectional}, length),
      position::t5_bias_values<double>(t5_table(all[2].at), {}, length);
  return {
      {"ALiBi is KERPLE's power kernel with exponent 1", straight, 0},
      {"T5: beyond 128 tokens one bias for all", beyond, 0},
      {"KERPLE and FIRE never rise with distance", rises, 0},
      {"FIRE with one unit is $-a u$", network, 0},
      {"FIRE takes $a$ off the first token, wherever the query stands", std::abs(all[4].at.back() + a), 0},
      {"sandwich at distance 1: $62.0936838057676 - 64$, published digits",
       std::abs(sandwich(0, 0) + 64 - 62.0936838057676), 5e-13},
      spread_check(run, spread),
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Index keys = settings.integer("trained_length") * settings.integer("reach");
  const double trained = static_cast<double>(settings.integer("trained_length")),
               end = static_cast<double>(keys - 1);
  const std::vector<Bias> all = biases_of(settings, keys, run);
  const std::vector<Index> distances = drawn_distances(keys - 1);
  const std::vector<double> x(distances.begin(), distances.end());

  figure::Panel bias = distance_panel("Bias", "added to the score", trained, end),
                attention =
                    distance_panel("Attention within a distance", "share of the weights", trained, end);
  bias.legend = figure::LegendPlace::above;
  attention.y.range = figure::Range{0, 1};
  figure::Table biases{"bias", {{.name = "distance", .unit = "tokens", .values = x}}}, shares = biases;
  shares.name = "attention";
  for (std::size_t i = 0; i < all.size(); ++i) {
    biases.columns.push_back({.name = all[i].name, .values = picked(all[i].at, distances)});
    shares.columns.push_back({.name = all[i].name, .values = picked(attended_within(all[i].at), distances)});
    const int series = static_cast<int>(i);
    bias.marks.push_back(curve(x, biases.columns.back().values, series, all[i].name));
    if (all[i].name == "T5") std::get<figure::Line>(bias.marks.back()).course = figure::Course::step_after;
    attention.marks.push_back(curve(x, shares.columns.back().values, series, ""));
  }
  figure::Panel fire = fire_panel(settings, trained, end);
  bias.cell = {0, 0, 1, 2};
  attention.cell = {1, 0};
  fire.cell = {1, 1};
  if (settings.choice("show") == "attention") {
    for (std::size_t i = 0; i < all.size(); ++i)
      std::get<figure::Line>(attention.marks[attention.marks.size() - all.size() + i]).label = all[i].name;
    attention.legend = figure::LegendPlace::above;
  }

  StudyResult result;
  result.figure.title = "Five ways to say that far is less";
  result.figure.description =
      "Bias against distance on a log axis: ALiBi plunges, KERPLE's logarithm is nearly straight, T5 is a "
      "staircase "
      "that ends level, FIRE and sandwich flatten. Below, how much of the attention lies within each "
      "distance when "
      "all contents are alike, and FIRE's bias for queries at several positions.";
  result.figure.panels = {std::move(bias), std::move(attention), std::move(fire)};
  result.figure.row_weights = {1.3, 1};
  result.figure.col_weights = {1, 1};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.checks = checks_of(settings, run, all);
  result.tables = {std::move(biases), std::move(shares)};
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"A steep head: ALiBi sees a few tokens only.", "head=2"},
    {"KERPLE's power kernel as a straight line: ALiBi again.", "exponent=1 r1=0.0078125"},
    {"FIRE spends its scale on the nearest keys.", "fire_c=10"},
    {"T5 learned ALiBi's line: a straight fall that stops at 128.", "t5=alibi head=4"},
});

}  // namespace

const Study position_bias_compare{
    .id = "position/bias-compare",
    .title = "Biases by distance",
    .topic = "Absolute and additive",
    .summary = "five ways to say that far is less",
    .formula =
        R"(b_\mathrm{ALiBi} = -kr, \quad b_\mathrm{KERPLE} = -r_1 \ln(1 + r_2 r), \quad b_\mathrm{FIRE} = f\left(\frac{\psi(r)}{\psi(\max(m, L))}\right), \quad b_\mathrm{sandwich} = \frac{1}{h} \sum_i \cos(r\omega_i))",
    .about =
        "Each rule adds to the score a number that depends on distance. ALiBi's falls without end; KERPLE's "
        "falls like "
        "a logarithm, or a power; T5 learns one for each bucket and knows no difference beyond 128 tokens; "
        "FIRE "
        "measures the distance against where the query stands, so that a longer text meets nothing new; "
        "sandwich is "
        "what sinusoidal rows say to each other.",
    .source =
        "Press et al., arXiv 2108.12409; Raffel et al., arXiv 1910.10683; Chi et al., arXiv 2205.09921 and "
        "2212.10356; "
        "Li et al., arXiv 2310.04418",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
