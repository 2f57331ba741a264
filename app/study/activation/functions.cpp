// The fifteen activation functions and their derivatives: chosen one by one or by groups, the least value of each that dips
// marked, and their values at points that somebody typed.
//
//   functions | derivatives     curves over one x; rings at the typed points
//   values    | derivatives     a cell for each function and each typed point
#include "app/study/activation/family.h"
#include "app/study/kit.h"

namespace orrery::study::activation_functions {
namespace {

using activation::ActivationParams, activation::derivative, activation::value;

constexpr std::string_view usual_points = "-2,-0.5,0,0.5,2";
constexpr std::size_t most_points = 12;

constexpr Parameter in_own_group(Parameter p) {
  return read_when(p, "group=own");
}

constexpr auto parameters = std::to_array<Parameter>({
    choice("group", "Functions", "own|rectified|smooth|gelu|swish|bounded|all",
           "own: those chosen below; swish: all that weigh x by a sigmoid"),
    in_own_group(toggle("relu", "ReLU", "on", "max(0, x)")),
    in_own_group(toggle("gelu", "GELU", "on", "x Φ(x), exactly")),
    in_own_group(toggle("gelu_tanh", "GELU, tanh form", "off", "the approximation of GPT-2 and Gemma")),
    in_own_group(toggle("silu", "SiLU", "on", "x σ(x), also called Swish")),
    in_own_group(
        toggle("gelu_quick", "GELU, sigmoid form", "off", "x σ(1.702 x), as CLIP and gpt-oss have it")),
    in_own_group(toggle("swish", "Swish", "off", "x σ(βx)")),
    in_own_group(toggle("hard_swish", "Hard swish", "off", "x min(max(x + 3, 0), 6) / 6, of MobileNetV3")),
    in_own_group(toggle("mish", "Mish", "off", "x tanh(ln(1 + eˣ))")),
    in_own_group(toggle("softplus", "Softplus", "off", "ln(1 + e^(βx)) / β")),
    in_own_group(toggle("leaky_relu", "Leaky ReLU", "off", "x, or αx where x is negative")),
    in_own_group(toggle("elu", "ELU", "off", "x, or α(eˣ − 1) where x is negative")),
    in_own_group(toggle("selu", "SELU", "off", "ELU with the two constants that keep mean and variance")),
    in_own_group(toggle("relu2", "ReLU²", "off", "max(0, x)², of Primer")),
    in_own_group(toggle("sigmoid", "Sigmoid", "off", "1 / (1 + e⁻ˣ)")),
    in_own_group(toggle("tanh", "tanh", "off", "the hyperbolic tangent")),
    numbers("points", "Points", usual_points, {-20, 20},
            "x whose values are marked and tabled, the first 12; empty: the usual five"),
    real("range", "Range", "4", {0.5, 20}, "x runs from minus this to plus this", {.travel = Travel::log}),
    real("alpha", "Alpha", "default", {0.001, 3},
         "α of leaky ReLU and ELU; default: 0.01 of the one, 1 of the other",
         {.travel = Travel::log, .word = "default"}),
    real("beta", "Beta", "1", {0.1, 10}, "β of Swish and softplus: what x is multiplied by",
         {.travel = Travel::log}),
    show_parameter("all|functions<difference|derivatives<slopes|points"),
});

constexpr int curve_samples = 801;  // odd, so that 0 is one of them

/// A function that is shown, with its constants.
struct Shown {
  const Member* member;
  ActivationParams params;

  std::string label() const { return member->label; }
  std::string derivative_label() const { return label() + ", derivative"; }
  Ink ink() const { return series(member->color); }
  std::optional<Extreme> lowest() const { return study::least(*member, params); }
};

std::vector<Shown> chosen(const Settings& settings) {
  const std::string group = settings.choice("group"), between_bars = "|" + group + "|";
  std::vector<Shown> some;
  for (const Member& f : family()) {
    const bool wanted =
        group == "own" ? settings.toggle(f.name()) : group == "all" || f.of.find(between_bars) != f.of.npos;
    if (wanted) some.push_back({&f, with_constants(f, settings)});
  }
  return some;
}

std::vector<double> points_of(const Settings& settings) {
  std::vector<double> points = settings.vector("points");
  if (points.empty()) points = {-2, -0.5, 0, 0.5, 2};
  points.resize(std::min(points.size(), most_points));
  return points;
}

Matrix sampled_x(const Settings& settings) {
  const std::vector<double> x = symmetric(settings.real("range"), curve_samples);
  return twin::rounded(Eigen::Map<const Matrix>(x.data(), 1, curve_samples));
}

Series curves_of(const Settings& settings, const Run& run, const std::vector<Shown>& shown) {
  const Matrix x = sampled_x(settings);
  Series curves("values", {"x", "", row_of(x)});
  for (const Shown& f : shown) {
    run.check();
    curves.add(f.label(), row_of(twin::activation(run, x, f.params)));
    curves.add(f.derivative_label(), [&](double at) { return derivative(f.params, at); });
  }
  return curves;
}

/// A worked example's numbers: by the definition in double, whatever device draws the curves.
Series points_series(const std::vector<double>& points, const std::vector<Shown>& shown) {
  Series at_points("points", {"x", "", points});
  for (const Shown& f : shown) {
    at_points.add(f.label(), [&](double at) { return value(f.params, at); });
    at_points.add(f.derivative_label(), [&](double at) { return derivative(f.params, at); });
  }
  return at_points;
}

Axis x_axis(const Series& curves) {
  return {.label = "$x$", .range = Range{curves.x().front(), curves.x().back()}};
}

LegendPlace legend_for(const std::vector<Shown>& shown) {
  return shown.size() < 5 ? LegendPlace::best : LegendPlace::above;
}

Points rings(const Series& at_points, const std::string& column, const Shown& f) {
  Points points = at_points.points(
      column, {.ink = f.ink(), .radius = 2.2, .symbol = Symbol::ring, .symbol_by_series = false});
  points.reading.name = column;
  return points;
}

/// The number beside a dip, where no other curve is: to the left of the leftmost of them, to the right of the rightmost.
void mark_dips(Panel& panel, const std::vector<Shown>& shown, double left_end) {
  struct Dip {
    const Shown* of;
    Extreme at;
  };
  std::vector<Dip> dips;
  for (const Shown& f : shown)
    if (const auto lowest = f.lowest(); lowest && lowest->x >= left_end) dips.push_back({&f, *lowest});
  if (dips.empty()) return;
  const auto place = [](const Dip& dip) { return dip.at.x; };
  const auto leftmost = std::ranges::min_element(dips, {}, place),
             rightmost = std::ranges::max_element(dips, {}, place);
  const bool two = rightmost->at.x - leftmost->at.x > 0.02 * -left_end;
  for (auto dip = dips.begin(); dip != dips.end(); ++dip) {
    panel.marks.push_back(Points{.x = {dip->at.x}, .y = {dip->at.y}, .ink = dip->of->ink()});
    const bool to_the_left = two && dip == leftmost;
    // Of several at one place, the first has the word.
    if (!(to_the_left || (two ? dip == rightmost : dip == dips.begin()))) continue;
    panel.marks.push_back(Note{.x = dip->at.x,
                               .y = dip->at.y,
                               .text = fixed_text(dip->at.y, 3),
                               .ink = dip->of->ink(),
                               .h = to_the_left ? HAlign::right : HAlign::left,
                               .v = VAlign::top,
                               .dx = to_the_left ? -2.0 : 2.0,
                               .dy = 1.5,
                               .numbers = true});
  }
}

Panel value_panel(const Series& curves, const Series& at_points, const std::vector<Shown>& shown) {
  const double range = curves.x().back();
  double highest = shown.empty() ? range : 0;
  for (const Shown& f : shown) highest = std::max(highest, most(curves[f.label()]));
  const bool bounded = 1.15 * highest < range;  // then the curves alone say how high it is
  highest = bounded ? 1.15 * highest : range;
  double lowest = -std::max(0.5, 0.25 * highest);  // room for the words below the dips
  for (const Shown& f : shown)
    if (f.member->left == LeftSide::to_a_limit) lowest = std::min(lowest, 1.15 * left_limit(f.params));
  Panel panel{.title = "The functions",
              .x = x_axis(curves),
              .y = values("", Range{std::max(lowest, -range), highest}),
              .legend = legend_for(shown),
              .series_group = 1};
  for (const Shown& f : shown)
    panel.marks.push_back(curves.line(f.label(), {.ink = f.ink(), .label = f.label()}));
  for (const Shown& f : shown) panel.marks.push_back(rings(at_points, f.label(), f));
  mark_dips(panel, shown, curves.x().front());
  return panel;
}

/// A jump is no line.
void break_at_jumps(Line& line, const Shown& f) {
  for (const double jump : jumps(f.params)) {
    if (jump <= line.x.front() || jump >= line.x.back()) continue;
    const auto nearest = std::ranges::min_element(line.x, {}, [&](double x) { return std::abs(x - jump); });
    line.y[static_cast<std::size_t>(nearest - line.x.begin())] = std::numeric_limits<double>::quiet_NaN();
  }
}

Panel derivative_panel(const Series& curves, const Series& at_points, const std::vector<Shown>& shown,
                       bool alone) {
  Panel panel{.title = "Their derivatives",
              .x = x_axis(curves),
              .y = values(),
              // Beside the functions the colours are theirs.
              .legend = alone ? legend_for(shown) : LegendPlace::none,
              .series_group = 1};
  double least_of_all = 0, most_of_all = 1;
  for (const Shown& f : shown) {
    Line line = curves.line(f.derivative_label(), {.ink = f.ink(), .label = f.label()});
    least_of_all = std::min(least_of_all, study::least(line.y));
    most_of_all = std::max(most_of_all, most(line.y));
    break_at_jumps(line, f);
    panel.marks.push_back(std::move(line));
    panel.marks.push_back(rings(at_points, f.derivative_label(), f));
  }
  // That of a square grows without end, and would press the others flat.
  panel.y.range = Range{least_of_all - 0.08, std::min(most_of_all, 2.0) + 0.08};
  return panel;
}

/// A cell for each function and each point: pale colours, on which numbers can be read.
Panel points_panel(std::string title, const Series& at_points, const std::vector<Shown>& shown,
                   bool derivatives) {
  const auto rows = std::ssize(shown), cols = std::ssize(at_points.x());
  if (rows == 0)
    return {.title = std::move(title), .x = counts("$x$"), .y = counts(""), .legend = LegendPlace::none};
  Matrix cells_of(rows, cols);
  for (Index r = 0; r < rows; ++r) {
    const Shown& f = shown[static_cast<std::size_t>(r)];
    const auto& column = at_points[derivatives ? f.derivative_label() : f.label()];
    for (Index c = 0; c < cols; ++c) cells_of(r, c) = column[static_cast<std::size_t>(c)];
  }
  const double most = std::max(1.0, cells_of.cwiseAbs().maxCoeff());
  Heatmap map =
      heatmap(cells_of, {.map = ColorMap::diverging, .range = Range{-2 * most, 2 * most}, .bar = false});
  map.decimals = most < 100 ? 4 : 1;
  map.writes_zeros = true;
  Panel panel = map_panel(std::move(title), std::move(map), "$x$", "");
  for (const double x : at_points.x()) panel.x.names.push_back(grouped(x));
  for (const Shown& f : shown) panel.y.names.push_back(f.label());
  panel.legend = LegendPlace::none;
  return panel;
}

/// What becomes of a function on the left, in a clause.
std::string clause_of(const Shown& f) {
  const std::string name = f.member->kind == activation::Kind::gelu_tanh    ? "GELU's tanh form"
                           : f.member->kind == activation::Kind::gelu_quick ? "GELU's sigmoid form"
                                                                            : f.label();
  switch (f.member->left) {
    case LeftSide::dips:
      return name + " dips to " + fixed_text(f.lowest()->y, 3);
    case LeftSide::to_a_limit:
      return name + " falls towards " + short_text(left_limit(f.params), 4);
    case LeftSide::without_end:
      return name + " falls without end";
    case LeftSide::never_below_0:
      break;
  }
  return name + " never falls below 0";
}

std::string sentence_of(const std::vector<Shown>& shown) {
  constexpr std::size_t most_clauses = 3;
  if (shown.empty()) return "No function is chosen";
  if (shown.size() > most_clauses) {
    const auto dipping =
        std::ranges::count(shown, LeftSide::dips, [](const Shown& f) { return f.member->left; });
    return dipping == 0 ? grouped(number(shown.size())) + " functions, none of which dips and rises again"
                        : grouped(number(shown.size())) +
                              " functions; below 0 dip and rise again: " + grouped(number(dipping));
  }
  std::string text;
  for (const Shown& f : shown) text += (text.empty() ? "" : "; ") + clause_of(f);
  return text;
}

Table minima_of(const std::vector<Shown>& shown) {
  Table minima{"minima", {{.name = "function"}, {.name = "x"}, {.name = "least value", .digits = 9}}};
  for (const Shown& f : shown)
    if (const auto lowest = f.lowest()) add_row(minima, f.label(), lowest->x, lowest->y);
  return minima;
}

/// At √2 the second derivative of x Φ(x), (2 − x²) φ(x), is 0.
Check steepest_gelu() {
  constexpr double published = 1.1289041451851547;
  const double found = derivative(activation::Kind::gelu, std::numbers::sqrt2);
  return known_answer("the derivative of GELU is largest at $\\sqrt{2}$, where it is 1.128904145",
                      std::abs(found - published), 4 * 0x1p-53 * published);
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const std::vector<Shown>& shown) {
  std::vector<Check> checks{steepest_gelu()};
  const Matrix x = sampled_x(settings);
  for (const Shown& f : shown) {
    run.check();
    // A value near its least is insensitive to x; what is left is the rounding of the function itself.
    if (const auto lowest = f.lowest()) {
      constexpr double rounding = 4e-16;
      const double published = f.member->published;
      if (f.member->kind == activation::Kind::swish)
        checks.push_back({"Swish: the least value is " + rounded_text(published, 9) + " / $\\beta$",
                          std::abs(lowest->y * f.params.beta - published), 2 * rounding});
      else
        checks.push_back(known_answer(f.label() + ": the least value is " + rounded_text(published, 9),
                                      std::abs(lowest->y - published), rounding));
    }
    const twin::Bounds bounds{activation::activation_bound(f.params.kind),
                              activation::activation_gpu_bound(f.params.kind, f.params.beta)};
    checks.push_back(named(f.label(), twin::equals_reference(run, bounds, [&](const Run& each) {
                             return twin::activation(each, x, f.params);
                           })));
  }
  return checks;
}

/// Up to three of the functions at the first of the points.
std::string worked_of(const std::vector<Shown>& shown, double x) {
  Worked worked;
  constexpr int most = 3;
  int added = 0;
  for (const Shown& f : shown)
    if (added < most) added += add_value(worked, *f.member, f.params, x);
  if (added == 0) add_value(worked, member(activation::Kind::silu), activation::Kind::silu, x);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<Shown> shown = chosen(settings);
  const std::vector<double> points = points_of(settings);
  const Series curves = curves_of(settings, run, shown), at_points = points_series(points, shown);
  Picture picture(
      sentence_of(shown),
      "The chosen activation functions and their derivatives; the least value of each that dips below "
      "zero is marked where it lies within the range, and the typed points are ringed. Below, the values and "
      "the derivatives at those points.");
  picture.at({0, 0}, "functions", value_panel(curves, at_points, shown));
  picture.at({0, 1}, "derivatives",
             derivative_panel(curves, at_points, shown, settings.choice("show") == "derivatives"));
  picture.at({1, 0}, "points", points_panel("Their values", at_points, shown, false));
  picture.at({1, 1}, "points", points_panel("Derivatives there", at_points, shown, true));
  const double lines = std::max<double>(2, number(shown.size()));
  return {std::move(picture).figure(settings, {.aspect = 1.45 - 0.03 * lines,
                                               .rows = {1.8, 0.35 + 0.13 * lines},
                                               .cols = {1, 1},
                                               .telling = {"functions", "derivatives", "points"}}),
          {curves.table(), at_points.table(), minima_of(shown)},
          checks_of(settings, run, shown),
          worked_of(shown, points.front())};
}

constexpr auto tries = std::to_array<Try>({
    {"Both forms of GELU: on this scale nobody can tell them apart.",
     "gelu=on gelu_tanh=on relu=off silu=off",
     [](auto& now, auto&) {
       return largest_difference(column(now, "values", "GELU"), column(now, "values", "GELU, tanh form")) <
              5e-4;
     }},
    {"Look closely at the dips of GELU and SiLU.", "range=1.5",
     [](auto& now, auto&) {
       return most(column(now, "values", "x")) == 1.5 && study::least(column(now, "minima", "x")) > -1.5;
     }},
    {"From far away all of them are ReLU.", "range=20 relu=on gelu=on silu=on",
     [](auto& now, auto&) {
       const auto& relu = column(now, "values", "ReLU");
       return largest_difference(column(now, "values", "SiLU"), relu) < 0.02 * most(relu);
     }},
    {"A large β: Swish comes close to ReLU.", "group=swish beta=10 range=2",
     [](auto& now, auto&) {
       double apart = 0;
       const auto& x = column(now, "values", "x");
       const auto& swish = column(now, "values", "Swish");
       for (std::size_t i = 0; i < x.size(); ++i)
         apart = std::max(apart, std::abs(swish[i] - std::max(0.0, x[i])));
       return apart < 0.03;
     }},
    {"Sigmoid and tanh: far from 0 the derivative is all but gone.", "group=bounded range=8",
     [](auto& now, auto&) {
       return column(now, "values", "Sigmoid, derivative").front() < 4e-4 &&
              column(now, "values", "tanh, derivative").back() < 1e-6;
     }},
});

}  // namespace

extern const Study study{
    .id = "activation/functions",
    .title = "Functions",
    .topic = "Activations",
    .summary = "smooth ones dip below zero before they let a signal pass",
    .formula =
        R"(\mathrm{ReLU}(x) = \max(0, x), \quad \mathrm{GELU}(x) = x\,\Phi(x), \quad \mathrm{SiLU}(x) = \frac{x}{1 + e^{-x}})",
    .about =
        "ReLU cuts at zero; GELU and SiLU weigh x by a smooth step instead, so that small negative inputs "
        "still pass something on. The derivative says what comes back in training: that of ReLU is 0 for every "
        "negative x, and a unit that sees none but negative ones learns no more.",
    .source =
        "Hendrycks, Gimpel 2016, arXiv 1606.08415; Elfwing et al. 2017, arXiv 1702.03118; Ramachandran et al. "
        "2017, arXiv 1710.05941 (Swish); others: at the op activation",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::activation_functions
