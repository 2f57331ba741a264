#include "app/recipe/caption.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "app/language/language.h"
#include "app/recipe/subtitle.h"

namespace orrery::recipe {
namespace {

bool ends_a_sentence(std::string_view text) {
  for (const std::string_view end : {".", "?", "!", "。", "？", "！"})
    if (text.ends_with(end)) return true;
  return false;
}

/// A title may stand in lines; a caption flows.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// "Source: Su et al. 2021; Press et al. 2022": of both sides of a comparison where they are of two studies.
std::string sources(const Recipe& recipe) {
  std::string english(recipe.study->source);
  const auto said = [&](std::string_view source) {
    return std::string(language::translate(recipe.language, source));
  };
  if (english.empty()) return {};
  std::string text = said(english);
  if (recipe.compare && recipe.compare->study != recipe.study && !recipe.compare->study->source.empty())
    text = said(recipe.compare->study->source) + "; " + text;
  return language::say(recipe.language, "Source: {}", text);
}

/// What is a figure of, or a table: that may be said of the sides of a comparison besides.
enum class Of : std::uint8_t { figure, table };

std::string caption_of(const Recipe& recipe, const figure::Figure& figure, Of of) {
  const bool chinese = recipe.language == language::Language::zh;
  const std::string stop = chinese ? "。" : ".", between = chinese ? "" : " ";
  const std::string english = figure.title.empty() ? std::string(recipe.study->title) : figure.title;
  const std::string sentence = recipe.own_title.empty()
                                   ? std::string(language::translate(recipe.language, english))
                                   : recipe.own_title;
  std::string text = on_one_line(sentence);
  std::string settings = subtitle(recipe, sentence);
  const bool said = recipe.compare && recipe.compare->mode == figure::CompareMode::difference;
  if (const std::string sides = of == Of::table && !said ? sides_text(recipe) : ""; !sides.empty())
    settings = sides + (settings.empty() ? "" : " \u00B7 " + settings);
  if (!settings.empty()) text += chinese ? "（" + settings + "）" : " (" + settings + ")";
  if (!ends_a_sentence(text)) text += stop;
  if (const std::string after = sources(recipe); !after.empty()) text += between + after + stop;
  return text;
}

}  // namespace

std::string caption(const Recipe& recipe, const figure::Figure& figure) {
  return caption_of(recipe, figure, Of::figure);
}

std::string table_caption(const Recipe& recipe, const figure::Figure& figure, std::string_view table) {
  std::string name(table);
  std::ranges::replace(name, '_', ' ');
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name + (recipe.language == language::Language::zh ? "。" : ". ") +
         caption_of(recipe, figure, Of::table);
}

}  // namespace orrery::recipe
