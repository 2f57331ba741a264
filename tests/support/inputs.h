// The inputs on which every op is tested, on every device. Each set is there because something once broke on
// its like.
#pragma once

#include <span>
#include <string_view>

#include "core/tensor/view.h"

namespace orrery::support {

/// A named way to fill an N × D matrix. Every value is a float exactly, so that all twins start from the same
/// bits.
struct InputSet {
  std::string_view name;
  double (*element)(tensor::Index row, tensor::Index col);

  tensor::Matrix<double> make(tensor::Index rows, tensor::Index cols) const;
};

/// zeros, ones, one_hot, alternating, huge, tiny, subnormal, common_mean, normal.
std::span<const InputSet> input_sets();

/// Widths around every block size in use, a round one that is no power of two, and a real model's.
std::span<const tensor::Index> input_sizes();

/// Seeded normals as floats: what a test takes when the values do not matter. Streams are independent.
tensor::Matrix<double> normal_floats(tensor::Index rows, tensor::Index cols, unsigned stream = 0);

}  // namespace orrery::support
