// GELU's three forms: by how much the tanh form and the sigmoid form are off, beside what a number format rounds away.
//
//   tanh − exact | sigmoid − exact      each on its own scale: the one is forty times the other
//   sizes, log   | share by format      half a unit of the format against both errors; where it is the larger one
#include "app/study/activation/family.h"
#include "app/study/kit.h"
#include "core/tensor/format.h"

namespace orrery::study::activation_approximations {
namespace {

using activation::derivative, activation::value;
using tensor::Format;
using Function = activation::Kind;

constexpr auto parameters = std::to_array<Parameter>({
    choice("format", "Format", "bf16|f16|f32", "whose rounding stands beside the errors"),
    real("point", "Point", "-2", {-20, 20}, "an x at which all three forms are tabled", {.plays = true}),
    real("range", "Range", "5", {0.5, 20}, "x runs from minus this to plus this", {.travel = Travel::log}),
    show_parameter("all|tanh|sigmoid|rounding|formats"),
});

constexpr int curve_samples = 801;  // odd, so that 0 is one of them
constexpr std::array formats{Format::f32, Format::f16, Format::bf16};

/// A form of GELU that is not the exact one.
struct Form {
  Function kind;
  const char *error, *size, *name;  ///< of its columns; as a title has it
  double published;                 ///< the largest error, by arithmetic of 40 digits
};
constexpr std::array forms{
    Form{Function::gelu_tanh, "tanh form minus exact form", "tanh form", "tanh", 0.000473235520687285},
    Form{Function::gelu_quick, "sigmoid form minus exact form", "sigmoid form", "sigmoid",
         0.0203348722092392}};

Ink ink_of(const Form& form) {
  return series(member(form.kind).color);
}

double error_of(const Form& form, double x) {
  return value(form.kind, x) - value(Function::gelu, x);
}

/// Half the distance to the next number of the format: what rounding to it takes away at most.
double half_unit(Format format, double y) {
  const tensor::FormatInfo& info = tensor::info(format);
  int exponent = 0;
  std::frexp(std::max(std::abs(y), info.min_normal), &exponent);  // |y| = m 2^exponent, m from 1/2
  return std::ldexp(1.0, exponent - 1 - info.precision);
}

/// Where a form is off most, to the right of 0: its derivative is then that of the exact form.
double worst_error(const Form& form) {
  const auto slope = [&](double x) { return derivative(form.kind, x) - derivative(Function::gelu, x); };
  double worst = 0;
  constexpr double step = 0.25;
  for (double x = step; x < 6; x += step)
    if ((slope(x) < 0) != (slope(x + step) < 0))
      worst = std::max(worst, std::abs(error_of(form, sign_change(x, x + step, slope))));
  return worst;
}

std::string unit_column(Format format) {
  return "half a unit of " + std::string(tensor::name(format));
}

Format format_of(const Settings& settings) {
  return tensor::format_from_name(settings.choice("format"));
}

Series errors_of(const Settings& settings) {
  Series errors("errors", {"x", "", symmetric(settings.real("range"), curve_samples)});
  errors.add("GELU", [](double x) { return value(Function::gelu, x); });
  for (const Form& form : forms) errors.add(form.error, [&](double x) { return error_of(form, x); });
  errors.add(unit_column(format_of(settings)),
             [&](double x) { return half_unit(format_of(settings), value(Function::gelu, x)); });
  return errors;
}

/// Of evenly spread x: where rounding is larger than the error of a form, and where both round to one number.
struct Shares {
  double rounding_larger = 0, round_alike = 0;
};
Shares shares_of(const Series& errors, const Form& form, Format format) {
  Shares shares;
  const auto& exact = errors["GELU"];
  const auto& error = errors[form.error];
  for (std::size_t i = 0; i < exact.size(); ++i) {
    shares.rounding_larger += half_unit(format, exact[i]) > std::abs(error[i]);
    shares.round_alike +=
        tensor::round_to(format, exact[i]) == tensor::round_to(format, value(form.kind, errors.x()[i]));
  }
  const double all = number(exact.size());
  return {shares.rounding_larger / all, shares.round_alike / all};
}

Table by_format(const Series& errors) {
  Table table{"by_format", {{.name = "significant bits"}}};
  for (const Form& form : forms) {
    table.columns.push_back({.name = std::string(form.size) + ": rounding is larger"});
    table.columns.push_back({.name = std::string(form.size) + ": rounds alike"});
  }
  for (const Format format : formats) {
    const Shares tanh = shares_of(errors, forms[0], format), sigmoid = shares_of(errors, forms[1], format);
    add_row(table, tensor::info(format).precision, tanh.rounding_larger, tanh.round_alike,
            sigmoid.rounding_larger, sigmoid.round_alike);
  }
  return table;
}

/// By the definition in double, then rounded: f64, then the formats.
Table at_point(double x) {
  Table table{"at_point", {{.name = "significant bits"}, {.name = "exact", .digits = 10}}};
  for (const Form& form : forms) table.columns.push_back({.name = form.size, .digits = 10});
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    const auto rounded = [&](Function kind) { return tensor::round_to(format, value(kind, x)); };
    add_row(table, tensor::info(format).precision, rounded(Function::gelu), rounded(forms[0].kind),
            rounded(forms[1].kind));
  }
  return table;
}

Axis x_axis(const Series& errors) {
  return {.label = "$x$", .range = Range{errors.x().front(), errors.x().back()}};
}

/// In units of 10^exponent, with the values themselves to read off.
Panel difference_panel(const Series& errors, const Form& form, int exponent) {
  Line line{.x = errors.x(), .ink = ink_of(form), .dash_by_series = false};
  line.reading = {.name = form.error, .value = errors[form.error]};
  for (const double error : errors[form.error]) line.y.push_back(error * std::pow(10, -exponent));
  return {.title = "GELU, " + std::string(form.name) + " form minus exact form",
          .x = x_axis(errors),
          .y = values("difference / $10^{" + std::to_string(exponent) + "}$"),
          .marks = {std::move(line)},
          .legend = LegendPlace::none};
}

Panel rounding_panel(const Settings& settings, const Series& errors) {
  const Format format = format_of(settings);
  const std::string unit = unit_column(format);
  Panel panel{.title = "Errors, and what " + std::string(tensor::name(format)) + " rounds away",
              .x = x_axis(errors),
              .y = values("size", Range{1e-9, 0.1}),
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  Band rounded{.x = errors.x(),
               .lo = std::vector<double>(errors.size(), 1e-9),
               .hi = errors[unit],
               .ink = ink(Role::faint, 0.3)};
  for (double& top : rounded.hi) top = std::max(top, 1e-9);
  panel.marks.emplace_back(std::move(rounded));
  panel.marks.emplace_back(errors.line(unit, {.ink = ink(Role::secondary), .label = unit}));
  for (const Form& form : forms) {
    Line line{.x = errors.x(), .ink = ink_of(form), .label = form.size};
    for (const double error : errors[form.error]) line.y.push_back(std::abs(error));
    line.reading.value = errors[form.error];  // with its sign
    panel.marks.emplace_back(std::move(line));
  }
  const double x = settings.real("point");
  panel.marks.emplace_back(Rule{.at = x});
  add_handle(panel, x, std::clamp(half_unit(format, value(Function::gelu, x)), 1e-9, 0.1), "point",
             "drag to move the point");
  return panel;
}

/// Of each format, a cell for each form.
Panel formats_panel(const Table& shares) {
  Matrix percent(std::ssize(formats), std::ssize(forms));
  for (Index r = 0; r < percent.rows(); ++r)
    for (Index c = 0; c < percent.cols(); ++c)
      percent(r, c) =
          100 * shares.columns[static_cast<std::size_t>(1 + 2 * c)].values[static_cast<std::size_t>(r)];
  // Twice the range: colours on which numbers can be read.
  Heatmap map = heatmap(percent, {.map = ColorMap::diverging, .range = Range{-200, 200}, .bar = false});
  map.decimals = 1;
  Panel panel = map_panel("Rounding is the larger one, % of these $x$", std::move(map), "", "");
  panel.x.names = {"tanh form", "sigmoid form"};
  for (const Format format : formats) panel.y.names.emplace_back(tensor::name(format));
  panel.y.typed_names = true;
  panel.legend = LegendPlace::none;
  return panel;
}

std::string sentence_of(const Settings& settings, const Series& errors) {
  const Format format = format_of(settings);
  const auto percent = [&](const Form& form) {
    return short_text(std::round(100 * shares_of(errors, form, format).rounding_larger), 3);
  };
  return "In " + settings.choice("format") + " rounding outweighs the error of the tanh form at " +
         percent(forms[0]) + " % of these x, that of the sigmoid form at " + percent(forms[1]) + " %";
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Series& errors) {
  std::vector<Check> checks;
  // The published largest errors have 15 digits; ours is the difference of two values near 2.7, each rounded to 2^-52 of
  // itself and computed to about as much again.
  for (const Form& form : forms)
    checks.push_back(known_answer(
        "the " + std::string(form.size) + " is off by at most " + rounded_text(form.published, 4),
        std::abs(worst_error(form) - form.published), 4 * 0x1p-52 * 2.7));
  const Format format = format_of(settings);
  Worst used;
  for (const double y : errors["GELU"])
    used.meet(std::abs(tensor::round_to(format, y) - y) / half_unit(format, y));
  checks.push_back({"rounding takes away half a unit at most: the part of it that is used", used, 1});
  const std::vector<double>& column = errors.x();
  const Matrix x = twin::rounded(Eigen::Map<const Matrix>(column.data(), 1, std::ssize(column)));
  for (const Function kind : {Function::gelu, Function::gelu_tanh, Function::gelu_quick}) {
    run.check();
    const twin::Bounds bounds{activation::activation_bound(kind), activation::activation_gpu_bound(kind)};
    checks.push_back(named(member(kind).label, twin::equals_reference(run, bounds, [&](const Run& each) {
                             return twin::activation(each, x, kind);
                           })));
  }
  return checks;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Series errors = errors_of(settings);
  const Table shares = by_format(errors);
  Picture picture(
      sentence_of(settings, errors),
      "By how much the tanh form and the sigmoid form of GELU differ from the exact one, each on its own "
      "scale. Below, the sizes of both on a logarithmic scale above the shaded half unit in the last "
      "place of a format, and for each format at which share of these x that half unit is the larger one.");
  picture.at({0, 0}, "tanh", difference_panel(errors, forms[0], -4));
  picture.at({0, 1}, "sigmoid", difference_panel(errors, forms[1], -2));
  picture.at({1, 0}, "rounding", rounding_panel(settings, errors));
  picture.at({1, 1}, "formats", formats_panel(shares));
  const double x = settings.real("point");
  Worked worked;
  for (const Function form : {Function::gelu_tanh, Function::gelu_quick})
    add_value(worked, member(form), form, x);
  return {std::move(picture).figure(
              settings,
              {.aspect = 1.3, .rows = {1, 1.25}, .cols = {1, 1}, .telling = {"rounding", "tanh", "formats"}}),
          {errors.table(), shares, at_point(x)},
          checks_of(settings, run, errors),
          worked.tex()};
}

constexpr auto tries = std::to_array<Try>({
    {"Single precision: now the approximation is what counts.", "format=f32",
     [](auto& now, auto&) {
       return column(now, "by_format", "tanh form: rounding is larger").front() < 0.3;
     }},
    {"In f16, of 11 bits, the tanh form is still lost in rounding at most x.", "format=f16",
     [](auto& now, auto&) { return at(now, "by_format", "tanh form: rounding is larger", 11) > 0.5; }},
    {"x = −4: GELU is nearly 0, and the tanh form is off by almost half of it.", "point=-4",
     [](auto& now, auto&) {
       const double exact = at(now, "at_point", "exact", 53), form = at(now, "at_point", "tanh form", 53);
       return between(0.4, std::abs(form / exact - 1), 0.5);
     }},
});

}  // namespace

extern const Study study{
    .id = "activation/approximations",
    .title = "GELU's forms",
    .topic = "Activations",
    .summary = "two approximations, beside what a format rounds away",
    .formula =
        R"(x\,\Phi(x) \approx \frac{x}{2}\left(1 + \tanh\sqrt{\tfrac{2}{\pi}}\,(x + 0.044715\,x^3)\right) \approx \frac{x}{1 + e^{-1.702 x}})",
    .about =
        "A model trained with one form and served with another is off by this much at every unit. The tanh form "
        "(GPT-2, Gemma) is off by less than 5e−4, the sigmoid form (CLIP, gpt-oss) by up to 0.02. In bf16 the first "
        "is less than what rounding takes away but for the tail on the left, where GELU itself is small.",
    .source = "Hendrycks, Gimpel 2016, arXiv 1606.08415, section 2",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::activation_approximations
