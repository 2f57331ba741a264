#include "app/study/activation/family.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/study/kit/tex_numbers.h"

namespace orrery::study {
namespace {

using activation::ActivationParams;
using activation::Kind;
using enum LeftSide;

// Six colours, then the same six dashed and dotted: the functions of a group differ in colour.
constexpr auto members = std::to_array<Member>({
    {Kind::relu, "ReLU", R"(\mathrm{ReLU})", 0, "|rectified|", never_below_0},
    {Kind::gelu, "GELU", R"(\mathrm{GELU})", 1, "|smooth|gelu|", dips, -0.16997120747990366},
    {Kind::gelu_tanh, "GELU, tanh form", R"(\mathrm{GELU}_{\tanh})", 3, "|gelu|", dips, -0.17004075057125406},
    {Kind::silu, "SiLU", R"(\mathrm{SiLU})", 2, "|smooth|swish|", dips, -0.2784645427610738},
    {Kind::gelu_quick, "GELU, sigmoid form", R"(\mathrm{GELU}_{\sigma})", 4, "|gelu|swish|", dips,
     -0.16361018963635357},
    {Kind::swish, "Swish", R"(\mathrm{Swish})", 6, "|swish|", dips, -0.2784645427610738},
    {Kind::hard_swish, "Hard swish", R"(\mathrm{HardSwish})", 13, "|swish|", dips, -0.375},
    {Kind::mish, "Mish", R"(\mathrm{Mish})", 5, "|smooth|", dips, -0.30884341301725043},
    {Kind::softplus, "Softplus", R"(\mathrm{softplus})", 9, "|smooth|", never_below_0},
    {Kind::leaky_relu, "Leaky ReLU", R"(\mathrm{LeakyReLU})", 7, "|rectified|", without_end},
    {Kind::elu, "ELU", R"(\mathrm{ELU})", 8, "|rectified|", to_a_limit},
    {Kind::selu, "SELU", R"(\mathrm{SELU})", 11, "|rectified|", to_a_limit},
    {Kind::relu2, "ReLU²", R"(\mathrm{ReLU}^2)", 10, "|rectified|", never_below_0},
    {Kind::sigmoid, "Sigmoid", R"(\sigma)", 12, "|bounded|", never_below_0},
    {Kind::tanh, "tanh", R"(\mathrm{tanh})", 14, "|bounded|", to_a_limit},
});

constexpr double selu_scale = 1.0507009873554805, selu_alpha = 1.6732632423543772;

/// e^{…} of a number.
std::string exponential(double exponent) {
  return "e^{" + in_tex(exponent, 12) + "}";
}
std::string over_one_plus(const std::string& above, double exponent) {
  return "\\frac{" + above + "}{1 + " + exponential(exponent) + "}";
}
std::string positive_part(const std::string& x) {
  return "\\max(0, " + x + ")";
}
std::string negative_part(const std::string& x) {
  return "\\min(0, " + x + ")";
}
std::string exponential_unit(const std::string& x, double alpha) {
  return positive_part(x) + " + " + in_tex(alpha, 17) + " \\cdot (e^{" + negative_part(x) + "} - 1)";
}

}  // namespace

std::span<const Member> family() {
  return members;
}

const Member& member(Kind kind) {
  return *std::ranges::find(members, kind, &Member::kind);
}

ActivationParams with_constants(const Member& f, const parameter::Settings& settings) {
  ActivationParams params = f.kind;
  if (const auto alpha = settings.number("alpha")) params.alpha = *alpha;
  params.beta = settings.real("beta");
  return params;
}

std::optional<Extreme> least(const Member& f, const ActivationParams& params) {
  if (f.left != dips) return std::nullopt;
  const double unit = f.kind == Kind::swish ? 1 / params.beta : 1;  // of all, it lies between these two
  const double x =
      sign_change(-2.9 * unit, -0.1 * unit, [&](double at) { return activation::derivative(params, at); });
  return Extreme{x, activation::value(params, x)};
}

double left_limit(const ActivationParams& f) {
  return activation::value(f, -1e3);
}

std::vector<double> jumps(const ActivationParams& f) {
  switch (f.kind) {
    case Kind::relu:
    case Kind::leaky_relu:
    case Kind::selu:
      return {0};
    case Kind::elu:
      return f.alpha == 1 ? std::vector<double>{} : std::vector<double>{0};
    case Kind::hard_swish:
      return {-3, 3};
    default:
      return {};
  }
}

std::string formula_in_tex(const ActivationParams& f, double at) {
  const std::string x = in_tex(at), factor = in_tex_as_factor(at);
  switch (f.kind) {
    case Kind::relu:
      return positive_part(x);
    case Kind::leaky_relu:
      return positive_part(x) + " + " + in_tex(f.alpha, 17) + " \\cdot " + negative_part(x);
    case Kind::elu:
      return exponential_unit(x, f.alpha);
    case Kind::selu:
      return in_tex(selu_scale, 17) + " \\cdot (" + exponential_unit(x, selu_alpha) + ")";
    case Kind::gelu_tanh:
      return "\\frac{" + x + R"(}{2} \cdot (1 + \tanh(\sqrt{\frac{2}{\pi}} \cdot ()" + x +
             " + 0.044715 \\cdot " + factor + "^{3})))";
    case Kind::gelu_quick:
      return over_one_plus(x, -1.702 * at);
    case Kind::silu:
      return over_one_plus(x, -at);
    case Kind::swish:
      return "\\frac{" + x + "}{1 + e^{-" + in_tex(f.beta, 17) + " \\cdot " + factor + "}}";
    case Kind::mish:
      return factor + " \\cdot \\tanh(\\ln(1 + " + exponential(at) + "))";
    case Kind::softplus:
      return "\\frac{\\ln(1 + e^{" + in_tex(f.beta, 17) + " \\cdot " + factor + "})}{" + in_tex(f.beta, 17) +
             "}";
    case Kind::relu2:
      return positive_part(x) + "^{2}";
    case Kind::hard_swish:
      return "\\frac{" + factor + " \\cdot \\min(\\max(" + x + " + 3, 0), 6)}{6}";
    case Kind::sigmoid:
      return over_one_plus("1", -at);
    case Kind::tanh:
      return "\\tanh(" + x + ")";
    case Kind::gelu:
      break;
  }
  return {};
}

std::string worked_value(const Member& f, const ActivationParams& params, double x, int decimals) {
  x = as_typed(x);
  const std::string formula = formula_in_tex(params, x);
  if (formula.empty()) return {};
  return std::string(f.tex) + "(" + in_tex(x) + ") = " + formula +
         result_in_tex(activation::value(params, x), decimals);
}

}  // namespace orrery::study
