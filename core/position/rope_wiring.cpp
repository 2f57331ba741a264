#include "core/position/rope_wiring.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/position/rope.h"
#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;
using tensor::Matrix;

namespace {

std::vector<RopePair> neighbours(std::span<const double> f) {
  std::vector<RopePair> pairs;
  for (Index i = 0; i < std::ssize(f); ++i) pairs.push_back({2 * i, 2 * i + 1, f[i], f[i]});
  return pairs;
}

std::vector<RopePair> halves(std::span<const double> f) {
  std::vector<RopePair> pairs;
  for (Index i = 0; i < std::ssize(f); ++i) pairs.push_back({i, i + std::ssize(f), f[i], f[i]});
  return pairs;
}

/// Columns 2i and 2i + 1 of a table whose two halves are alike: f_0 f_1 … f_0 f_1 …
std::vector<RopePair> neighbours_with_table_of_halves(std::span<const double> f) {
  std::vector<RopePair> pairs;
  const Index count = std::ssize(f);
  for (Index i = 0; i < count; ++i)
    pairs.push_back({2 * i, 2 * i + 1, f[2 * i % count], f[(2 * i + 1) % count]});
  return pairs;
}

std::vector<Index> even_before_odd(Index width) {
  std::vector<Index> order;
  for (Index j = 0; j < width; j += 2) order.push_back(j);
  for (Index j = 1; j < width; j += 2) order.push_back(j);
  return order;
}

std::vector<double> ordered(std::span<const double> x, std::span<const Index> order) {
  std::vector<double> y(x.begin(), x.end());
  for (std::size_t j = 0; j < order.size(); ++j) y[j] = x[static_cast<std::size_t>(order[j])];
  return y;
}

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * y[j];
  return sum;
}

}  // namespace

RopeWiring rope_wiring(RopeConvention convention, const RopeWiringParams& params) {
  if (params.width < 2)
    throw InvalidArgument(
        about(words("head width")).found(params.width).led_by(", allowed: ").allowed("even, at least {}", 2));
  if (!(params.part >= 0 && params.part <= 1))
    throw InvalidArgument(about(words("rotated part"))
                              .found(std::to_string(params.part))
                              .led_by(", allowed: ")
                              .allowed("{} to {}", 0, 1));
  const auto f = rope_default_frequencies(params.width, params.base);
  const Index turning = static_cast<Index>(params.part * static_cast<double>(params.width) / 2);
  switch (convention) {
    case RopeConvention::interleaved:
      return {neighbours(f), neighbours(f), {}};
    case RopeConvention::half:
      return {halves(f), halves(f), {}};
    case RopeConvention::half_permuted:
      return {halves(f), halves(f), even_before_odd(params.width)};
    case RopeConvention::partial: {
      const auto own = rope_default_frequencies(2 * turning, params.base);
      return {halves(own), halves(own), {}};
    }
    case RopeConvention::proportional: {
      std::vector<double> slowest_still = f;
      std::fill(slowest_still.begin() + turning, slowest_still.end(), 0);
      return {halves(slowest_still), halves(slowest_still), {}};
    }
    case RopeConvention::mixed_table: {
      const auto mixed = neighbours_with_table_of_halves(f);
      return {mixed, mixed, {}};
    }
    case RopeConvention::mixed_sides:
      break;
  }
  return {neighbours(f), halves(f), {}};
}

std::vector<double> rope_turned(std::span<const double> x, double position, std::span<const RopePair> pairs) {
  std::vector<double> y(x.begin(), x.end());
  for (const RopePair& pair : pairs) {
    const double xa = x[static_cast<std::size_t>(pair.a)], xb = x[static_cast<std::size_t>(pair.b)];
    const double phi_a = position * pair.frequency_a, phi_b = position * pair.frequency_b;
    y[static_cast<std::size_t>(pair.a)] = std::cos(phi_a) * xa - std::sin(phi_a) * xb;
    y[static_cast<std::size_t>(pair.b)] = std::sin(phi_b) * xa + std::cos(phi_b) * xb;
  }
  return y;
}

double rope_wired_score(const RopeWiring& wiring, std::span<const double> q, std::span<const double> k,
                        double m, double n) {
  return dot(rope_turned(ordered(q, wiring.order), m, wiring.query),
             rope_turned(ordered(k, wiring.order), n, wiring.key));
}

Matrix<double> rope_wired_scores(const RopeWiring& wiring, std::span<const double> q,
                                 std::span<const double> k, std::span<const double> distances,
                                 std::span<const double> key_positions) {
  const std::vector<double> query = ordered(q, wiring.order), key = ordered(k, wiring.order);
  Matrix<double> scores(std::ssize(key_positions), std::ssize(distances));
  for (Index row = 0; row < scores.rows(); ++row) {
    const double n = key_positions[static_cast<std::size_t>(row)];
    const std::vector<double> turned_key = rope_turned(key, n, wiring.key);
    for (Index col = 0; col < scores.cols(); ++col)
      scores(row, col) =
          dot(rope_turned(query, n + distances[static_cast<std::size_t>(col)], wiring.query), turned_key);
  }
  return scores;
}

double score_spread(const Matrix<double>& scores) {
  if (scores.size() == 0) return 0;
  return (scores.colwise().maxCoeff() - scores.colwise().minCoeff()).maxCoeff();
}

}  // namespace orrery::position
