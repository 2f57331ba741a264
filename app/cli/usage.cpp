#include "app/cli/usage.h"

#include <filesystem>

#include "app/cli/arguments.h"
#include "core/parameter/spelling.h"

namespace orrery::cli {

std::string unknown_command(std::span<const Command> commands, const std::string& word) {
  std::error_code ignored;
  if (word.empty() || word.starts_with("-") || word.find_first_of("./") != std::string::npos ||
      std::filesystem::exists(word, ignored)) {
    return "";
  }
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.push_back(command.name);
  return "'" + word + "': neither a command nor a file" + parameter::did_you_mean(word, names) +
         "; commands: " + joined(names);
}

std::string unexpected(const Command& command, const std::string& word) {
  if (!word.starts_with("-")) return "'" + word + "': one word too many";
  std::vector<std::string_view> names{"-h", "--help"};
  for (const Argument& argument : command.arguments)
    if (argument.is_option())
      for (const std::string_view spelling : argument.spellings()) names.push_back(spelling);
  const std::string option = word.substr(0, word.find('='));
  return option + ": no such option" + parameter::did_you_mean(option, names) + "; allowed: " + joined(names);
}

}  // namespace orrery::cli
