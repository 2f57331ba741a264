#include "app/cli/parse.h"

#include <CLI/CLI.hpp>

#include "app/cli/usage.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

/// --size "$SIZE" with SIZE unset is a slip, not a wish for the default. What has no dash in front is asked for by name where
/// it is missing.
std::string fault_of_empty(const std::string& text) {
  return text.empty() ? "found ''; allowed: a value" : "";
}

void add(CLI::App& app, const Argument& argument) {
  if (bool* const* on = std::get_if<bool*>(&argument.sets)) {
    CLI::Option* flag = app.add_flag(argument.names, **on, argument.help);
    if (!argument.group.empty()) flag->group(argument.group);
    return;
  }
  CLI::Option* option = nullptr;
  if (std::string* const* text = std::get_if<std::string*>(&argument.sets)) {
    option = app.add_option(argument.names, **text, argument.help);
  } else {
    option =
        app.add_option(argument.names, *std::get<std::vector<std::string>*>(argument.sets), argument.help);
    // One value each time, so that what stands behind it is left alone.
    if (argument.is_option()) option->allow_extra_args(false);
  }
  if (!argument.shape.empty()) option->type_name(argument.shape);
  if (!argument.group.empty()) option->group(argument.group);
  if (argument.fault) option->check(argument.fault, "");
  if (argument.is_option()) option->check(fault_of_empty, "");
}

void add_all(CLI::App& app, const Command& command) {
  for (const Argument& argument : command.arguments) add(app, argument);
}

/// The window's words stand alone: before a command they would be read and mean nothing.
void refuse_before_command(const CLI::App& root) {
  const auto commands = root.get_subcommands();
  if (commands.empty()) return;
  for (const CLI::Option* option : root.get_options()) {
    if (option->count() == 0) continue;
    const std::string word =
        option->get_positional() ? "'" + option->as<std::string>() + "'" : option->get_name();
    throw InvalidArgument(word + ": found before the command " + commands.front()->get_name() +
                          ", which does not take it there; allowed: without a command, for the window");
  }
}

/// The parser's own complaint in the words of this program.
std::string said(const CLI::ParseError& error) {
  std::string what = error.what();
  constexpr std::string_view again = ": At Most 1 required but received ";
  if (const auto at = what.find(again); at != std::string::npos)
    what = what.substr(0, at) + ": given " + what.substr(at + again.size()) + " times; allowed: once";
  return what;
}

}  // namespace

Asked parse(const Command& window, std::span<const Command> commands, int argc, const char* const* argv) {
  CLI::App root(window.help, "orrery");
  root.require_subcommand(0, 1);
  add_all(root, window);
  for (const Command& command : commands) add_all(*root.add_subcommand(command.name, command.help), command);
  root.parse_complete_callback([&] { refuse_before_command(root); });

  const auto asked = [&]() -> const CLI::App& {
    const auto parsed = root.get_subcommands();
    return parsed.empty() ? root : *parsed.front();
  };
  const auto command_of = [&](const CLI::App& app) {
    const auto found = std::ranges::find(commands, app.get_name(), &Command::name);
    return found == commands.end() ? &window : &*found;
  };
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success&) {  // --help
    const CLI::App& app = asked();
    return {command_of(app), &app == &root ? root.help() : app.help("orrery")};
  } catch (const CLI::ParseError& error) {
    const Command& command = *command_of(asked());
    if (&command == &window)
      if (const std::string text = unknown_command(commands, argc > 1 ? argv[1] : ""); !text.empty())
        throw InvalidArgument(text);
    const std::string where = command.name.empty() ? "" : command.name + ": ";
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
      if (const auto words = asked().remaining(true); !words.empty())
        throw InvalidArgument(where + unexpected(command, words.front()));
    throw InvalidArgument(where + said(error));
  }
  return {command_of(asked()), ""};
}

std::string parsing_library() {
  return std::string("CLI11 ") + CLI11_VERSION;
}

}  // namespace orrery::cli
