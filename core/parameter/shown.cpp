#include "core/parameter/shown.h"

#include <array>

namespace orrery::parameter {
namespace {

constexpr std::array<char32_t, 12> turns{0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C,
                                         0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069};

struct Special {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: what stands here is nothing special
};

/// Of the characters that are asked for: one byte, two from C2 or D8, or three from E2.
Special special_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return {byte(0), 1};
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return {byte(1), 2};  // C1
  if (byte(0) != 0xD8 && byte(0) != 0xE2) return {};
  const std::size_t bytes = byte(0) == 0xD8 ? 2 : 3;
  const char32_t code = bytes == 2 ? (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F)
                                   : (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  for (const char32_t turn : turns)
    if (code == turn) return {code, bytes};
  return {};
}

/// A line end, of other systems too, or a tab.
bool is_layout(std::string_view text) {
  return text.starts_with('\n') || text.starts_with('\t') || text.starts_with("\r\n");
}

std::string escape(char32_t code) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  if (code == U'\n') return "\\n";
  if (code == U'\t') return "\\t";
  std::string out = "\\u";
  for (const int shift : {12, 8, 4, 0}) out += digits[(code >> shift) & 15];
  return out;
}

}  // namespace

std::string brief(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not within a letter of UTF-8
  return std::string(text.substr(0, end)) + "… (" + std::to_string(text.size()) + " bytes)";
}

std::string visible(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Special special = special_at(text.substr(i));
    if (special.bytes == 0 || (lines && is_layout(text.substr(i)))) {
      out += text[i++];
    } else {
      out += escape(special.code);
      i += special.bytes;
    }
  }
  return out;
}

bool harmless(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const Special special = special_at(text.substr(i)); special.bytes > 0 && !is_layout(text.substr(i)))
      return false;
  return true;
}

}  // namespace orrery::parameter
