// Attention in float by one fused pass, where attention_in_float allows it: products, exponentials and sums of a block of
// queries stay in the cache, and only what is asked for is written. Since no logit exceeds float_logit_limit, no maximum
// has to be known before the first exponential.
#pragma once

#include "core/attention/attention.h"

namespace orrery::attention {

void attention_weights_float(tensor::View<const float> q, tensor::View<const float> k, const AttentionParams&,
                             tensor::View<float> p);
void attention_float(tensor::View<const float> q, tensor::View<const float> k, tensor::View<const float> v,
                     const AttentionParams&, tensor::View<float> o);

}  // namespace orrery::attention
