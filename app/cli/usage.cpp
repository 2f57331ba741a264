#include "app/cli/usage.h"

#include <filesystem>

#include "app/cli/arguments.h"
#include "core/parameter/spelling.h"

namespace orrery::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string_view> views(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

const CLI::App& active_command(const CLI::App& root) {
  const auto parsed = root.get_subcommands();
  return parsed.empty() ? root : *parsed.front();
}

std::string unexpected(const CLI::App& command, const std::string& word) {
  if (word.starts_with("-")) {
    const auto names = option_names(command);
    const std::string option = word.substr(0, word.find('='));
    return option + ": no such option" + parameter::did_you_mean(option, views(names)) +
           "; allowed: " + joined(views(names));
  }
  return "'" + word + "': one word too many";
}

}  // namespace

std::string unknown_command(const CLI::App& root, const std::string& word) {
  std::error_code ignored;
  if (word.empty() || word.starts_with("-") || word.find_first_of("./") != std::string::npos ||
      std::filesystem::exists(word, ignored)) {
    return "";
  }
  const auto names = command_names(root);
  return "'" + word + "': neither a command nor a file" + parameter::did_you_mean(word, views(names)) +
         "; commands: " + joined(views(names));
}

std::string usage_error(const CLI::App& root, const std::string& first_word, const CLI::ParseError& error) {
  const CLI::App& command = active_command(root);
  if (&command == &root) {
    if (const std::string text = unknown_command(root, first_word); !text.empty()) return text;
  }
  const std::string where = &command == &root ? "" : command.get_name() + ": ";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto words = command.remaining(true);
    if (!words.empty()) return where + unexpected(command, words.front());
  }
  std::string what = error.what();
  constexpr std::string_view again = ": At Most 1 required but received ";
  if (const auto at = what.find(again); at != std::string::npos)
    what = what.substr(0, at) + ": given " + what.substr(at + again.size()) + " times; allowed: once";
  return where + what;
}

}  // namespace orrery::cli
