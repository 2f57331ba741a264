// A small language model as it stands before its first step: what its stream, its loss and its gradients are, measured.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/study/study.h"
#include "core/transformer/initialise.h"

namespace orrery::study {

/// The arrays of a layer by what they are for; the gains of all its norms are one.
enum class ArrayKind { query, value, mix, expand, contract, gain };
constexpr std::array array_kinds{ArrayKind::query,  ArrayKind::value,    ArrayKind::mix,
                                 ArrayKind::expand, ArrayKind::contract, ArrayKind::gain};

struct ModelStart {
  std::vector<double> variance;  ///< mean square of the stream at place k, behind k residual sums
  /// |dL/dW| by layer, of all arrays of a kind together.
  std::array<std::vector<double>, array_kinds.size()> gradients;
  std::vector<double> gradient;  ///< of all arrays of a layer together
  double loss = 0;
  double largest_branch = 0;  ///< root mean square of the largest branch on its way into the stream
  /// How far a token's loss lies outside of the bounds that its logits z set it: with z̄ their mean and R their range,
  /// ln V ≤ ln Σ e^{z − z̄} ≤ ln V + R²/8 (Jensen; Hoeffding's lemma). At most 0 but for rounding.
  double outside = 0, outside_slack = 0;
  /// Logits are linear in the last norm's gain γ, so that Σ γ dL/dγ = Σ z dL/dz (Euler): how far they are apart.
  double euler = 0, euler_slack = 0;
};

/// A decoder, in double on the reference, else in float.
ModelStart model_start(const Run&, const transformer::Config&, const transformer::Initialisation&,
                       const transformer::Batch&, std::uint64_t seed);

}  // namespace orrery::study
