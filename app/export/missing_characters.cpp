#include "app/export/missing_characters.h"

#include <algorithm>
#include <set>
#include <vector>

#include "app/export/any_font.h"
#include "app/export/text_runs.h"
#include "app/export/utf8.h"
#include "app/figure/texts.h"

namespace orrery::exporter {
namespace {

using Characters = std::set<char32_t>;

constexpr std::size_t most_named = 8;
constexpr char32_t first_ideograph = 0x2E80,
                   last_ideograph = 0x323AF;  // and what East Asian text has between them

void add(Characters& all, const std::string& text) {
  for (const TextRun& run : split_text(text))
    if (!run.math)
      for (const char32_t c : characters(run.text))
        if (c > 0x7F) all.insert(c);  // every font has ASCII
}

Characters written(const figure::Figure& figure) {
  Characters all;
  figure::each_drawn_text(figure, [&](const std::string& text) { add(all, text); });
  return all;
}

}  // namespace

Phrase missing_characters_note(const figure::Figure& figure) {
  std::vector<char32_t> missing;
  for (const char32_t c : written(figure))
    if (!any_font_has(c)) missing.push_back(c);
  if (missing.empty()) return {};
  std::string named;
  for (std::size_t i = 0; i < std::min(missing.size(), most_named); ++i)
    named += (named.empty() ? "" : " ") + utf8(missing[i]);
  const auto is_eastern = [](char32_t c) { return c >= first_ideograph && c <= last_ideograph; };
  const bool eastern = std::ranges::any_of(missing, is_eastern);
  if (missing.size() <= most_named)
    return eastern
               ? words("no font here has {}: shown as boxes; fonts-noto-cjk has Chinese, Japanese and Korean",
                       named)
               : words("no font here has {}: shown as boxes", named);
  const std::size_t more = missing.size() - most_named;
  return eastern
             ? words(
                   "no font here has {} and {} more: shown as boxes; fonts-noto-cjk has Chinese, Japanese "
                   "and Korean",
                   named, more)
             : words("no font here has {} and {} more: shown as boxes", named, more);
}

}  // namespace orrery::exporter
