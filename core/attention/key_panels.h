// Keys as the kernels of scores read them (scores_kernels.h).
#pragma once

#include "core/attention/scores_kernels.h"
#include "core/simd/aligned_room.h"
#include "core/simd/share.h"
#include "core/tensor/view.h"

namespace orrery::attention {

/// In double, panels of DotsTile::keys: of each dimension a number a key, zeros behind the last one.
template <class T>
simd::AlignedRoom<double> key_panels(tensor::View<const T> k) {
  const tensor::Index width = dots_tile().keys, count = simd::parts(k.rows, width), d = k.cols;
  auto panels = simd::aligned_room<double>(count * width * d);
  simd::share(count, k.size(), [&](tensor::Index first, tensor::Index end) {
    for (tensor::Index n = first * width; n < end * width; ++n) {
      double* column = panels.get() + n / width * width * d + n % width;
      for (tensor::Index j = 0; j < d; ++j)
        column[j * width] = n < k.rows ? static_cast<double>(k(n, j)) : 0.0;
    }
  });
  return panels;
}

}  // namespace orrery::attention
