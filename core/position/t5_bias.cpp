#include "core/position/t5_bias.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/simd/share.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

namespace orrery::position {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

/// Buckets of one side.
Index side_buckets(const T5Buckets& b) {
  return b.direction == Direction::bidirectional ? b.num_buckets / 2 : b.num_buckets;
}

}  // namespace

void check_t5_buckets(const T5Buckets& b, const T5Names& names) {
  const bool two_sides = b.direction == Direction::bidirectional;
  if (side_buckets(b) < 2 || (two_sides && b.num_buckets % 2 != 0)) {
    throw InvalidArgument(about(names.buckets)
                              .found(b.num_buckets)
                              .allowed(two_sides ? words("an even number from 4, half for each direction")
                                                 : words("{} or more", 2)));
  }
  if (b.max_distance <= side_buckets(b) / 2) {
    throw InvalidArgument(about(names.distance)
                              .found(b.max_distance)
                              .allowed("above {}, where the buckets begin to widen", side_buckets(b) / 2));
  }
}

Index t5_bucket(Index relative_position, const T5Buckets& b) {
  const Index buckets = side_buckets(b), exact = buckets / 2;
  Index first = 0, distance = 0;
  if (b.direction == Direction::bidirectional) {
    first = relative_position > 0 ? buckets : 0;
    distance = std::abs(relative_position);
  } else {
    distance = std::max<Index>(0, -relative_position);
  }
  if (distance < exact) return first + distance;
  const auto half = static_cast<double>(exact);
  const double share = std::log(static_cast<double>(distance) / half) /
                       std::log(static_cast<double>(b.max_distance) / half) *
                       static_cast<double>(buckets - exact);
  // A quotient of logarithms that is a whole number may come out a few roundings below it.
  constexpr double rounded_up = 1 + 0x1p-49;
  // Compared as a real number: a distance of 2⁶⁰ is far beyond the last bucket.
  const double last = static_cast<double>(buckets - 1 - exact);
  return first + exact + static_cast<Index>(std::min(share * rounded_up, last));
}

void t5_bias_ref(View<const double> table, const T5Buckets& buckets, View<double> y) {
  check_t5_buckets(buckets);
  const Index length = y.cols;
  for (Index r = 0; r < y.rows; ++r) {
    tensor::interruption_point();
    for (Index n = 0; n < length; ++n) {
      y(r, n) = table(t5_bucket(n - r % length, buckets), r / length);
    }
  }
}

template <class T>
Matrix<T> t5_bias_values(View<const T> table, const T5Buckets& buckets, Index length) {
  check_t5_buckets(buckets);
  Matrix<T> v(table.cols, distances(length));
  for (Index j = 0; j < v.cols(); ++j) {
    const Index bucket = t5_bucket(j - (length - 1), buckets);
    for (Index h = 0; h < v.rows(); ++h) v(h, j) = table(bucket, h);
  }
  return v;
}

template <class T>
void t5_bias_vjp(View<const T> g, const T5Buckets& buckets, View<T> dtable) {
  check_t5_buckets(buckets);
  const Index length = g.cols;
  std::vector<Index> bucket(static_cast<std::size_t>(distances(length)));
  for (std::size_t j = 0; j < bucket.size(); ++j) {
    bucket[j] = t5_bucket(static_cast<Index>(j) - (length - 1), buckets);
  }
  simd::share(dtable.cols, g.size(), [&](Index first, Index end) {
    for (Index h = first; h < end; ++h) {
      std::vector<double> sum(static_cast<std::size_t>(dtable.rows), 0);
      for (Index m = 0; m < length; ++m) {
        for (Index n = 0; n < length; ++n) {
          const Index k = bucket[static_cast<std::size_t>(n - m + length - 1)];
          sum[static_cast<std::size_t>(k)] += static_cast<double>(g(h * length + m, n));
        }
      }
      for (Index k = 0; k < dtable.rows; ++k) dtable(k, h) = static_cast<T>(sum[static_cast<std::size_t>(k)]);
    }
  });
}

template Matrix<float> t5_bias_values(View<const float>, const T5Buckets&, Index);
template Matrix<double> t5_bias_values(View<const double>, const T5Buckets&, Index);
template void t5_bias_vjp(View<const float>, const T5Buckets&, View<float>);
template void t5_bias_vjp(View<const double>, const T5Buckets&, View<double>);

}  // namespace orrery::position
