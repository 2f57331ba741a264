// What depth does to a signal: the values on the way up and the gradients on the way down through layers of one function,
// for several initialisations, with and without a norm between, and how many units pass nothing back.
//
//   values by layer, as bands | sizes of values and gradients, log
//   units that pass nothing back, by layer
#include "app/study/activation/network.h"
#include "app/study/kit.h"

namespace orrery::study::activation_flow {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    choice("kind", "Function",
           "relu|gelu|gelu_tanh|gelu_quick|silu|mish|softplus|hard_swish|leaky_relu|elu|selu|sigmoid|tanh",
           "of every layer"),
    choice(
        "stream", "Stream", "direct|residual",
        "direct: each layer has the output of the one before; residual: two matrices about the function, added to it"),
    choice("init", "Initialisation", "he|xavier|small",
           "the weights' variance: he 2/n, xavier 1/n, small 0.02² whatever the width, as GPT-2 has it"),
    real("gain", "Gain", "1", {0.1, 2}, "multiplies the weights' deviation",
         {.travel = Travel::log, .plays = true}),
    toggle("scaled", "Scaled", "on",
           "divides the outgoing matrix by the root of the number of branches, 1/√(2N) for N blocks",
           {.only_when = "stream=residual"}),
    choice("norm", "Norm", "none|layer|rms", "before each layer, without learned weights"),
    whole("depth", "Depth", "16", {2, 64}, "layers; on the residual stream branches, two to a block"),
    whole("width", "Width", "64", {8, 128}, "n: units of each layer", {.travel = Travel::powers_of_two}),
    seed_parameter("another one gives other weights, inputs and gradients"),
    show_parameter("all|values|sizes|dead"),
});

constexpr Index inputs = 64;

NetworkShape shape_of(const Settings& settings) {
  const double n = settings.real("width"), gain = settings.real("gain");
  const std::string &init = settings.choice("init"), &norm = settings.choice("norm");
  NetworkShape shape{.kind = activation::kind_from_name(settings.choice("kind")),
                     .residual = settings.choice("stream") == "residual",
                     .norm = norm == "layer" ? NormBetween::layer_norm
                             : norm == "rms" ? NormBetween::rms_norm
                                             : NormBetween::nothing,
                     .depth = settings.integer("depth"),
                     .width = settings.integer("width"),
                     .inputs = inputs};
  shape.deviation = gain * (init == "small" ? 0.02 : std::sqrt((init == "he" ? 2 : 1) / n));
  shape.outgoing = shape.deviation / (settings.toggle("scaled") ? std::sqrt(settings.real("depth")) : 1);
  return shape;
}

constexpr std::array shares{0.05, 0.25, 0.5, 0.75, 0.95};
constexpr std::array share_names{"5 %", "25 %", "median", "75 %", "95 %"};

double root_mean_square(const Matrix& x) {
  return x.norm() / std::sqrt(number(x.size()));
}

/// Of each layer's values, how far so many per cent of them reach.
Series bands_of(const Flow& flow) {
  Series bands("values", {"layer", "", counted(std::ssize(flow.values))});
  std::array<std::vector<double>, shares.size()> reach;
  for (const Matrix& x : flow.values) {
    std::vector<double> sorted(x.data(), x.data() + x.size());
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < shares.size(); ++i)
      reach[i].push_back(sorted[static_cast<std::size_t>(shares[i] * number(sorted.size() - 1))]);
  }
  for (std::size_t i = 0; i < shares.size(); ++i) bands.add(share_names[i], std::move(reach[i]));
  return bands;
}

Series sizes_of(const Flow& flow) {
  Series sizes("sizes", {"layer", "", counted(std::ssize(flow.values))});
  std::vector<double> values_of, gradients_of;
  for (const Matrix& x : flow.values) values_of.push_back(root_mean_square(x));
  for (const Matrix& g : flow.gradients) gradients_of.push_back(root_mean_square(g));
  sizes.add("values", std::move(values_of)).add("gradients", std::move(gradients_of));
  return sizes;
}

/// A unit that passes back less than this part of a gradient passes nothing.
constexpr double nothing = 1e-3;

Series dead_of(const Flow& flow) {
  std::vector<double> layers, dead, closed;
  for (std::size_t l = 0; l < flow.slopes.size(); ++l) {
    const Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> shut = flow.slopes[l].array().abs() < nothing;
    layers.push_back(number(l + 1));
    dead.push_back(100 * number(shut.colwise().all().count()) / number(shut.cols()));
    closed.push_back(100 * number(shut.count()) / number(shut.size()));
  }
  Series series("dead", {"layer", "", std::move(layers)});
  series.add("for one input", std::move(closed)).add("for every input", std::move(dead));
  return series;
}

Axis layer_axis(const Series& by_layer) {
  return counts("layer", Range{0, by_layer.x().back()});
}

Panel values_panel(const Series& bands) {
  Panel panel{.title = "Values",
              .x = layer_axis(bands),
              .y = values(),
              .marks = {bands.band("5 %", "95 %", {.ink = {Role::series, 0, 0.55}, .label = "90 % of them"}),
                        bands.band("25 %", "75 %", {.ink = {Role::series, 0, 1}, .label = "half of them"}),
                        bands.line("median", {.ink = series(0), .label = "median"})},
              .legend = LegendPlace::above};
  if (std::max(largest(bands["95 %"]), largest(bands["5 %"])) > 20) panel.y.scale = Scale::symlog(1);
  return panel;
}

Panel sizes_panel(const Series& sizes) {
  Panel panel{.title = "Root mean squares",
              .x = layer_axis(sizes),
              .y = values(),
              .marks = {sizes.line("values", {.ink = series(0), .label = "values, from below"}),
                        sizes.line("gradients", {.ink = series(1), .label = "gradients, from above"}),
                        quiet_level(1)},
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  return panel;
}

Panel dead_panel(const Series& dead) {
  return {.title = "Units that pass back less than a thousandth",
          .x = layer_axis(dead),
          .y = values("% of them", Range{0, 100}),
          .marks = {dead.line("for one input", {.ink = series(2), .label = "for one input"}),
                    dead.line("for every input", {.ink = series(3), .label = "for every input: dead"})},
          .legend = LegendPlace::above};
}

double ratio(double a, double b) {
  return b == 0 ? 0 : a / b;
}

std::string sentence_of(const Settings& settings, const Series& sizes) {
  const auto &up = sizes["values"], &down = sizes["gradients"];
  return "Through " + grouped(settings.real("depth")) + " layers values come out " +
         short_text(ratio(up.back(), up.front()), 2) + " times as large, gradients " +
         short_text(ratio(down.front(), down.back()), 2) + " times";
}

std::string worked_of(const Settings& settings, const NetworkShape& shape, const Series& sizes) {
  using worked::term;
  const std::string& init = settings.choice("init");
  const worked::Term of_width =
      init == "small" ? term(0.02) : sqrt(worked::frac(init == "he" ? 2 : 1, settings.real("width")));
  const double from = sizes["values"].front(), to = sizes["values"].back();
  Worked worked;
  worked.add("\\sigma_W", term(settings.real("gain")) * of_width, shape.deviation);
  if (from > 0)
    worked.add(
        "\\frac{" + worked::subscripted("\\mathrm{RMS}", settings.real("depth")) + "}{\\mathrm{RMS}_0}",
        worked::frac(to, from), to / from);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const NetworkShape shape = shape_of(settings);
  const Flow flow = flow_through(run, shape, seed_of(settings));
  const Series bands = bands_of(flow), sizes = sizes_of(flow), dead = dead_of(flow);
  Picture picture(
      sentence_of(settings, sizes),
      "How far the values of each layer spread, and the root mean squares of values and of gradients layer by "
      "layer, on a logarithmic scale. Below, which share of units passes back less than a thousandth of a "
      "gradient, for one input and for every input.");
  picture.at({0, 0}, "values", values_panel(bands));
  picture.at({0, 1}, "sizes", sizes_panel(sizes));
  picture.at({1, 0, 1, 2}, "dead", dead_panel(dead));
  const twin::Bounds bounds{activation::activation_bound(shape.kind),
                            activation::activation_gpu_bound(shape.kind)};
  const Matrix first = twin::rounded(flow.first_inputs);
  return {std::move(picture).figure(
              settings,
              {.aspect = 1.25, .rows = {1.2, 1}, .cols = {1, 1}, .telling = {"sizes", "values", "dead"}}),
          {bands.table(), sizes.table(), dead.table()},
          {{"a gradient times a small change is the same at every layer", flow.adjoint, flow.adjoint_slack},
           twin::equals_reference(
               run, bounds, [&](const Run& each) { return twin::activation(each, first, shape.kind); })},
          worked_of(settings, shape, sizes)};
}

constexpr auto tries = std::to_array<Try>({
    {"Xavier's variance under ReLU: each layer takes about half of the mean square.", "init=xavier",
     [](auto& now, auto&) {
       const auto& rms = column(now, "sizes", "values");
       return between(0x1p-11, rms.back() / rms.front(), 0x1p-6);  // 2^-8 is expected
     }},
    {"Sigmoid: hardly any gradient reaches the first layers.", "kind=sigmoid init=xavier",
     [](auto& now, auto&) { return column(now, "sizes", "gradients").front() < 1e-6; }},
    {"A norm before each layer: the size no longer depends on the gain.", "norm=rms gain=0.5",
     [](auto& now, auto&) {
       const auto& rms = column(now, "sizes", "values");
       return between(0.7, rms.back() / rms[1], 1.4);
     }},
    {"Sixty-four layers of ReLU: inputs grow alike, and units die for all of them.", "depth=64",
     [](auto& now, auto&) { return column(now, "dead", "for every input").back() > 20; }},
    {"A residual stream, its branches scaled by 1/√(2N): it grows less than twofold.",
     "stream=residual norm=layer",
     [](auto& now, auto&) {
       const auto& rms = column(now, "sizes", "values");
       return between(1, rms.back() / rms.front(), 2);
     }},
});

}  // namespace

extern const Study study{
    .id = "activation/flow",
    .title = "Signals through depth",
    .topic = "Activations",
    .summary = "values on the way up, gradients on the way down",
    .formula =
        R"(x_{l+1} = f(W_l\,x_l), \quad g_l = W_l^T\left(f'(W_l\,x_l) \odot g_{l+1}\right), \quad W_l \sim N(0, \sigma_W^2))",
    .derivation =
        "A sum of $n$ products of independent numbers has $n\\,\\sigma_W^2\\,E[x^2]$ as its mean square.\n"
        "With $\\sigma_W^2 = 1/n$ it is as large as the input (Xavier); ReLU then keeps one half of it, $E[f(z)^2] = \\tfrac{1}{2}$ for normal $z$.\n"
        "$\\sigma_W^2 = 2/n$ makes up for that half (He).\n"
        "On a residual stream $2N$ branches add their mean squares; divided by $\\sqrt{2N}$ each, they add 1 together.",
    .about =
        "Each layer multiplies the size of its input by a factor, and so does the way back. A factor below 1 leaves nothing "
        "after many layers, one above 1 everything; the initialisation sets it to 1 for one function. A norm between makes the "
        "size independent of it, a residual stream carries it past the layers.",
    .source =
        "Glorot, Bengio 2010 (Xavier); He et al. 2015, arXiv 1502.01852; 1/√N for residual branches: Radford et al. 2019 (GPT-2), section 2.3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::activation_flow
