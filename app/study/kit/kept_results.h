// What a study measured or trained, as one line of text: a recipe keeps it, and what came with the program is such a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::study {

/// What stands between separators, without spaces about it; nothing that is empty.
std::vector<std::string_view> parts(std::string_view text, char between);
std::string five_digits(double x);
/// As a recipe can hold it between apostrophes, and the line between semicolons.
std::string plain(std::string text);
/// "2026-11-24", in UTC.
std::string today();

}  // namespace orrery::study
