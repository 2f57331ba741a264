#include "app/export/plain_number.h"

#include <glib.h>

#include <algorithm>

namespace orrery::exporter {
namespace {

/// Digits, points, signs and a product's sign, as prose writes them; nothing for anything else.
std::optional<std::string> in_digits(std::string_view tex) {
  static constexpr std::string_view times = "\\times", dot = "\\cdot";
  std::string text;
  bool digit = false;
  for (std::size_t i = 0; i < tex.size();) {
    if (tex.substr(i).starts_with(times) || tex.substr(i).starts_with(dot)) {
      text += "\u00D7";
      i += tex.substr(i).starts_with(times) ? times.size() : dot.size();
      continue;
    }
    const char c = tex[i++];
    digit |= g_ascii_isdigit(c) != 0;
    if (c == '-')
      text += "\u2212";
    else if (g_ascii_isdigit(c) || c == '.')
      text += c;
    else if (c != ' ')
      return {};
  }
  return digit ? std::optional(text) : std::nullopt;
}

}  // namespace

std::optional<PlainNumber> plain_number(std::string_view tex) {
  const std::size_t caret = tex.find("^{");
  auto base = in_digits(tex.substr(0, caret));
  if (!base) return {};
  if (caret == std::string_view::npos) return PlainNumber{std::move(*base), {}};
  const std::string_view raised = tex.substr(caret + 2);
  if (!raised.ends_with('}')) return {};
  auto exponent = in_digits(raised.substr(0, raised.size() - 1));
  if (!exponent) return {};
  return PlainNumber{std::move(*base), std::move(*exponent)};
}

}  // namespace orrery::exporter
