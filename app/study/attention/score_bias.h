// What attention/scores adds to a score for the places of query and key: the biases of core/position, with one head's numbers.
//
//   alibi    −slope |r|                         r = m − n
//   t5       −ln(1 + bucket(r))                 32 buckets, D = 128: of one side under a mask, else of both
//   kerple   −1.5 ln(1 + |r|)
//   fire     −10 ψ(|r|)/ψ(max(m, 512))          ψ(x) = ln(1 + x/10)
//   sandwich (Σ_i cos(r 10000^(−2i/128)) − 64)/8
#pragma once

#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study::attention_scores {

/// T × T, rounded to float, from the ops; empty where nothing is added.
twin::Matrix score_bias(const parameter::Settings&, tensor::Index length);

/// The same of one pair, as the formula above is written.
double bias_by_formula(const parameter::Settings&, tensor::Index query, tensor::Index key);

}  // namespace orrery::study::attention_scores
