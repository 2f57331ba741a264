// What a model multiplies its scores by, over 1/√d.
#pragma once

#include "core/model/head_shape.h"

namespace orrery::model {

///   DeepSeek's second correction     m(s, mscale_all_dim)², where attention is latent and the rule is yarn
///   attention_multiplier a, softmax_scale a     a √d in place of 1
///   query_pre_attn_scalar q          √(d/q)
double score_scale(RopeContext&, const position::RopeRule&, const HeadShape&,
                   std::vector<position::RopeWarning>&);

}  // namespace orrery::model
