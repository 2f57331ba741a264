#include "core/attention/softmax.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/tensor/error.h"

namespace orrery::attention {

tensor::Bound softmax_bound(tensor::Index keys) {
  constexpr double u = 0x1p-24;
  const double rel = (10 + 3 * std::log(std::max(static_cast<double>(keys), 1.0))) * u, row = 0x1.2p0 * u;
  return {.abs = tensor::rounded_once.abs, .rel = rel, .nmse = (rel + row) * (rel + row), .row = row};
}

void check_softmax(const SoftmaxParams& params) {
  if (!(params.temperature > 0))
    throw InvalidArgument(about(words("softmax temperature"))
                              .found(std::to_string(params.temperature))
                              .led_by(", allowed: ")
                              .allowed("above {}", 0));
  if (params.sink && !std::isfinite(*params.sink))
    throw InvalidArgument(about(words("softmax sink"))
                              .found(std::to_string(*params.sink))
                              .led_by(", allowed: ")
                              .allowed("a finite logit"));
  check_mask(params.mask);
}

}  // namespace orrery::attention
