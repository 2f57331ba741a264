// How many keys a row of weights is shared by: its entropy, by how far the scores are apart, down to where one key has all.
#include "core/attention/entropy.h"

#include "app/study/attention/weights_entropy.h"
#include "app/study/kit.h"

namespace orrery::study::attention_entropy {
namespace {

constexpr Index rows = 8;
constexpr double furthest = 12;

constexpr auto parameters = std::to_array<Parameter>({
    whole("keys", "Keys", "512", {2, 4096}, "n: that a query shares its weight among",
          {.travel = Travel::powers_of_two}),
    real("deviation", "Deviation", "2", {0, furthest},
         "σ: of the scores; of unscaled products of width d it is the root of d", {.plays = true}),
    seed_parameter("of the normal scores; eight rows, and means over them"),
    show_parameter("all|entropy|shares|ranks"),
});

/// Normal scores of deviation 1, a row for each query.
Matrix scores_of(const Settings& settings) {
  return twin::rounded(tensor::Random(seed_of(settings)).normals(rows, settings.integer("keys")));
}

/// Of one deviation, means over the rows.
struct Spread {
  double entropy = 0;
  double shared = 0;       ///< e^H: so many keys would share alike
  double nine_tenths = 0;  ///< so many keys have nine tenths of the weight
  double largest = 0;
};

std::vector<double> by_rank(const auto& row) {
  std::vector<double> ranked(row.begin(), row.end());
  std::ranges::sort(ranked, std::ranges::greater{});
  return ranked;
}

double keys_for(const std::vector<double>& ranked, double share) {
  double sum = 0;
  for (std::size_t k = 0; k < ranked.size(); ++k)
    if ((sum += ranked[k]) >= share) return number(k + 1);
  return number(ranked.size());
}

Matrix weights_at(const Run& run, const Matrix& scores, double deviation) {
  return twin::softmax(run, twin::rounded(deviation * scores), {});
}

Spread spread_of(const Run& run, const Matrix& scores, double deviation) {
  const Matrix weights = weights_at(run, scores, deviation);
  Spread mean;
  for (Index m = 0; m < weights.rows(); ++m) {
    const auto row = weights.row(m);
    const double entropy = weights_entropy(row_of(weights, m));
    const std::vector<double> ranked = by_rank(row);
    mean.entropy += entropy / number(rows);
    mean.nine_tenths += keys_for(ranked, 0.9) / number(rows);
    mean.largest += ranked.front() / number(rows);
  }
  mean.shared = std::exp(mean.entropy);
  return mean;
}

/// Where the approximation ln n − σ²/2 ends: beyond, a few keys have all.
double freezing(double keys) {
  return std::sqrt(2 * std::log(keys));
}

std::vector<double> deviations(double asked, double frozen) {
  std::vector<double> all;
  for (int i = 0; i <= 32; ++i) all.push_back(furthest * i / 32);
  for (const double each : {asked, frozen})
    if (each <= furthest && std::ranges::find(all, each) == all.end()) all.push_back(each);
  std::ranges::sort(all);
  return all;
}

Series by_deviation(const Run& run, const Matrix& scores, double asked) {
  Series series("by_deviation", {"deviation", "", deviations(asked, freezing(number(scores.cols())))});
  std::vector<double> entropy, shared, nine, largest_weight;
  for (const double deviation : series.x()) {
    run.check();
    const Spread s = spread_of(run, scores, deviation);
    entropy.push_back(s.entropy);
    shared.push_back(s.shared);
    nine.push_back(s.nine_tenths);
    largest_weight.push_back(s.largest);
  }
  series.add({.name = "entropy", .unit = "nat", .values = std::move(entropy)});
  series.add({.name = "of endless keys", .unit = "nat"},
             [&](double deviation) { return attention::normal_entropy(number(scores.cols()), deviation); });
  return series.add("keys that share alike", std::move(shared))
      .add("keys with 90 %", std::move(nine))
      .add("largest weight", std::move(largest_weight));
}

Series ranked_weights(const Run& run, const Matrix& scores, double deviation) {
  const Matrix weights = weights_at(run, scores, deviation);
  std::vector<double> mean(static_cast<std::size_t>(weights.cols()), 0);
  for (Index m = 0; m < weights.rows(); ++m) {
    const std::vector<double> ranked = by_rank(weights.row(m));
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += ranked[k] / number(rows);
  }
  Series ranks("ranks", {"rank", "", numbered(weights.cols())});
  return ranks.add("weight", std::move(mean));
}

Panel entropy_panel(const Series& series, double keys, double asked) {
  Panel panel{.title = "Entropy of a row",
              .x = {.label = "deviation $\\sigma$ of the scores", .range = Range{0, furthest}},
              .y = values("nat", Range{0, 1.15 * std::log(keys)}),
              .legend = LegendPlace::top_right};
  // It ends where it no longer holds.
  Line endless = series.line("of endless keys", {.ink = ink(Role::secondary),
                                                 .dash = Dash::dashed,
                                                 .label = "$\\ln n - \\sigma^2/2$",
                                                 .dash_by_series = false});
  for (std::size_t i = 0; i < endless.x.size(); ++i)
    if (endless.x[i] > freezing(keys)) endless.y[i] = std::numeric_limits<double>::quiet_NaN();
  panel.marks.emplace_back(std::move(endless));
  panel.marks.emplace_back(
      series.line("entropy", {.ink = study::series(0), .width = 1.4, .label = "measured"}));
  if (const double at = freezing(keys); at < furthest) {
    // Named on the side where the other rule is not.
    const bool right = asked <= at;
    panel.marks.emplace_back(Rule{.at = at, .ink = ink(Role::secondary), .dash = Dash::dotted});
    panel.marks.emplace_back(Note{.x = at,
                                  .y = panel.y.range->hi,
                                  .text = "$\\sqrt{2 \\ln n}$",
                                  .ink = ink(Role::secondary),
                                  .h = right ? HAlign::left : HAlign::right,
                                  .v = VAlign::top,
                                  .dx = right ? 3.0 : -3.0,
                                  .dy = 1});
  }
  panel.marks.emplace_back(Rule{.at = asked});
  return panel;
}

Panel shares_panel(const Series& series, double keys, double asked) {
  Panel panel{.title = "Keys that count",
              .x = {.label = "deviation $\\sigma$ of the scores", .range = Range{0, furthest}},
              .y = {.label = "keys", .scale = Scale::log(10), .range = Range{0.8, 1.5 * keys}, .grid = true},
              .legend = LegendPlace::best};
  panel.marks.emplace_back(
      series.line("keys that share alike", {.ink = study::series(0), .label = "$e^H$: sharing alike"}));
  panel.marks.emplace_back(
      series.line("keys with 90 %", {.ink = study::series(1), .label = "with 90 % of the weight"}));
  panel.marks.emplace_back(Rule{.at = asked});
  return panel;
}

Panel ranks_panel(const Series& ranks) {
  Panel panel{.title = "Weights by rank",
              .x = {.label = "rank", .scale = Scale::log(10), .ticks = figure::TickHint::integers},
              .y = {.label = "weight", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::none};
  const double top = most(ranks["weight"]);
  panel.y.range = Range{1e-6 * top, 2 * top};
  panel.marks.emplace_back(ranks.line("weight", {.ink = study::series(0), .width = 1.4}));
  return panel;
}

Table limits_table(double keys) {
  Table table{"limits",
              {{.name = "keys"}, {.name = "entropy if even", .unit = "nat"}, {.name = "frozen beyond"}}};
  add_row(table, keys, std::log(keys), freezing(keys));
  return table;
}

std::vector<Check> checks_of(const Run& run, const Matrix& scores, double deviation) {
  const double keys = number(scores.cols());
  const tensor::Bound own = run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound
                                                            : attention::softmax_bound(scores.cols());
  const double rel =
      run.device == DeviceChoice::ref ? (keys + 8) * 0x1p-52 : own.rel + own.row + keys * 0x1p-52;
  // A weight off by a part of itself moves -p ln p by that part of p (1 + |ln p|); |ln p| is at most the range of the
  // scores and ln n.
  const Matrix moved = twin::rounded(deviation * scores);
  const double range = moved.maxCoeff() - moved.minCoeff() + std::log(keys) + 1;
  Worst apart, summed;
  double entropy = 0;
  for (Index m = 0; m < rows; ++m) entropy += attention::softmax_entropy(row_of(moved, m)) / number(rows);
  apart.meet(std::abs(spread_of(run, scores, deviation).entropy - entropy));
  const Matrix even = Matrix::Constant(1, 512, 0.25);
  const Matrix alike = twin::softmax(run, even, {});
  const double of_even = weights_entropy(row_of(alike));
  const Matrix weights = weights_at(run, scores, deviation);
  for (Index m = 0; m < rows; ++m) summed.meet(std::abs(weights.row(m).sum() - 1));
  return {
      {"$-\\sum p \\ln p$ is what the scores say: $\\ln \\sum e^s - \\sum p\\, s$", apart,
       rel * range + keys * own.abs * 128},
      {"every row of weights sums to 1", summed, rel + keys * own.abs},
      known_answer("512 keys alike: $\\ln 512 = 6.238325$", std::abs(of_even - 6.2383246250395075), 0x1p-18)};
}

std::string title_of(const Settings& settings, const Spread& here) {
  const double keys = number(settings.integer("keys"));
  return grouped(keys) + " keys, scores of deviation " + short_text(settings.real("deviation"), 3) +
         ": an entropy of " + fixed_text(here.entropy, 2) + " nat, as if " + short_text(here.shared, 3) +
         " shared alike; " + short_text(here.nine_tenths, 3) + " have 90 %";
}

std::string worked_of(const Settings& settings) {
  const double keys = number(settings.integer("keys")), deviation = settings.real("deviation");
  Worked worked;
  worked.add("H_{\\mathrm{even}}", worked::ln(term(keys)), std::log(keys));
  worked.add("\\sigma_{\\mathrm{freeze}}", sqrt(term(2) * worked::ln(term(keys))), freezing(keys));
  if (deviation < freezing(keys))
    worked.add("H_{\\infty}", worked::ln(term(keys)) - worked::frac(worked::power(deviation, 2), 2),
               std::log(keys) - deviation * deviation / 2);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Matrix scores = scores_of(settings);
  const double deviation = settings.real("deviation"), keys = number(scores.cols());
  const Series series = by_deviation(run, scores, deviation), ranks = ranked_weights(run, scores, deviation);
  Picture picture(
      title_of(settings, spread_of(run, scores, deviation)),
      "Over the deviation of normal scores, the entropy of a row of weights beside the approximation for many "
      "keys, and how many keys count; and the weights of a row from the largest to the smallest.");
  picture.at({0, 0, 1, 2}, "entropy", entropy_panel(series, keys, deviation))
      .at({1, 0}, "shares", shares_panel(series, keys, deviation))
      .at({1, 1}, "ranks", ranks_panel(ranks));
  return {.figure = std::move(picture).figure(
              settings,
              {.aspect = 1.3, .rows = {1, 1}, .cols = {1, 1}, .telling = {"entropy", "shares", "ranks"}}),
          .tables = {series.table(), ranks.table(), limits_table(keys)},
          .checks = checks_of(run, scores, deviation),
          .worked = worked_of(settings)};
}

constexpr auto tries = std::to_array<Try>({
    {"Unscaled products of width 64: a deviation of 8, and of 512 keys two or three have nine tenths.",
     "deviation=8 keys=512",
     [](auto& now, auto&) { return between(1.5, at(now, "by_deviation", "keys with 90 %", 8), 3.5); }},
    {"Scaled ones: a deviation of 1, and most keys count.", "deviation=1",
     [](auto& now, auto&) { return at(now, "by_deviation", "keys that share alike", 1) > 256; }},
    {"More keys: it takes scores further apart to freeze them, and not by much.", "keys=4096",
     [](auto& now, auto& before) {
       return at(now, "by_deviation", "entropy", 2) > at(before, "by_deviation", "entropy", 2) + 1.5;
     }},
    {"Scores all alike: every key counts the same.", "deviation=0",
     [](auto& now, auto&) { return at(now, "by_deviation", "keys that share alike", 0) > 511.9; }},
});

}  // namespace

extern const Study study{
    .id = "attention/entropy",
    .title = "Entropy of the weights",
    .topic = "Attention",
    .summary = "how many keys share a query's weight, by how far apart their scores are",
    .formula =
        R"(H = -\sum_n p_n \ln p_n \approx \ln n - \frac{\sigma^2}{2} \qquad (\sigma < \sqrt{2 \ln n}))",
    .derivation =
        R"(With $p_n = e^{s_n} / Z$: $H = -\sum_n p_n (s_n - \ln Z) = \ln Z - \sum_n p_n s_n$.)"
        "\n"
        R"(For many independent normal scores $Z \approx n\, \mathrm{E}[e^s] = n\, e^{\sigma^2/2}$, so $\ln Z \approx \ln n + \sigma^2/2$.)"
        "\n"
        R"(The weights pull the mean score up: $\sum_n p_n s_n \approx \mathrm{E}[s e^s] / \mathrm{E}[e^s] = \sigma^2$. Together $H \approx \ln n - \sigma^2/2$.)"
        "\n"
        R"(Keys with scores near $\sigma^2$ carry the sum. The largest of $n$ is near $\sigma \sqrt{2 \ln n}$: where $\sigma^2$ passes that, there are no such keys, and the first few have all.)",
    .about =
        "Entropy is 0 where one key has all the weight, and the logarithm of their number where all are alike. The dashed curve "
        "is for endlessly many keys: with few it is off, and past the dotted line it no longer holds.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1; Derrida 1981, Phys. Rev. B 24, 2613 (freezing)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_entropy
