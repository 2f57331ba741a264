#include "tests/support/inputs.h"

#include <array>

#include "core/tensor/random.h"

namespace orrery::support {
namespace {

using tensor::Index;

/// One long stream cut into rows no wider than this.
constexpr Index row_pitch = Index{1} << 20;

double as_float(double x) {
  return static_cast<float>(x);
}

double normal(Index row, Index col) {
  static const tensor::Random random(20170612);
  return as_float(random.normal(static_cast<std::uint64_t>(row * row_pitch + col)));
}

constexpr std::array<InputSet, 9> sets{{
    {"zeros", [](Index, Index) { return 0.0; }},
    {"ones", [](Index, Index) { return 1.0; }},
    {"one_hot", [](Index row, Index col) { return row == col ? 1.0 : 0.0; }},
    // Sums cancel to nothing, sums of squares do not.
    {"alternating", [](Index row, Index col) { return (row + col) % 2 == 0 ? 1.0 : -1.0; }},
    // Squares overflow float.
    {"huge", [](Index row, Index col) { return as_float(1e30 * normal(row, col)); }},
    // Squares underflow float.
    {"tiny", [](Index row, Index col) { return as_float(1e-30 * normal(row, col)); }},
    // Below 2^-126, the smallest normal float: about 17 bits are left, and some devices flush them to zero.
    {"subnormal", [](Index row, Index col) { return as_float(1e-40 * normal(row, col)); }},
    // |μ|/σ = 10⁴: beyond 4096 a one-pass variance in float has no digit left.
    {"common_mean", [](Index row, Index col) { return as_float(1e4 + normal(row, col)); }},
    {"normal", [](Index row, Index col) { return normal(row, col); }},
}};

constexpr std::array<Index, 10> sizes{1, 2, 31, 32, 33, 255, 256, 257, 1000, 4096};

}  // namespace

tensor::Matrix<double> InputSet::make(Index rows, Index cols) const {
  tensor::Matrix<double> m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = element(i, j);
  return m;
}

std::span<const InputSet> input_sets() {
  return sets;
}
std::span<const Index> input_sizes() {
  return sizes;
}

tensor::Matrix<double> normal_floats(Index rows, Index cols, unsigned stream) {
  return tensor::Random(19, stream).normals(rows, cols).unaryExpr(&as_float);
}

}  // namespace orrery::support
