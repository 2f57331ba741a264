// What was typed, read by the table of commands. The only file behind it that knows CLI11.
#pragma once

#include <span>
#include <string>

#include "app/cli/command.h"

namespace orrery::cli {

/// What is to be done: print `help`, or, where there is none, run `command`, whose arguments are set.
struct Asked {
  const Command* command = nullptr;
  std::string help;
};

/// `window` is what is meant without a command. Throws InvalidArgument, one line, for what does not fit.
Asked parse(const Command& window, std::span<const Command> commands, int argc, const char* const* argv);

/// "CLI11 2.1.2"
std::string parsing_library();

}  // namespace orrery::cli
