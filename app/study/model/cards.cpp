#include "app/study/model/cards.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/study/rope/published.h"
#include "core/parameter/parameter.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::study {

std::span<const std::string_view> card_names() {
  static const std::vector<std::string_view> names = [] {
    parameter::Parameter choice;
    choice.choices = carded;
    return parameter::choices_of(choice);
  }();
  return names;
}

model::Card published_card(std::string_view name) {
  if (std::ranges::find(card_names(), name) == card_names().end())
    throw InvalidArgument(parameter::unknown(about("model"), name, card_names()));
  return model::parse_card(published_config(name), name, std::string(name) + ".json");
}

}  // namespace orrery::study
