#include "app/figure/line_breaks.h"

#include <algorithm>

namespace orrery::figure {
namespace {

constexpr std::u32string_view closing = U"，。、；：！？）」』】》〉〕…—％·\u201D\u2019,.;:!?)]}%";
constexpr std::u32string_view opening = U"（「『【《〈〔\u201C\u2018([{";

/// A character, or a whole formula.
struct Unit {
  std::size_t length = 1;
  char32_t character = 0;  ///< of a formula: the dollar sign
  bool math = false;
};

std::size_t length_of(unsigned char lead) {
  return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

Unit unit_at(std::string_view text, std::size_t at) {
  if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '$') return {2, U'a', true};
  if (text[at] == '$') {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '$') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return {1, U'a', true};  // nothing ends it: a dollar sign, as it is drawn
    return {end + 1 - at, U'$', true};
  }
  const std::size_t length = std::min(length_of(static_cast<unsigned char>(text[at])), text.size() - at);
  auto character = static_cast<char32_t>(static_cast<unsigned char>(text[at]));
  if (length > 1) character &= 0xFFu >> (length + 1);
  for (std::size_t i = 1; i < length; ++i)
    character = character << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  return {length, character, false};
}

/// Of a script that sets no spaces between words; its punctuation too.
bool ideographic(char32_t c) {
  return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x20000 && c <= 0x3FFFF);
}

bool may_break(char32_t before, char32_t after) {
  if (!ideographic(before) && !ideographic(after)) return false;
  return closing.find(after) == closing.npos && opening.find(before) == opening.npos;
}

}  // namespace

std::vector<Chunk> unbreakable_chunks(std::string_view text) {
  std::vector<Chunk> chunks;
  bool spaced = false;
  char32_t before = 0;  // 0: nothing to stay with
  for (std::size_t at = 0; at < text.size();) {
    // A % stays with its number, space and all, and so do the factors of 6 × 8.
    if (before != 0 && (text.substr(at).starts_with(" %") || text.substr(at).starts_with(" ×") ||
                        (before == U'×' && text[at] == ' '))) {
      chunks.back().text = {chunks.back().text.data(), chunks.back().text.size() + 1};
      ++at;
      continue;
    }
    if (text[at] == ' ' || text[at] == '\n') {
      spaced = true;
      before = 0;
      ++at;
      continue;
    }
    const Unit unit = unit_at(text, at);
    if (before == 0 || may_break(before, unit.character)) {
      chunks.push_back({text.substr(at, unit.length), spaced && !chunks.empty(), unit.math});
    } else {
      chunks.back().text = {chunks.back().text.data(), chunks.back().text.size() + unit.length};
      chunks.back().math = chunks.back().math || unit.math;
    }
    spaced = false;
    before = unit.character;
    at += unit.length;
  }
  return chunks;
}

}  // namespace orrery::figure
