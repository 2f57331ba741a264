// For error messages: which known name a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::parameter {

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b, each counted 1.
int edit_distance(std::string_view a, std::string_view b);

/// The known name that is near enough for `typed` to be a slip of the fingers or its beginning, or none.
std::vector<std::string> nearest(std::string_view typed, std::span<const std::string_view> known);

/// " (did you mean 'base'?)", or "".
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known);

/// What was typed is none of the known names: "found 'bse' (did you mean 'base'?); allowed: base, length".
Complaint unknown(Complaint subject, std::string_view typed, std::span<const std::string_view> known);

}  // namespace orrery::parameter
