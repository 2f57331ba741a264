// A word that does not fit what may be typed: which it is, what is allowed, and what was probably meant.
#pragma once

#include <span>
#include <string>

#include "app/cli/command.h"

namespace orrery::cli {

/// "rendr: no such command (did you mean 'render'?); allowed: list, render, …"; empty when `word` may be a
/// file.
std::string unknown_command(std::span<const Command>, const std::string& word);

/// Of one word that the command has no place for.
std::string unexpected(const Command&, const std::string& word);

}  // namespace orrery::cli
