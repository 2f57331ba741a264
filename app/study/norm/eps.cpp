// Epsilon: how large, in or out of the root, and what it leaves of small rows, in formats that may not hold it.
#include "app/study/kit.h"
#include "app/study/norm/eps_picture.h"
#include "app/study/norm/norm_ops.h"
#include "app/study/norm/published_eps.h"

namespace orrery::study::norm_eps {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    real("size", "Size", "0.001", {least_size, most_size},
         "r: the root mean square of a row, or for LayerNorm its deviation",
         {.travel = Travel::log, .plays = true}),
    real("eps", "Epsilon", "1e-5", {1e-12, 0.1}, "the same number inside the root and outside",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    choice("place", "Place in formats", "inside|outside", "of epsilon, in the panel of the formats"),
    whole("width", "Width", "64", {8, 1024}, "D: numbers in the row", {.travel = Travel::powers_of_two}),
    seed_parameter("another one gives another row"),
    show_parameter("all|kept|missing|formats|published"),
});

/// Tables hold finite numbers: each format's own has the sizes where it is finite.
Table finite_table(const Series& by_format, tensor::Format format) {
  const std::string name(tensor::name(format));
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < by_format.size(); ++i)
    if (std::isfinite(by_format[name][i])) finite.push_back(i);
  const Series rows = by_format.rows(finite);
  return {"in_" + name, {{.name = "size", .values = rows.x()}, {.name = "kept", .values = rows[name]}}};
}

Table published_table(const Asked& asked) {
  Table table{"published",
              {{.name = "epsilon of"},
               {.name = "models"},
               {.name = "epsilon"},
               {.name = "outside"},
               {.name = "half is kept at"},
               {.name = "99 % is kept at"},
               {.name = "kept at this size"}}};
  for (const PublishedEps& each : published_eps())
    add_row(table, each.of, each.models, each.eps, each.place == EpsPlace::outside ? 1 : 0,
            size_that_keeps(0.5, each.eps, each.place), size_that_keeps(0.99, each.eps, each.place),
            size_kept(asked.size, each.eps, each.place));
  return table;
}

// Checks.

/// No more than 1 is kept, and each number of it is off by what the contract says, or by the sums of double; the row by its
/// rounding to float.
double kept_slack(const Run& run, const twin::Bounds& bounds, const Asked& asked) {
  const double rel = run.device == DeviceChoice::ref   ? 4 * number(asked.row.cols()) * 0x1p-53
                     : run.device == DeviceChoice::gpu ? bounds.gpu.rel
                                                       : bounds.cpu.rel;
  return rel + 0x1p-24;
}

std::vector<Check> checks_of(const Run& run, const Asked& asked) {
  const double eps = asked.eps, allowed = kept_slack(run, rms_norm_bounds, asked), root = std::sqrt(eps);
  const double crossing = (1 - eps) / 2;
  const Matrix x = rows_of(asked, {asked.size});
  const double bare = root / std::sqrt(number(asked.row.cols()));
  return {
      {"inside the root, a row of size $\\sqrt{\\epsilon}$ keeps $1/\\sqrt{2}$",
       std::abs(kept_at(run, asked, root, eps, EpsPlace::inside) - std::numbers::sqrt2 / 2), allowed},
      {"outside it, a row of size $\\epsilon$ keeps half",
       std::abs(kept_at(run, asked, eps, eps, EpsPlace::outside) - 0.5), allowed},
      {"inside and outside keep alike at size $(1 - \\epsilon)/2$",
       std::abs(kept_at(run, asked, crossing, eps, EpsPlace::inside) -
                kept_at(run, asked, crossing, eps, EpsPlace::outside)),
       2 * allowed},
      {"a norm of at least $\\sqrt{\\epsilon}$: a row of half that norm keeps half",
       std::abs(root_mean_square(clamped(run, rows_of(asked, {bare / 2}), root)) - 0.5),
       kept_slack(run, scale_norm_bounds, asked)},
      {"LayerNorm of a row of mean 0 is RMSNorm of it",
       (twin::layer_norm(run, x, {.eps = eps}) - normed(run, x, eps, EpsPlace::inside)).cwiseAbs().maxCoeff(),
       2 * (slack(run, rms_norm_bounds, asked.row, 4 * number(x.cols())) +
            slack(run, layer_norm_bounds, asked.row, 4 * number(x.cols()))) +
           0x1p-22},
      named("RMSNorm",
            twin::equals_reference(run, rms_norm_bounds,
                                   [&](const Run& each) { return normed(each, x, eps, asked.place); })),
  };
}

std::string title_of(const Asked& asked) {
  const auto kept = [&](EpsPlace place) { return short_text(size_kept(asked.size, asked.eps, place), 3); };
  return "Of a row of size " + short_text(asked.size, 3) + " an epsilon of " + short_text(asked.eps, 3) +
         " leaves " + kept(EpsPlace::inside) + " inside the root, " + kept(EpsPlace::outside) + " outside";
}

std::string worked_of(const Run& run, const Asked& asked) {
  const Run exact = twin::on_reference(run);
  const Term r(asked.size), eps(asked.eps);
  return Worked()
      .add("\\mathrm{inside}", frac(r, sqrt(worked::power(r, 2) + eps)),
           kept_at(exact, asked, asked.size, asked.eps, EpsPlace::inside))
      .add("\\mathrm{outside}", frac(r, r + eps),
           kept_at(exact, asked, asked.size, asked.eps, EpsPlace::outside))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const Series kept = kept_of(run, asked), missing = missing_of(asked), by_format = formats_of(asked);
  run.check();
  Picture picture(
      title_of(asked),
      "Four panels over the size of a row: the size of the row once it is normalised, with epsilon inside the "
      "root, outside it, and as the least norm; how much is missing from a size of 1, beside half a unit of "
      "each format; the size when squares, root and epsilon are rounded to a format; and for the epsilons of "
      "published models and of code, between which sizes they take from a half to a hundredth.");
  picture.at({0, 0}, "kept", kept_panel(asked, kept))
      .at({0, 1}, "missing", missing_panel(asked, missing))
      .at({1, 0}, "formats", formats_panel(asked, by_format))
      .at({1, 1}, "published", published_panel(asked));
  return {
      .figure = std::move(picture).figure(settings, {.aspect = 1.3,
                                                     .rows = {1, 1},
                                                     .cols = {1, 1.15},
                                                     .telling = {"kept", "published", "formats", "missing"}}),
      .tables = {kept.table(), missing.table(), finite_table(by_format, tensor::Format::f32),
                 finite_table(by_format, tensor::Format::bf16), finite_table(by_format, tensor::Format::f16),
                 published_table(asked)},
      .checks = checks_of(run, asked),
      .worked = worked_of(run, asked)};
}

constexpr auto tries = std::to_array<Try>({
    {"A row of size 1: nothing is missing that bf16 could show.", "size=1",
     [](auto& now, auto&) {
       return at(now, "missing", "inside", 1) < 0x1p-9 && at(now, "missing", "outside", 1) < 0x1p-9;
     }},
    {"BERT's epsilon: a row a hundred times smaller still has its size.", "size=1e-5 eps=1e-12",
     [](auto& now, auto& before) {
       return at(now, "kept", "inside", 1e-5) > 0.99 && at(before, "kept", "inside", 1e-5) < 0.01;
     }},
    {"In f16 an epsilon of 1e-8 is 0: where squares vanish the result is no number.", "size=1e-6 eps=1e-8",
     [](auto& now, auto&) {
       return column(now, "in_f16", "size")[0] > 1e-4 && at(now, "in_f32", "kept", 1e-6) < 0.02;
     }},
    {"Outside the root the same number is far smaller: it takes half only at a size of epsilon itself.",
     "size=1e-5 place=outside",
     [](auto& now, auto&) {
       return between(0.499, at(now, "kept", "outside", 1e-5), 0.501) &&
              at(now, "kept", "inside", 1e-5) < 0.01;
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/eps",
    .title = "Epsilon",
    .topic = "Normalisation",
    .summary = "what epsilon leaves of small rows, inside the root and outside, in every format",
    .formula =
        R"(\mathrm{RMS}(y) = \frac{r}{\sqrt{r^2 + \epsilon}} \quad \text{or} \quad \frac{r}{r + \epsilon}, \qquad r = \sqrt{\tfrac{1}{D} \textstyle\sum_j x_j^2})",
    .derivation =
        R"(Every component is divided by the same number, so the result has the size $r$ over that number: $r / \sqrt{r^2 + \epsilon}$ inside the root, $r / (r + \epsilon)$ outside.)"
        "\n"
        R"(Large rows: $1 - r / \sqrt{r^2 + \epsilon} \approx \epsilon / (2 r^2)$ and $1 - r / (r + \epsilon) \approx \epsilon / r$. Inside, ten times the size leaves a hundredth missing; outside, a tenth.)"
        "\n"
        R"(Small rows: both grow with $r$, as $r / \sqrt{\epsilon}$ and $r / \epsilon$. That is how much a gradient can grow: 316 times with $10^{-5}$ inside, 100 000 times outside.)"
        "\n"
        R"(The two are equal where $\sqrt{r^2 + \epsilon} = r + \epsilon$: squared, $\epsilon = 2 r \epsilon + \epsilon^2$, so $r = (1 - \epsilon) / 2$.)",
    .about =
        "Epsilon keeps a norm from dividing by 0, and takes from rows that are small. LayerNorm is the same with the deviation in "
        "place of the root mean square. Inside the root epsilon has the unit of a square, outside that of the row: the same number "
        "means something else. Of the epsilons in use a bar reaches from where half of a row is kept to where 99 % is. In f16 numbers below 3e-8 round to 0, an epsilon among them.",
    .source =
        "Zhang, Sennrich 2019, arXiv 1910.07467, and its code; cards of the models; defaults of Keras and PyTorch",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_eps
