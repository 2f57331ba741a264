// Numbers that stand with their points in line.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "app/gui/fonts.h"

namespace orrery::gui {

/// How wide a number is before its point, and from there on.
struct Halves {
  float before = 0, behind = 0;
  float width() const { return before + behind; }
};

inline Halves halves(const Face& face, const std::string& number) {
  const std::size_t point = std::min(number.find('.'), number.size());
  const float before = face.width(std::string_view(number).substr(0, point));
  return {before, face.width(number) - before};
}

}  // namespace orrery::gui
