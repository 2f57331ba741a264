// A word that does not fit what may be typed: which it is, what is allowed, and what was probably meant.
#pragma once

#include <span>
#include <string>

#include "app/cli/command.h"
#include "core/tensor/complaint.h"

namespace orrery::cli {

/// "'rendr': neither a command nor a file (did you mean 'render'?); commands: list, render, …"; empty when `word` may be a
/// file.
Complaint unknown_command(std::span<const Command>, const std::string& word);

/// Of one word that the command has no place for.
Complaint unexpected(const Command&, const std::string& word);

}  // namespace orrery::cli
