// UTF-8 in and out of characters.
#pragma once

#include <string>
#include <string_view>

namespace orrery::exporter {

/// The same bytes where they are UTF-8, U+FFFD where they are not.
std::string valid_utf8(std::string_view);

std::string utf8(char32_t);

/// The characters of text that is known to be valid.
std::u32string characters(const std::string& valid);

}  // namespace orrery::exporter
