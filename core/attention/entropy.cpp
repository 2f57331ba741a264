#include "core/attention/entropy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::attention {

double logit_scale(LengthRemedy remedy, double n, double trained_length) {
  if (n <= trained_length) return 1;
  switch (remedy) {
    case LengthRemedy::log_n:
      return trained_length > 1 ? std::log(n) / std::log(trained_length) : 1;
    case LengthRemedy::yarn: {
      const double m = 0.1 * std::log(n / trained_length) + 1;
      return m * m;
    }
    case LengthRemedy::none:
    case LengthRemedy::window:
      break;
  }
  return 1;
}

double softmax_entropy(std::span<const double> scores, double scale) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double top = -infinity;
  for (const double s : scores) {
    if (std::isnan(s) || s == infinity) return std::numeric_limits<double>::quiet_NaN();
    top = std::max(top, s);
  }
  if (top == -infinity) return 0;
  // With x = κ(s − max): H = ln Σ e^x − Σ x e^x / Σ e^x.
  double sum = 0, weighted = 0;
  for (const double s : scores) {
    if (s == -infinity) continue;  // hidden, at a scale of 0 too
    const double x = scale * (s - top);
    const double e = std::exp(x);
    if (e == 0) continue;  // 0 · −∞ is nothing here
    sum += e;
    weighted += x * e;
  }
  return std::max(0.0, std::log(sum) - weighted / sum);
}

double normal_entropy(double n, double deviation) {
  if (n <= 1) return 0;
  return deviation * deviation < 2 * std::log(n) ? std::log(n) - deviation * deviation / 2 : 0;
}

}  // namespace orrery::attention
