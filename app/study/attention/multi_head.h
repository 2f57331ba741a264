// Attention of several heads, from tokens to tokens: projections, a softmax for each head, the heads side by side, W^O.
//
//   Q = X W^Q, K = S W^K, V = S W^V      X: T × D, the source S: S × D, X itself where nothing else is asked
//   A_h = softmax(Q_h K_g^T / √d), g = ⌊h / (H / H_kv)⌋      Y = [A_0 V_g … A_{H−1} V_g] W^O
//
// Shapes     W^Q: D × H d, W^K and W^V: D × H_kv d, W^O: H d × D; a head's columns stand together.
// Source     Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2; groups: Ainslie et al. 2023, arXiv 2305.13245.
#pragma once

#include <vector>

#include "app/study/twin.h"

namespace orrery::study {

struct HeadWeights {
  twin::Matrix query, key, value, output;
};

struct HeadsAsked {
  tensor::Index heads = 1, key_heads = 1;
  bool normalised = false;  ///< queries and keys of each head, by their root mean square
  attention::Mask mask{};
};

struct MultiHead {
  tensor::Index width = 1;            ///< d
  std::vector<twin::Matrix> q, k, v;  ///< of each head: as many k and v as there are key heads
  std::vector<twin::Matrix> scores, weights, outputs;  ///< of each query head; scores before the mask
  twin::Matrix beside;                                 ///< the outputs side by side, T × H d
  twin::Matrix result;                                 ///< T × D
};

/// Projections and sums of values in double; norms, scores and softmax on the run's device.
MultiHead multi_head(const Run&, const twin::Matrix& x, const twin::Matrix& source, const HeadWeights&,
                     const HeadsAsked&);

}  // namespace orrery::study
