#include "app/render/left_out.h"

#include <algorithm>
#include <string_view>

#include "app/export/text_runs.h"
#include "app/language/characters.h"
#include "core/parameter/shown.h"
#include "core/tensor/complaint_words.h"

namespace orrery::render {
namespace {

constexpr std::size_t most_named = 3;
constexpr int most_columns = 48;  // of each

/// Its beginning where it is long.
std::string quoted(const std::string& text) {
  const std::string plain = parameter::visible(exporter::plain_text(text));
  std::string begun;
  for (std::size_t i = 0, next = 0; i < plain.size(); i = next) {
    for (next = i + 1; next < plain.size() && (static_cast<unsigned char>(plain[next]) & 0xC0) == 0x80;)
      ++next;
    if (language::terminal_columns(begun) + 2 > most_columns) return "“" + begun + "…”";
    begun += plain.substr(i, next - i);
  }
  return "“" + begun + "”";
}

/// Of the choices that show one panel, "map|decay": those that are not shown now.
std::string ways(const recipe::Recipe& recipe) {
  const auto declared = recipe.settings.declared();
  const auto show = std::ranges::find(declared, "show", &parameter::Parameter::name);
  if (show == declared.end() || recipe.settings.choice("show") != "all") return {};
  std::string names;
  for (const std::string_view name : parameter::choices_of(*show))
    if (name != "all") names += (names.empty() ? "" : "|") + std::string(name);
  return names;
}

}  // namespace

Phrase left_out_phrase(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::string named = quoted(texts.front());
  const std::size_t said = texts.size() > most_named + 1 ? most_named : texts.size();
  for (std::size_t i = 1; i < said; ++i) named += ", " + quoted(texts[i]);
  if (said == texts.size()) return words("the page has no room for {}", foreign(named));
  return words("the page has no room for {} and {} more texts", foreign(named), texts.size() - said);
}

Phrase left_out_note(const std::vector<std::string>& texts, const recipe::Recipe& recipe) {
  const Phrase no_room = left_out_phrase(texts);
  const std::string panels = ways(recipe);
  if (panels.empty()) return words("{}: a larger {} has", no_room, "--size");
  return words("{}: a larger {} has, and each panel by itself: {}", no_room, "--size",
               "--set show=" + panels);
}

}  // namespace orrery::render
