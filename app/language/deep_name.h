// A look at TOML before its parser sees it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace orrery::language {

/// Of names joined by dots: `figure.page.size` has three. The parser's own limit on nesting does not count them, and half a
/// million tables inside one another are taken apart by as many calls inside one another.
inline constexpr int most_name_parts = 17;

/// Where a text has a name of more parts; nothing when nowhere.
std::optional<std::size_t> deep_name(std::string_view toml);

}  // namespace orrery::language
