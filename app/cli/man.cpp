// orrery man: the manual page, from the same table as --help. `orrery man | man -l -` shows it.
#include <algorithm>
#include <array>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"

namespace orrery::cli {
namespace {

struct Entry {
  std::string_view name, text;
};

constexpr std::array<Entry, 3> exit_codes{
    {{"0", "Done."}, {"1", "It could not be done."}, {"2", "Wrong arguments."}}};

constexpr std::array<Entry, 9> variables{
    {{"XDG_DATA_HOME",
      "Presets saved in the window are kept in orrery/presets below it (else below ~/.local/share)."},
     {"XDG_STATE_HOME", "The window's session is kept in orrery below it (else below ~/.local/state)."},
     {"XDG_CONFIG_HOME", "Keys of one's own are read from orrery/keys.toml below it (else below ~/.config)."},
     {"XDG_CACHE_HOME", "Trained models are kept in orrery/trainings below it (else below ~/.cache)."},
     {"ORRERY_TRAININGS", "The folder in which they are kept instead; empty: they are not kept."},
     {"OMP_NUM_THREADS", "How many threads an op may use; as many as there are cores when it is not set."},
     {"ORRERY_NO_GPU", "1: the graphics processor is left alone, as if there were none."},
     {"ORRERY_SHADER_DIR",
      "Shaders are read from this folder and not from the program: for those who change them."},
     {"ORRERY_TRANSLATION_DIR", "Likewise the tables of translations."}}};

/// As roff takes it: no backslash of ours is one of its commands, and a dash is the dash that is typed. Line breaks of
/// --help are spaces here.
std::string text_of(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// A line of text. A dot in front would be a command of roff's.
std::string line_of(std::string_view words) {
  return (words.starts_with('.') ? "\\&" : "") + text_of(words) + "\n";
}

/// As a sentence begins.
std::string begun(std::string_view words) {
  std::string out(words);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string bold(std::string_view words) {
  return "\\fB" + text_of(words) + "\\fR";
}
std::string italic(std::string_view words) {
  return "\\fI" + text_of(words) + "\\fR";
}

std::string entry(const std::string& head, std::string_view text) {
  return ".TP\n" + head + "\n" + line_of(text);
}

std::string head_of(const Argument& argument) {
  if (!argument.is_option()) return italic(argument.names) + (argument.is_repeated() ? " ..." : "");
  std::string head;
  for (const std::string_view spelling : argument.spellings())
    head += (head.empty() ? "" : ", ") + bold(spelling);
  return argument.shape.empty() ? head : head + " " + italic(argument.shape);
}

/// "orrery render [OPTIONS] [STUDY]"
std::string usage_of(const Command& command) {
  std::string line = bold(command.name.empty() ? "orrery" : "orrery " + command.name);
  const auto& all = command.arguments;
  if (std::ranges::any_of(all, &Argument::is_option)) line += " [" + italic(say("OPTIONS")) + "]";
  for (const Argument& argument : all)
    if (!argument.is_option())
      line += " [" + italic(argument.names) + (argument.is_repeated() ? "...]" : "]");
  return line;
}

std::string arguments_of(const Command& command) {
  std::string text, group;
  for (const bool options : {false, true})
    for (const Argument& argument : command.arguments) {
      if (argument.is_option() != options) continue;
      if (argument.group != group) text += ".PP\n" + line_of(say("{}:", translated(group = argument.group)));
      text += entry(head_of(argument), translated(argument.help));
    }
  return text;
}

std::string examples_of(const Command& command) {
  std::string text;
  for (const Example& example : command.examples)
    text += ".PP\n" + line_of(say("{}:", begun(translated(example.what)))) + ".PP\n.EX\n.in +4n\n" +
            line_of(example.line) + ".in\n.EE\n";
  return text;
}

std::string section(std::string_view title) {
  return ".SH " + std::string(title) + "\n";
}

std::string entries(std::string_view title, std::span<const Entry> all) {
  std::string text = section(title);
  for (const Entry& each : all) text += entry(bold(each.name), translated(each.text));
  return text;
}

std::string page(const Command& window, std::span<const Command> all, const std::string& version) {
  std::string text = ".TH ORRERY 1 \"\" \"orrery " + text_of(version) + "\" \"User Commands\"\n";
  text += section(say("NAME")) + "orrery \\- " +
          line_of(say("an explorer of the numerics inside a Transformer")) + section(say("SYNOPSIS"));
  text += usage_of(window) + "\n";
  for (const Command& command : all) text += ".br\n" + usage_of(command) + "\n";
  text +=
      section(say("DESCRIPTION")) + line_of(translated(window.help)) + ".PP\n" +
      line_of(say(
          "Errors are one line on stderr that says which argument, what was found and what is allowed; "
          "existing files stay as they were. Every option of a command is also told by --help behind it.")) +
      section(say("OPTIONS")) + line_of(say("Without a command, for the window:")) + arguments_of(window) +
      section(say("COMMANDS"));
  for (const Command& command : all) {
    text += ".SS " + bold("orrery " + command.name) + "\n" +
            line_of(say("{}.", begun(translated(command.help)))) + arguments_of(command);
  }
  std::string examples = examples_of(window);
  for (const Command& command : all) examples += examples_of(command);
  // Directly behind a heading no paragraph begins.
  text += entries(say("EXIT STATUS"), exit_codes) + entries(say("ENVIRONMENT"), variables) +
          section(say("EXAMPLES")) + examples.substr(std::string_view(".PP\n").size());
  return text;
}

}  // namespace

Command man_command(const Program& program) {
  return {"man",
          "the manual page, for `orrery man | man -l -`",
          {},
          [program] { print(page(window_command(program), commands(program), program.version)); },
          {{"orrery man > ~/.local/share/man/man1/orrery.1",
            "for good, in a folder made before; man looks there where ~/.local/bin is on the path"}}};
}

}  // namespace orrery::cli
