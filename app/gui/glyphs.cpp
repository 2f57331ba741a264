#include "app/gui/glyphs.h"

#include <algorithm>

#include "app/language/characters.h"

namespace orrery::gui {
namespace {

bool common(char32_t c) {
  const std::vector<ImWchar>& ranges = common_ranges();
  for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
    if (c >= ranges[i] && c <= ranges[i + 1]) return true;
  return false;
}

}  // namespace

const std::vector<ImWchar>& common_ranges() {
  // Latin, Greek, Cyrillic's neighbours left out; punctuation, sub- and superscripts, arrows, mathematics.
  static const std::vector<ImWchar> ranges{0x0020, 0x017F, 0x0370, 0x03FF, 0x2000, 0x206F,
                                           0x2070, 0x209F, 0x2100, 0x214F, 0x2190, 0x21FF,
                                           0x2200, 0x22FF, 0x25A0, 0x25FF, 0};
  return ranges;
}

void Glyphs::ask(std::string_view text) {
  // Below it every character is common: most texts are done here.
  constexpr unsigned char first_lead = 0xC6;
  const auto rare = [](char c) { return static_cast<unsigned char>(c) >= first_lead; };
  for (auto at = std::find_if(text.begin(), text.end(), rare); at != text.end();
       at = std::find_if(at + 1, text.end(), rare)) {
    const char32_t c = language::first_character({at, text.end()});
    if (c <= IM_UNICODE_CODEPOINT_MAX && !common(c) && asked_.insert(static_cast<ImWchar>(c)).second)
      fresh_ = true;
  }
}

std::vector<ImWchar> Glyphs::take_ranges() {
  fresh_ = false;
  std::vector<ImWchar> ranges;
  for (const ImWchar c : asked_) {
    if (!ranges.empty() && ranges.back() + 1 == c)
      ranges.back() = c;
    else
      ranges.insert(ranges.end(), {c, c});
  }
  ranges.push_back(0);
  return ranges;
}

}  // namespace orrery::gui
