#include "app/study/rope/known_rules.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/study/model/cards.h"
#include "app/study/rope/published.h"
#include "app/study/text.h"
#include "core/parameter/parameter.h"

namespace orrery::study {
namespace {

using position::KnownRule;
using position::RopeType;

void add_layers(std::vector<KnownRule>& rules, const std::string& model, const std::string& when,
                std::optional<double> length) {
  const model::RopeConfig config = published_model(model, length);
  const auto turning =
      std::ranges::count_if(config.layers, [](const model::RopeLayer& l) { return !l.inv_freq.empty(); });
  for (const model::RopeLayer& layer : config.layers) {
    if (layer.inv_freq.empty()) continue;
    std::string kind = layer.name;
    std::ranges::replace(kind, '_', ' ');
    rules.push_back({model + (turning > 1 ? ", " + kind : "") + when, layer.rule});
  }
}

/// Those with a configuration file of their own first, then all others that have a card.
std::vector<std::string> names_of_models() {
  parameter::Parameter choice;
  choice.choices = own_or_published;
  std::vector<std::string> names;
  for (const std::string_view name : parameter::choices_of(choice))
    if (name != "own") names.emplace_back(name);
  for (const std::string_view name : card_names())
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  return names;
}

}  // namespace

std::vector<KnownRule> published_rules() {
  std::vector<KnownRule> rules;
  for (const std::string& name : names_of_models()) {
    const std::size_t before = rules.size();
    add_layers(rules, name, "", {});
    if (rules.size() == before) continue;  // it turns nothing
    const position::RopeRule rule = rules.back().rule;
    const bool grows = rule.type == RopeType::dynamic || rule.type == RopeType::longrope;
    if (!grows) continue;
    const double end = rule.type == RopeType::dynamic ? rule.max_length : rule.original_length;
    add_layers(rules, name, ", at " + grouped(2 * end) + " tokens", 2 * end);
  }
  return rules;
}

std::string rule_text(const position::RopeRule& rule) {
  std::string text;
  for (const position::NamedNumber& number : numbers_of(rule)) {
    const bool usual = (number.name == "beta_fast" && number.value == 32) ||
                       (number.name == "beta_slow" && number.value == 1) ||
                       (number.name == "truncate" && number.value == 1);
    if (usual) continue;
    std::string value = number.value == std::floor(number.value) || number.value >= 1e4
                            ? grouped(number.value)
                            : rounded_text(number.value, 7);
    if (number.name == "truncate") value = "false";
    text += (text.empty() ? "" : ", ") + number.name + " " + value;
  }
  return text;
}

}  // namespace orrery::study
