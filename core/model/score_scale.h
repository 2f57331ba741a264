// What a model multiplies its scores by, over 1/√d.
#pragma once

#include "core/model/head_shape.h"

namespace orrery::model {

///   DeepSeek's second correction     m(s, mscale_all_dim)², where attention is latent and the rule is yarn
///   attention_multiplier a, softmax_scale a     a √d in place of 1
///   query_pre_attn_scalar q          √(d/q)
///   Gemma 3n and 4                   √d: their scores are not divided
///   Zamba 2                          √2: its scores are divided by √(d/2)
///   Falcon-H1's key_multiplier k     k: it multiplies the keys
///   Phi-3-small's mup_attn_multiplier a      a/√d: its scores are divided by d/a
double score_scale(RopeContext&, const position::RopeRule&, const HeadShape&,
                   std::vector<position::RopeWarning>&);

}  // namespace orrery::model
