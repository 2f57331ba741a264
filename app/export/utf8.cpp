#include "app/export/utf8.h"

#include <glib.h>

#include <memory>

namespace orrery::exporter {

std::string valid_utf8(std::string_view bytes) {
  if (bytes.empty()) return {};
  const std::unique_ptr<char, decltype(&g_free)> valid(
      g_utf8_make_valid(bytes.data(), static_cast<gssize>(bytes.size())), &g_free);
  return valid.get();
}

std::string utf8(char32_t code) {
  char bytes[6];
  return {bytes, static_cast<std::size_t>(g_unichar_to_utf8(code, bytes))};
}

std::u32string characters(const std::string& valid) {
  std::u32string result;
  for (const char* at = valid.c_str(); at < valid.c_str() + valid.size(); at = g_utf8_next_char(at)) {
    result += static_cast<char32_t>(g_utf8_get_char(at));
  }
  return result;
}

}  // namespace orrery::exporter
