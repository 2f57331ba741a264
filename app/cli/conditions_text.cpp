#include "app/cli/conditions_text.h"

#include "app/cli/speech.h"
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

}  // namespace orrery::cli
