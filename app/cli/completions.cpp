// orrery completions: the script by which a shell completes this program's words. The scripts (assets/completions) know
// nothing themselves: they ask `orrery __complete` (offers.cpp), so that all shells offer the same and none grows old with
// the table.
#include <algorithm>
#include <memory>
#include <span>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/parameter/spelling.h"
#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::cli {

/// "orrery.bash" and so on, made part of the program by the build.
extern const tensor::EmbeddedFile completion_scripts[];
extern const int completion_scripts_count;

namespace {

constexpr std::string_view before = "orrery.";

std::vector<std::string_view> shells() {
  std::vector<std::string_view> names;
  for (const tensor::EmbeddedFile& script : std::span(completion_scripts, completion_scripts_count))
    names.push_back(std::string_view(script.name).substr(before.size()));
  return names;
}

struct CompletionsOptions {
  std::string shell;
};

void completions(const CompletionsOptions& o) {
  const std::vector<std::string_view> names = shells();
  require("SHELL", o.shell, name_phrase(joined(names)));
  const auto found = std::ranges::find(names, o.shell);
  if (found == names.end())
    throw InvalidArgument(parameter::unknown(about(Subject::Kind::option, "SHELL"), o.shell, names));
  print(completion_scripts[found - names.begin()].text);
}

}  // namespace

Command completions_command() {
  const auto o = std::make_shared<CompletionsOptions>();
  return {"completions",
          "the script by which a shell completes these words",
          {{"SHELL", &o->shell, "", joined(shells()), {Offers::Kind::words, words_of(shells())}}},
          [o] { completions(*o); },
          {{"source <(orrery completions bash)", "in this bash, from now on"},
           {"orrery completions fish | source", "in this fish"}}};
}

}  // namespace orrery::cli
