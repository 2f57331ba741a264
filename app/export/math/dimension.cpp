#include "app/export/math/dimension.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace orrery::exporter::math {

std::optional<double> dimension(std::string_view text) {
  constexpr double longest = 50;
  constexpr double pt = 0.1, inch = 72.27 * pt;
  constexpr auto units = std::to_array<std::pair<std::string_view, double>>({
      {"em", 1},
      {"ex", 0.431},
      {"mu", 1 / 18.0},
      {"pt", pt},
      {"bp", inch / 72},
      {"cm", inch / 2.54},
      {"mm", inch / 25.4},
      {"in", inch},
  });
  const auto trim = [](std::string_view s) {
    while (s.starts_with(' ')) s.remove_prefix(1);
    while (s.ends_with(' ')) s.remove_suffix(1);
    return s;
  };
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  text = trim(text.substr(static_cast<std::size_t>(rest - text.data())));
  const auto unit = std::ranges::find(units, text, &std::pair<std::string_view, double>::first);
  if (unit == units.end() || value != value) return std::nullopt;
  return std::clamp(value * unit->second, -longest, longest);
}

}  // namespace orrery::exporter::math
