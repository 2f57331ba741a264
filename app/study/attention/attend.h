// The steps of attention/scores, from queries and keys to weights and outputs.
//
//   QKᵀ → scale, log n, cap → + bias → mask → softmax → · V
#pragma once

#include "app/study/attention/score_content.h"
#include "app/study/twin.h"
#include "core/parameter/settings.h"
#include "core/position/rope_frequencies.h"

namespace orrery::study::attention_scores {

struct Vectors {
  twin::Matrix q, k;
};

struct Attention {
  ScoreContent content;
  Vectors vectors;            ///< as they meet: turned where positions turn them
  twin::Matrix bias;          ///< of the places; empty where nothing is added
  twin::Matrix products;      ///< QKᵀ
  twin::Matrix free, masked;  ///< scores without and with the mask
  twin::Matrix weights;
  twin::Matrix outputs;  ///< T × d
};

attention::Mask mask_of(const parameter::Settings&);
/// What a product is multiplied by, for a head of this width.
double scale_of(const parameter::Settings&, tensor::Index width);
attention::ScoresParams score_params(const parameter::Settings&, tensor::Index width);
attention::SoftmaxParams softmax_params(const parameter::Settings&);
bool turns(const parameter::Settings&);  ///< whether positions turn queries and keys: RoPE, xPos

/// What RoPE turns with: those of its rule, where one is chosen.
position::RopeFrequencies frequencies_of(const parameter::Settings&, tensor::Index width);
/// Both at the positions 0, 1, 2 …; of xPos with γ = 0.4 and B = 512.
Vectors turned(const Run&, const Vectors&, const parameter::Settings&);
/// The op with a bias, on the run's device; an empty one adds nothing.
twin::Matrix biased_scores(const Run&, const Vectors&, const attention::ScoresParams&,
                           const twin::Matrix& bias);

Attention attend(const parameter::Settings&, const Run&);

}  // namespace orrery::study::attention_scores
