// The last thing that happened, as the status line says it.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::gui {

struct Notice {
  enum class Kind : std::uint8_t { none, done, error } kind = Kind::none;
  std::string text;
};

}  // namespace orrery::gui
