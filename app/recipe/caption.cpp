#include "app/recipe/caption.h"

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

}  // namespace

std::string caption(const Recipe& recipe, const figure::Figure& figure) {
  const bool chinese = recipe.language == language::Language::zh;
  const std::string stop = chinese ? "。" : ".", between = chinese ? "" : " ";
  const std::string english = figure.title.empty() ? std::string(recipe.study->title) : figure.title;
  const std::string sentence = recipe.own_title.empty()
                                   ? std::string(language::translate(recipe.language, english))
                                   : recipe.own_title;
  std::string text = on_one_line(sentence);
  if (const std::string settings = subtitle(recipe, sentence); !settings.empty())
    text += chinese ? "（" + settings + "）" : " (" + settings + ")";
  if (!ends_a_sentence(text)) text += stop;
  if (const std::string after = sources(recipe); !after.empty()) text += between + after + stop;
  return text;
}

}  // namespace orrery::recipe
