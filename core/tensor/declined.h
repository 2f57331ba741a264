// What a twin throws when its device does not offer a size, a format or a variant that is right elsewhere.
#pragma once

#include "core/tensor/error.h"

namespace orrery {

/// Said aloud, never hidden by a silent fallback. Exit code 2: the caller may ask another device.
class Declined : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

}  // namespace orrery
