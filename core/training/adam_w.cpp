#include "core/training/adam_w.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace orrery::training {

template <class T>
void AdamW<T>::step(std::span<T> weights, std::span<const T> gradient, double rate) {
  if (weights.size() != m_.size() || gradient.size() != m_.size())
    throw std::logic_error("AdamW was made for another number of parameters");
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const AdamSettings& s = settings_;
  const double first = s.corrected ? -std::expm1(t * std::log(s.beta1)) : 1,
               second = s.corrected ? -std::expm1(t * std::log(s.beta2)) : 1;
  const T keep = static_cast<T>(s.decoupled ? 1 - rate * s.decay : 1),
          inside = static_cast<T>(s.decoupled ? 0 : s.decay);
  const T b1 = static_cast<T>(s.beta1), b2 = static_cast<T>(s.beta2), eps = static_cast<T>(s.eps);
  const T length = static_cast<T>(rate / first), root = static_cast<T>(1 / std::sqrt(second));
  for (std::size_t i = 0; i < m_.size(); ++i) {
    const T g = gradient[i] + inside * weights[i];
    m_[i] = b1 * m_[i] + (1 - b1) * g;
    v_[i] = b2 * v_[i] + (1 - b2) * (g * g);
    weights[i] = keep * weights[i] - length * m_[i] / (std::sqrt(v_[i]) * root + eps);
  }
}

template class AdamW<float>;
template class AdamW<double>;

double largest_direction(const AdamSettings& s, std::int64_t step) {
  // aᵢ = (1 − β₁)β₁ᵏ and bᵢ = (1 − β₂)β₂ᵏ of the gradient k steps ago: aᵢ²/bᵢ is a power of β₁²/β₂.
  if (s.beta2 == 0) {  // v holds the last gradient alone, and older ones in m may be as large as they like
    if (step > 1 && s.beta1 > 0) return std::numeric_limits<double>::infinity();
    return s.corrected ? 1 : 1 - s.beta1;
  }
  const auto t = static_cast<double>(step);
  const double ratio = s.beta1 * s.beta1 / s.beta2;
  const double sum = ratio == 1 ? t : std::expm1(t * std::log(ratio)) / (ratio - 1);
  const double raw = (1 - s.beta1) * std::sqrt(sum / (1 - s.beta2));
  if (!s.corrected) return raw;
  return raw * std::sqrt(-std::expm1(t * std::log(s.beta2))) / -std::expm1(t * std::log(s.beta1));
}

}  // namespace orrery::training
