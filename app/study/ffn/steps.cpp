// A small feed-forward network by hand: products, biases, the activation, and the second matrix.
#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "core/activation/feed_forward.h"

namespace orrery::study::ffn_steps {
namespace {

using activation::Kind;

constexpr Index width = 2, units = 3;
constexpr int curve_samples = 241;

constexpr auto parameters = std::to_array<Parameter>({
    choice("activation", "Activation", "relu|gelu|swiglu",
           "f: between the two matrices; SwiGLU has a third one"),
    numbers("x", "Vector", "1,2", {-10, 10}, "x: the two numbers of one token", {.length = width}),
    matrix("w1", "First matrix", "1,0;-1,1;1,-1", {-10, 10},
           "W₁: a row of two for each of the three hidden units; of SwiGLU the gate's",
           {.length = width, .rows = units}),
    numbers("b1", "First bias", "0,0.5,0", {-10, 10}, "b₁: one for each hidden unit", {.length = units}),
    matrix("w3", "Third matrix", "1,1;2,0;0,1", {-10, 10},
           "W₃: what SwiGLU's gate lets pass, a row for each hidden unit",
           {.length = width, .rows = units, .only_when = "activation=swiglu"}),
    matrix("w2", "Second matrix", "1,2,-1;0.5,-1,3", {-10, 10},
           "W₂: a row of three for each of the two outputs", {.length = units, .rows = width}),
    numbers("b2", "Second bias", "0,1", {-10, 10}, "b₂: one for each output", {.length = width}),
    whole("unit", "Unit", "2", {1, units}, "the hidden unit followed in the accent colour"),
    whole("digits", "Digits", "4", {2, 10}, "after the point", {.presentation = true}),
    show_parameter("all|steps|curve"),
});

struct Network {
  std::string name;  ///< as chosen
  Kind kind = Kind::relu;
  bool gated = false;
  Matrix x, w1, w2, w3, b1, b2;
  Index unit = 0;
  int digits = 4;
  // What comes of it: rows of one token.
  Matrix products, z, open, activated, passed, h, y;

  double error() const {
    return 0x1p-47 * (1 + z.cwiseAbs().maxCoeff()) * (1 + passed.cwiseAbs().maxCoeff()) *
           (1 + w2.cwiseAbs().maxCoeff());
  }
  int decimals() const { return right_decimals(digits, error()); }
};

/// Of ReLU 0 or 1, of GELU Φ(z), of SiLU σ(z): f(z) is z times it.
double openness(Kind kind, double z) {
  if (kind == Kind::relu) return z > 0 ? 1 : 0;
  if (kind == Kind::gelu) return 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return 1 / (1 + std::exp(-z));
}

/// The whole network by its op: weights are D × F there, so those typed row by row for each unit are turned.
Matrix by_op(const Network& n) {
  Matrix y = Matrix::Zero(1, width);
  tensor::View<double> out(y);
  const Matrix first = n.w1.transpose(), second = n.w2.transpose(), third = n.w3.transpose();
  const std::span<const double> b1(n.b1.data(), std::size_t(units)), b2(n.b2.data(), std::size_t(width));
  if (n.gated)
    activation::gated_feed_forward_ref(
        n.x, {.gate = first, .up = third, .down = second, .gate_bias = b1, .down_bias = b2}, Kind::silu, out);
  else
    activation::feed_forward_ref(n.x, {.w1 = first, .w2 = second, .b1 = b1, .b2 = b2}, n.kind, out);
  return y;
}

Network network_of(const Settings& settings) {
  Network n;
  n.name = settings.choice("activation");
  n.gated = n.name == "swiglu";
  n.kind = n.gated ? Kind::silu : n.name == "gelu" ? Kind::gelu : Kind::relu;
  n.x = row_matrix(settings.vector("x"));
  n.w1 = matrix_of(settings, "w1");
  n.w2 = matrix_of(settings, "w2");
  n.w3 = matrix_of(settings, "w3");
  n.b1 = row_matrix(settings.vector("b1"));
  n.b2 = row_matrix(settings.vector("b2"));
  n.unit = settings.integer("unit") - 1;
  n.digits = static_cast<int>(settings.integer("digits"));
  n.products = n.x * n.w1.transpose();
  n.z = n.products + n.b1;
  n.open = n.z.unaryExpr([&](double z) { return openness(n.kind, z); });
  n.activated = twin::activation(twin::on_reference({}), n.z, n.kind);
  n.passed = n.gated ? Matrix(n.x * n.w3.transpose()) : Matrix::Ones(1, units);
  n.h = n.activated.cwiseProduct(n.passed);
  n.y = by_op(n);
  return n;
}

std::string product_of(auto&& row, auto&& other, auto&& said) {
  std::string text;
  for (Index j = 0; j < row.size(); ++j)
    text += (j > 0 ? " + " : "") + said(row(j)) + " \\cdot " + said(other(j));
  return text;
}

/// Behind a sign or a factor, as short as one reads it.
std::string in_six_digits(double x) {
  return tex_factor(x, 6);
}

std::string open_name(const Network& n) {
  return n.kind == Kind::relu ? "$[z > 0]$" : n.kind == Kind::gelu ? "$\\Phi(z)$" : "$\\sigma(z)$";
}
std::string function_name(const Network& n) {
  return n.kind == Kind::relu   ? "\\mathrm{ReLU}(z)"
         : n.kind == Kind::gelu ? "\\mathrm{GELU}(z)"
                                : "\\mathrm{SiLU}(z)";
}

/// An output with the sum that it is; of a long one the result has a line of its own, so that the shape keeps its place.
void add_output(std::vector<BoardLine>& lines, const Network& n, Index j) {
  constexpr int most_signs = 44;
  std::string sum;
  bool in_full = true;
  for (Index k = 0; k < units; ++k) {
    const std::string h = tex_fixed_factor(n.h(k), n.decimals());
    sum += (k > 0 ? " + " : "") + tex_factor(n.w2(j, k), 6) + " \\cdot " + h;
    in_full = in_full && gives_back(h, n.h(k));
  }
  if (n.b2(j) != 0) sum += " + " + tex_factor(n.b2(j), 6);
  const std::string y = tex_fixed(n.y(j), n.decimals()), result = equals(sum, y, n.y(j), in_full) + y;
  lines.push_back({.name = "$y_" + std::to_string(j + 1) + "$", .statement = in_dollars(sum + result)});
  if (signs_seen(sum + result) > most_signs) {
    lines.back().statement = in_dollars(sum);
    lines.push_back({.statement = in_dollars(result)});
  }
  lines.back().shape = "$[B, T, D]$";
}

std::vector<BoardLine> board_lines(const Network& n) {
  constexpr const char* hidden = "$[B, T, F]$";
  const auto for_units = [&](std::string name, const auto& text) {
    BoardLine line{.name = std::move(name), .shape = hidden};
    for (Index k = 0; k < units; ++k) line.cells.push_back(text(k));
    return line;
  };
  const auto digits = [&](const Matrix& row) {
    return [&](Index k) { return cell_text(row(k), n.decimals()); };
  };
  std::vector<BoardLine> lines;
  BoardLine heads = for_units("$k$", [](Index k) { return "$" + std::to_string(k + 1) + "$"; });
  heads.quiet = true;
  heads.shape = "";
  lines.push_back(std::move(heads));
  lines.push_back(for_units(
      "$W_1 x$", [&](Index k) { return in_dollars(product_of(n.w1.row(k), n.x.row(0), in_six_digits)); }));
  lines.push_back(for_units("$z = W_1 x + b_1$", [&](Index k) { return in_dollars(tex_digits(n.z(k), 8)); }));
  lines.push_back(for_units(open_name(n), [&](Index k) {
    return n.kind == Kind::relu ? in_dollars(tex_digits(n.open(k), 2)) : cell_text(n.open(k), n.decimals());
  }));
  if (!n.gated) {
    lines.push_back(for_units("$h = " + function_name(n) + "$", digits(n.h)));
  } else {
    lines.push_back(for_units(in_dollars(function_name(n)), digits(n.activated)));
    lines.push_back(for_units("$W_3 x$", [&](Index k) { return in_dollars(tex_digits(n.passed(k), 8)); }));
    lines.push_back(for_units("$h = " + function_name(n) + " \\odot W_3 x$", digits(n.h)));
  }
  for (Index j = 0; j < width; ++j) add_output(lines, n, j);
  return lines;
}

/// The function between the least and the largest of what goes in, and some more to either side.
Series curve_series(const Network& n) {
  const double from = std::min(n.z.minCoeff(), -2.0) - 1, to = std::max(n.z.maxCoeff(), 2.0) + 1;
  std::vector<double> z;
  for (int i = 0; i < curve_samples; ++i) z.push_back(std::lerp(from, to, i / (curve_samples - 1.0)));
  const Matrix f = twin::activation(twin::on_reference({}), row_matrix(z), n.kind);
  Series curve("curve", {"z", "", std::move(z)});
  curve.add("f(z)", row_of(f));
  return curve;
}

Panel curve_panel(const Network& n, const Series& curve) {
  Panel panel{.title = "What becomes of each hidden unit",
              .x = {.label = "$z$"},
              .y = values(in_dollars(function_name(n))),
              .marks = {curve.line("f(z)", {.ink = ink(Role::faint), .width = 1.2, .dash_by_series = false})},
              .legend = LegendPlace::none};
  Points others{
      .ink = series(0), .radius = 2.4, .symbol_by_series = false, .reading = {.name = "hidden unit"}};
  for (Index k = 0; k < units; ++k)
    if (k != n.unit) {
      others.x.push_back(n.z(k));
      others.y.push_back(n.activated(k));
    }
  panel.marks.emplace_back(std::move(others));
  panel.marks.emplace_back(Line{.x = {n.z(n.unit), n.z(n.unit)},
                                .y = {0, n.activated(n.unit)},
                                .ink = ink(Role::accent),
                                .width = 0.9,
                                .dash_by_series = false,
                                .reading = {.none = true}});
  panel.marks.emplace_back(Points{.x = {n.z(n.unit)},
                                  .y = {n.activated(n.unit)},
                                  .ink = ink(Role::accent),
                                  .radius = 2.8,
                                  .symbol_by_series = false,
                                  .reading = {.name = "hidden unit " + std::to_string(n.unit + 1)}});
  return panel;
}

Table unit_table(const Network& n) {
  Table table{"units",
              {{.name = "unit"},
               {.name = "product", .digits = 12},
               {.name = "$z$", .digits = 12},
               {.name = "open", .digits = 12},
               {.name = "activated", .digits = 12},
               {.name = "passed", .digits = 12},
               {.name = "$h$", .digits = 12}}};
  for (Index k = 0; k < units; ++k)
    add_row(table, k + 1, n.products(k), n.z(k), n.open(k), n.activated(k), n.passed(k), n.h(k));
  return table;
}

Table output_table(const Network& n) {
  Table table{"outputs", {{.name = "output"}, {.name = "$y$", .digits = 12}}};
  for (Index j = 0; j < width; ++j) add_row(table, j + 1, n.y(j));
  return table;
}

/// GELU's Φ is no key of a calculator: its result is put in.
std::string worked_text(const Network& n) {
  using worked::Term;
  using worked::term;
  const Index k = n.unit;
  const Term z = n.z(k);
  const auto place = [](std::string_view letter, Index at) {
    return worked::subscripted(letter, number(at + 1));
  };
  Worked worked;
  worked.add(place("z", k), term(n.w1(k, 0)) * n.x(0) + term(n.w1(k, 1)) * n.x(1) + n.b1(k), n.z(k));
  if (n.kind == Kind::relu) worked.add(place("h", k), worked::max(0, z), n.h(k));
  if (n.gated) worked.add(place("h", k), frac(z, term(1) + exp(-z)) * n.passed(k), n.h(k));
  const auto product = [&](Index j) { return term(n.w2(0, j)) * n.h(j); };
  return worked.add(place("y", 0), product(0) + product(1) + product(2) + n.b2(0), n.y(0)).tex();
}

std::vector<Check> checks_of(const Run& run, const Network& n) {
  // The board ends with W2 h + b2; the op has gone all the way by itself. Each sum loses 2^-53 of its terms.
  const Matrix by_hand = n.h * n.w2.transpose() + n.b2;
  const double terms =
      (1 + n.b1.cwiseAbs().maxCoeff() + n.x.cwiseAbs().maxCoeff() * 2 * n.w1.cwiseAbs().maxCoeff()) *
      (1 + n.x.cwiseAbs().maxCoeff() * 2 * (n.gated ? n.w3.cwiseAbs().maxCoeff() : 0)) *
      (1 + 3 * n.w2.cwiseAbs().maxCoeff());
  const Matrix z = twin::rounded(n.z);
  Worst open;
  for (Index k = 0; k < units; ++k) open.meet(std::abs(n.z(k) * n.open(k) - n.activated(k)));
  return {{"the board ends where the op does", (by_hand - n.y).cwiseAbs().maxCoeff(),
           32 * 0x1p-53 * (terms + n.b2.cwiseAbs().maxCoeff())},
          {"each activation is $z$ times how far it is open", open,
           16 * 0x1p-53 * (1 + n.z.cwiseAbs().maxCoeff())},
          twin::equals_reference(
              run, {activation::activation_bound(n.kind), activation::activation_gpu_bound(n.kind)},
              [&](const Run& each) { return twin::activation(each, z, n.kind); })};
}

std::string title_of(const Network& n) {
  const auto closed = (n.z.array() <= 0).count();
  const std::string ends = " y = " + short_text(n.y(0), 4) + ", " + short_text(n.y(1), 4);
  if (n.kind == Kind::relu)
    return closed == 0 ? "ReLU lets all three hidden units pass:" + ends
                       : "ReLU shuts " + std::to_string(closed) + " of three hidden units:" + ends;
  return (n.gated ? "SwiGLU gates three hidden units:" : "GELU weighs three hidden units:") + ends;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Network n = network_of(settings);
  const Series curve = curve_series(n);
  const std::vector<BoardLine> lines = board_lines(n);
  Picture picture(
      title_of(n),
      "Above, the steps from the vector through three hidden units to the outputs, a column for each unit. "
      "Below, the activation with the three units on it.");
  picture.at({0, 0}, "steps",
             board_panel({.title = "From $x$ to $y$, line by line",
                          .columns = std::size_t(units),
                          .marked = static_cast<int>(n.unit),
                          .cells_from = 0.2,
                          .cells_to = 0.87},
                         lines));
  picture.at({1, 0}, "curve", curve_panel(n, curve));
  return {.figure = std::move(picture).figure(
              settings,
              {.aspect = 1.15, .rows = {0.24 * board_height(lines), 0.9}, .telling = {"steps", "curve"}}),
          .tables = {unit_table(n), output_table(n), curve.table()},
          .checks = checks_of(run, n),
          .worked = worked_text(n)};
}

constexpr auto tries = std::to_array<Try>({
    {"GELU: the unit that ReLU shut still says a little, below 0.", "activation=gelu unit=3",
     [](auto& now, auto& before) {
       return at(before, "units", "$h$", 3) == 0 && between(-0.17, at(now, "units", "$h$", 3), -0.1);
     }},
    {"SwiGLU: a third matrix says what passes, the gate how much of it.", "activation=swiglu",
     [](auto& now, auto&) {
       return at(now, "units", "passed", 1) == 3 &&
              std::abs(at(now, "units", "$h$", 1) - 3 / (1 + std::exp(-1.0))) < 1e-14;
     }},
    {"The numbers of x the other way round: now other units are open.", "x=2,1",
     [](auto& now, auto&) {
       return column(now, "units", "open") == std::vector<double>{1, 0, 1};
     }},
});

}  // namespace

extern const Study study{
    .id = "ffn/steps",
    .title = "Feed-forward by hand",
    .topic = "Activations",
    .summary = "two numbers through three hidden units and out again",
    .formula =
        R"(y = W_2\,f(W_1 x + b_1) + b_2; \qquad \text{SwiGLU:} \quad y = W_2 \left( \mathrm{SiLU}(W_1 x + b_1) \odot W_3 x \right) + b_2)",
    .about =
        "Type a vector, two small matrices and their biases: each hidden unit is a column, each step a line. ReLU, GELU "
        "and SiLU are all z times a number that says how far the unit is open. Models have thousands of units where "
        "this has three; PyTorch stores the matrices as they are typed here, a row for each unit.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, eq. 2; Shazeer 2020, arXiv 2002.05202",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::ffn_steps
