// Embedding: the row of a table for each id. A learned position table is the same op, its ids are positions.
//
//   y[n] = s · table[id_n],   s = 1, or √D (Vaswani et al. and Gemma: so that content outweighs position)
//
// Shapes     ids: N; table: V × D; y: N × D.
// Formats    cpu: stored in T (float, double), the product in double, rounded once. gpu: float throughout.
//            staged: table and √D rounded to storage, their product to accumulate and then to storage. So a model in
//            bf16 multiplies by 50.5 where D = 2560, not by 50.596. Without a scale the stored row is copied.
// Edges      ids are within 0 … V − 1: the caller has checked that. N = 0 or D = 0: nothing is written. NaN and
//            infinities of the table go where their row goes.
// Bound      embedding_bound (cpu) and embedding_gpu_bound, against embedding_ref on the same table rounded to
//            float.
// Source     Vaswani et al., arXiv 1706.03762, section 3.4.
#pragma once

#include <span>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::embedding {

enum class Scale { none, sqrt_d };

/// Rounded once.
inline constexpr tensor::Bound embedding_bound = tensor::rounded_once;

/// Float, u = 2⁻²⁴: √D and the product; both vanish for `none`. abs: values below 2⁻¹²⁶ may be flushed to zero.
inline constexpr tensor::Bound embedding_gpu_bound{.abs = 0x1p-126, .rel = 0x1.01p-23, .nmse = 0x1.04p-46};

double scale_factor(Scale, tensor::Index D);

void embedding_ref(std::span<const tensor::Index> ids, tensor::View<const double> table, Scale,
                   tensor::View<double> y);

/// T is float or double. Rows are spread over threads.
template <class T>
void embedding_cpu(std::span<const tensor::Index> ids, tensor::View<const T> table, Scale, tensor::View<T> y);

/// Declines (InvalidArgument) a table of more than 2²⁴ rows: ids go to the device as floats.
void embedding_gpu(gpu::Device&, std::span<const tensor::Index> ids, tensor::View<const float> table, Scale,
                   tensor::View<float> y);

void embedding_staged(std::span<const tensor::Index> ids, tensor::View<const double> table, Scale,
                      const tensor::Precision&, tensor::View<double> y);

}  // namespace orrery::embedding
