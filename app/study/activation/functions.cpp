// Activation functions, their slopes, their least values, and what the tanh form of GELU costs.
#include <optional>

#include "app/study/kit.h"

namespace orrery::study::activation_functions {
namespace {

using activation::derivative;
using Function = activation::Kind;

constexpr auto parameters = std::to_array<Parameter>({
    toggle("relu", "ReLU", "on", "max(0, x)"),
    toggle("gelu", "GELU", "on", "x Φ(x), exactly"),
    toggle("gelu_tanh", "GELU, tanh form", "off", "the approximation of GPT-2 and Gemma"),
    toggle("silu", "SiLU", "on", "x σ(x), also called Swish"),
    real("range", "Range", "4", {0.5, 20}, "x runs from minus this to plus this", {.travel = Travel::log}),
    show_parameter("all|functions|slopes|difference"),
});

struct Named {
  Function kind;
  const char *parameter, *label;
  int color;  // the same function has the same colour whatever else is shown
  double
      published;  // the least value as arithmetic of 40 digits gives it; ReLU has its own everywhere left of 0
};

constexpr Named functions[] = {
    {Function::relu, "relu", "ReLU", 0, 0},
    {Function::gelu, "gelu", "GELU", 1, -0.16997120747990366},
    {Function::gelu_tanh, "gelu_tanh", "GELU, tanh form", 3, -0.17004075057125406},
    {Function::silu, "silu", "SiLU", 2, -0.2784645427610738},
};

constexpr int curve_samples = 801;  // odd, so that 0 is one of them

std::vector<Named> chosen(const Settings& settings) {
  std::vector<Named> some;
  for (const Named& f : functions)
    if (settings.toggle(f.parameter)) some.push_back(f);
  return some;
}

/// A place where f changes its sign between lo and hi, to the last bit: halved until nothing lies between.
double sign_change(double lo, double hi, auto&& f) {
  const bool rising = f(lo) < 0;
  for (;;) {
    const double middle = lo + (hi - lo) / 2;
    if (middle <= lo || middle >= hi) return middle;
    ((f(middle) < 0) == rising ? lo : hi) = middle;
  }
}

struct Extreme {
  double x, y;
};

/// The least value: where the slope changes its sign.
std::optional<Extreme> least(Function kind) {
  if (kind == Function::relu) return std::nullopt;
  const double x = sign_change(-4, -0.1, [&](double at) { return derivative(kind, at); });
  return Extreme{x, activation::value(kind, x)};
}

double tanh_error(double x) {
  return activation::value(Function::gelu_tanh, x) - activation::value(Function::gelu, x);
}

/// Where the tanh form is off most, to the right of 0: its slope is then that of the exact form.
double worst_tanh() {
  const auto slope = [](double x) {
    return derivative(Function::gelu_tanh, x) - derivative(Function::gelu, x);
  };
  double worst = 0;
  constexpr double step = 0.25;
  for (double x = step; x < 6; x += step)
    if ((slope(x) < 0) != (slope(x + step) < 0))
      worst = std::max(worst, std::abs(tanh_error(sign_change(x, x + step, slope))));
  return worst;
}

Matrix sampled_x(const Settings& settings) {
  const std::vector<double> x = symmetric(settings.real("range"), curve_samples);
  return twin::rounded(Eigen::Map<const Matrix>(x.data(), 1, curve_samples));
}

std::string slope_of(const Named& f) {
  return std::string(f.label) + ", slope";
}

Series curves_of(const Settings& settings, const Run& run) {
  const Matrix x = sampled_x(settings);
  Series curves("values", {"x", "", row_of(x)});
  for (const Named& f : chosen(settings)) {
    run.check();
    curves.add(f.label, row_of(twin::activation(run, x, f.kind)));
    curves.add(slope_of(f), [&](double at) { return derivative(f.kind, at); });
  }
  return curves;
}

Axis x_axis(const Series& curves) {
  return {.label = "$x$", .range = Range{curves.x().front(), curves.x().back()}};
}

Panel value_panel(const Series& curves, const std::vector<Named>& shown) {
  const double range = curves.x().back();
  Panel panel{
      .title = "The functions",
      .x = x_axis(curves),
      .y = values("", Range{-std::max(0.5, 0.25 * range), range}),  // room for the words below the dips
      .legend = LegendPlace::top_left,
      .series_group = 1};
  for (const Named& f : shown)
    panel.marks.push_back(curves.line(f.label, {.ink = series(f.color), .label = f.label}));
  for (const Named& f : shown) {
    const auto lowest = least(f.kind);
    if (!lowest || lowest->x < curves.x().front()) continue;
    panel.marks.push_back(Points{.x = {lowest->x}, .y = {lowest->y}, .ink = series(f.color)});
    if (f.kind == Function::gelu_tanh) continue;        // its words would stand on top of GELU's
    const bool to_the_left = f.kind == Function::silu;  // where no other curve is
    panel.marks.push_back(Note{.x = lowest->x,
                               .y = lowest->y,
                               .text = fixed_text(lowest->y, 3),
                               .ink = series(f.color),
                               .h = to_the_left ? HAlign::right : HAlign::left,
                               .v = VAlign::top,
                               .dx = to_the_left ? -2.0 : 2.0,
                               .dy = 1.5,
                               .numbers = true});
  }
  return panel;
}

Panel slope_panel(const Series& curves, const std::vector<Named>& shown, bool alone) {
  Panel panel{.title = "Slopes of the functions",
              .x = x_axis(curves),
              .y = values(),
              // Beside the functions the colours are theirs.
              .legend = alone ? LegendPlace::top_left : LegendPlace::none,
              .series_group = 1};
  for (const Named& f : shown) {
    Line line = curves.line(slope_of(f), {.ink = series(f.color), .label = f.label});
    if (f.kind == Function::relu)
      line.y[curve_samples / 2] = std::numeric_limits<double>::quiet_NaN();  // a jump is no line
    panel.marks.push_back(std::move(line));
  }
  return panel;
}

Panel difference_panel(const Series& curves) {
  Line error{.x = curves.x(), .ink = series(3), .dash_by_series = false};
  error.reading.name = "tanh form minus exact form";
  for (const double x : curves.x()) {
    error.reading.value.push_back(tanh_error(x));
    error.y.push_back(1e4 * error.reading.value.back());
  }
  return {.title = "GELU, tanh form minus exact form",
          .x = x_axis(curves),
          .y = values("difference / $10^{-4}$"),
          .marks = {std::move(error)},
          .legend = LegendPlace::none};
}

/// What is said of each function that is shown: how far it dips below zero.
std::string dips_of(const std::vector<Named>& shown) {
  std::string text;
  for (const Named& f : shown) {
    const std::string name = f.kind == Function::gelu_tanh ? "GELU's tanh form" : f.label;
    const auto lowest = least(f.kind);
    if (!text.empty()) text += "; ";
    text += name + (lowest ? " dips to " + fixed_text(lowest->y, 3) : " never falls below 0");
  }
  return text.empty() ? "No function is chosen" : text;
}

Table minima_of(const std::vector<Named>& shown) {
  Table minima{"minima", {{.name = "x"}, {.name = "least value", .digits = 9}}};
  for (const Named& f : shown)
    if (const auto lowest = least(f.kind)) add_row(minima, lowest->x, lowest->y);
  return minima;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run) {
  std::vector<Check> checks;
  const Matrix x = sampled_x(settings);
  for (const Named& f : chosen(settings)) {
    // A value near its least is insensitive to x; what is left is the rounding of the function itself.
    if (const auto lowest = least(f.kind))
      checks.push_back(
          known_answer(std::string(f.label) + ": the least value is " + rounded_text(f.published, 9),
                       std::abs(lowest->y - f.published), 4e-16));
    const twin::Bounds bounds{activation::activation_bound(f.kind), activation::activation_gpu_bound(f.kind)};
    checks.push_back(named(f.label, twin::equals_reference(run, bounds, [&](const Run& each) {
                             return twin::activation(each, x, f.kind);
                           })));
  }
  // The published greatest difference has 12 digits (5e-16); ours is one of two values near 2.7, each rounded
  // to 2^-52 of itself and computed to about as much again.
  checks.push_back(known_answer("the tanh form is off by at most 4.732e−4",
                                std::abs(worst_tanh() - 4.73235520687e-4), 5e-16 + 4 * 0x1p-52 * 2.7));
  return checks;
}

/// What a function makes of x, as its formula has it; Φ is read from a table.
Term formula_at(Function kind, double x) {
  switch (kind) {
    case Function::relu:
      return worked::max(0, x);
    case Function::gelu:
      return term(x) * (std::erfc(-x / std::numbers::sqrt2) / 2);
    case Function::gelu_tanh: {
      const Term pi([](int) { return worked::Written{"\\pi", std::numbers::pi}; });
      const Term inner = term(x) + term(0.044715) * worked::power(x, 3);
      return term(x) / 2 * (term(1) + tanh(sqrt(term(2) / pi) * inner));
    }
    default:
      return worked::frac(x, term(1) + exp(term(-x)));
  }
}

/// At a quarter of the range left of 0; where no function is chosen, those that the formula names.
std::string worked_of(const Settings& settings, const Series& curves) {
  const double x = curves.x()[curve_samples * 3 / 8];
  std::vector<Named> shown = chosen(settings);
  if (shown.empty()) shown = {functions[1], functions[3]};
  Worked worked;
  for (const Named& f : shown) {
    const bool approximation = f.kind == Function::gelu_tanh;
    worked.add(
        std::string(approximation ? "\\mathrm{GELU}_{\\tanh}" : "\\mathrm{" + std::string(f.label) + "}") +
            "(" + worked::number_tex(x, 6) + ")",
        formula_at(f.kind, x), activation::value(f.kind, x));
  }
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<Named> shown = chosen(settings);
  const Series curves = curves_of(settings, run);
  Picture picture(
      dips_of(shown),
      "The chosen activation functions and their slopes; the least value of each that dips below "
      "zero is marked where it lies within the range. Below, by how much the tanh form of GELU is "
      "off.");
  picture.at({0, 0}, "functions", value_panel(curves, shown));
  picture.at({0, 1}, "slopes", slope_panel(curves, shown, settings.choice("show") == "slopes"));
  picture.at({1, 0, 1, 2}, "difference", difference_panel(curves));
  return {std::move(picture).figure(settings, {.aspect = 1.35, .rows = {1.8, 1}, .cols = {1, 1}}),
          {curves.table(), minima_of(shown)},
          checks_of(settings, run),
          worked_of(settings, curves)};
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
});

}  // namespace

extern const Study study{
    .id = "activation/functions",
    .title = "Functions",
    .topic = "Activations",
    .summary = "smooth ones dip below zero before they let a signal pass",
    .formula = R"(\mathrm{GELU}(x) = x\,\Phi(x), \quad \mathrm{SiLU}(x) = \frac{x}{1 + e^{-x}})",
    .about =
        "ReLU cuts at zero; GELU and SiLU weigh x by a smooth step instead, so that small negative inputs "
        "still pass something on. The tanh form of GELU saves an error function and is off by less than 5e−4 "
        "everywhere.",
    .source =
        "Hendrycks, Gimpel 2016, arXiv 1606.08415; Elfwing et al. 2017, arXiv 1702.03118; Ramachandran et al. "
        "2017, arXiv 1710.05941 (Swish)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::activation_functions
