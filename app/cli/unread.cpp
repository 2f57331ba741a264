#include "app/cli/unread.h"

#include <algorithm>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/study/study.h"
#include "core/parameter/only_when.h"

namespace orrery::cli {

std::string conditions_text(const parameter::Parameter& p) {
  std::string text;
  for (const parameter::Condition& condition : parameter::conditions_of(p)) {
    std::string values;
    for (std::size_t i = 0; i < condition.values.size(); ++i) {
      const bool last = i + 1 == condition.values.size();
      values += i == 0 ? "" : last ? say(" or ") : ", ";
      values += condition.values[i].empty() ? say("empty") : std::string(condition.values[i]);
    }
    text += (text.empty() ? "" : say(", and ")) + std::string(condition.name) + say(" is ") + values;
  }
  return text;
}

namespace {

bool is_read(const parameter::Parameter& p, const recipe::Recipe& recipe) {
  if (!parameter::unmet(p, recipe.settings)) return true;
  const auto& a = recipe.compare;
  return a && a->study == recipe.study && !parameter::unmet(p, a->settings);
}

}  // namespace

void warn_of_unread(std::span<const std::string> names, const recipe::Recipe& recipe) {
  for (const std::string& name : names) {
    const auto p = std::ranges::find(recipe.study->parameters, name, &parameter::Parameter::name);
    if (p != recipe.study->parameters.end() && !is_read(*p, recipe))
      warn(say("{}: changes nothing here, for it is read only when {}", name, conditions_text(*p)));
  }
}

}  // namespace orrery::cli
