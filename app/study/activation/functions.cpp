// Activation functions, their slopes, their least values, and what the tanh form of GELU costs.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "app/study/twin.h"

namespace orrery::study {
namespace {

using activation::derivative;
using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;
using twin::Matrix;
using Function = activation::Kind;

constexpr std::string_view parts = "all|functions|slopes|difference";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "relu", .label = "ReLU", .kind = Kind::toggle, .fallback = "on", .help = "max(0, x)"},
    {.name = "gelu", .label = "GELU", .kind = Kind::toggle, .fallback = "on", .help = "x Φ(x), exactly"},
    {.name = "gelu_tanh",
     .label = "GELU, tanh form",
     .kind = Kind::toggle,
     .fallback = "off",
     .help = "the approximation of GPT-2 and Gemma"},
    {.name = "silu",
     .label = "SiLU",
     .kind = Kind::toggle,
     .fallback = "on",
     .help = "x σ(x), also called Swish"},
    {.name = "range",
     .label = "Range",
     .kind = Kind::real,
     .fallback = "4",
     .min = 0.5,
     .max = 20,
     .travel = Travel::log,
     .help = "x runs from minus this to plus this"},
    show_parameter(parts),
});

struct Named {
  Function kind;
  std::string_view parameter;
  const char* label;
  int color;  // the same function has the same colour whatever else is shown
};

constexpr Named functions[] = {
    {Function::relu, "relu", "ReLU", 0},
    {Function::gelu, "gelu", "GELU", 1},
    {Function::gelu_tanh, "gelu_tanh", "GELU, tanh form", 3},
    {Function::silu, "silu", "SiLU", 2},
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

/// The least value: where the slope changes its sign. ReLU has no such place.
std::optional<Extreme> least(Function kind) {
  if (kind == Function::relu) return std::nullopt;
  const double x = sign_change(-4, -0.1, [&](double at) { return derivative(kind, at); });
  return Extreme{x, activation::value(kind, x)};
}

double tanh_error(double x) {
  return activation::value(Function::gelu_tanh, x) - activation::value(Function::gelu, x);
}

/// Where the tanh form is off most, to the right of 0: its slope is then that of the exact form.
Extreme worst_tanh() {
  const auto slope = [](double x) {
    return derivative(Function::gelu_tanh, x) - derivative(Function::gelu, x);
  };
  Extreme worst{0, 0};
  constexpr double step = 0.25;
  for (double x = step; x < 6; x += step) {
    if ((slope(x) < 0) == (slope(x + step) < 0)) continue;
    const double at = sign_change(x, x + step, slope);
    if (std::abs(tanh_error(at)) > worst.y) worst = {at, std::abs(tanh_error(at))};
  }
  return worst;
}

Matrix sampled_x(const Settings& settings) {
  const double range = settings.real("range");
  Matrix x(1, curve_samples);
  for (int i = 0; i < curve_samples; ++i) x(0, i) = range * (2.0 * i / (curve_samples - 1) - 1);
  return twin::rounded(x);
}

std::vector<double> values(const Matrix& row) {
  return {row.data(), row.data() + row.size()};
}

struct Curves {
  std::vector<double> x;
  std::vector<Named> functions;
  std::vector<std::vector<double>> value, slope;  // one per function
};

Curves curves_of(const Settings& settings, const Run& run) {
  const Matrix x = sampled_x(settings);
  Curves curves{values(x), chosen(settings), {}, {}};
  for (const Named& f : curves.functions) {
    run.check();
    curves.value.push_back(values(twin::activation(run, x, f.kind)));
    std::vector<double> slope;
    for (const double at : curves.x) slope.push_back(derivative(f.kind, at));
    curves.slope.push_back(std::move(slope));
  }
  return curves;
}

figure::Panel curve_panel(const Curves& curves, const std::vector<std::vector<double>>& y) {
  figure::Panel panel;
  panel.x = {.label = "$x$", .range = figure::Range{curves.x.front(), curves.x.back()}};
  panel.y.grid = true;
  for (std::size_t i = 0; i < curves.functions.size(); ++i)
    panel.marks.push_back(figure::Line{.x = curves.x,
                                       .y = y[i],
                                       .ink = figure::series(curves.functions[i].color),
                                       .label = curves.functions[i].label});
  return panel;
}

figure::Panel value_panel(const Curves& curves) {
  figure::Panel panel = curve_panel(curves, curves.value);
  panel.title = "The functions";
  panel.legend = figure::LegendPlace::top_left;
  const double range = curves.x.back();
  panel.y.range = figure::Range{-std::max(0.5, 0.25 * range), range};  // room for the words below the dips
  for (const Named& f : curves.functions) {
    const auto lowest = least(f.kind);
    if (!lowest || lowest->x < curves.x.front()) continue;
    panel.marks.push_back(figure::Points{.x = {lowest->x}, .y = {lowest->y}, .ink = figure::series(f.color)});
    if (f.kind == Function::gelu_tanh) continue;        // its words would stand on top of GELU's
    const bool to_the_left = f.kind == Function::silu;  // where no other curve is
    figure::Note note{.x = lowest->x, .y = lowest->y, .text = fixed_text(lowest->y, 3)};
    note.ink = figure::series(f.color);
    note.h = to_the_left ? figure::HAlign::right : figure::HAlign::left;
    note.v = figure::VAlign::top;
    note.dx = to_the_left ? -2 : 2;
    note.dy = 1.5;
    note.numbers = true;
    panel.marks.push_back(note);
  }
  return panel;
}

figure::Panel slope_panel(const Curves& curves) {
  std::vector<std::vector<double>> slope = curves.slope;
  for (std::size_t i = 0; i < slope.size(); ++i)
    if (curves.functions[i].kind == Function::relu)  // a jump is no line: leave out the sample at 0
      slope[i][curve_samples / 2] = std::numeric_limits<double>::quiet_NaN();
  figure::Panel panel = curve_panel(curves, slope);
  panel.title = "Their slopes";
  panel.legend = figure::LegendPlace::none;  // the colours are those of the functions
  return panel;
}

figure::Panel difference_panel(const Curves& curves) {
  figure::Panel panel;
  panel.title = "GELU, tanh form minus exact form";
  panel.x = {.label = "$x$", .range = figure::Range{curves.x.front(), curves.x.back()}};
  panel.y.grid = true;
  panel.legend = figure::LegendPlace::none;
  std::vector<double> error;
  for (const double x : curves.x) error.push_back(1e4 * tanh_error(x));
  panel.y.label = "difference / $10^{-4}$";
  panel.marks = {
      figure::Line{.x = curves.x, .y = std::move(error), .ink = figure::series(3), .dash_by_series = false}};
  return panel;
}

std::vector<figure::Table> tables_of(const Curves& curves) {
  figure::Table table{"values", {{.name = "x", .values = curves.x}}};
  figure::Table minima{"minima", {{.name = "x"}, {.name = "least value", .digits = 9}}};
  for (std::size_t i = 0; i < curves.functions.size(); ++i) {
    table.columns.push_back({.name = curves.functions[i].label, .values = curves.value[i]});
    table.columns.push_back(
        {.name = std::string(curves.functions[i].label) + ", slope", .values = curves.slope[i]});
    if (const auto lowest = least(curves.functions[i].kind)) {
      minima.columns[0].values.push_back(lowest->x);
      minima.columns[1].values.push_back(lowest->y);
    }
  }
  return {std::move(table), std::move(minima)};
}

/// Least values as published arithmetic of 40 digits gives them.
Check least_check(const std::string& name, Function kind, double published) {
  // A value near its least is insensitive to x; what is left is the rounding of the function itself.
  return {name + ": the least value is " + rounded_text(published, 9), std::abs(least(kind)->y - published),
          4e-16};
}

std::vector<Check> checks_of(const Curves& curves, const Settings& settings, const Run& run) {
  std::vector<Check> checks;
  const Matrix x = sampled_x(settings);
  for (const Named& f : curves.functions) {
    if (f.kind == Function::gelu) checks.push_back(least_check("GELU", f.kind, -0.16997120747990366));
    if (f.kind == Function::gelu_tanh)
      checks.push_back(least_check("GELU, tanh form", f.kind, -0.17004075057125406));
    if (f.kind == Function::silu) checks.push_back(least_check("SiLU", f.kind, -0.2784645427610738));
    const tensor::Bound bound = activation::activation_bound(f.kind);
    Check twin = twin::equals_reference(run, {bound, activation::activation_gpu_bound(f.kind)},
                                        [&](const Run& each) { return twin::activation(each, x, f.kind); });
    twin.statement = std::string(f.label) + ": " + twin.statement;
    checks.push_back(std::move(twin));
  }
  // The published greatest difference has 12 digits (5e-16); ours is one of two values near 2.7, each rounded
  // to 2^-52 of itself and computed to about as much again.
  checks.push_back({"the tanh form is off by at most 4.732e−4", std::abs(worst_tanh().y - 4.73235520687e-4),
                    5e-16 + 4 * 0x1p-52 * 2.7});
  return checks;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Curves curves = curves_of(settings, run);
  StudyResult result;
  figure::Figure& figure = result.figure;
  figure.title = "Smooth activations dip below zero before they let a signal pass";
  figure.description =
      "Activation functions and their slopes. GELU and SiLU have a least value left of zero, marked with its "
      "value; ReLU "
      "has none.";
  figure.panels = {value_panel(curves), slope_panel(curves), difference_panel(curves)};
  figure.panels[0].cell = {0, 0};
  figure.panels[1].cell = {0, 1};
  figure.panels[2].cell = {1, 0, 1, 2};
  figure.row_weights = {1.8, 1};
  figure.col_weights = {1, 1};
  figure.aspect = 1.35;
  show_only(figure, parts, settings.choice("show"));
  result.tables = tables_of(curves);
  result.checks = checks_of(curves, settings, run);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Both forms of GELU: on this scale nobody can tell them apart.",
     "gelu=on gelu_tanh=on relu=off silu=off"},
    {"Look closely at the dip.", "range=1.5"},
    {"From far away all of them are ReLU.", "range=20 relu=on gelu=on silu=on"},
});

}  // namespace

const Study activation_functions{
    .id = "activation/functions",
    .title = "Functions",
    .topic = "Activations",
    .summary = "smooth ones dip below zero before they let a signal pass",
    .formula = R"(\mathrm{GELU}(x) = x\,\Phi(x), \quad \mathrm{SiLU}(x) = \frac{x}{1 + e^{-x}})",
    .about =
        "ReLU cuts at zero; GELU and SiLU weigh x by a smooth step instead, so that small negative inputs "
        "still pass "
        "something on. The tanh form of GELU saves an error function and is off by less than 5e−4 "
        "everywhere.",
    .source = "Hendrycks, Gimpel 2016, arXiv 1606.08415; Elfwing et al. 2017, arXiv 1702.03118",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
