// A gated unit: one half of a token, activated, decides how much of the other half passes; and how wide such a layer is made
// so that it costs what a plain one costs.
//
//   surface f(a) b | along a, for some b        one product, seen from above and as cuts
//   sizes          | the layer with its shapes   hidden units and parameters of four layers; the chosen one drawn
#include "core/activation/glu.h"
#include "app/study/activation/family.h"
#include "app/study/kit.h"

namespace orrery::study::activation_glu {
namespace {

using activation::Gate, activation::GluParams;

constexpr auto parameters = std::to_array<Parameter>({
    choice("kind", "Gate", "silu|gelu|gelu_tanh|relu|sigmoid|bilinear",
           "f: silu makes it SwiGLU, gelu GEGLU, relu ReGLU, sigmoid GLU; bilinear: no function at all"),
    numbers("halves", "Halves", "1.5,0.5", {-20, 20}, "a, which goes through f, and b, which is let through",
            {.length = 2}),
    real("range", "Range", "3", {0.5, 20}, "a and b run from minus this to plus this",
         {.travel = Travel::log}),
    choice("layer", "Layer", "gated|ungated", "which one is drawn with its shapes"),
    whole("width", "Width", "4096", {8, 65536}, "D: components of a token",
          {.travel = Travel::log, .model_fact = "hidden_size"}),
    real("times", "Times", "4", {1, 16}, "r: hidden units of the plain layer over its width"),
    whole("multiple", "Multiple of", "256", {1, 4096},
          "m: the gated layer's hidden units are rounded up to it", {.travel = Travel::powers_of_two}),
    show_parameter("all|surface|cuts|sizes|layer"),
});

constexpr Index cells_across = 121;  // odd: 0 has a cell of its own
constexpr int curve_samples = 241;

Gate gate_of(const Settings& settings) {
  const std::string& kind = settings.choice("kind");
  if (kind != "bilinear") return activation::kind_from_name(kind);
  Gate gate = activation::Kind::relu;
  gate.linear = true;
  return gate;
}

/// As the papers call the unit.
std::string name_of(const Settings& settings) {
  const std::string& kind = settings.choice("kind");
  return kind == "silu"       ? "SwiGLU"
         : kind == "relu"     ? "ReGLU"
         : kind == "sigmoid"  ? "GLU"
         : kind == "bilinear" ? "the bilinear unit"
                              : "GEGLU";
}

/// f(a) b of each row (a, b), on the device of the run.
Matrix glu(const Run& run, const Matrix& halves, const GluParams& params) {
  if (run.device == DeviceChoice::ref) {
    Matrix y(halves.rows(), 1);
    activation::glu_ref(halves, params, tensor::View<double>(y));
    return y;
  }
  const tensor::Matrix<float> x = halves.cast<float>();
  tensor::Matrix<float> y(halves.rows(), 1);
  if (run.device == DeviceChoice::gpu)
    activation::glu_gpu(run.gpu(), x, params, tensor::View<float>(y));
  else
    activation::glu_cpu<float>(x, params, tensor::View<float>(y));
  return y.cast<double>();
}

/// Every pair of places on a grid over the square, row after row of b.
Matrix pairs_over(double range) {
  const std::vector<double> places = symmetric(range, static_cast<int>(cells_across));
  Matrix pairs(cells_across * cells_across, 2);
  for (Index i = 0; i < pairs.rows(); ++i)
    pairs.row(i) << places[static_cast<std::size_t>(i % cells_across)],
        places[static_cast<std::size_t>(i / cells_across)];
  return twin::rounded(pairs);
}

struct Layer {
  const char* name;
  double hidden, matrices;
  double parameters(double width) const { return matrices * width * hidden; }
};

/// LLaMA's rule: two thirds, cut to a whole number, then up to a multiple.
double gated_size(double hidden, double multiple) {
  return multiple * std::ceil(std::floor(2 * hidden / 3) / multiple);
}

std::array<Layer, 4> layers_of(const Settings& settings) {
  const double hidden = std::round(settings.real("times") * settings.real("width"));
  const double two_thirds = std::floor(2 * hidden / 3);
  return {{{"ungated", hidden, 2},
           {"gated, as wide", hidden, 3},
           {"gated, two thirds", two_thirds, 3},
           {"rounded up", gated_size(hidden, settings.real("multiple")), 3}}};
}

/// The layer that is drawn.
Layer drawn_of(const Settings& settings) {
  return layers_of(settings)[settings.choice("layer") == "ungated" ? 0 : 3];
}

Panel surface_panel(const Settings& settings, const Matrix& products) {
  const double range = settings.real("range"), half = range * number(cells_across) / number(cells_across - 1);
  Matrix grid(cells_across, cells_across);
  std::copy(products.data(), products.data() + products.size(), grid.data());
  Heatmap map = heatmap(grid, {.map = ColorMap::diverging, .label = "$f(a)\\,b$"});
  map.x = map.y = {-half, half};
  Panel panel{.title = "$f(a)\\,b$ over both halves",
              .x = {.label = "$a$", .range = Range{-half, half}},
              .y = {.label = "$b$", .range = Range{-half, half}},
              .marks = {map},
              .legend = LegendPlace::none,
              .equal_aspect = true,
              .frame = true};
  const double a = settings.vector("halves")[0], b = settings.vector("halves")[1];
  panel.marks.emplace_back(level(b, {.width = 0.6}));
  panel.marks.emplace_back(Points{{a}, {b}, ink(Role::accent), 3});
  panel.handles.push_back({.x = a, .y = b, .parameter = "halves", .hint = "drag to move both halves"});
  return panel;
}

constexpr std::array quiet_cuts{-2.0, -1.0, 1.0, 2.0};

std::string cut_name(double b) {
  return "b = " + grouped(b);
}

Series cuts_of(const Settings& settings, const Run& run) {
  const Gate gate = gate_of(settings);
  Series cuts("cuts", {"a", "", symmetric(settings.real("range"), curve_samples)});
  const auto along = [&](double b) {
    Matrix pairs(curve_samples, 2);
    for (Index i = 0; i < curve_samples; ++i) pairs.row(i) << cuts.x()[static_cast<std::size_t>(i)], b;
    const Matrix y = glu(run, twin::rounded(pairs), {.gate = gate});
    return std::vector<double>(y.data(), y.data() + y.size());
  };
  for (const double b : quiet_cuts) cuts.add(cut_name(b), along(b));
  cuts.add("at the chosen b", along(settings.vector("halves")[1]));
  return cuts;
}

Panel cuts_panel(const Series& cuts) {
  Panel panel{.title = "Cuts along $a$",
              .x = {.label = "$a$", .range = Range{cuts.x().front(), cuts.x().back()}},
              .y = values("$f(a)\\,b$"),
              .legend = LegendPlace::above};
  for (std::size_t i = 0; i < quiet_cuts.size(); ++i) {
    const std::string name = cut_name(quiet_cuts[i]);
    panel.marks.emplace_back(
        cuts.line(name, {.ink = series(static_cast<int>(i)), .width = 0.8, .label = "$" + name + "$"}));
  }
  panel.marks.emplace_back(
      cuts.line("at the chosen b", {.ink = ink(Role::accent), .width = 1.5, .label = "the chosen $b$"}));
  return panel;
}

/// Of each layer, its parameters as a column and its hidden units over it.
Panel sizes_panel(const std::array<Layer, 4>& layers, double width) {
  Panel panel{.title = "Parameters, and hidden units $F$",
              .x = {.label = "", .range = cells(4), .ticks = TickHint::integers},
              .y = values("parameters / million"),
              .legend = LegendPlace::none};
  Bars bars{.width = 0.45, .ink = series(0)};
  bars.reading.name = "parameters";
  double most_of_all = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const double parameters_of = layers[i].parameters(width);
    panel.x.names.emplace_back(layers[i].name);
    bars.x.push_back(number(i));
    bars.height.push_back(parameters_of / 1e6);
    bars.reading.value.push_back(parameters_of);
    most_of_all = std::max(most_of_all, parameters_of / 1e6);
  }
  panel.marks.emplace_back(bars);
  panel.marks.emplace_back(quiet_level(bars.height[0]));
  for (std::size_t i = 0; i < layers.size(); ++i)
    panel.marks.emplace_back(Note{.x = number(i),
                                  .y = bars.height[i],
                                  .text = grouped(layers[i].hidden),
                                  .ink = ink(Role::text),
                                  .v = VAlign::bottom,
                                  .dy = -2,
                                  .size = 0.85,
                                  .numbers = true});
  panel.y.range = Range{0, 1.35 * most_of_all};
  return panel;
}

/// A box with a name and a shape, about a place.
void add_box(Panel& panel, double x, double y, double half_width, const std::string& name,
             const std::string& shape, bool weights) {
  constexpr double half_height = 0.36;
  panel.marks.emplace_back(
      figure::Shape{.x = {x - half_width, x + half_width, x + half_width, x - half_width},
                    .y = {y - half_height, y - half_height, y + half_height, y + half_height},
                    .fill = weights ? std::optional(Ink{Role::series, 0, 0.15}) : std::nullopt,
                    .edge = ink(weights ? Role::outline : Role::axis),
                    .width = 0.8});
  const double room = 0.94 * 2 * half_width;
  panel.marks.emplace_back(Note{.x = x, .y = y + 0.15, .text = name, .size = 0.95, .room = room});
  panel.marks.emplace_back(
      Note{.x = x, .y = y - 0.15, .text = shape, .ink = ink(Role::secondary), .size = 0.72, .room = room});
}

void add_arrow(Panel& panel, double x, double y, double dx, double dy) {
  panel.marks.emplace_back(
      figure::Arrows{.x = {x}, .y = {y}, .dx = {dx}, .dy = {dy}, .ink = ink(Role::secondary), .head = 4});
}

/// From tokens in to tokens out, with the shape of each array.
Panel layer_panel(const Settings& settings) {
  const Layer layer = drawn_of(settings);
  const std::string D = parameter::shortest(settings.real("width")), F = parameter::shortest(layer.hidden);
  const auto tokens = [](const std::string& last) { return "$T \\times " + last + "$"; };
  Panel panel{.title = settings.choice("layer") == "ungated" ? "A plain layer" : "A gated layer",
              .x = {.range = Range{0, 10}, .visible = false},
              .y = {.range = layer.matrices == 3 ? Range{-1.1, 1.1} : Range{-0.42, 0.42}, .visible = false},
              .legend = LegendPlace::none};
  constexpr double half = 0.93;
  add_box(panel, 0.95, 0, half, "$x$", tokens(D), false);
  add_box(panel, 7.05, 0, half, layer.matrices == 3 ? "$W_{\\mathrm{down}}$" : "$W_2$",
          "$" + F + " \\times " + D + "$", true);
  add_box(panel, 9.05, 0, half, "$y$", tokens(D), false);
  add_arrow(panel, 7.05 + half, 0, 2 - 2 * half, 0);
  if (layer.matrices == 3) {
    add_box(panel, 2.95, 0.6, half, "$W_{\\mathrm{gate}}$", "$" + D + " \\times " + F + "$", true);
    add_box(panel, 2.95, -0.6, half, "$W_{\\mathrm{up}}$", "$" + D + " \\times " + F + "$", true);
    add_box(panel, 5, 0, half, "$f(a) \\odot b$", tokens(F), false);
    for (const double side : {0.6, -0.6}) {
      add_arrow(panel, 0.95 + half, 0, 2 - 2 * half, side);
      add_arrow(panel, 2.95 + half, side, 2.05 - 2 * half, -side);
      panel.marks.emplace_back(Note{
          .x = 4, .y = 0.62 * side, .text = side > 0 ? "$a$" : "$b$", .dx = 4, .dy = side > 0 ? -7.0 : 7.0});
    }
  } else {
    add_box(panel, 2.95, 0, half, "$W_1$", "$" + D + " \\times " + F + "$", true);
    add_box(panel, 5, 0, half, "$f$", tokens(F), false);
    add_arrow(panel, 0.95 + half, 0, 2 - 2 * half, 0);
    add_arrow(panel, 2.95 + half, 0, 2.05 - 2 * half, 0);
  }
  add_arrow(panel, 5 + half, 0, 2.05 - 2 * half, 0);
  return panel;
}

Table sizes_table(const std::array<Layer, 4>& layers, double width) {
  Table table{"sizes",
              {{.name = "layer"},
               {.name = "hidden units"},
               {.name = "matrices"},
               {.name = "parameters", .digits = 12}}};
  for (std::size_t i = 0; i < layers.size(); ++i)
    add_row(table, Called{layers[i].name, number(i)}, layers[i].hidden, layers[i].matrices,
            layers[i].parameters(width));
  return table;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Matrix& pairs) {
  const GluParams params{.gate = gate_of(settings)};
  const double range = settings.real("range"), hidden = layers_of(settings)[0].hidden,
               rounded = layers_of(settings)[3].hidden, multiple = settings.real("multiple");
  constexpr std::array<std::array<double, 2>, 4> published{
      {{4096, 11008}, {5120, 13824}, {6656, 17920}, {8192, 22016}}};
  double others = 0;
  for (const auto& [width, size] : published) others += gated_size(4 * width, 256) != size;
  return {
      twin::equals_reference(run,
                             {activation::glu_bound(params, range), activation::glu_gpu_bound(params, range)},
                             [&](const Run& each) { return glu(each, pairs, params); }),
      known_answer("LLaMA's four widths whose published hidden size is another than the rule's", others, 0),
      // Cut to a whole number it is up to 2/3 short, rounded up to a multiple one less than that over.
      {"three matrices of the rounded size hold what two of the plain size hold, but for the rounding: rows",
       std::abs(3 * rounded - 2 * hidden), std::max(2.0, 3 * (multiple - 1))}};
}

std::string sentence_of(const Settings& settings) {
  const std::array<Layer, 4> layers = layers_of(settings);
  return "At a width of " + grouped(settings.real("width")) + " " + name_of(settings) + " has " +
         grouped(layers[3].hidden) + " hidden units where a plain layer has " + grouped(layers[0].hidden);
}

/// f(a) b with a pocket calculator, where it has f; then the size.
std::string worked_of(const Settings& settings) {
  using worked::term;
  const double a = settings.vector("halves")[0], b = settings.vector("halves")[1];
  const Gate gate = gate_of(settings);
  const auto f_of_a = gate.linear ? std::optional(term(a)) : formula_of(gate.activation, a);
  const double hidden = layers_of(settings)[0].hidden, multiple = settings.real("multiple"),
               rounded = layers_of(settings)[3].hidden;
  Worked worked;
  if (f_of_a) worked.add("y", *f_of_a * term(b), gate.activated(a) * b);
  return worked
      .add("\\lfloor \\frac{2}{3} F_{\\mathrm{plain}} \\rfloor", worked::floor(frac(term(2) * hidden, 3)),
           std::floor(2 * hidden / 3))
      .add("F", term(rounded / multiple) * multiple, rounded)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const double width = settings.real("width");
  const Matrix pairs = pairs_over(settings.real("range")),
               products = glu(run, pairs, {.gate = gate_of(settings)});
  const Series cuts = cuts_of(settings, run);
  const std::array<Layer, 4> layers = layers_of(settings);
  Picture picture(
      sentence_of(settings),
      "The product of one half after the function with the other half, over the plane of both and as cuts "
      "along the first. Below, the parameters of a plain layer and of gated ones with their hidden units, and "
      "the chosen layer with the shape of each array.");
  picture.at({0, 0}, "surface", surface_panel(settings, products));
  picture.at({0, 1}, "cuts", cuts_panel(cuts));
  picture.at({1, 0, 1, 2}, "sizes", sizes_panel(layers, width));
  picture.at({2, 0, 1, 2}, "layer", layer_panel(settings));
  return {std::move(picture).figure(settings, {.aspect = 1.0,
                                               .rows = {1.3, 1, 1.1},
                                               .cols = {1, 1},
                                               .telling = {"cuts", "surface", "layer", "sizes"}}),
          {cuts.table(), sizes_table(layers, width)},
          checks_of(settings, run, pairs),
          worked_of(settings)};
}

constexpr auto tries = std::to_array<Try>({
    {"The first Transformer's layer: 512 → 2048 → 512.", "layer=ungated width=512 kind=relu",
     [](auto& now, auto&) { return column(now, "sizes", "hidden units").front() == 2048; }},
    {"Without any function: a saddle, the product of both halves.", "kind=bilinear",
     [](auto& now, auto&) {
       return largest_difference(column(now, "cuts", "b = 1"), column(now, "cuts", "a")) < 1e-6;
     }},
    {"ReGLU: half of the plane passes nothing at all.", "kind=relu",
     [](auto& now, auto&) {
       return at(now, "cuts", "b = 2", -1) == 0 && at(now, "cuts", "b = −2", -1) == 0;
     }},
    {"LLaMA's 8192: 22 016 in place of 32 768.", "width=8192",
     [](auto& now, auto&) {
       const auto& hidden = column(now, "sizes", "hidden units");
       return hidden.front() == 32768 && hidden.back() == 22016;
     }},
});

}  // namespace

extern const Study study{
    .id = "activation/glu",
    .title = "Gated units",
    .topic = "Activations",
    .summary = "one half decides how much of the other passes",
    .formula =
        R"(y = \left(f(x W_{\mathrm{gate}}) \odot x W_{\mathrm{up}}\right) W_{\mathrm{down}}, \quad F = m \left\lceil \tfrac{1}{m} \left\lfloor \tfrac{2}{3} F_{\mathrm{plain}} \right\rfloor \right\rceil, \quad F_{\mathrm{plain}} = \mathrm{round}(r D))",
    .about =
        "A plain layer applies a function to each hidden unit; a gated one multiplies what the function gives by a second "
        "projection. That is a third matrix, so the hidden layer is made two thirds as wide to cost the same, then "
        "rounded up to a multiple that hardware likes: LLaMA has 11 008 where a plain layer would have 16 384.",
    .source =
        "Shazeer 2020, arXiv 2002.05202; Touvron et al. 2023, arXiv 2302.13971 (its sizes: the published code)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::activation_glu
