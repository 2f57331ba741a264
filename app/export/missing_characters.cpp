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

std::string missing_characters_note(const figure::Figure& figure) {
  std::vector<char32_t> missing;
  for (const char32_t c : written(figure))
    if (!any_font_has(c)) missing.push_back(c);
  if (missing.empty()) return {};
  std::string note = "no font here has";
  for (std::size_t i = 0; i < std::min(missing.size(), most_named); ++i) note += ' ' + utf8(missing[i]);
  if (missing.size() > most_named) note += " and " + std::to_string(missing.size() - most_named) + " more";
  note += ": shown as boxes";
  const auto eastern = [](char32_t c) { return c >= first_ideograph && c <= last_ideograph; };
  if (std::ranges::any_of(missing, eastern)) note += "; fonts-noto-cjk has Chinese, Japanese and Korean";
  return note;
}

}  // namespace orrery::exporter
