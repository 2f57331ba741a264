#include "core/attention/mask.h"

#include <string>

#include "core/tensor/error.h"

namespace orrery::attention {

void check_mask(const Mask& mask) {
  if (mask.kind == Mask::Kind::sliding && mask.window < 1)
    throw InvalidArgument("sliding window: found " + std::to_string(mask.window) +
                          ", allowed: at least 1 (the token itself)");
  if (mask.kind == Mask::Kind::prefix && mask.prefix < 0)
    throw InvalidArgument("prefix: found " + std::to_string(mask.prefix) + ", allowed: at least 0");
}

}  // namespace orrery::attention
