// What a norm lets back through: its Jacobian, the directions that it forgets, and the gradient of its gain.
#include <iterator>

#include "app/study/kit.h"
#include "app/study/kit/spectra.h"
#include "app/study/norm/absorbed_bias.h"
#include "app/study/norm/norm_ops.h"
#include "app/study/norm/zero_gain.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm_vjp.h"

namespace orrery::study::norm_gradient {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    choice("norm", "Norm", "LayerNorm|RMSNorm", "whose Jacobian is drawn"),
    whole("width", "Width", "16", {3, 48}, "D: features of the token"),
    real("mean", "Common mean", "0.5", {-5, 5}, "the mean of all features, in standard deviations",
         {.unit = "deviations"}),
    real("scale", "Scale", "1", {1e-6, 1e3}, "the standard deviation of the features",
         {.travel = Travel::log, .plays = true}),
    real("gain", "Gain", "1", {0, 2}, "w: the same for every feature"),
    real("eps", "Epsilon", "1e-5", {1e-12, 1}, "added to the variance, or to the mean square",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    seed_parameter("another one gives another token, and other weights"),
    show_parameter("all|jacobian|spectrum|scale|gain|bias"),
});

bool centred(const Settings& settings) {
  return settings.choice("norm") == "LayerNorm";
}

/// A token of mean 0 and deviation 1, moved and scaled as set.
Matrix token_of(const Settings& settings, double scale, std::uint32_t stream = 0) {
  Matrix z = tensor::Random(seed_of(settings), stream).normals(1, settings.integer("width"));
  z.array() -= z.mean();
  z /= std::sqrt(z.squaredNorm() / number(z.cols()));
  return twin::rounded((scale * (z.array() + settings.real("mean"))).matrix());
}

/// gᵀJ for every row g, at the token x: the op's vector–Jacobian product in double.
Matrix pulled_back(const Settings& settings, bool layer, const Matrix& x, const Matrix& g, double eps) {
  const Matrix xs = x.replicate(g.rows(), 1);
  const std::vector<double> weight(static_cast<std::size_t>(x.cols()), settings.real("gain"));
  Matrix dx = Matrix::Zero(g.rows(), g.cols());
  const tensor::View<double> to(dx);
  if (layer)
    norm::layer_norm_vjp<double>(xs, weight, g, {.eps = eps}, {.x = to, .weight = {}, .bias = {}});
  else
    norm::rms_norm_vjp<double>(xs, weight, g, {.eps = eps}, {.x = to, .weight = {}});
  return dx;
}

/// What the formula says of the token: r, and the direction that both norms forget.
struct Direction {
  Matrix along;
  double r;  ///< 1/√(σ² + ε), or of the mean square
};
Direction direction_of(const Matrix& x, bool layer, double eps) {
  const Matrix along = layer ? Matrix((x.array() - x.mean()).matrix()) : x;
  return {along, 1 / std::sqrt(along.squaredNorm() / number(x.cols()) + eps)};
}

struct Computed {
  Matrix x, jacobian;
  Direction direction;
  double eps, gain;
  bool layer;
  std::vector<double> eigenvalues;  ///< the largest first
  double r() const { return direction.r; }
  /// Of a change along the token itself, the part of what passes elsewhere: ε r².
  double share() const { return eps * r() * r(); }
};

Computed computed(const Settings& settings) {
  const bool layer = centred(settings);
  const double eps = settings.real("eps");
  const Matrix x = token_of(settings, settings.real("scale"));
  Computed c{.x = x,
             .jacobian = pulled_back(settings, layer, x, Matrix::Identity(x.cols(), x.cols()), eps),
             .direction = direction_of(x, layer, eps),
             .eps = eps,
             .gain = settings.real("gain"),
             .layer = layer,
             .eigenvalues = {}};
  // With one gain for all features it is symmetric.
  c.eigenvalues = symmetric_eigenvalues(0.5 * (c.jacobian + c.jacobian.transpose()));
  return c;
}

Panel spectrum_panel(const Series& spectrum) {
  return {.title = "Its eigenvalues",
          .x = counts("eigenvalue, the largest first", Range{-0.75, number(spectrum.size()) - 0.25}),
          .y = values(""),
          .marks = {spectrum.stems("eigenvalue", {.ink = series(0), .radius = 2})},
          .legend = LegendPlace::none};
}

/// How much of a change across the token passes, by the token's scale.
Series by_scale(const Settings& settings) {
  std::vector<double> scales;
  for (int i = 0; i <= 54; ++i) scales.push_back(std::pow(10, i / 6.0 - 6));
  Series passes("by_scale", {"scale", "", scales});
  const double eps = settings.real("eps");
  for (const bool layer : {true, false})
    passes.add(layer ? "LayerNorm" : "RMSNorm", [&](double scale) {
      const Matrix x = token_of(settings, scale);
      // Across the token and the ones: there the Jacobian only multiplies.
      const Matrix along = (x.array() - x.mean()).matrix();
      Matrix g = tensor::Random(seed_of(settings), 1).normals(1, x.cols());
      g.array() -= g.mean();
      g -= (g.cwiseProduct(along).sum() / along.squaredNorm()) * along;
      return pulled_back(settings, layer, x, g, eps).norm() / g.norm();
    });
  return passes;
}

Panel scale_panel(const Series& passes, const Computed& c, double scale) {
  Panel panel{.title = "The gradient against the input's scale",
              .x = {.label = "scale of the input", .scale = Scale::log(10)},
              .y = {.label = "gradient out / gradient in",
                    .scale = c.gain > 0 ? Scale::log(10) : Scale{},
                    .grid = true},
              .marks = {passes.line("LayerNorm", {.ink = series(0), .label = "LayerNorm"}),
                        passes.line("RMSNorm", {.ink = series(1), .label = "RMSNorm"})},
              .legend = LegendPlace::above};
  add_handle(panel, scale, c.gain * c.r(), "scale", "drag to scale the token");
  return panel;
}

Panel gain_panel(const Series& gains) {
  return {.title = "The gradient of the gain itself",
          .x = {.label = "gain"},
          .y = values("RMS of $\\partial L / \\partial \\gamma$"),
          .marks = {gains.line("attention", {.ink = series(0), .label = "attention"}),
                    gains.line("SwiGLU", {.ink = series(1), .label = "SwiGLU"})},
          .legend = LegendPlace::above};
}

/// It and another one, normalised on the device of the run, times the gain.
Matrix two_tokens(const Settings& settings, const Run& run, const Computed& c) {
  constexpr std::uint32_t another = 5;
  Matrix x(2, c.x.cols());
  x << c.x, token_of(settings, settings.real("scale"), another);
  return c.gain *
         (c.layer ? twin::layer_norm(run, x, {.eps = c.eps}) : twin::rms_norm(run, x, {.eps = c.eps}));
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Computed& c, const Series& gains,
                             const AbsorbedBias& bias) {
  const double D = number(c.x.cols()), r = c.r(), passes = c.gain * r, size = c.x.cwiseAbs().maxCoeff();
  // An element of J is three terms of at most 1 + D of γr, each of a few roundings; centring loses what the mean is larger.
  const double entry = 16 * 0x1p-53 * passes * (2 + size * r) * D;
  const Matrix &J = c.jacobian, &along = c.direction.along;
  const Matrix kept = along * J.transpose() - c.gain * c.eps * r * r * r * along;
  Worst others;
  const std::size_t forgotten = c.layer ? 2 : 1;
  for (std::size_t k = 0; k + forgotten < c.eigenvalues.size(); ++k)
    others.meet(std::abs(c.eigenvalues[k] - passes));

  // A step either way along a random direction, against the Jacobian.
  const double step = 1e-5 / r;
  const Matrix d = tensor::Random(seed_of(settings), 4).normals(1, c.x.cols());
  Matrix ends(2, c.x.cols());
  ends << c.x + step * d, c.x - step * d;
  const Run reference = twin::on_reference(run);
  const Matrix y = c.layer ? twin::layer_norm(reference, ends, {.eps = c.eps})
                           : twin::rms_norm(reference, ends, {.eps = c.eps});
  const Matrix slope = c.gain * (y.row(0) - y.row(1)) / (2 * step);
  // The third derivative takes (h r)² |d|³, of each difference a few units in the last place of x and y stay over 2 h r.
  const double length = d.norm(),
               lost = passes * (1e-10 * 4 * length * length * length + 0x1p-50 * (4 + D + size * r) / 1e-5);

  const Matrix halved =
      pulled_back(settings, c.layer, 2 * c.x, Matrix::Identity(c.x.cols(), c.x.cols()), 4 * c.eps);
  std::vector<Check> checks{
      {"along the token itself only $\\gamma\\epsilon r^3$ passes", kept.cwiseAbs().maxCoeff(),
       entry * D * size},
      {"across it everything passes alike: the other eigenvalues are $\\gamma r$", others, entry * D},
      {"the Jacobian is the slope of the norm: central differences",
       (slope - d * J.transpose()).cwiseAbs().maxCoeff(), lost},
      {"twice the token, with four times the epsilon: half the Jacobian",
       (2 * halved - J).cwiseAbs().maxCoeff(), 2 * entry},
      {"SwiGLU: where the gain is 0, so is its own gradient", gains["SwiGLU"][0], 0},
  };
  std::ranges::copy(absorbed_bias_checks(bias), std::back_inserter(checks));
  if (c.layer)
    checks.push_back({"LayerNorm forgets a shift: every row of the Jacobian sums to 0",
                      J.rowwise().sum().cwiseAbs().maxCoeff(), entry * D});
  checks.push_back(c.layer
                       ? named("LayerNorm", twin::equals_reference(run, layer_norm_bounds,
                                                                   [&](const Run& each) {
                                                                     return twin::layer_norm(each, c.x,
                                                                                             {.eps = c.eps});
                                                                   }))
                       : named("RMSNorm", twin::equals_reference(run, rms_norm_bounds, [&](const Run& each) {
                                 return twin::rms_norm(each, c.x, {.eps = c.eps});
                               })));
  return checks;
}

std::string title_of(const Settings& settings, const Computed& c) {
  if (c.gain == 0) return "A gain of 0 lets no gradient back through the norm";
  const std::string& norm = settings.choice("norm");
  if (c.share() >= 0.01)
    return "Epsilon lets a change along the token pass " + norm + ", " + short_text(100 * c.share(), 2) +
           " % as strong as one across it";
  const std::string width = grouped(number(c.x.cols()));
  return c.layer ? norm + "'s Jacobian forgets two directions of " + width + ": the ones, and the token's own"
                 : norm + "'s Jacobian forgets one direction of " + width + ": the token's own";
}

std::string worked_of(const Computed& c) {
  using worked::term;
  const double square = 1 / (c.r() * c.r()) - c.eps, r = c.r();
  return Worked()
      .add("r", frac(1, sqrt(term(square) + c.eps)), r)
      .add("\\gamma r", term(c.gain) * r, c.gain * r)
      .add("\\gamma \\epsilon r^3", term(c.gain) * c.eps * worked::power(r, 3), c.gain * c.eps * r * r * r)
      .tex();
}

Table result_table(const Computed& c) {
  Table table{"result", {{.name = "r"}, {.name = "share along the token"}}};
  add_row(table, c.r(), c.share());
  return table;
}

Table jacobian_table(const Computed& c) {
  Table table{"jacobian", {{.name = "output"}}};
  table.columns[0].values = counted(c.x.cols());
  for (Index j = 0; j < c.x.cols(); ++j)
    table.columns.push_back(
        {.name = "input " + std::to_string(j), .values = row_of(Matrix(c.jacobian.col(j).transpose()))});
  return table;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Computed c = computed(settings);
  Series spectrum("spectrum", {"place", "", counted(c.x.cols())});
  spectrum.add("eigenvalue", c.eigenvalues);
  const Series passes = by_scale(settings), gains = zero_gain(seed_of(settings));
  const AbsorbedBias bias = absorbed_bias(two_tokens(settings, run, c), seed_of(settings));
  Picture picture(
      title_of(settings, c),
      "The Jacobian of a norm at one token as a map: the diagonal, less what the norm forgets. Beside it its "
      "eigenvalues: those of the forgotten directions are 0, but for epsilon. Below, how much of a gradient passes, by "
      "the scale of the token; and the gradient of the norm's own gain before attention and before a SwiGLU network.");
  picture
      .at({0, 0}, "jacobian",
          square_map_panel("Jacobian $\\partial y_i / \\partial x_j$",
                           heatmap(c.jacobian, {.map = ColorMap::diverging}), "input $j$", "output $i$"))
      .at({0, 1}, "spectrum", spectrum_panel(spectrum))
      .at({1, 0}, "scale", scale_panel(passes, c, settings.real("scale")))
      .at({1, 1}, "gain", gain_panel(gains));
  picture.instead("bias", [&] { return absorbed_bias_figure(bias, settings.choice("norm")); });
  return {
      .figure = std::move(picture).figure(
          settings,
          {.aspect = 1.15, .rows = {1.2, 1}, .cols = {1, 1}, .telling = {"jacobian", "spectrum", "gain"}}),
      .tables = {result_table(c), jacobian_table(c), spectrum.table(), passes.table(), gains.table(),
                 bias.outputs.table()},
      .checks = checks_of(settings, run, c, gains, bias),
      .worked = worked_of(c)};
}

constexpr auto tries = std::to_array<Try>({
    {"RMSNorm keeps the direction of ones: one eigenvalue less is 0.", "norm=RMSNorm",
     [](auto& now, auto& before) {
       const auto zeros = [](const StudyResult& r) {
         return std::ranges::count_if(column(r, "spectrum", "eigenvalue"),
                                      [](double v) { return std::abs(v) < 1e-3; });
       };
       return zeros(now) == 1 && zeros(before) == 2;
     }},
    {"A token ten times as large: a tenth of the gradient passes.", "scale=10",
     [](auto& now, auto& before) {
       return between(9.99,
                      column(before, "spectrum", "eigenvalue")[0] / column(now, "spectrum", "eigenvalue")[0],
                      10.01);
     }},
    {"A tiny token: epsilon takes over, and the gradient along the token passes too.", "scale=1e-4",
     [](auto& now, auto&) { return column(now, "result", "share along the token")[0] > 0.99; }},
    {"A bias behind the norm: whatever the token is, it adds the same to the next layer.", "show=bias",
     [](auto& now, auto&) {
       return largest_difference(column(now, "absorbed", "added to the first token"),
                                 column(now, "absorbed", "added to the second token")) < 1e-12;
     }},
    {"A gain of 0: nothing passes; before SwiGLU the gain never leaves 0 again.", "gain=0",
     [](auto& now, auto&) {
       return largest(column(now, "spectrum", "eigenvalue")) == 0 && at(now, "zero_gain", "SwiGLU", 0) == 0 &&
              at(now, "zero_gain", "attention", 0) > 0.01;
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/gradient",
    .title = "Gradients of the norms",
    .topic = "Normalisation",
    .summary = "which directions a norm forgets, and what a gain of 0 does",
    .formula =
        R"(\frac{\partial\,\mathrm{LayerNorm}}{\partial x} = \frac{\gamma}{\sigma} \left(I - \frac{1}{D} \mathbf{1}\mathbf{1}^T - \frac{1}{D} \hat x \hat x^T\right), \quad \frac{\partial\,\mathrm{RMSNorm}}{\partial x} = \frac{\gamma}{\mathrm{rms}} \left(I - \frac{1}{D} \hat x \hat x^T\right) \quad (\epsilon = 0))",
    .derivation =
        "$y_i = \\gamma\\,r\\,(x_i - \\mu)$ with $r = 1/\\sqrt{\\sigma^2 + \\epsilon}$.\n"
        "The mean changes by $\\partial \\mu / \\partial x_j = 1/D$, the variance by $\\partial \\sigma^2 / \\partial x_j = 2 (x_j - \\mu)/D$.\n"
        "So $\\partial r / \\partial x_j = -r^3 (x_j - \\mu)/D = -r^2\\,\\hat x_j / D$ with $\\hat x = r (x - \\mu)$.\n"
        "The product rule gives $\\partial y_i / \\partial x_j = \\gamma r (\\delta_{ij} - 1/D - \\hat x_i \\hat x_j / D)$.\n"
        "RMSNorm has no mean to take away: the term $1/D$ is missing.",
    .about =
        "A norm does not answer to a change that it takes away: LayerNorm to a shift of all features and to a scaling "
        "of the token, RMSNorm to the scaling alone. All else passes, divided by the deviation: a large token gets a "
        "small gradient. A bias behind a norm is absorbed by the next linear layer. A gain of 0 recovers "
        "before attention; before SwiGLU its own gradient is 0 as well.",
    .source = "Ba et al. 2016, arXiv 1607.06450; Xiong et al. 2020, arXiv 2002.04745, lemma 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_gradient
