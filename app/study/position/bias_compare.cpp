// Six additive biases as functions of distance, and how much of the attention each leaves to the far keys.
#include "app/study/kit.h"
#include "app/study/position/bias_curves.h"
#include "app/study/rope/rules.h"
#include "core/position/alibi.h"
#include "core/position/fire.h"
#include "core/position/kerple.h"
#include "core/position/sandwich.h"
#include "core/position/t5_bias.h"

namespace orrery::study::position_bias_compare {
namespace {

using position::Direction;
using position::KerpleKernel;

constexpr auto parameters = std::to_array<Parameter>({
    whole("trained_length", "Trained length", "512", {16, 4096},
          "L: FIRE's threshold; beyond it no distance was seen in training",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("reach", "Reach", "8", {2, 16}, "keys of the query, in trained lengths"),
    whole("head", "Head", "7", {1, 8}, "h of 8: ALiBi's slope is 2^-h, sandwich is divided by h"),
    real("r1", "KERPLE r1", "1.5", {0.0001, 100}, "learned: how strong both kernels are",
         {.travel = Travel::log}),
    real("r2", "KERPLE r2", "1", {0.001, 100}, "learned: where the logarithm begins to bend",
         {.travel = Travel::log}),
    real("exponent", "KERPLE exponent", "0.3", {0.01, 2},
         "learned: of the power kernel; 1 is ALiBi's straight line", {.travel = Travel::log}),
    real("fire", "FIRE at the end", "10", {0.01, 100},
         "a: what is taken off at the far end; the network here is one unit", {.travel = Travel::log}),
    real("fire_c", "FIRE c", "0.1", {0.0001, 100},
         "learned: the larger, the more of the scale is spent on near keys", {.travel = Travel::log}),
    choice("t5", "T5 copies", "kerple|alibi",
           "whose curve the learned table holds, at the first distance of each bucket"),
    show_parameter("all|bias|attention|fire"),
});

position::KerpleParams kerple_of(const Settings& settings, KerpleKernel kernel) {
  return {.kernel = kernel,
          .r1 = {settings.real("r1")},
          .r2 = {settings.real(kernel == KerpleKernel::log ? "r2" : "exponent")}};
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
                                    .threshold = settings.real("trained_length")};
  std::vector<double> bias;
  for (Index d = 0; d <= query; ++d)
    bias.push_back(-settings.real("fire") * position::fire_distance(query, query - d, params));
  return bias;
}

/// Every bias by distance, 0 to the last key.
Series biases_of(const Settings& settings, Index keys, const Run& run) {
  Series all("bias", {"distance", "tokens", counted(keys)});
  const auto add = [&](const char* name, std::vector<double> bias) {
    run.check();
    all.add(name, std::move(bias));
  };
  const std::array slope{slope_of(settings)};
  add("ALiBi", bias_behind(position::alibi_values(slope, keys, Direction::causal), 0));
  const std::vector<double> log =
      bias_behind(position::kerple_values(kerple_of(settings, KerpleKernel::log), keys), 0);
  const Matrix table = t5_table(settings.choice("t5") == "alibi" ? all["ALiBi"] : log);
  add("T5", bias_behind(position::t5_bias_values<double>(table, {}, keys), 0));
  add("KERPLE, log", log);
  add("KERPLE, power",
      bias_behind(position::kerple_values(kerple_of(settings, KerpleKernel::power), keys), 0));
  add("FIRE", fire_bias(settings, keys - 1));
  run.check();
  add("sandwich", bias_behind(position::sandwich_values({}, keys), settings.integer("head") - 1));
  return all;
}

/// How much of the attention the nearest keys get when all contents are alike.
Series attended_within(const Run& run, const Series& biases) {
  Series within("attention", {"distance", "tokens", biases.x()});
  for (const Column& bias : biases.columns()) {
    run.check();
    const double most = *std::ranges::max_element(bias.values);
    std::vector<double> sum;
    double total = 0;
    for (const double b : bias.values) sum.push_back(total += std::exp(b - most));
    for (double& each : sum) each /= total;
    within.add(bias.name, std::move(sum));
  }
  return within;
}

constexpr int stretches_drawn = 120;

/// Whole distances up to the last, ever sparser: what a log axis can show.
std::vector<std::size_t> drawn_distances(double last, int count = 300) {
  std::vector<std::size_t> distances;
  for (const double r : spread_distances(last, count))
    distances.push_back(static_cast<std::size_t>(std::lround(r)));
  distances.erase(std::ranges::unique(distances).begin(), distances.end());
  return distances;
}

/// Less than this off the largest score leaves a weight that no curve shows.
constexpr double least_drawn = -20;

/// What falls far below would press all others onto the zero line: the axis ends first, and says so.
void end_axis(Panel& panel, const Series& biases) {
  double lowest = 0;
  for (const Column& each : biases.columns()) lowest = std::min(lowest, std::ranges::min(each.values));
  if (lowest >= least_drawn) return;
  panel.y.range = Range{least_drawn * 1.06, -least_drawn * 0.04};
  panel.marks.push_back(quiet_level(least_drawn, "weight $e^{-20}$"));
}

Panel distance_panel(std::string title, std::string label, double trained, double end,
                     std::string trained_text = {}) {
  return {.title = std::move(title),
          .x = octaves("distance $m - n$", Range{1, end}),
          .y = values(std::move(label)),
          .marks = trained_marks(trained, end, std::move(trained_text)),
          .legend = LegendPlace::none};
}

/// Sandwich swings faster than anybody looks: of every whole distance from each drawn one to the next.
Series sandwich_envelope(const Series& all, const std::vector<std::size_t>& drawn) {
  const std::vector<double>& bias = all["sandwich"];
  std::vector<double> distances, mean, lowest, highest;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::span stretch =
        std::span(bias).subspan(drawn[i], (i + 1 < drawn.size() ? drawn[i + 1] : bias.size()) - drawn[i]);
    const auto [least, most] = std::ranges::minmax(stretch);
    double sum = 0;
    for (const double each : stretch) sum += each;
    distances.push_back(number(drawn[i]));
    mean.push_back(sum / number(stretch.size()));
    lowest.push_back(least);
    highest.push_back(most);
  }
  Series envelope("sandwich", {"distance", "tokens", std::move(distances)});
  envelope.add("sandwich", std::move(mean))
      .add("lowest", std::move(lowest))
      .add("highest", std::move(highest));
  return envelope;
}

/// A curve for each rule; T5's is a staircase among the biases, and sandwich's the mean in its range.
void add_curves(Panel& panel, const Series& rules, bool named, const Series* sandwich = nullptr) {
  panel.series_group = 1;
  int color = 0;
  for (const Column& rule : rules.columns()) {
    const bool stairs = rule.name == "T5" && rules.table().name == "bias";
    const bool swings = sandwich && rule.name == "sandwich";
    if (swings) panel.marks.push_back(sandwich->band("lowest", "highest", {.ink = series(color)}));
    const Series& from = swings ? *sandwich : rules;
    panel.marks.push_back(from.line(rule.name, {.ink = series(color++),
                                                .label = named ? rule.name : "",
                                                .course = stairs ? Course::step_after : Course::straight}));
  }
}

constexpr std::array fire_dashes{Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot};

/// The last query, and those before it that stand past half the trained length, each at a quarter of the other.
std::vector<Index> fire_queries(double trained, double end) {
  std::vector<Index> queries;
  for (double m = end; m >= trained / 2 && queries.size() < fire_dashes.size(); m /= 4)
    queries.push_back(std::lround(m));
  return queries;
}

Panel fire_panel(const Settings& settings, const Run& run, double trained, double end) {
  Panel panel = distance_panel("FIRE by query", "added to the score", trained, end);
  panel.legend = LegendPlace::bottom_left;
  constexpr int fire = 4;  // its colour in the other panels: queries differ by their dashes
  const std::vector<Index> queries = fire_queries(trained, end);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    run.check();
    const Index query = queries[i];
    const Dash dash = fire_dashes[i];
    Series bias("fire", {"distance", "tokens", counted(query + 1)});
    bias.add("FIRE", fire_bias(settings, query));
    panel.marks.push_back(bias.rows(drawn_distances(number(query)))
                              .line("FIRE", {.ink = series(fire),
                                             .width = dash == Dash::solid ? 1.2 : 1,
                                             .dash = dash,
                                             .label = "$m$ = " + grouped(number(query)),
                                             .dash_by_series = false}));
  }
  return panel;
}

/// How far the distances that follow from two biases are off, as a part of themselves.
struct Undone {
  double kerple, kerple_slack, fire, fire_slack;
};

/// A bias is rounded four times, and stands in an exponent of up to ln(1 + t): a part of as much of 1 + t is lost, where t is
/// what is left.
Undone undone_of(const Settings& settings, const Series& all) {
  const double r1 = settings.real("r1"), r2 = settings.real("r2"), a = settings.real("fire"),
               c = settings.real("fire_c"), last = all.x().back(),
               reach = std::max(last, settings.real("trained_length")), whole = std::log1p(c * reach);
  Worst kerple, fire;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double d = all.x()[i];
    kerple.meet(std::abs(std::expm1(-all["KERPLE, log"][i] / r1) / (r2 * d) - 1));
    fire.meet(std::abs(std::expm1(-all["FIRE"][i] / a * whole) / (c * d) - 1));
  }
  const auto lost = [](double exponent) { return (8 * exponent + 16) * 0x1p-53; };
  return {kerple, lost(std::log1p(r2 * last)), fire, lost(whole)};
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Series& all,
                             const Series& shares) {
  run.check();
  const Index keys = std::ssize(all.x());
  const double slope = slope_of(settings), a = settings.real("fire");
  const auto line = position::kerple_values({.kernel = KerpleKernel::power, .r1 = {slope}, .r2 = {1}}, keys);
  run.check();
  Worst rises, beyond, network;
  for (const char* name : {"KERPLE, log", "KERPLE, power", "FIRE"})
    for (std::size_t d = 1; d < all.size(); ++d) rises.meet(all[name][d] - all[name][d - 1]);
  run.check();
  for (std::size_t d = 129; d < all.size(); ++d) beyond.meet(std::abs(all["T5"][d] - all["T5"][128]));
  const position::FireParams small{.c = settings.real("fire_c"), .threshold = 8};
  constexpr Index length = 33;
  Matrix reference(length, length);
  position::fire_ref(fire_network(a), small, reference);
  for (Index m = 0; m < length; ++m)
    for (Index n = 0; n <= m; ++n)
      network.meet(std::abs(reference(m, n) + a * position::fire_distance(m, n, small)));

  // Up to the trained length the first token is nearer than the distance that a is taken off at.
  const double trained = settings.real("trained_length"), c = settings.real("fire_c");
  Worst first;
  for (const Index query : fire_queries(trained, all.x().back())) {
    run.check();
    const double m = number(query), part = m < trained ? std::log1p(c * m) / std::log1p(c * trained) : 1;
    first.meet(std::abs(fire_bias(settings, query).back() + a * part));
  }

  const Undone undone = undone_of(settings, all);
  // ALiBi's weights are a geometric sequence.
  Worst geometric;
  for (std::size_t i = 0; i < shares.size(); ++i)
    geometric.meet(std::abs(shares["ALiBi"][i] -
                            std::expm1(-slope * (shares.x()[i] + 1)) / std::expm1(-slope * number(keys))));
  const std::array slopes{slope};
  const position::KerpleParams log{.direction = Direction::bidirectional, .r1 = {1.5}, .r2 = {1}};
  const Matrix t5 = t5_table(all["KERPLE, log"]);
  const position::T5Buckets buckets{.direction = Direction::bidirectional};
  Matrix spread(3, 2 * length - 1), of_log(length, length), of_t5(length, length),
      spread_reference(3 * length, length);
  spread << position::alibi_values(slopes, length, Direction::bidirectional),
      position::kerple_values(log, length), position::t5_bias_values<double>(t5, buckets, length);
  position::kerple_ref(log, of_log);
  position::t5_bias_ref(t5, buckets, of_t5);
  spread_reference << alibi_reference(slopes, length, Direction::bidirectional), of_log, of_t5;
  return {
      {"ALiBi is KERPLE's power kernel with exponent 1",
       largest_difference(bias_behind(line, 0), all["ALiBi"]), 0},
      {"T5: beyond 128 tokens one bias for all", beyond, 0},
      {"KERPLE and FIRE never rise with distance", rises, 0},
      {"KERPLE's logarithm undone gives the distance: $(e^{-b/r_1} - 1)/r_2$", undone.kerple,
       undone.kerple_slack},
      {"FIRE's bias undone gives the distance: $((1 + c\\,m)^{-b/a} - 1)/c$", undone.fire, undone.fire_slack},
      // So many weights are summed, each rounded as its exponent is.
      {"ALiBi: weights fall as a geometric sequence", geometric, (number(keys) * (1 + slope) + 8) * 0x1p-51},
      {"FIRE with one unit is $-a u$", network, 0},
      {"FIRE takes $a\\,\\psi(m)/\\psi(\\max(m, L))$ off the first token, for every query $m$ drawn", first,
       0},
      known_answer("sandwich at distance 1: $62.0936838057676 - 64$, published digits",
                   std::abs(position::sandwich_values({}, 2)(0, 0) + 64 - 62.0936838057676), 5e-13),
      spread_check(run, spread, spread_reference),
  };
}

/// At the last drawn distance within the trained length.
std::string worked_of(const Settings& settings, const Series& biases, double end) {
  const double trained = settings.real("trained_length"), c = settings.real("fire_c");
  const auto past = std::ranges::upper_bound(biases.x(), trained);
  const auto at = static_cast<std::size_t>(past - biases.x().begin() - 1);
  const double r = biases.x()[at];
  const auto psi = [&](double distance) { return ln(term(1) + term(c) * distance); };
  Worked worked;
  worked.add("b_\\mathrm{ALiBi}", term(-slope_of(settings)) * r, biases["ALiBi"][at]);
  worked.add("b_\\mathrm{KERPLE}", term(-settings.real("r1")) * ln(term(1) + term(settings.real("r2")) * r),
             biases["KERPLE, log"][at]);
  return worked
      .add("b_\\mathrm{FIRE}",
           term(-settings.real("fire")) * worked::frac(psi(r), psi(std::max(end, trained))),
           biases["FIRE"][at])
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Index keys = settings.integer("trained_length") * settings.integer("reach");
  const double trained = settings.real("trained_length"), end = number(keys - 1);
  const Series all = biases_of(settings, keys, run);
  const auto drawn = drawn_distances(end);
  const Series biases = all.rows(drawn), shares = attended_within(run, all).rows(drawn);
  const bool alone = settings.choice("show") == "attention";
  const Series sandwich = sandwich_envelope(all, drawn_distances(end, stretches_drawn));

  Panel bias = distance_panel("Bias by distance", "added to the score", trained, end, "trained length"),
        attention = distance_panel("Attention within a distance", "share of the weights", trained, end);
  end_axis(bias, biases);
  add_curves(bias, biases, true, &sandwich);
  add_curves(attention, shares, alone);
  bias.legend = LegendPlace::above;
  if (alone) attention.legend = LegendPlace::above;
  attention.y.range = Range{0, 1};
  Picture picture(
      "Six ways to say that far is less",
      "Bias against distance on a log axis for ALiBi, T5, the two kernels of KERPLE, FIRE and sandwich; T5's "
      "is a staircase. Below, how much of the attention lies within "
      "each distance when all contents are alike, and FIRE's bias for queries at several positions.");
  picture.at({0, 0, 1, 2}, "bias", std::move(bias))
      .at({1, 0}, "attention", std::move(attention))
      .at({1, 1}, "fire", fire_panel(settings, run, trained, end));
  return {std::move(picture).figure(
              settings, {.aspect = 1.2, .rows = {1.3, 1}, .cols = {1, 1}, .telling = {"bias", "attention"}}),
          {biases.table(), shares.table(), sandwich.table()},
          checks_of(settings, run, all, shares),
          worked_of(settings, biases, end)};
}

constexpr auto tries = std::to_array<Try>({
    {"A steep head: ALiBi sees a few tokens only.", "head=2",
     [](auto& now, auto&) { return at(now, "attention", "ALiBi", 16) > 0.98; }},
    {"KERPLE's power kernel as a straight line: ALiBi again.", "exponent=1 r1=0.0078125",
     [](auto& now, auto&) {
       return largest_difference(column(now, "bias", "KERPLE, power"), column(now, "bias", "ALiBi")) < 1e-12;
     }},
    {"FIRE spends its scale on the nearest keys.", "fire_c=10",
     [](auto& now, auto& before) { return at(now, "bias", "FIRE", 1) < 10 * at(before, "bias", "FIRE", 1); }},
    {"T5 learned ALiBi's line: a straight fall that stops at 113.", "t5=alibi head=4",
     [](auto& now, auto&) {  // of slope 1/16, at the first distance of the last bucket
       return most(column_from(now, "bias", "T5", 113)) == -113.0 / 16 &&
              at(now, "bias", "T5", 112) > -113.0 / 16;
     }},
});

}  // namespace

extern const Study study{
    .id = "position/bias-compare",
    .title = "Biases by distance",
    .topic = "Absolute and additive",
    .summary = "six ways to say that far is less",
    .formula =
        R"(b_\mathrm{ALiBi} = -kr, \quad b_\mathrm{KERPLE} = -r_1 \ln(1 + r_2 r), \quad b_\mathrm{FIRE} = f\left(\frac{\psi(r)}{\psi(\max(m, L))}\right), \quad b_\mathrm{sandwich} = \frac{1}{h} \sum_i (\cos(r\omega_i) - 1))",
    .about =
        "Each rule adds to the score a number that depends on distance. ALiBi's falls without end; KERPLE's "
        "falls like a logarithm, or a power; T5 learns one for each bucket and knows no difference from "
        "113 tokens on; FIRE measures the distance against where the query stands, so that a longer text meets "
        "nothing new; sandwich is what sinusoidal rows say to each other.",
    .source =
        "Press et al., arXiv 2108.12409; Raffel et al., arXiv 1910.10683; Chi et al., arXiv 2205.09921 and "
        "2212.10356; Li et al., arXiv 2310.04418",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_bias_compare
