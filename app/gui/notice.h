// The last thing that happened, as the status line says it.
#pragma once

#include <cstdint>
#include <string>

#include "core/tensor/complaint.h"

namespace orrery::gui {

struct Notice {
  enum class Kind : std::uint8_t { none, done, error } kind = Kind::none;
  std::string text;       ///< English
  Complaint complaint{};  ///< the same as data, where it is of an error
};

}  // namespace orrery::gui
