// A head in float, a block of queries at a time, which with all the keys that it can see stays in the cache. See head.h.
#pragma once

#include "core/transformer/head.h"

namespace orrery::transformer {

void head_forward_in_blocks(const Head<float>&, View<float> p, View<float> o);
void head_backward_in_blocks(const Head<float>&, View<const float> p, View<const float> o,
                             View<const float> g, const HeadGradients<float>&);

}  // namespace orrery::transformer
