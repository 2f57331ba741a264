// A part of layer_norm_cpu's work on one thread: group_norm_cpu does it for the columns of each group.
#pragma once

#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::norm {

/// Two passes and the standard formula, see layer_norm.h, for rows of so many columns.
template <class T>
class LayerNormPart {
 public:
  LayerNormPart(std::span<const T> weight, std::span<const T> bias, tensor::Index cols, double eps);
  LayerNormPart(LayerNormPart&&) = default;  // a copy would point into the other's `missing_`

  /// Rows first … end of x into y. Streamed: see core/simd/share.h.
  void rows(tensor::View<const T> x, tensor::View<T> y, tensor::Index first, tensor::Index end,
            bool streamed) const;

 private:
  std::span<const T> weight_, bias_;
  double eps_;
  /// As the kernel takes them, both or neither: what is missing beside the other is 1 or −0, which change no x.
  std::vector<T> missing_;
  const T *weights_ = nullptr, *biases_ = nullptr;
};

}  // namespace orrery::norm
