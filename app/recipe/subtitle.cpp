#include "app/recipe/subtitle.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/language/language.h"
#include "core/parameter/only_when.h"

namespace orrery::recipe {
namespace {

/// What a study can be about: named without a word before it, at its usual value too.
constexpr std::array<std::string_view, 2> subjects{"model", "op"};

/// What a model is called that is none of those published: its own settings say what it is.
constexpr std::string_view no_subject = "own";

bool is_subject(const parameter::Parameter& p) {
  return std::ranges::find(subjects, p.name) != subjects.end();
}

bool same_on_both_sides(const parameter::Parameter& p, const Recipe& recipe) {
  const std::optional<Compare>& a = recipe.compare;
  return !a || (a->study == recipe.study && a->settings.value(p.name) == recipe.settings.value(p.name));
}

bool is_said(const parameter::Parameter& p, const Recipe& recipe) {
  if (p.presentation || (recipe.animation && recipe.animation->parameter == p.name)) return false;
  if (parameter::unmet(p, recipe.settings) || !same_on_both_sides(p, recipe)) return false;
  return is_subject(p) ? value_text(p, recipe.settings) != no_subject : !recipe.settings.is_default(p.name);
}

/// A difference has no keys of its own to say what it is the difference of.
std::string sides(const Recipe& recipe) {
  if (!recipe.compare || recipe.compare->mode != figure::CompareMode::difference ||
      recipe.compare->study != recipe.study)
    return {};
  std::string text;
  for (const parameter::Parameter* p : differing(recipe.compare->settings, recipe.settings))
    for (const auto& [side, settings] :
         {std::pair("A: ", &recipe.compare->settings), std::pair("B: ", &recipe.settings)})
      text += (text.empty() ? "" : " \u00B7 ") + std::string(side) +
              std::string(language::translate(recipe.language, p->label)) + " = " + value_text(*p, *settings);
  return text;
}

}  // namespace

std::string subtitle(const Recipe& recipe, std::string_view title) {
  std::string text = sides(recipe);
  for (const parameter::Parameter& p : recipe.study->parameters) {
    if (!is_said(p, recipe)) continue;
    const std::string value = value_text(p, recipe.settings);
    if (is_subject(p) && title.find(value) != std::string_view::npos) continue;
    if (!text.empty()) text += " \u00B7 ";
    if (!is_subject(p)) text += std::string(language::translate(recipe.language, p.label)) + " = ";
    text += value;
    if (!p.unit.empty()) text += " " + std::string(language::translate(recipe.language, p.unit));
  }
  return text;
}

}  // namespace orrery::recipe
