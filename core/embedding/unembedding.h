// Unembedding: the logit of every word of the vocabulary, by the table of the embedding itself (tied weights).
//
//   y[n, v] = Σ_j x[n, j] table[v, j]
//
// Shapes     x: N × D; table: V × D; y: N × V.
// Formats    cpu, gpu: stored in T (float, double) and computed in T; T is float on the gpu.
//            staged: x and table rounded to storage, every product and every sum to accumulate in the order of j, the
//            logit to storage.
// Edges      N = 0 or V = 0: nothing is written; D = 0: zeros. NaN in a token: its row; NaN in the table: its column.
// Bound      in float |y − ref| ≤ unembedding_bound(D) Σ|x_j table_j| + 2⁻¹²⁶, because a dot product may cancel to nothing;
//            where that sum is beyond float's range, nothing is promised.
// Source     Press, Wolf, arXiv 1608.05859.
#pragma once

#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::embedding {

/// Relative to Σ|x_j table_j|, in the worst case: that of simd::product, whose sums are of 64 terms and so on; the gpu's are of
/// 16 and compensated, and off by no more.
double unembedding_bound(tensor::Index D);

void unembedding_ref(tensor::View<const double> x, tensor::View<const double> table, tensor::View<double> y);

/// T is float or double.
template <class T>
void unembedding_cpu(tensor::View<const T> x, tensor::View<const T> table, tensor::View<T> y);

void unembedding_gpu(gpu::Device&, tensor::View<const float> x, tensor::View<const float> table,
                     tensor::View<float> y);

void unembedding_staged(tensor::View<const double> x, tensor::View<const double> table,
                        const tensor::Precision&, tensor::View<double> y);

}  // namespace orrery::embedding
