#include "app/recipe/subtitle.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/study/choice_words.h"
#include "app/study/kit/words.h"
#include "app/study/model_facts.h"
#include "core/parameter/only_when.h"

namespace orrery::recipe {
namespace {

/// What a study can be about: named without a word before it, at its usual value too.
constexpr std::array<std::string_view, 2> subjects{"model", "op"};

/// What a model is called that is none of those published: its own settings say what it is.
constexpr std::string_view no_subject = "own";

/// Units that count things; others (%, rad, KiB) are the same of one and of many.
struct Counted {
  std::string_view many, one;
};
constexpr auto counted = std::to_array<Counted>({
    {"batches", "batch"},
    {"bytes", "byte"},
    {"degrees", "degree"},
    {"deviations", "deviation"},
    {"keys", "key"},
    {"sequences", "sequence"},
    {"steps", "step"},
    {"tokens", "token"},
    {"turns", "turn"},
});

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

/// "Tokens = 64" leaves nothing to ask.
bool says_unit(const parameter::Parameter& p) {
  return study::uncapitalised(p.label) == p.unit;
}

/// A value as it is typed; the word of a choice in the language of the page.
std::string said_value(const Recipe& recipe, const parameter::Parameter& p,
                       const parameter::Settings& settings) {
  if (p.kind != parameter::Kind::choice) return value_label(p, settings);
  return study::choice_words(recipe.language, *recipe.study, p, settings.choice(p.name));
}

std::string listed_sides(const Recipe& recipe) {
  std::string text;
  for (const parameter::Parameter* p : differing(recipe.compare->settings, recipe.settings))
    for (const auto& [side, settings] :
         {std::pair("A: ", &recipe.compare->settings), std::pair("B: ", &recipe.settings)})
      text += (text.empty() ? "" : " \u00B7 ") + std::string(side) +
              std::string(language::translate(recipe.language, p->label)) + " = " +
              said_value(recipe, *p, *settings);
  return text;
}

/// A difference has no keys of its own to say what it is the difference of.
std::string sides(const Recipe& recipe) {
  return recipe.compare && recipe.compare->mode == figure::CompareMode::difference ? sides_text(recipe)
                                                                                   : std::string();
}

/// As it is written, "Llama 3.1 8B", where it is a published model.
std::string subject_text(const Recipe& recipe, const parameter::Parameter& p, const std::string& value) {
  const std::string_view title = study::model_title(value);
  if (title != value) return language::translate(recipe.language, title);
  return p.kind == parameter::Kind::choice ? study::choice_words(recipe.language, *recipe.study, p, value)
                                           : value;
}

}  // namespace

std::string sides_text(const Recipe& recipe) {
  return recipe.compare && recipe.compare->study == recipe.study ? listed_sides(recipe) : std::string();
}

std::string unit_behind(std::string_view value, std::string_view unit, language::Language language) {
  if (unit.empty()) return {};
  const auto* const known = std::ranges::find(counted, unit, &Counted::many);
  const bool singular = language == language::Language::en && value == "1" && known != counted.end();
  return " " + language::translate(language, singular ? known->one : unit);
}

std::string subtitle(const Recipe& recipe, std::string_view title) {
  std::string text = sides(recipe);
  for (const parameter::Parameter& p : recipe.study->parameters) {
    if (!is_said(p, recipe)) continue;
    const std::string value = value_label(p, recipe.settings);
    const std::string said =
        is_subject(p) ? subject_text(recipe, p, value) : said_value(recipe, p, recipe.settings);
    const auto in_title = [&](const std::string& name) { return title.find(name) != std::string_view::npos; };
    if (is_subject(p) && (in_title(value) || in_title(said))) continue;
    if (!text.empty()) text += " \u00B7 ";
    if (!is_subject(p)) text += std::string(language::translate(recipe.language, p.label)) + " = ";
    text += said.empty() ? "\u201C\u201D" : said;
    if (!says_unit(p)) text += unit_behind(value, p.unit, recipe.language);
  }
  return text;
}

}  // namespace orrery::recipe
