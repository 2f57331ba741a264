#include "app/export/utf8.h"

#include <glib.h>

#include <algorithm>
#include <memory>

namespace orrery::exporter {

std::string valid_utf8(std::string_view bytes) {
  if (bytes.empty()) return {};
  const std::unique_ptr<char, decltype(&g_free)> valid(
      g_utf8_make_valid(bytes.data(), static_cast<gssize>(bytes.size())), &g_free);
  return valid.get();
}

std::string drawable_utf8(std::string_view bytes) {
  std::string result = valid_utf8(bytes);
  const auto is_none = [](char32_t c) { return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF); };
  const std::u32string all = characters(result);
  if (std::ranges::none_of(all, is_none)) return result;
  result.clear();
  for (const char32_t c : all) result += utf8(is_none(c) ? U'\uFFFD' : c);
  return result;
}

std::string utf8(char32_t code) {
  char bytes[6];
  return {bytes, static_cast<std::size_t>(g_unichar_to_utf8(code, bytes))};
}

std::string composed(const std::string& valid) {
  const std::unique_ptr<char, decltype(&g_free)> whole(
      g_utf8_normalize(valid.data(), static_cast<gssize>(valid.size()), G_NORMALIZE_NFC), &g_free);
  return whole ? whole.get() : valid;
}

std::u32string characters(const std::string& valid) {
  std::u32string result;
  for (const char* at = valid.c_str(); at < valid.c_str() + valid.size(); at = g_utf8_next_char(at)) {
    result += static_cast<char32_t>(g_utf8_get_char(at));
  }
  return result;
}

}  // namespace orrery::exporter
