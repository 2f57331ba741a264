// Cards drawn: parameters by part, facts as a table, and which model uses what.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "core/model/card.h"

namespace orrery::study {

/// A card with the name that it is shown under.
struct TitledCard {
  std::string title;
  model::Card card;
};

/// A bar for each card whose parameters can be counted, divided by its parts.
figure::Panel parts_panel(const std::vector<TitledCard>&);
/// A column for each card: the lines that tell most, or all of them; `cache_bytes` of one number.
figure::Panel facts_panel(const std::vector<TitledCard>&, double cache_bytes, bool all);
/// A line for each of the models that made a difference.
figure::Figure survey_figure();

}  // namespace orrery::study
