#include "core/training/clip.h"

#include <cmath>

namespace orrery::training {

template <class T>
double norm_of(std::span<const T> gradient) {
  double sum = 0;
  for (const T g : gradient) sum += static_cast<double>(g) * static_cast<double>(g);
  return std::sqrt(sum);
}

template <class T>
double clip(std::span<T> gradient, double longest) {
  const double norm = norm_of(std::span<const T>(gradient));
  if (!std::isfinite(norm) || norm <= longest) return norm;
  const double factor = longest / norm;
  for (T& g : gradient) g = static_cast<T>(factor * static_cast<double>(g));
  return norm;
}

template double norm_of(std::span<const float>);
template double norm_of(std::span<const double>);
template double clip(std::span<float>, double);
template double clip(std::span<double>, double);

}  // namespace orrery::training
