#include "core/attention/softmax.h"

#include <cmath>
#include <string>

#include "core/tensor/error.h"

namespace orrery::attention {

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
