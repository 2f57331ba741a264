#include "core/tensor/random.h"

namespace orrery::tensor {
namespace {

struct Wide {
  std::uint32_t high, low;
};

Wide multiply(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t product = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}

Matrix<double> filled(Index rows, Index cols, auto&& element) {
  Matrix<double> m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = element(static_cast<std::uint64_t>(i));
  return m;
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr int rounds = 10;
  constexpr std::uint32_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
  constexpr std::uint32_t golden_ratio = 0x9E3779B9, sqrt_3_minus_1 = 0xBB67AE85;  // Weyl steps of the key
  for (int round = 0; round < rounds; ++round) {
    const Wide p0 = multiply(m0, counter[0]);
    const Wide p1 = multiply(m1, counter[2]);
    counter = {p1.high ^ counter[1] ^ key[0], p1.low, p0.high ^ counter[3] ^ key[1], p0.low};
    key[0] += golden_ratio;
    key[1] += sqrt_3_minus_1;
  }
  return counter;
}

double Random::uniform(std::uint64_t i) const {
  const auto low = static_cast<std::uint32_t>(i);
  const auto high = static_cast<std::uint32_t>(i >> 32);
  const auto words = philox4x32({low, high, stream_, 0},
                                {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
  // The middle of one of 2^52 equal cells: an odd multiple of 2^-53, so neither 0 nor 1, and as likely as its
  // mirror image.
  const std::uint64_t cell = (std::uint64_t{words[0]} << 20) | (words[1] >> 12);
  return (static_cast<double>(cell) + 0.5) * 0x1p-52;
}

double Random::normal(std::uint64_t i) const {
  return normal_quantile(uniform(i));
}

Matrix<double> Random::normals(Index rows, Index cols) const {
  return filled(rows, cols, [this](std::uint64_t i) { return normal(i); });
}

Matrix<double> Random::uniforms(Index rows, Index cols, double lo, double hi) const {
  return filled(rows, cols, [&](std::uint64_t i) { return lo + (hi - lo) * uniform(i); });
}

}  // namespace orrery::tensor
