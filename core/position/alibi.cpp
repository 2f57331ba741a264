#include "core/position/alibi.h"

#include <bit>
#include <cmath>
#include <limits>
#include <span>

namespace orrery::position {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

/// Slope h = 1 … of the geometric rule for `heads` heads.
double geometric_slope(Index h, Index heads) {
  return std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(heads));
}

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Product>
Matrix<double> values_by_distance(std::span<const double> slopes, Index length, Direction direction,
                                  Product product) {
  Matrix<double> v(static_cast<Index>(slopes.size()), distances(length));
  for (Index h = 0; h < v.rows(); ++h) {
    for (Index j = 0; j < v.cols(); ++j) {
      const Index distance = j - (length - 1);
      const bool hidden = direction == Direction::causal && distance > 0;
      v(h, j) = hidden ? -infinity : product(slopes[static_cast<std::size_t>(h)], std::abs(distance));
    }
  }
  return v;
}

/// The integer is negated, so that distance 0 gives 0 without a sign.
double fall(double slope, Index distance) {
  return slope * static_cast<double>(-distance);
}

}  // namespace

std::vector<double> alibi_slopes(Index heads, AlibiRule rule) {
  if (heads <= 0) return {};
  const auto count = static_cast<std::size_t>(heads);
  std::vector<double> slopes;
  const auto add = [&](Index first, Index step, Index of) {
    for (Index h = first; h <= of && slopes.size() < count; h += step)
      slopes.push_back(geometric_slope(h, of));
  };
  const auto below = static_cast<Index>(std::bit_floor(count)),
             above = static_cast<Index>(std::bit_ceil(count));
  if (rule == AlibiRule::formula || below == above) {
    add(1, 1, heads);
  } else if (rule == AlibiRule::code) {
    add(1, 1, below);
    add(1, 2, 2 * below);
  } else {
    add(2, 2, above);
    add(1, 2, above);
  }
  return slopes;
}

void alibi_ref(Index heads, Direction direction, View<double> y) {
  const std::vector<double> slopes = alibi_slopes(heads);
  const Index length = y.cols;
  check_relative_bias_shapes(heads, distances(length), y.rows, y.cols);
  for (Index h = 0; h < heads; ++h) {
    for (Index m = 0; m < length; ++m) {
      for (Index n = 0; n < length; ++n) {
        const double slope = slopes[static_cast<std::size_t>(h)];
        double& bias = y(h * length + m, n);
        if (n > m && direction == Direction::causal) {
          bias = -infinity;
        } else {
          bias = fall(slope, std::abs(m - n));
        }
      }
    }
  }
}

Matrix<double> alibi_values(Index heads, Index length, Direction direction) {
  return alibi_values(alibi_slopes(heads), length, direction);
}

Matrix<double> alibi_values(std::span<const double> slopes, Index length, Direction direction) {
  return values_by_distance(slopes, length, direction, fall);
}

Matrix<double> alibi_staged_values(Index heads, Index length, Direction direction,
                                   const tensor::Precision& precision) {
  const tensor::Rounding store(precision.storage), acc(precision.accumulate);
  std::vector<double> slopes = alibi_slopes(heads);
  for (double& slope : slopes) slope = store(slope);
  return values_by_distance(slopes, length, direction,
                            [&](double slope, Index distance) { return store(acc(fall(slope, distance))); });
}

}  // namespace orrery::position
