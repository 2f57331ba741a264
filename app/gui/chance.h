// Settings by chance: what a study shows where nobody thought of looking.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/parameter/settings.h"

namespace orrery::gui {

/// Every parameter anew but the locked ones, files, and what only says how something is drawn: along its slider's way, by
/// ratios where that goes by ratios. What the new choices do not read stays. The same number gives the same values.
parameter::Settings by_chance(parameter::Settings, const std::set<std::string>& locked, std::uint64_t number);

/// One throw of the dice, which the study may refuse a few times.
struct Chance {
  static constexpr int most_tries = 20;
  std::uint64_t number = 0;    ///< of draws so far
  int tries = 0;               ///< of this throw; 0: none is under way
  parameter::Settings before;  ///< what it began with
  parameter::Settings drawn;   ///< what the study was asked for last
};

}  // namespace orrery::gui
