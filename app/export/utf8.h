// UTF-8 in and out of characters.
#pragma once

#include <string>
#include <string_view>

namespace orrery::exporter {

/// The same bytes where they are UTF-8, U+FFFD where they are not.
std::string valid_utf8(std::string_view);

/// The same with U+FFFD also for the codes that Unicode calls no characters: Cairo makes no PDF of them.
std::string drawable_utf8(std::string_view);

std::string utf8(char32_t);

/// Letters with the signs typed behind them as one character each, where there is one: é of e and U+0301. Of valid text.
std::string composed(const std::string& valid);

/// The characters of text that is known to be valid.
std::u32string characters(const std::string& valid);

}  // namespace orrery::exporter
