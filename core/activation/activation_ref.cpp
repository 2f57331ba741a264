#include <cmath>
#include <numbers>

#include "core/activation/activation.h"

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

/// d/dx x σ(a(x)) = σ + x σ (1 − σ) a'. Where σ(1 − σ) has underflowed, x a' may have overflowed, and loses.
double gated_derivative(double x, double a, double a_slope) {
  const double bell = sigmoid(a) * sigmoid(-a);
  return bell == 0 ? sigmoid(a) : sigmoid(a) + x * bell * a_slope;
}

}  // namespace

double value(Kind kind, double x) {
  if (x == -INFINITY) return 0;  // −∞ · 0 would be NaN
  switch (kind) {
    case Kind::relu:
      return x < 0 ? 0 : x;
    case Kind::gelu:
      return x * normal_distribution(x);
    case Kind::gelu_tanh:
      return x * sigmoid(2 * tanh_argument(x));
    case Kind::silu:
      return x * sigmoid(x);
  }
  return x;
}

double derivative(Kind kind, double x) {
  if (std::isinf(x)) return x > 0 ? 1 : 0;  // ±∞ · 0 would be NaN
  switch (kind) {
    case Kind::relu:
      return std::isnan(x) ? x : (x > 0 ? 1 : 0);
    case Kind::gelu:
      return normal_distribution(x) + x * normal_density(x);
    case Kind::gelu_tanh:
      return gated_derivative(x, 2 * tanh_argument(x), 2 * tanh_argument_slope(x));
    case Kind::silu:
      return gated_derivative(x, x, 1);
  }
  return x;
}

void activation_ref(tensor::View<const double> x, Kind kind, tensor::View<double> y) {
  for (tensor::Index i = 0; i < x.rows; ++i)
    for (tensor::Index j = 0; j < x.cols; ++j) y(i, j) = value(kind, x(i, j));
}

}  // namespace orrery::activation
