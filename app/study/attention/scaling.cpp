// Why scores are divided by √d: without it they grow with the vectors and one key takes all; divided by d they vanish.
#include "app/study/attention/weights_entropy.h"
#include "app/study/kit.h"

namespace orrery::study::attention_scaling {
namespace {

constexpr Index queries = 32;

constexpr auto parameters = std::to_array<Parameter>({
    whole("width", "Head width", "64", {4, 1024}, "d: of the queries and keys that the title speaks of",
          {.travel = Travel::powers_of_two, .model_fact = "head_dim"}),
    whole("keys", "Keys", "64", {2, 256}, "that each of 32 queries shares its weight among",
          {.travel = Travel::powers_of_two}),
    real("deviation", "Deviation", "1", {0.25, 4}, "σ: of the components of queries and keys",
         {.travel = Travel::log, .plays = true}),
    seed_parameter("of the random queries and keys"),
    show_parameter("all|variance|largest|entropy|gradient"),
});

/// What the product is divided by.
enum class Rule { nothing, root, width };
constexpr std::array rules{Rule::nothing, Rule::root, Rule::width};
constexpr std::array<const char*, 3> columns{"unscaled", "over √d", "over d"};
constexpr std::array<const char*, 3> labels{"$q^T k$", "$q^T k / \\sqrt{d}$", "$q^T k / d$"};

double factor(Rule rule, double d) {
  return rule == Rule::nothing ? 1 : rule == Rule::root ? 1 / std::sqrt(d) : 1 / d;
}

/// Of one matrix of scores, means over its queries.
struct Spread {
  double variance = 0, largest = 0, entropy = 0, gradient = 0;
};

/// ‖diag(p) − p pᵀ‖, the Frobenius norm of the softmax's Jacobian.
double jacobian_norm(const auto& p) {
  const double squares = p.square().sum();
  return std::sqrt(std::max(0.0, squares - 2 * p.cube().sum() + squares * squares));
}

Spread spread_of(const Matrix& scores, const Matrix& weights) {
  Spread mean{.variance = scores.array().square().mean()};
  for (Index m = 0; m < weights.rows(); ++m) {
    const Eigen::ArrayXd p = weights.row(m).transpose().array();
    mean.largest += p.maxCoeff() / number(weights.rows());
    mean.entropy += weights_entropy(row_of(weights, m)) / number(weights.rows());
    mean.gradient += jacobian_norm(p) / number(weights.rows());
  }
  return mean;
}

/// Queries and keys of the largest width; a narrower one is their first columns.
struct Vectors {
  Matrix q, k;
  Vectors first(Index d) const { return {q.leftCols(d), k.leftCols(d)}; }
};

Vectors vectors_of(const Settings& settings, Index widest) {
  const double deviation = settings.real("deviation");
  const std::uint64_t seed = seed_of(settings);
  return {twin::rounded(deviation * tensor::Random(seed, 1).normals(queries, widest)),
          twin::rounded(deviation * tensor::Random(seed, 2).normals(settings.integer("keys"), widest))};
}

Matrix scores_of(const Run& run, const Vectors& v, Rule rule) {
  return twin::scores(run, v.q, v.k, {.scale = factor(rule, number(v.q.cols())), .mask = {}});
}

/// Powers of two from 4 to 1024, and the width that is asked for.
std::vector<double> widths_with(Index asked) {
  std::vector<double> widths;
  for (Index d = 4; d <= 1024; d *= 2) widths.push_back(number(d));
  if (std::ranges::find(widths, number(asked)) == widths.end()) widths.push_back(number(asked));
  std::ranges::sort(widths);
  return widths;
}

struct Measured {
  Series variance, largest, entropy, gradient;
};

Measured measured(const Settings& settings, const Run& run, const Vectors& all) {
  const std::vector<double> widths = widths_with(settings.integer("width"));
  const auto series = [&](const char* name) { return Series(name, {"width", "", widths}); };
  Measured m{series("variance"), series("largest_weight"), series("entropy"), series("gradient")};
  const double fourth = std::pow(settings.real("deviation"), 4);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    std::vector<double> variance, largest, entropy, gradient;
    for (const double d : widths) {
      run.check();
      const Matrix scores = scores_of(run, all.first(static_cast<Index>(d)), rules[r]);
      const Spread spread = spread_of(scores, twin::softmax(run, scores, {}));
      variance.push_back(spread.variance);
      largest.push_back(spread.largest);
      entropy.push_back(spread.entropy);
      gradient.push_back(spread.gradient);
    }
    m.variance.add(columns[r], std::move(variance));
    m.variance.add(std::string(columns[r]) + ", expected", [&](double d) {
      const double each = factor(rules[r], d);
      return each * each * fourth * d;
    });
    m.largest.add(columns[r], std::move(largest));
    m.entropy.add(Column{.name = columns[r], .unit = "nat", .values = std::move(entropy)});
    m.gradient.add(columns[r], std::move(gradient));
  }
  return m;
}

Panel panel_of(std::string title, const Series& series, Axis y, double width, LegendPlace legend) {
  Panel panel{.title = std::move(title),
              .x = octaves("head width $d$"),
              .y = std::move(y),
              .legend = legend,
              .series_group = 1};
  panel.x.group = 1;
  for (std::size_t r = 0; r < rules.size(); ++r)
    panel.marks.emplace_back(series.line(columns[r], {.ink = study::series(static_cast<int>(r)),
                                                      .label = legend == LegendPlace::none ? "" : labels[r],
                                                      .reading = {.name = columns[r]}}));
  panel.marks.emplace_back(
      figure::Rule{.at = width, .ink = ink(Role::accent), .dash = Dash::dotted, .text = ""});
  return panel;
}

Panel variance_panel(const Series& variance, double width, LegendPlace legend) {
  Panel panel =
      panel_of("Variance of the scores", variance, {.scale = Scale::log(10), .grid = true}, width, legend);
  for (const char* each : columns)
    panel.marks.emplace_back(variance.line(std::string(each) + ", expected", {.ink = ink(Role::secondary),
                                                                              .width = 0.7,
                                                                              .dash = Dash::dotted,
                                                                              .dash_by_series = false,
                                                                              .reading = {.none = true}}));
  return panel;
}

double steepest(const Series& gradient) {
  double most = 0;
  for (const char* each : columns) most = std::max(most, study::most(gradient[each]));
  return most;
}

// Checks.

Check scaled_check(const Run& run, const Vectors& v) {
  const double d = number(v.q.cols()), root = std::sqrt(d);
  const double terms = (v.q.cwiseAbs() * v.k.cwiseAbs().transpose()).maxCoeff();
  const auto bounds = [&](double scale) {
    return twin::Bounds{attention::scores_bound(v.q.cols()),
                        {.abs = attention::scores_gpu_bound(v.q.cols()) * terms * scale}};
  };
  const Matrix scaled = scores_of(run, v, Rule::root), plain = scores_of(run, v, Rule::nothing);
  // Both are sums of d products, each rounded to 2^-53 of the sum of their sizes; on the fast twins as their contract says.
  const double allowed = slack(run, bounds(1 / root), scaled, 2) + slack(run, bounds(1), plain, 2) / root +
                         2 * (d + 2) * terms / root * 0x1p-53;
  return {"a score over $\\sqrt{d}$ is $q^T k$ divided by $\\sqrt{d}$",
          (scaled - plain / root).cwiseAbs().maxCoeff(), allowed};
}

/// The Jacobian of one row, entry by entry, as differences of the softmax.
Check jacobian_check(const Run& run, const Matrix& row) {
  constexpr double step = 1e-4;
  const Index n = row.cols();
  Matrix moved = row.replicate(2 * n, 1);
  for (Index j = 0; j < n; ++j) moved(j, j) += step, moved(n + j, j) -= step;
  const Run exact = twin::on_reference(run);
  const Matrix p = twin::softmax(exact, moved, {});
  const double by_differences = ((p.topRows(n) - p.bottomRows(n)) / (2 * step)).norm();
  const Eigen::ArrayXd weights = twin::softmax(exact, row, {}).row(0).transpose().array();
  // Third derivatives are below 6 in norm, so that differences miss step² of it; rounded weights lose 2^-53/step each.
  return {"the gradient's norm is that of differences of the softmax",
          std::abs(by_differences - jacobian_norm(weights)), step * step + number(n) * 0x1p-53 / step};
}

std::vector<Check> checks_of(const Run& run, const Vectors& v) {
  const Matrix scores = scores_of(run, v, Rule::root), weights = twin::softmax(run, scores, {});
  const tensor::Bound own = run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound
                                                            : attention::softmax_bound(scores.cols());
  const double keys = number(scores.cols()), summed = run.device == DeviceChoice::ref
                                                          ? keys * 0x1p-52
                                                          : own.rel + keys * (own.abs + 0x1p-52);
  const Eigen::ArrayXd even = Eigen::ArrayXd::Constant(64, 1.0 / 64);
  return {scaled_check(run, v),
          {"every row of weights sums to 1", (weights.rowwise().sum().array() - 1).abs().maxCoeff(), summed},
          jacobian_check(run, scores.row(0)),
          known_answer("64 even weights: a gradient of $\\sqrt{63}/64 = 0.124020$",
                       std::abs(jacobian_norm(even) - 0.12401959270615269), 1e-15)};
}

// Words.

std::string title_text(const Measured& m, Index width, Index keys) {
  const auto place =
      static_cast<std::size_t>(std::ranges::find(m.largest.x(), number(width)) - m.largest.x().begin());
  const auto share = [&](std::size_t r) { return short_text(m.largest[columns[r]][place], 2); };
  return "Of vectors of " + grouped(number(width)) + " numbers the largest of " + grouped(number(keys)) +
         " weights is " + share(0) + " unscaled, " + share(1) + " over $\\sqrt{d}$, and " + share(2) +
         " over $d$";
}

std::string worked_of(double deviation, double d) {
  const double fourth = std::pow(deviation, 4);
  Worked worked;
  worked.add("\\mathrm{Var}(q^T k)", power(term(deviation), term(4)) * term(d), fourth * d);
  worked.add("\\mathrm{Var}(q^T k/\\sqrt{d})", worked::frac(term(fourth * d), term(d)), fourth);
  return worked
      .add("\\mathrm{Var}(q^T k/d)", worked::frac(term(fourth * d), power(term(d), term(2))), fourth / d)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Index width = settings.integer("width"), keys = settings.integer("keys");
  const Vectors all = vectors_of(settings, 1024);
  const Measured m = measured(settings, run, all);
  const double here = number(width), most = std::log(number(keys));
  Picture picture(
      title_text(m, width, keys),
      "Four panels over the width of queries and keys, each with a line for scores that are not scaled, divided "
      "by the root of the width, and divided by the width: the variance of the scores, the largest weight, the "
      "entropy of the weights, and the size of the gradient that passes the softmax.");
  // One legend for all of them, on the panel that every page has.
  const bool alone = settings.choice("show") != "all";
  const LegendPlace own = alone ? LegendPlace::best : LegendPlace::none;
  picture.at({0, 0}, "variance", variance_panel(m.variance, here, own));
  picture.at({0, 1}, "largest",
             panel_of("Largest weight", m.largest, values("", Range{0, 1}), here, LegendPlace::best));
  Panel entropy =
      panel_of("Entropy of the weights", m.entropy, values("nat", Range{0, 1.25 * most}), here, own);
  // Above the line: below it stands the entropy of what is scaled.
  entropy.marks.emplace_back(quiet_level(most));
  entropy.marks.emplace_back(Note{.x = m.entropy.x().back(),
                                  .y = most,
                                  .text = "all keys alike",
                                  .ink = ink(Role::secondary),
                                  .h = HAlign::right,
                                  .v = VAlign::bottom,
                                  .dx = -2,
                                  .dy = -2});
  picture.at({1, 0}, "entropy", std::move(entropy));
  picture.at(
      {1, 1}, "gradient",
      panel_of("Gradient through the softmax", m.gradient,
               values("$\\Vert \\partial p / \\partial s \\Vert$", Range{0, 1.15 * steepest(m.gradient)}),
               here, own));
  return {.figure = std::move(picture).figure(settings,
                                              {.aspect = 1.35,
                                               .rows = {1, 1},
                                               .cols = {1, 1},
                                               .telling = {"largest", "variance", "gradient", "entropy"}}),
          .tables = {m.variance.table(), m.largest.table(), m.entropy.table(), m.gradient.table()},
          .checks = checks_of(run, all.first(width)),
          .worked = worked_of(settings.real("deviation"), here)};
}

constexpr auto tries = std::to_array<Try>({
    {"Vectors of 1024 numbers: unscaled, one key takes nearly all, and far less gradient passes.",
     "width=1024",
     [](auto& now, auto&) {
       return at(now, "largest_weight", "unscaled", 1024) > 0.9 &&
              at(now, "gradient", "unscaled", 1024) < 0.5 * at(now, "gradient", "over √d", 1024);
     }},
    {"Divided by d instead: the weights of long vectors are nearly even.", "width=512 show=entropy",
     [](auto& now, auto&) { return at(now, "entropy", "over d", 512) > 0.999 * std::log(64.0); }},
    {"Components half as large: the variance is a sixteenth.", "deviation=0.5",
     [](auto& now, auto& before) {
       const double ratio = at(before, "variance", "unscaled", 64) / at(now, "variance", "unscaled", 64);
       return between(16 - 1e-6, ratio, 16 + 1e-6);
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/scaling",
    .title = "Scaling by the root of d",
    .topic = "Attention",
    .summary = "what scores, weights and gradients become of longer vectors, with and without scaling",
    .formula =
        R"(p = \mathrm{softmax}\left(\frac{q^T k}{\sqrt{d}}\right), \quad \mathrm{Var}(q^T k) = \sigma^4 d)",
    .derivation =
        "Let the components of $q$ and $k$ be independent, of mean $0$ and variance $\\sigma^2$: then $E[q_i k_i] = E[q_i] E[k_i] = "
        "0$ and $\\mathrm{Var}(q_i k_i) = E[q_i^2] E[k_i^2] = \\sigma^4$.\nThe variances of independent terms add up: "
        "$\\mathrm{Var}(q^T k) = \\sum_i \\mathrm{Var}(q_i k_i) = \\sigma^4 d$.\nDivided by $\\sqrt{d}$ it is $\\sigma^4$ at every "
        "width; divided by $d$ it is $\\sigma^4 / d$, which vanishes.\nWeights are $e^s$: where scores spread by more than a few, one "
        "key takes all, and the Jacobian $\\mathrm{diag}(p) - p p^T$ goes to $0$: nothing is learned. Where they hardly differ, "
        "every key counts alike.",
    .about =
        "Random queries and keys of growing width, the wider ones continuing the narrower; 32 queries, and means over them. The "
        "variance is the mean square of the scores, beside what the derivation expects (dotted).",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_scaling
