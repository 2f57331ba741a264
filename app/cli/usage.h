// What was typed and does not fit, in one line: the parser's own complaints in the words of this program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace orrery::cli {

/// "rendr: no such command (did you mean 'render'?); allowed: list, render, …"; empty when `word` may be a
/// file.
std::string unknown_command(const CLI::App& root, const std::string& word);

/// For an exception of root.parse(): which argument, what is allowed, and what was probably meant.
std::string usage_error(const CLI::App& root, const std::string& first_word, const CLI::ParseError&);

}  // namespace orrery::cli
