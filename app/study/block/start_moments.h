// What a random stack of blocks makes of its tokens on average over its weights, in closed form: the mean field, exact
// where the width grows without end.
//
// C_tu = E[x_t · x_u]/D of the stream at tokens t and u. As core/transformer/residual.h has one formula for every placement,
// n = N_before(x), f = F(n), s = αx + N_inner(f), y = N_after(s), so here
//
//   a norm       C_tu → γ² C_tu / √((C_tt + ε)(C_uu + ε))
//   attention    C → (D σ_V²)(D σ_O²) P C Pᵀ             P: every token that is seen weighs the same, as where all scores are 0
//   ReLU         F σ_2² · D σ_1² · √(C_tt C_uu) κ(ρ)     κ(ρ) = (√(1 − ρ²) + (π − arccos ρ) ρ)/2π, κ(1) = ½
//   a sum        α² C + C of the branch                  a branch's last matrix is independent of the stream, and of mean 0
//
// Biases are 0. Means over the features, which LayerNorm takes away, are 0 but for a part 1/D.
// Source    κ: Cho, Saul, "Kernel methods for deep learning", NIPS 2009, of degree 1; recursions of this kind: Poole et al. 2016,
//           arXiv 1606.05340; uniform attention: Xiong et al. 2020, 2002.04745.
#pragma once

#include <vector>

#include "core/tensor/view.h"
#include "core/transformer/config.h"
#include "core/transformer/initialise.h"

namespace orrery::study {

struct StartMoments {
  std::vector<double> variance;  ///< mean of C_tt over the tokens, at place k, behind k residual sums
  double loss = 0;               ///< mean cross-entropy that is expected
};

/// Of one sequence. The model is a decoder of ReLU without positions, the weights as `start` says.
StartMoments start_moments(const transformer::Config&, const transformer::Initialisation& start,
                           const std::vector<tensor::Index>& tokens);

/// E ln(e^m + Σ e^{z_i}) for so many independent z_i of N(0, s²); without m where that is −∞. By
/// ln x = ∫ (e^{−u} − e^{−ux}) du/u, in which the sum becomes a power.
double expected_log_sum(double count, double s, double m);

}  // namespace orrery::study
