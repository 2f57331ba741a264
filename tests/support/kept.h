// What an array's numbers are kept as.
#pragma once

#include <type_traits>

#include "core/tensor/values.h"

namespace orrery::support {

inline bool in_float(const tensor::Values& values) {
  return values.visit(
      [](auto kept) { return std::is_same_v<typename decltype(kept)::element_type, const float>; });
}

}  // namespace orrery::support
