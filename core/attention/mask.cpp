#include "core/attention/mask.h"

#include "core/tensor/error.h"

namespace orrery::attention {

void check_mask(const Mask& mask) {
  if (mask.kind == Mask::Kind::sliding && mask.window < 1)
    throw InvalidArgument(about(words("sliding window"))
                              .found(mask.window)
                              .led_by(", allowed: ")
                              .allowed("at least 1 (the token itself)"));
  if (mask.kind == Mask::Kind::prefix && mask.prefix < 0)
    throw InvalidArgument(about("prefix").found(mask.prefix).led_by(", allowed: ").allowed("at least {}", 0));
}

}  // namespace orrery::attention
