#include "app/study/attention/score_bias.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "app/study/kit/numbers.h"
#include "core/position/alibi.h"
#include "core/position/fire.h"
#include "core/position/kerple.h"
#include "core/position/sandwich.h"
#include "core/position/t5_bias.h"

namespace orrery::study::attention_scores {

using parameter::Settings;
using position::Direction;
using tensor::Index;
using twin::Matrix;

namespace {

constexpr double kerple_r1 = 1.5, fire_end = 10;

position::T5Buckets buckets_of(const Settings& settings) {
  return {.direction = settings.choice("mask") == "none" ? Direction::bidirectional : Direction::causal};
}

/// A learned table that falls from bucket to bucket; of two sides both alike.
Matrix t5_table(const position::T5Buckets& buckets) {
  const Index side = buckets.direction == Direction::causal ? buckets.num_buckets : buckets.num_buckets / 2;
  Matrix table(buckets.num_buckets, 1);
  for (Index b = 0; b < buckets.num_buckets; ++b) table(b, 0) = -std::log1p(number(b % side));
  return table;
}

/// A value for each distance, spread over the pairs: position/relative_bias.h.
Matrix spread(const Matrix& values, Index length) {
  Matrix bias(length, length);
  position::relative_bias_cpu<double>(values, bias);
  return bias;
}

/// −10 u: a network 1 → 1 → 1 with weights 1 and −10.
Matrix fire_bias(Index length) {
  const position::FireWeights network{
      .w_in = {1}, .b_in = {0}, .w_out = Matrix::Constant(1, 1, -fire_end), .b_out = {0}};
  Matrix bias(length, length);
  position::fire_ref(network, {.direction = Direction::bidirectional}, bias);
  return bias;
}

Matrix bias_from_ops(const Settings& settings, Index length) {
  const std::string& scheme = settings.choice("positions");
  const Direction both = Direction::bidirectional;
  if (scheme == "alibi")
    return spread(position::alibi_values(std::array{settings.real("slope")}, length, both), length);
  if (scheme == "t5") {
    const position::T5Buckets buckets = buckets_of(settings);
    return spread(position::t5_bias_values<double>(t5_table(buckets), buckets, length), length);
  }
  if (scheme == "kerple")
    return spread(position::kerple_values({.direction = both, .r1 = {kerple_r1}}, length), length);
  if (scheme == "sandwich")
    return spread(position::sandwich_values({.heads = 1, .direction = both}, length), length);
  return scheme == "fire" ? fire_bias(length) : Matrix{};
}

/// Of a distance among N buckets of one side: half of them one distance each, the others wider and wider up to 128.
double bucket_by_formula(double distance, double N) {
  const double half = N / 2;
  if (distance < half) return distance;
  return std::min(N - 1, half + std::floor(std::log(distance / half) / std::log(128 / half) * (N - half)));
}

}  // namespace

Matrix score_bias(const Settings& settings, Index length) {
  return twin::rounded(bias_from_ops(settings, length));
}

double bias_by_formula(const Settings& settings, Index query, Index key) {
  const std::string& scheme = settings.choice("positions");
  const double r = number(std::abs(query - key));
  if (scheme == "alibi") return -settings.real("slope") * r;
  if (scheme == "kerple") return -kerple_r1 * std::log1p(r);
  if (scheme == "fire")
    return -fire_end * std::log1p(r / 10) / std::log1p(std::max(number(query), 512.0) / 10);
  if (scheme == "t5") {
    const bool causal = settings.choice("mask") != "none";
    return -std::log1p(bucket_by_formula(causal && key > query ? 0 : r, causal ? 32 : 16));
  }
  if (scheme != "sandwich") return 0;
  double sum = -64;
  for (int i = 0; i < 64; ++i) sum += std::cos(r * std::pow(10000, -2 * i / 128.0));
  return sum / 8;
}

}  // namespace orrery::study::attention_scores
