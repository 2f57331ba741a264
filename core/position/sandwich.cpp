#include "core/position/sandwich.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

namespace {

std::vector<double> frequencies(const SandwichParams& p) {
  std::vector<double> w;
  for (Index i = p.first; i < p.first + p.width / 2; ++i) {
    w.push_back(std::pow(p.base, -2.0 * static_cast<double>(i) / static_cast<double>(p.width)));
  }
  return w;
}

/// Σ (cos(r ω_i) − 1): each term on its own, so that distance 0 gives 0 exactly.
double fall(const std::vector<double>& w, Index distance) {
  double sum = 0;
  for (const double each : w) sum += std::cos(static_cast<double>(distance) * each) - 1;
  return sum;
}

double compression(const SandwichParams& p, Index h) {
  return 8.0 * static_cast<double>(h + 1) / static_cast<double>(p.heads);
}

constexpr double hidden_value = -std::numeric_limits<double>::infinity();

}  // namespace

void check_sandwich(const SandwichParams& p) {
  if (p.width < 2 || p.width % 2 != 0) {
    throw InvalidArgument(about("width").found(p.width).allowed("an even number from {}", 2));
  }
  if (!(p.base > 1))
    throw InvalidArgument(about("base").found(std::to_string(p.base)).allowed("above {}", 1));
}

void sandwich_ref(const SandwichParams& p, tensor::View<double> y) {
  check_sandwich(p);
  const std::vector<double> w = frequencies(p);
  const Index length = y.cols;
  check_relative_bias_shapes(p.heads, distances(length), y.rows, y.cols);
  for (Index r = 0; r < y.rows; ++r) {
    for (Index n = 0; n < length; ++n) {
      const Index m = r % length;
      const bool hidden = n > m && p.direction == Direction::causal;
      y(r, n) = hidden ? hidden_value : fall(w, m - n) / compression(p, r / length);
    }
  }
}

tensor::Matrix<double> sandwich_values(const SandwichParams& p, Index length) {
  check_sandwich(p);
  const std::vector<double> w = frequencies(p);
  tensor::Matrix<double> v(p.heads, distances(length));
  for (Index j = 0; j < v.cols(); ++j) {
    const Index distance = j - (length - 1);
    const bool hidden = distance > 0 && p.direction == Direction::causal;
    const double sum = hidden ? hidden_value : fall(w, distance);
    for (Index h = 0; h < v.rows(); ++h) v(h, j) = sum / compression(p, h);
  }
  return v;
}

}  // namespace orrery::position
