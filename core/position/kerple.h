// KERPLE: biases that fall with distance by a kernel whose two numbers each head may learn.
//
//   log      b[h, m, n] = −r1_h ln(1 + r2_h |m − n|)            r1, r2 > 0
//   power    b[h, m, n] = −r1_h |m − n|^r2_h                    r1 > 0, 0 < r2 ≤ 2; ALiBi is r2 = 1
//   causal: −∞ for n > m
//
// Shapes     r1, r2: one value a head, or one for all of them; y: (H L) × L as in relative_bias.h.
// Formats    in double, rounded once.
// Edges      numbers outside of their range, r1 and r2 of different lengths above 1: InvalidArgument.
// Bound      relative_bias_bound, against kerple_ref.
// Source     Chi et al., "KERPLE", arXiv 2205.09921, section 4.
#pragma once

#include <vector>

#include "core/position/relative_bias.h"
#include "core/tensor/precision.h"

namespace orrery::position {

enum class KerpleKernel { log, power };

struct KerpleParams {
  KerpleKernel kernel = KerpleKernel::log;
  Direction direction = Direction::causal;
  std::vector<double> r1{1}, r2{1};

  tensor::Index heads() const;
};

/// Throws InvalidArgument for numbers that make no kernel.
void check_kerple(const KerpleParams&);

void kerple_ref(const KerpleParams&, tensor::View<double> y);
/// The bias by distance, with r1, r2 and the distance stored, and each operation (r2 d, 1 + r2 d, its logarithm; or the
/// power; then times −r1) rounded to accumulate and stored, as eager frameworks have it: above 256 tokens bf16 confuses
/// neighbours.
tensor::Matrix<double> kerple_staged_values(const KerpleParams&, tensor::Index length,
                                            const tensor::Precision&);
/// The bias by distance, for relative_bias_cpu and relative_bias_gpu: heads × distances(length).
tensor::Matrix<double> kerple_values(const KerpleParams&, tensor::Index length);

}  // namespace orrery::position
