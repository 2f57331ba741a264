// T5's relative positions: a learned bias for each head and each bucket of distances.
//
//   b[h, m, n] = table[bucket(n − m), h]
//
// Buckets of a distance d ≥ 0 among N:  d for d < N/2, else min(N − 1, N/2 + ⌊ln(d/(N/2)) / ln(D/(N/2)) · (N − N/2)⌋),
// N/2 rounded down: half of them one distance each, the others wider and wider up to D, beyond which all is one.
//   causal          N = num_buckets; a key after its query counts as distance 0. No mask: the scores' own hides it.
//   bidirectional   N = num_buckets/2 for each side; keys after their query take the upper half
//
// Shapes     table: num_buckets × H; y: (H L) × L as in relative_bias.h.
// Formats    buckets in double, from left to right as written; a quotient within 2⁻⁴⁹ of itself below a whole number is that
//            number: a bucket begins at its first distance, whatever N and D are.
//            Biases are copied.
// Edges      fewer than 2 buckets a side, an odd number of them for two sides, D ≤ N/2: InvalidArgument.
// Bound      none is needed: the values are the table's own; relative_bias_bound where the table is narrowed.
// VJP        dtable[k, h] = Σ g[h, m, n] over all m, n with bucket(n − m) = k; summed in double.
// Source     Raffel et al., "Exploring the limits of transfer learning", arXiv 1910.10683, and its code
//            (relative_position = key − query; 32 buckets, D = 128).
#pragma once

#include <string_view>

#include "core/position/relative_bias.h"

namespace orrery::position {

struct T5Buckets {
  tensor::Index num_buckets = 32;
  tensor::Index max_distance = 128;  ///< D, tokens
  Direction direction = Direction::causal;
};

/// How who asks calls both.
struct T5Names {
  std::string_view buckets = "num_buckets", distance = "max_distance";
};
/// Throws InvalidArgument for buckets that cannot be.
void check_t5_buckets(const T5Buckets&, const T5Names& names = {});
/// Of a key `relative_position` tokens after the query (before it: negative).
tensor::Index t5_bucket(tensor::Index relative_position, const T5Buckets&);

void t5_bias_ref(tensor::View<const double> table, const T5Buckets&, tensor::View<double> y);
/// The bias by distance, for relative_bias_cpu and relative_bias_gpu: heads × distances(length). T is float or double.
template <class T>
tensor::Matrix<T> t5_bias_values(tensor::View<const T> table, const T5Buckets&, tensor::Index length);

/// g: (H L) × L; dtable: num_buckets × H.
template <class T>
void t5_bias_vjp(tensor::View<const T> g, const T5Buckets&, tensor::View<T> dtable);

}  // namespace orrery::position
