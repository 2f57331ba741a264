#include "app/cli/parse.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "app/cli/speech.h"
#include "app/cli/usage.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

/// --size "$SIZE" with SIZE unset is a slip, not a wish for the default. What has no dash in front is asked for by name where
/// it is missing.
Complaint fault_of_empty(const std::string& text) {
  return text.empty() ? Complaint().found_text(text).allowed("a value") : Complaint();
}

using Fault = std::function<Complaint(const std::string&)>;

/// The parser knows of lines only: the parts of what is wrong are left in `refused`.
void check(CLI::Option& option, const Fault& fault, Complaint& refused) {
  const auto said = [&option, fault, &refused](const std::string& text) {
    const Complaint wrong = fault(text);
    if (wrong.empty()) return std::string();
    refused = wrong.within({Subject::Kind::option, name_phrase(option.get_name())});
    return english(wrong);
  };
  option.check(said, "");
}

void add(CLI::App& app, const Argument& argument, Complaint& refused) {
  if (bool* const* on = std::get_if<bool*>(&argument.sets)) {
    CLI::Option* flag = app.add_flag(argument.names, **on, translated(argument.help));
    if (!argument.group.empty()) flag->group(translated(argument.group));
    return;
  }
  CLI::Option* option = nullptr;
  if (std::string* const* text = std::get_if<std::string*>(&argument.sets)) {
    option = app.add_option(argument.names, **text, translated(argument.help));
  } else {
    option = app.add_option(argument.names, *std::get<std::vector<std::string>*>(argument.sets),
                            translated(argument.help));
    // One value each time, so that what stands behind it is left alone.
    if (argument.is_option()) option->allow_extra_args(false);
  }
  if (!argument.shape.empty()) option->type_name(argument.shape);
  if (!argument.group.empty()) option->group(translated(argument.group));
  if (argument.fault) check(*option, argument.fault, refused);
  if (argument.is_option()) check(*option, fault_of_empty, refused);
}

/// What the parser says itself in --help; commands inherit it.
void set_words(CLI::App& root) {
  const auto formatter = root.get_formatter();
  formatter->label("Usage", say("Usage"));
  formatter->label("Positionals", say("Positionals"));
  formatter->label("OPTIONS", say("OPTIONS"));
  formatter->label("SUBCOMMAND", say("SUBCOMMAND"));
  root.option_defaults()->group(say("Options"));
}

/// The parser writes "Usage:" with a colon of ASCII.
std::string with_own_colons(std::string help, const Command& command) {
  std::vector<std::string> headings{say("Usage"), say("Positionals"), say("Options"), say("Subcommands")};
  for (const Argument& argument : command.arguments)
    if (!argument.group.empty()) headings.push_back(translated(argument.group));
  for (const std::string& heading : headings)
    if (const auto at = help.find("\n" + heading + ":"); at != std::string::npos)
      help.replace(at + 1, heading.size() + 1, say("{}:", heading));
  return help;
}

void add_all(CLI::App& app, const Command& command, Complaint& refused) {
  app.set_help_flag("-h,--help", say("Print this help message and exit"));
  for (const Argument& argument : command.arguments) add(app, argument, refused);
}

/// The window's words stand alone: before a command they would be read and mean nothing.
void refuse_before_command(const CLI::App& root) {
  const auto commands = root.get_subcommands();
  if (commands.empty()) return;
  for (const CLI::Option* option : root.get_options()) {
    if (option->count() == 0) continue;
    const std::string word =
        option->get_positional() ? in_apostrophes(option->as<std::string>()) : option->get_name();
    throw InvalidArgument(
        about(Subject::Kind::option, word)
            .fault("found before the command {}, which does not take it there", commands.front()->get_name())
            .allowed("without a command, for the window"));
  }
}

/// What stands in `what` between the two; nothing where it does not end in the second.
std::optional<std::pair<std::string, std::string>> around(std::string_view what, std::string_view between,
                                                          std::string_view end) {
  const auto at = what.find(between);
  if (at == what.npos || !what.ends_with(end)) return std::nullopt;
  what.remove_suffix(end.size());
  return std::pair(std::string(what.substr(0, at)), std::string(what.substr(at + between.size())));
}

/// The parser's own words; what it says of values is said in ours.
Complaint parsers_complaint(const std::string& what) {
  if (const auto missing = around(what, ": 1 required ", " missing"))
    return about(Subject::Kind::option, missing->first)
        .fault("its value is missing")
        .allowed(name_phrase(missing->second));
  constexpr std::string_view unread = "Could not convert: ";  // a flag's
  if (const auto said = around(what, " = ", ""); said && said->first.starts_with(unread))
    return about(Subject::Kind::option, said->first.substr(unread.size()))
        .found_text(said->second)
        .allowed("no value");
  if (const auto again = around(what, ": At Most 1 required but received ", ""))
    return about(Subject::Kind::option, again->first)
        .found(again->second)
        .fault("given {} times", again->second)
        .allowed("once");
  return Complaint().fault(foreign(what));
}

}  // namespace

Asked parse(const Command& window, std::span<const Command> commands, int argc, const char* const* argv) {
  CLI::App root(translated(window.help), "orrery");
  set_words(root);
  root.require_subcommand(0, 1);
  Complaint refused;
  add_all(root, window, refused);
  for (const Command& command : commands)
    add_all(*root.add_subcommand(command.name, translated(command.help))->group(say("Subcommands")), command,
            refused);
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
    const Command& command = *command_of(app);
    return {&command, with_own_colons(&app == &root ? root.help() : app.help("orrery"), command)};
  } catch (const CLI::ParseError& error) {
    const Command& command = *command_of(asked());
    if (&command == &window)
      if (const Complaint unknown = unknown_command(commands, argc > 1 ? argv[1] : ""); !unknown.empty())
        throw InvalidArgument(unknown);
    Complaint complaint = parsers_complaint(error.what());
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr && !refused.empty()) complaint = refused;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
      if (const auto words = asked().remaining(true); !words.empty())
        complaint = unexpected(command, words.front());
    if (command.name.empty()) throw InvalidArgument(complaint);
    throw InvalidArgument(complaint.within({Subject::Kind::command, name_phrase(command.name)}));
  }
  return {command_of(asked()), ""};
}

std::string parsing_library() {
  return std::string("CLI11 ") + CLI11_VERSION;
}

}  // namespace orrery::cli
