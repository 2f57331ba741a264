#include "app/language/characters.h"

namespace orrery::language {
namespace {

/// East Asian Width W and F (Unicode's annex 11) beyond what `ideographic` has: Korean, full-width signs, emoji.
bool wide_elsewhere(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0xA960 && c <= 0xA97C) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1F64F) || (c >= 0x1F900 && c <= 0x1F9FF);
}

/// Stands on the letter before it, or is seen by nobody.
bool accent(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x20D0 && c <= 0x20F0) || (c >= 0xFE00 && c <= 0xFE0F) ||
         (c >= 0x200B && c <= 0x200F);
}

}  // namespace

int count_dollars(std::string_view text) {
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '$')
      ++count;
  }
  return count;
}

bool ideographic(char32_t c) {
  return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) ||
         (c >= 0xFF00 && c <= 0xFF60) || (c >= 0x20000 && c <= 0x3FFFF);
}

char32_t first_character(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<char32_t>(static_cast<unsigned char>(text[i])) : char32_t{0};
  };
  const char32_t lead = byte(0);
  if (lead < 0xC0) return lead;
  if (lead < 0xE0) return (lead & 0x1F) << 6 | (byte(1) & 0x3F);
  if (lead < 0xF0) return (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
}

char32_t last_character(std::string_view text) {
  std::size_t start = text.size();
  while (start > 0 && (static_cast<unsigned char>(text[--start]) & 0xC0) == 0x80) continue;
  return first_character(text.substr(start));
}

int terminal_columns(std::string_view text) {
  int columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;  // the rest of a character
    const char32_t c = first_character(text.substr(i));
    columns += accent(c) ? 0 : ideographic(c) || wide_elsewhere(c) ? 2 : 1;
  }
  return columns;
}

void join(std::string& text, std::string_view more) {
  if (text.ends_with(' ') && ideographic(first_character(more)) &&
      ideographic(last_character(std::string_view(text).substr(0, text.size() - 1))))
    text.pop_back();
  else if (more.starts_with(' ') && ideographic(last_character(text)) &&
           ideographic(first_character(more.substr(1))))
    more.remove_prefix(1);
  text += more;
}

}  // namespace orrery::language
