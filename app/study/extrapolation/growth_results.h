// What small models did while they learned, as one line of text that a recipe keeps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/training/growth.h"

namespace orrery::study {

struct GrowthResults {
  std::string where;  ///< "AMD EPYC, 2026-11-24"
  double steps = 0;
  std::vector<training::Growth> models;
};

/// "AMD EPYC, 2026-11-24; 2000 steps; copy rope 1 1 2 0 3; look 0 4.2 … 0.02 … MAP MAP; look 50 …; …": a model's task, key,
/// seed and the layer and head of its two heads, then its looks: step, losses, shares, weights of the heads. A map has a
/// letter for each weight that a query may see, of 64: 0 … 9, A … Z, a … z, + and -.
std::string text_of(const GrowthResults&);
/// Throws InvalidArgument that names the parameter `results`.
GrowthResults growth_results(std::string_view text);
/// Those that came with the program, made by `./dev race`.
GrowthResults shipped_growth();

/// By how much a weight that was kept may be off.
inline constexpr double kept_weight_error = 0.5 / 63;

}  // namespace orrery::study
