// What low precision does to RMSNorm, stage by stage, and which rows are safe.
#include "app/study/kit.h"
#include "app/study/norm/norm_ops.h"
#include "app/study/norm/precision_picture.h"
#include "app/study/norm/rounded_stages.h"

namespace orrery::study::norm_precision {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    choice("components", "Components", "equal|random|outlier",
           "all of one size, normally distributed, or those with one that is 100 times as large"),
    real("size", "Size", "1", {1e-9, 1e5}, "the size of a component, or the deviation of random ones",
         {.travel = Travel::log, .plays = true}),
    whole("width", "Width", "4096", {1, 16384}, "D: components of the row",
          {.travel = Travel::powers_of_two, .model_fact = "hidden_size"}),
    choice("storage", "Storage", "bf16|f16|f32", "what arrays are kept in"),
    choice("accumulate", "Sums", "bf16|f16|f32", "what squares, their sum and the root are rounded to"),
    choice("cast", "Cast", "llama|gemma", "back to storage before the gain, or after it"),
    real("gain_spread", "Gain's spread", "0.2", {0, 1}, "the gains are 1 and random numbers of this size"),
    real("eps", "Epsilon", "1e-5", {1e-12, 1}, "added to the mean square; small ones round to 0 in f16",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    seed_parameter("another one gives other components and gains"),
    show_parameter("all|stages|sum|frontier|cast|estimators"),
});

tensor::Precision precision_of(const Settings& settings) {
  return {tensor::format_from_name(settings.choice("storage")),
          tensor::format_from_name(settings.choice("accumulate"))};
}

Matrix row_in(const Settings& settings) {
  const Index width = settings.integer("width");
  const double size = settings.real("size");
  const std::string& kind = settings.choice("components");
  Matrix x = Matrix::Constant(1, width, size);
  if (kind != "equal") x = size * tensor::Random(seed_of(settings)).normals(1, width);
  if (kind == "outlier") x(0, width / 3) *= 100;
  return x;
}

std::vector<double> gains_in(const Settings& settings) {
  const Matrix z = tensor::Random(seed_of(settings), 1).normals(1, settings.integer("width"));
  return row_of((1 + settings.real("gain_spread") * z.array()).matrix());
}

/// A row in the formats that were chosen, in both orders of the cast, and as it should be.
struct Computed {
  tensor::Precision precision;
  std::vector<double> gain;
  StagedRow llama, gemma, exact, plain, plain_exact;  // plain: without a gain

  const StagedRow& row(const Settings& settings) const {
    return settings.choice("cast") == "llama" ? llama : gemma;
  }
  /// Of a row that is not 0 itself.
  bool vanishes_in_storage() const { return plain.x.isZero(0); }
  /// By how much the normalised row is too large; what should be 0 counts as right.
  double factor() const {
    const double is = plain.y.norm(), should = plain_exact.y.norm();
    return should == 0 && is == 0 ? 1 : is / should;
  }
};

Computed computed(const Settings& settings) {
  const tensor::Precision precision = precision_of(settings), exact{tensor::Format::f64, tensor::Format::f64};
  const double eps = settings.real("eps");
  const std::vector<double> none;
  Computed c{.precision = precision,
             .gain = gains_in(settings),
             .llama = {},
             .gemma = {},
             .exact = {},
             .plain = {},
             .plain_exact = {}};
  const Matrix x = row_in(settings);
  c.llama = staged_rms_norm(x, c.gain, {.eps = eps, .cast = norm::CastOrder::llama}, precision);
  c.gemma = staged_rms_norm(x, c.gain, {.eps = eps, .cast = norm::CastOrder::gemma}, precision);
  c.plain = staged_rms_norm(x, none, {.eps = eps}, precision);
  // The same numbers as stored, so that the arithmetic alone is seen.
  std::vector<double> stored = c.gain;
  for (double& w : stored) w = tensor::round_to(precision.storage, w);
  c.exact = staged_rms_norm(c.plain.x, stored, {.eps = eps}, exact);
  c.plain_exact = staged_rms_norm(c.plain.x, none, {.eps = eps}, exact);
  return c;
}

std::vector<Stage> stages_of(const Computed& c) {
  const StagedRow &is = c.plain, &should = c.plain_exact;
  return {{"largest square $x_j^2$", should.largest_square, is.largest_square},
          {"sum of squares", should.sum, is.sum},
          {"mean square", should.mean_square, is.mean_square},
          {"$\\epsilon$", should.eps, is.eps},
          {"mean square $+\\,\\epsilon$", should.under_root, is.under_root},
          {"$1 / \\sqrt{\\cdot}$", should.inverse_root, is.inverse_root},
          {"first component $y_0$", should.y(0, 0), is.y(0, 0)}};
}

/// Tables hold finite numbers: where there is none it is 0, and said to be missing.
Table stages_table(const std::vector<Stage>& stages) {
  Table table{"stages",
              {{.name = "stage"}, {.name = "in double"}, {.name = "as set"}, {.name = "not finite"}}};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const bool finite = std::isfinite(stages[i].is);
    add_row(table, Called{stages[i].name, number(i)}, stages[i].exact, finite ? stages[i].is : 0,
            finite ? 0 : 1);
  }
  return table;
}

std::vector<Series> sums_of(const Computed& c) {
  std::vector<double> places;
  const std::size_t width = c.plain.sums.size();
  for (std::size_t n = 1; n < width; n = std::max(n + 1, n + n / 32)) places.push_back(number(n));
  places.push_back(number(width));
  const auto grown = [&](const char* name, const std::vector<double>& sums) {
    return finite_series(name, "squares", places, "sum", [&](double n) {
      const double sum = sums[static_cast<std::size_t>(n) - 1];
      return sum == 0 ? std::numeric_limits<double>::quiet_NaN() : sum;
    });
  };
  return {grown("sums_in_double", c.plain_exact.sums), grown("sums", c.plain.sums)};
}

std::vector<double> widths() {
  std::vector<double> widths;
  for (double width = 1; width <= 16384; width *= 2) widths.push_back(width);
  return widths;
}

/// Against w x r of the same rounded r, so that the cast alone is seen; of components where both are finite and not 0.
Series cast_of(const Computed& c) {
  const double u = tensor::info(c.precision.storage).unit_roundoff;
  std::vector<double> component, llama, gemma;
  for (Index j = 0; j < c.exact.y.cols(); ++j) {
    const double w = tensor::round_to(c.precision.storage, c.gain[static_cast<std::size_t>(j)]),
                 y = w * c.llama.x(0, j) * c.llama.inverse_root;
    const double by_llama = (c.llama.y(0, j) / y - 1) / u, by_gemma = (c.gemma.y(0, j) / y - 1) / u;
    if (y == 0 || !std::isfinite(by_llama) || !std::isfinite(by_gemma)) continue;
    component.push_back(number(j));
    llama.push_back(by_llama);
    gemma.push_back(by_gemma);
  }
  Series errors("cast", {"component", "", std::move(component)});
  errors.add("llama", std::move(llama)).add("gemma", std::move(gemma));
  return errors;
}

double largest_apart(const Matrix& a, const Matrix& b) {
  Worst worst;
  for (Index j = 0; j < a.cols(); ++j)
    if (a(0, j) != b(0, j) && !(std::isnan(a(0, j)) && std::isnan(b(0, j))))
      worst.meet(std::abs(a(0, j) - b(0, j)));
  return worst;
}

/// Published: ones in bf16 stop at 256, so a row of 4096 of them comes out four times too large.
Check ones_in_bf16() {
  const Matrix ones = Matrix::Ones(1, 4096);
  const StagedRow row = staged_rms_norm(ones, {}, {.eps = 0}, {tensor::Format::bf16, tensor::Format::bf16});
  return known_answer("4096 ones in bf16: the sum stops at 256, each result is 4",
                      std::abs(row.sum - 256) + (row.y.array() - 4).abs().maxCoeff(), 0);
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Computed& c) {
  // The op's own result, made again of the stages that are shown.
  const tensor::Rounding store(c.precision.storage), acc(c.precision.accumulate);
  Matrix again = c.plain.x;
  for (double& v : again.reshaped()) v = store(acc(v * c.plain.inverse_root));
  // Llama rounds the product x r to storage and then that with the gain, Gemma both products to the sums' format and the end
  // to storage. Among the subnormals of either format a rounding is of another size.
  const tensor::FormatInfo &kept = tensor::info(c.precision.storage),
                           &summed = tensor::info(c.precision.accumulate);
  const double least = std::max(kept.min_normal, summed.min_normal);
  const Matrix x = twin::rounded(c.plain.x);
  const double eps = settings.real("eps");
  double apart = 0;
  for (Index j = 0; j < again.cols(); ++j) {
    const double a = c.llama.y(0, j), b = c.gemma.y(0, j), factor = c.llama.x(0, j) * c.llama.inverse_root;
    const bool normal = std::min({std::abs(a), std::abs(b), std::abs(factor)}) >= least;
    if (normal && std::isfinite(a) && std::isfinite(b))
      apart = std::max(apart, std::abs(a - b) / std::abs(b));
  }
  return {
      {"the stages are those of the op", largest_apart(again, c.plain.y), 0},
      {"the two orders of the cast are a few roundings apart", apart,
       3.1 * kept.unit_roundoff + 4.1 * summed.unit_roundoff},
      ones_in_bf16(),
      named("RMSNorm in full precision",
            twin::equals_reference(run, rms_norm_bounds,
                                   [&](const Run& each) { return twin::rms_norm(each, x, {.eps = eps}); })),
  };
}

std::string title_of(const Settings& settings, const Computed& c) {
  const std::string formats =
      "With sums in " + settings.choice("accumulate") + " and arrays in " + settings.choice("storage");
  if (c.vanishes_in_storage())
    return "Kept in " + settings.choice("storage") + " this row is 0 before it is normalised";
  const double factor = c.factor();
  if (!std::isfinite(factor)) return formats + " RMSNorm's result is not finite";
  if (factor == 0) return formats + " RMSNorm gives 0 where it should not";
  constexpr double nearly = 5e-4;  // 1 in the four digits that would be said
  if (std::abs(factor - 1) < nearly) return formats + " RMSNorm's result has its true size";
  return formats + " RMSNorm's result is " + short_text(factor, 4) + " times its true size";
}

std::string worked_of(const Settings& settings, const Computed& c) {
  const double x = c.plain.x(0, 0), width = number(settings.integer("width"));
  Worked worked;
  worked.add("x_0^2", worked::power(x, 2), x * x);
  const auto result = [&](const std::string& name, double sum, double eps) {
    if (sum / width + eps > 0)
      worked.add(name, worked::frac(x, sqrt(worked::frac(sum, width) + eps)),
                 x / std::sqrt(sum / width + eps));
  };
  result("y_0^{\\mathrm{double}}", c.plain_exact.sum, c.plain_exact.eps);
  if (std::isfinite(c.plain.sum)) result("y_0^{\\mathrm{sum}}", c.plain.sum, c.plain.eps);
  return worked.tex();
}

Table result_table(const Computed& c) {
  Table table{
      "result",
      {{.name = "true size"}, {.name = "size"}, {.name = "size / true size"}, {.name = "not finite"}}};
  const double root = std::sqrt(number(c.plain.y.cols())), size = c.plain.y.norm() / root;
  const bool finite = std::isfinite(size);
  add_row(table, c.plain_exact.y.norm() / root, finite ? size : 0, finite ? c.factor() : 0, finite ? 0 : 1);
  return table;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Computed c = computed(settings);
  const std::vector<Stage> stages = stages_of(c);
  const Series cast = cast_of(c);
  const std::vector<Series> sums = sums_of(c),
                            frontier = safe_sizes(widths(), settings.real("eps"), c.precision),
                            estimators = variance_errors(
                                std::min<Index>(256, std::max<Index>(2, settings.integer("width"))),
                                seed_of(settings), c.precision.accumulate);
  Picture picture(
      title_of(settings, c),
      "What RMSNorm computes of a row, stage by stage, in double and in the formats that are set; the sum of "
      "squares as it grows; which sizes of components overflow or vanish, by width; the relative errors of the "
      "result where it is rounded to storage before the gain and after it; and how far LayerNorm is off by "
      "three ways to the variance, as the mean grows.");
  picture.at({0, 0, 1, 2}, "stages", stages_panel(stages))
      .at({1, 0}, "sum", sum_panel(sums, c.plain.sums.size(), c.precision))
      .at({1, 1}, "frontier",
          frontier_panel(frontier, settings.real("size"), number(settings.integer("width"))))
      .at({2, 0}, "cast", cast_panel(cast, settings.integer("width")))
      .at({2, 1}, "estimators", estimators_panel(estimators, c.precision));
  std::vector<Table> tables{result_table(c), stages_table(stages), cast.table()};
  for (const auto* group : {&sums, &frontier, &estimators})
    for (const Series& each : *group) tables.push_back(each.table());
  return {.figure = std::move(picture).figure(settings, {.aspect = 0.74,
                                                         .rows = {1.9, 1, 1},
                                                         .cols = {1, 1},
                                                         .telling = {"stages", "sum", "frontier", "cast"}}),
          .tables = std::move(tables),
          .checks = checks_of(settings, run, c),
          .worked = worked_of(settings, c)};
}

constexpr auto tries = std::to_array<Try>({
    {"Sums in f32: the result is right again.", "accumulate=f32",
     [](auto& now, auto& before) {
       return std::abs(column(now, "result", "size / true size")[0] - 1) < 0.01 &&
              between(3.99, column(before, "result", "size / true size")[0], 4.01);
     }},
    {"Components of 300 in f16: a single square overflows, and the result is 0.",
     "accumulate=f16 storage=f16 size=300 width=768",
     [](auto& now, auto&) {
       return column(now, "result", "size")[0] == 0 && at(now, "stages", "not finite", 0) == 1;
     }},
    {"Tiny components in f16: their squares vanish, and so does an epsilon of 1e-8.",
     "accumulate=f16 storage=f16 size=1e-4 eps=1e-8 width=768",
     [](auto& now, auto&) {
       return at(now, "stages", "as set", 1) == 0 && at(now, "stages", "as set", 3) == 0;
     }},
    {"Random components, sums in f32: the gemma order rounds once less.", "components=random accumulate=f32",
     [](auto& now, auto&) {
       const auto worst = [&](const char* order) { return largest(column(now, "cast", order)); };
       return worst("gemma") < worst("llama");
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/precision",
    .title = "Norms in low precision",
    .topic = "Normalisation",
    .summary = "where f16 overflows, bf16 stops counting, and epsilon vanishes",
    .formula =
        R"(r = \frac{1}{\sqrt{\frac{1}{D} \sum_j x_j^2 + \epsilon}}, \qquad \text{llama: } y = w \cdot [x r], \quad \text{gemma: } y = [w x r])",
    .derivation = {},
    .about =
        "A sum in bf16 stops growing where a term is at most half a unit of it: ones at 256. In f16 a square "
        "overflows from 256 on and vanishes below 1.7e-4, and an epsilon below 3e-8 is 0. So models keep arrays in "
        "16 bits and sums in 32. Llama's code then rounds before it multiplies by the gain, Gemma's after.",
    .source = "Chan, Golub, LeVeque 1983; Zhang, Sennrich 2019, arXiv 1910.07467; code of LLaMA and Gemma",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_precision
