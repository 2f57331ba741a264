// A recipe as the line that a person types: `orrery render` with what differs from the defaults, quoted for a shell.
#pragma once

#include <string>
#include <vector>

#include "app/recipe/recipe.h"

namespace orrery::recipe {

struct Command {
  std::string line;
  /// What no option says: only the recipe has it ("the view").
  std::vector<std::string> left_out;
};
Command command_of(const Recipe&, const std::string& output);

/// As one word of a POSIX shell.
std::string shell_word(std::string_view);

}  // namespace orrery::recipe
