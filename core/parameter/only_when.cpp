#include "core/parameter/only_when.h"

#include <algorithm>

namespace orrery::parameter {
namespace {

/// Cuts the beginning of `rest` off, up to the separator, which goes too.
std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return part;
}

std::vector<std::string_view> alternatives(std::string_view text) {
  std::vector<std::string_view> all;
  do all.push_back(next_part(text, '|'));
  while (!text.empty());
  return all;
}

}  // namespace

std::vector<Condition> conditions_of(const Parameter& p) {
  std::vector<Condition> all;
  for (std::string_view rest = p.only_when; !rest.empty();) {
    std::string_view condition = next_part(rest, ' ');
    const std::string_view name = next_part(condition, '=');
    all.push_back({name, alternatives(condition)});
  }
  return all;
}

std::optional<Condition> unmet(const Parameter& p, const Settings& settings) {
  for (Condition& condition : conditions_of(p))
    if (std::ranges::find(condition.values, settings.text(condition.name)) == condition.values.end())
      return std::move(condition);
  return std::nullopt;
}

void meet_conditions(const Parameter& p, Settings& settings) {
  for (const Condition& condition : conditions_of(p))
    if (std::ranges::find(condition.values, settings.text(condition.name)) == condition.values.end())
      settings.set(condition.name, condition.values.front());
}

}  // namespace orrery::parameter
