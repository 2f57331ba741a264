// Seeded random inputs, the same bits on every machine: a counter-based generator (Philox 4×32, 10 rounds;
// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
#pragma once

#include <array>
#include <cstdint>

#include "core/tensor/view.h"

namespace orrery::tensor {

/// Four 32-bit words for a counter and a key; known answers in the paper's Random123 distribution.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// Element i of stream `stream` of seed `seed`: a pure function, so any element can be had without the others.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint32_t stream = 0) : seed_(seed), stream_(stream) {}
  double uniform(std::uint64_t i) const;  ///< in (0, 1), 53 bits, never 0 or 1
  double normal(std::uint64_t i) const;   ///< N(0, 1): the inverse distribution function of uniform(i)
  Matrix<double> normals(Index rows, Index cols) const;
  Matrix<double> uniforms(Index rows, Index cols, double lo, double hi) const;

 private:
  std::uint64_t seed_;
  std::uint32_t stream_;
};

/// The quantile function of N(0, 1) (Wichura, algorithm AS 241, 1988; relative error about 1e-16).
double normal_quantile(double p);

}  // namespace orrery::tensor
