#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/activation/activation.h"
#include "core/tensor/error.h"

namespace orrery::activation {
namespace {

using std::numbers::pi;
using std::numbers::sqrt2;

/// σ(x), without overflow and relatively exact for x → −∞.
double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

/// σ'(x), relatively exact on both sides.
double sigmoid_slope(double x) {
  return sigmoid(x) * sigmoid(-x);
}

double normal_distribution(double x) {
  return std::erfc(-x / sqrt2) / 2;
}
double normal_density(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * pi);
}

/// z of tanh(z) in the tanh form of GELU, and dz/dx.
const double slope = std::sqrt(2 / pi);
constexpr double cubic = 0.044715;
double tanh_argument(double x) {
  return slope * (x + cubic * x * x * x);
}
double tanh_argument_slope(double x) {
  return slope * (1 + 3 * cubic * x * x);
}

constexpr double quick = 1.702;

/// Klambauer et al.: the fixed point of mean 0 and variance 1.
constexpr double selu_scale = 1.0507009873554805, selu_alpha = 1.6732632423543772;

/// Beyond, PyTorch's softplus is the identity.
constexpr double softplus_threshold = 20;

/// x · weight, where the weight falls to 0 faster than x grows: −∞ · 0 would be NaN.
double weighted(double x, double weight) {
  return x == -INFINITY ? 0 : x * weight;
}

/// d/dx x σ(a(x)) = σ + x σ (1 − σ) a'. Where σ(1 − σ) has underflowed, x a' may have overflowed, and loses.
double gated_derivative(double x, double a, double a_slope) {
  const double bell = sigmoid_slope(a);
  return bell == 0 ? sigmoid(a) : sigmoid(a) + x * bell * a_slope;
}

/// tanh(ln(1 + eˣ)) = (w² + 2w)/(w² + 2w + 2) with w = eˣ; divided by w² where that is large.
double mish_weight(double x) {
  const double u = std::exp(-std::abs(x));
  return x < 0 ? u * (u + 2) / (u * (u + 2) + 2) : (1 + 2 * u) / (1 + 2 * u + 2 * u * u);
}

/// Its derivative, 4 w (1 + w)/(w² + 2w + 2)².
double mish_weight_slope(double x) {
  const double u = std::exp(-std::abs(x));
  const double divisor = x < 0 ? u * (u + 2) + 2 : 1 + 2 * u + 2 * u * u;
  return 4 * u * (1 + u) * (x < 0 ? 1 : u) / (divisor * divisor);
}

double softplus(double x, double beta) {
  const double z = beta * x;
  return z > softplus_threshold ? x : (std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)))) / beta;
}

double hard_swish(double x) {
  return x <= -3 ? 0 : (x >= 3 ? x : x * (x + 3) / 6);
}

/// What the derivative tends to.
double derivative_at_infinity(const ActivationParams& p, bool positive) {
  switch (p.kind) {
    case Kind::sigmoid:
    case Kind::tanh:
      return 0;
    case Kind::leaky_relu:
      return positive ? 1 : p.alpha;
    case Kind::selu:
      return positive ? selu_scale : 0;
    case Kind::relu2:
      return positive ? INFINITY : 0;
    default:
      return positive ? 1 : 0;
  }
}

}  // namespace

Kind kind_from_name(std::string_view text) {
  const auto found = std::ranges::find(kind_names, text);
  if (found != kind_names.end()) return static_cast<Kind>(found - kind_names.begin());
  throw InvalidArgument(about("activation").found_text(text).allowed(kind_names));
}

double value(const ActivationParams& p, double x) {
  switch (p.kind) {
    case Kind::relu:
      return x < 0 ? 0 : x;
    case Kind::leaky_relu:
      return x < 0 ? p.alpha * x : x;
    case Kind::elu:
      return x < 0 ? p.alpha * std::expm1(x) : x;
    case Kind::selu:
      return selu_scale * (x < 0 ? selu_alpha * std::expm1(x) : x);
    case Kind::gelu:
      return weighted(x, normal_distribution(x));
    case Kind::gelu_tanh:
      return weighted(x, sigmoid(2 * tanh_argument(x)));
    case Kind::gelu_quick:
      return weighted(x, sigmoid(quick * x));
    case Kind::silu:
      return weighted(x, sigmoid(x));
    case Kind::swish:
      return weighted(x, sigmoid(p.beta * x));
    case Kind::mish:
      return weighted(x, mish_weight(x));
    case Kind::softplus:
      return softplus(x, p.beta);
    case Kind::relu2:
      return x < 0 ? 0 : x * x;
    case Kind::hard_swish:
      return hard_swish(x);
    case Kind::sigmoid:
      return sigmoid(x);
    case Kind::tanh:
      return std::tanh(x);
  }
  return x;
}

double derivative(const ActivationParams& p, double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return derivative_at_infinity(p, x > 0);  // ±∞ · 0 would be NaN
  switch (p.kind) {
    case Kind::relu:
      return x > 0 ? 1 : 0;
    case Kind::leaky_relu:
      return x > 0 ? 1 : p.alpha;
    case Kind::elu:
      return x > 0 ? 1 : p.alpha * std::exp(x);
    case Kind::selu:
      return selu_scale * (x > 0 ? 1 : selu_alpha * std::exp(x));
    case Kind::gelu:
      return normal_distribution(x) + x * normal_density(x);
    case Kind::gelu_tanh:
      return gated_derivative(x, 2 * tanh_argument(x), 2 * tanh_argument_slope(x));
    case Kind::gelu_quick:
      return gated_derivative(x, quick * x, quick);
    case Kind::silu:
      return gated_derivative(x, x, 1);
    case Kind::swish:
      return gated_derivative(x, p.beta * x, p.beta);
    case Kind::mish:
      return mish_weight(x) + x * mish_weight_slope(x);
    case Kind::softplus:
      return p.beta * x > softplus_threshold ? 1 : sigmoid(p.beta * x);
    case Kind::relu2:
      return x > 0 ? 2 * x : 0;
    case Kind::hard_swish:
      return x < -3 ? 0 : (x > 3 ? 1 : (2 * x + 3) / 6);
    case Kind::sigmoid:
      return sigmoid_slope(x);
    case Kind::tanh:
      return 4 * sigmoid_slope(2 * x);
  }
  return x;
}

void activation_ref(tensor::View<const double> x, const ActivationParams& params, tensor::View<double> y) {
  for (tensor::Index i = 0; i < x.rows; ++i)
    for (tensor::Index j = 0; j < x.cols; ++j) y(i, j) = value(params, x(i, j));
}

}  // namespace orrery::activation
