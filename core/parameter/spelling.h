// For error messages: which known name a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orrery::parameter {

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b, each counted 1.
int edit_distance(std::string_view a, std::string_view b);

/// " (did you mean 'base'?)" when a known name is near enough to be a slip of the fingers, else "".
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known);

}  // namespace orrery::parameter
