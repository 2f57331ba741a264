#include "app/study/attention/weights_entropy.h"

#include <cmath>

namespace orrery::study {

double weights_entropy(std::span<const double> weights) {
  double entropy = 0;
  for (const double p : weights)
    if (p > 0) entropy -= p * std::log(p);
  return entropy;
}

}  // namespace orrery::study
