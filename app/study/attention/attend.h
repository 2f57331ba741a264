// The steps of attention/scores, from queries and keys to weights and outputs.
//
//   QKᵀ → scale, log n, cap → + bias → mask → softmax → · V
#pragma once

#include "app/study/attention/score_content.h"
#include "app/study/twin.h"
#include "core/parameter/settings.h"
#include "core/position/rope_frequencies.h"
#include "core/position/self_extend.h"

namespace orrery::study::attention_scores {

struct Vectors {
  twin::Matrix q, k;
};

/// Queries and keys as they meet: turned where positions turn them. With Self-Extend those W tokens apart and more meet turned
/// otherwise than those nearer, W = `window`.
struct Meeting {
  Vectors near, far;  ///< `far` is empty without Self-Extend
  tensor::Index window = 0;

  bool splits() const { return far.q.size() > 0; }
  const Vectors& of(tensor::Index query, tensor::Index key) const {
    return splits() && query - key >= window ? far : near;
  }
  /// What `scores` makes of both, each where it holds.
  template <class Scores>
  twin::Matrix merged(Scores scores) const {
    twin::Matrix s = scores(near);
    if (!splits()) return s;
    const twin::Matrix of_far = scores(far);
    for (tensor::Index m = window; m < s.rows(); ++m)
      s.row(m).head(m - window + 1) = of_far.row(m).head(m - window + 1);
    return s;
  }
};

struct Attention {
  ScoreContent content;
  Meeting meeting;
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
bool turns(const parameter::Settings&);  ///< whether positions turn queries and keys: RoPE, xPos, Self-Extend
/// G and W, drawn up to whole groups, where Self-Extend tells positions.
position::SelfExtendParams self_extend_of(const parameter::Settings&);

/// What RoPE turns with: those of its rule, where one is chosen.
position::RopeFrequencies frequencies_of(const parameter::Settings&, tensor::Index width);
/// Both at the positions 0, 1, 2 …, or those of xPos with γ = 0.4 and B = 512.
Vectors turned(const Run&, const Vectors&, const parameter::Settings&);
Meeting meeting_of(const parameter::Settings&, const Run&, const ScoreContent&);
/// The op with a bias, on the run's device; an empty one adds nothing.
twin::Matrix biased_scores(const Run&, const Vectors&, const attention::ScoresParams&,
                           const twin::Matrix& bias);

Attention attend(const parameter::Settings&, const Run&);

}  // namespace orrery::study::attention_scores
