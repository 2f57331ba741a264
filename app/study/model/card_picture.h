// Cards drawn: parameters by part, facts as a table, and which model uses what.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "core/model/card.h"

namespace orrery::study {

/// A card with the name that it is shown under.
struct TitledCard {
  std::string title;
  model::Card card;
};

/// A bar for each card whose parameters can be counted, divided by its parts.
figure::Panel parts_panel(const std::vector<TitledCard>&);
struct FactsAsked {
  double cache_bytes = 2;  ///< of one number
  double length = 1;       ///< of the text: cards that were made for a shorter one say so
  bool all = false;        ///< every line, not only those that tell most
};
/// A column for each card.
figure::Panel facts_panel(const std::vector<TitledCard>&, const FactsAsked&);
/// A line for each of the models that made a difference, and the same as a table of words.
figure::Table survey_table();
figure::Figure survey_figure();

}  // namespace orrery::study
