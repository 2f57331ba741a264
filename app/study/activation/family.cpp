#include "app/study/activation/family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace orrery::study {
namespace {

using activation::ActivationParams;
using activation::Kind;
using worked::Term;
using worked::term;
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

Term exponential_unit(const Term& x, double alpha) {
  return worked::max(0, x) + term(alpha) * (exp(worked::min(0, x)) - 1);
}
Term over_one_plus(const Term& above, const Term& exponent) {
  return frac(above, term(1) + exp(exponent));
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

std::optional<Term> formula_of(const ActivationParams& f, double at) {
  const Term x = at;
  switch (f.kind) {
    case Kind::relu:
      return worked::max(0, x);
    case Kind::leaky_relu:
      return worked::max(0, x) + term(f.alpha) * worked::min(0, x);
    case Kind::elu:
      return exponential_unit(x, f.alpha);
    case Kind::selu:
      return term(selu_scale) * exponential_unit(x, selu_alpha);
    case Kind::gelu_tanh: {
      const Term pi([](int) { return worked::Written{"\\pi", std::numbers::pi}; });
      const Term inner = x + term(0.044715) * worked::power(x, 3);
      return frac(x, 2) * (term(1) + tanh(sqrt(frac(2, pi)) * inner));
    }
    case Kind::gelu_quick:
      return over_one_plus(x, term(-1.702) * x);
    case Kind::silu:
      return over_one_plus(x, -x);
    case Kind::swish:
      return over_one_plus(x, term(-f.beta) * x);
    case Kind::mish:
      return x * tanh(ln(term(1) + exp(x)));
    case Kind::softplus:
      return frac(ln(term(1) + exp(term(f.beta) * x)), f.beta);
    case Kind::relu2:
      return worked::power(worked::max(0, x), 2);
    case Kind::hard_swish:
      return frac(x * worked::min(worked::max(x + 3, 0), 6), 6);
    case Kind::sigmoid:
      return over_one_plus(1, -x);
    case Kind::tanh:
      return tanh(x);
    case Kind::gelu:
      break;
  }
  return std::nullopt;
}

bool add_value(Worked& worked, const Member& f, const ActivationParams& params, double x) {
  const std::optional<Term> formula = formula_of(params, x);
  if (!formula) return false;
  worked.add(std::string(f.tex) + "(" + worked::number_tex(x, 6) + ")", *formula,
             activation::value(params, x));
  return true;
}

}  // namespace orrery::study
