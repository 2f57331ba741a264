// AdamW, and Adam with the decay in the gradient, as it was before.
//
//   m ← β₁m + (1 − β₁)g          v ← β₂v + (1 − β₂)g²          at step t = 1, 2, …
//   w ← w − η·λ·w − η·m̂/(√v̂ + ε),   m̂ = m/(1 − β₁ᵗ),  v̂ = v/(1 − β₂ᵗ)         (decoupled: Loshchilov, Hutter 2019)
//   with the decay in the gradient, g + λw stands for g and nothing else is taken from w      (L2: Kingma, Ba 2015)
//
// Each parameter by itself: a training is the same for any number of threads that share them out. What a direction
// m̂/√v̂ can be at most follows from Cauchy and Schwarz: see largest_direction.
// In float 1 − β is taken from the rounded β, where PyTorch rounds 1 − β itself: 1 − β₂ is off by 10⁻⁶ of itself at 0.98, by
// 1.3·10⁻⁵ at 0.999 and by 1.3 % at 0.999999, where a first direction is 0.993. Trainings that are kept have these bits.
// Sources: Kingma, Ba 2015, algorithm 1 and section 3; Loshchilov, Hutter 2019, arXiv 1711.05101, algorithm 2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::training {

struct AdamSettings {
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double decay = 0;       ///< λ
  bool decoupled = true;  ///< the decay beside the gradient, not in it
  bool corrected = true;  ///< m̂ and v̂; else m and v as they are
};

template <class T>
class AdamW {
 public:
  AdamW(const AdamSettings& settings, std::size_t parameters)
      : settings_(settings), m_(parameters), v_(parameters) {}

  /// One step of rate η; `weights` and `gradient` have a number for each parameter, else std::logic_error.
  void step(std::span<T> weights, std::span<const T> gradient, double rate);

  std::int64_t steps() const { return steps_; }
  /// What a checkpoint holds, and puts back.
  std::span<T> first_moment() { return m_; }
  std::span<T> second_moment() { return v_; }
  void resume_after(std::int64_t steps) { steps_ = steps; }

 private:
  AdamSettings settings_;
  std::vector<T> m_, v_;
  std::int64_t steps_ = 0;
};

extern template class AdamW<float>;
extern template class AdamW<double>;

/// The largest |m̂|/√v̂ (or |m|/√v, uncorrected) that any gradients can give at step t: with the weights a and b of the t
/// gradients in m and v, |Σ aᵢgᵢ| ≤ √(Σ aᵢ²/bᵢ)·√(Σ bᵢgᵢ²). One at the first step, corrected. ∞ behind it where β₂ is 0 and
/// β₁ is not.
double largest_direction(const AdamSettings&, std::int64_t step);

}  // namespace orrery::training
