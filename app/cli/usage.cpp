#include "app/cli/usage.h"

#include <filesystem>

#include "core/parameter/spelling.h"

namespace orrery::cli {
namespace {

/// About a word that stands where an option or a command might.
Complaint about_word(const std::string& word) {
  return about(Subject::Kind::option, in_apostrophes(word));
}

}  // namespace

Complaint unknown_command(std::span<const Command> commands, const std::string& word) {
  std::error_code ignored;
  if (word.empty() || word.starts_with("-") || word.find_first_of("./") != std::string::npos ||
      std::filesystem::exists(word, ignored)) {
    return {};
  }
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.push_back(command.name);
  return parameter::unknown(about_word(word), word, names)
      .fault("neither a command nor a file")
      .led_by("; commands: ");
}

Complaint unexpected(const Command& command, const std::string& word) {
  if (!word.starts_with("-")) return about_word(word).fault("one word too many");
  std::vector<std::string_view> names{"-h", "--help"};
  for (const Argument& argument : command.arguments)
    if (argument.is_option())
      for (const std::string_view spelling : argument.spellings()) names.push_back(spelling);
  const std::string option = word.substr(0, word.find('='));
  return parameter::unknown(about(Subject::Kind::option, option), option, names).fault("no such option");
}

}  // namespace orrery::cli
