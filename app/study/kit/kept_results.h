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

/// Throws InvalidArgument that names the parameter `results`, what was found in it, and the figure that keeps such a line.
[[noreturn]] void refuse_results(std::string_view found);
/// The number that the whole text is, from `least` to `most`, else refuse_results().
double kept_number(std::string_view text, double least, double most);
/// "2000 steps": the number before the word, else refuse_results().
double kept_count(std::string_view text, std::string_view word, double most);
/// What came with the program, assets/trained/NAME: one line.
std::string_view trained_line(std::string_view name);

}  // namespace orrery::study
