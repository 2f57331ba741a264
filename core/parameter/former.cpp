#include "core/parameter/former.h"

namespace orrery::parameter {
namespace {

/// What stands before the next `sign`, which is taken off the text.
std::string_view next_before(char sign, std::string_view& rest) {
  const std::size_t end = rest.find(sign);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return part;
}

}  // namespace

std::string_view todays_choice(const Parameter& p, std::string_view text) {
  if (p.kind != Kind::choice) return text;
  for (std::string_view rest = p.choices; !rest.empty();) {
    std::string_view names = next_before('|', rest);
    const std::string_view today = next_before('<', names);
    while (!names.empty())
      if (next_before('<', names) == text) return today;
  }
  return text;
}

}  // namespace orrery::parameter
