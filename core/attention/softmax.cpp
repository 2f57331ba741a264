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

tensor::Bound softmax_lse_bound(tensor::Index keys, double largest) {
  const double sizes = largest + std::log(std::max(static_cast<double>(keys), 1.0) + 1);
  return {.abs = tensor::rounded_once.abs + 0x1p-50 * sizes, .rel = tensor::rounded_once.rel, .nmse = 1};
}

tensor::Bound softmax_lse_gpu_bound(tensor::Index keys, double largest) {
  const double sizes = largest + std::log(std::max(static_cast<double>(keys), 1.0) + 1);
  return {.abs = (15 + 6 * sizes) * 0x1p-24, .rel = 0x1p-24, .nmse = 1};
}

void check_softmax(const SoftmaxParams& params, tensor::Index keys) {
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
  check_mask(params.mask, keys);
}

}  // namespace orrery::attention
