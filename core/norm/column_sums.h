// The gradients of weights and biases: sums down the columns of N × D matrices.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "core/simd/share.h"

namespace orrery::norm {

/// result_j = Σ_i term(i, j) in double, rows from first to last whatever the number of threads: the same bits
/// on every machine. Blocks of columns are spread over threads, so that rows are read along the memory.
template <class T, class Term>
void column_sums(tensor::Index rows, std::span<T> result, Term term) {
  constexpr tensor::Index block = 64;
  const auto cols = static_cast<tensor::Index>(result.size());

  simd::share((cols + block - 1) / block, rows * cols, [&](tensor::Index number, tensor::Index end) {
    for (; number < end; ++number) {
      const tensor::Index first = number * block, count = std::min(block, cols - first);
      std::array<double, block> sum{};
      for (tensor::Index i = 0; i < rows; ++i)
        for (tensor::Index k = 0; k < count; ++k) sum[static_cast<std::size_t>(k)] += term(i, first + k);
      for (tensor::Index k = 0; k < count; ++k)
        result[static_cast<std::size_t>(first + k)] = static_cast<T>(sum[static_cast<std::size_t>(k)]);
    }
  });
}

}  // namespace orrery::norm
