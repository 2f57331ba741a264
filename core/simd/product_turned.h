// y = x·b + bias for an x of few rows, as yᵀ = bᵀ xᵀ + bias: then it is x that is packed, once for all threads, and b,
// which may be a vocabulary of hundreds of megabytes, is only read. (Packing it costs about what ten rows of x cost in the
// product.)
//
// To the bit what product.h says: each element is made of the same terms in the same order.
#pragma once

#include "core/simd/product.h"

namespace orrery::simd {

/// Whether that is faster: x has few rows, b many terms, and these lie side by side, so that bᵀ can be read as it is.
bool is_faster_turned(std::int64_t rows, const Factor& b);

void product_turned(tensor::View<const float> x, const Factor& b, std::span<const float> bias,
                    tensor::View<float> y, const Finish&);

}  // namespace orrery::simd
