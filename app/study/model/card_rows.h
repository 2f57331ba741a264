// What a card says, line by line, for a table that a person reads: in the figure and on the command line.
#pragma once

#include <string>
#include <vector>

#include "core/model/card.h"

namespace orrery::study {

struct CardRow {
  std::string what;     ///< "norm"
  std::string value;    ///< "RMSNorm"; "unknown" where nobody says
  std::string brief{};  ///< the same where there is little room; empty: the value is short itself
};

/// The same lines in the same order for every card.
std::vector<CardRow> card_rows(const model::Card&);

/// "6.74 B", "124 M": four digits at most.
std::string short_count(double);
/// "LayerNorm", "RMSNorm", "unknown"
std::string norm_text(const model::Card&);
/// "before", "after the sum"
std::string place_text(const model::Card&);
/// "rotary", "learned"
std::string positions_text(const model::Card&);
/// "SiLU", gated: "SwiGLU"
std::string family_text(const model::Card&);
/// The same with its numbers: "SwiGLU, α 1.702, clamped at 7"
std::string activation_text(const model::Card&);

}  // namespace orrery::study
