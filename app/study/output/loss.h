// What a word that came costs: cross-entropy, plain and with smoothed labels.
//
//   L = −ln p_t                                 p = softmax(x), t the target
//   L_ε = −Σ_v y_v ln p_v = lse − Σ_v y_v x_v    y_v = ε/V, and 1 − ε more for the target
//   ∂L_ε/∂x_t = p_t − y_t                        level where p_t = 1 − ε + ε/V
//
// Source: Szegedy et al., arXiv 1512.00567, section 7; Vaswani et al., arXiv 1706.03762, section 5.4 (ε = 0.1).
#pragma once

#include "app/study/kit.h"
#include "app/study/output/cut.h"

namespace orrery::study::output {

class Loss {
 public:
  Loss(const Matrix& logits, Index target, double smoothing);

  Index target;
  double smoothing;
  double probability = 0, cross_entropy = 0, smoothed = 0;  // at its own logit
  double logit = 0;

  /// Where the smoothed loss is least, the others as they are; infinite without smoothing, or without others.
  double best_logit() const;
  double least() const { return at(best_logit()); }
  /// (L(x + h) − L(x − h)) / 2h there.
  double slope_at_least() const;
  double slope_slack() const;
  /// Both over the target's logit.
  Series curve() const;

 private:
  double at(double target_logit) const;
  double log_sum(double target_logit) const;

  double words_ = 1, others_ = 0;  ///< how many words, and ln Σ e^x of the others
  double sum_of_others_ = 0;       ///< Σ x of them
};

Panel loss_panel(const Loss&, const Series& curve, const Vocabulary&);

}  // namespace orrery::study::output
