#include "app/cli/commands.h"

#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/training_commands.h"

namespace orrery::cli {

std::vector<std::string_view> Argument::spellings() const {
  std::vector<std::string_view> all;
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t comma = std::min(names.find(',', from), names.size());
    all.push_back(std::string_view(names).substr(from, comma - from));
    from = comma + 1;
  }
  return all;
}

std::vector<Command> commands(const Program& program) {
  std::vector<Command> all{list_command(),    render_command(),      batch_command(),     gallery_command(),
                           apply_command(),   rope_command(),        model_command(),     identify_command(),
                           inspect_command(), bench_command(),       train_command(),     evaluate_command(),
                           sweep_command(),   completions_command(), man_command(program)};
  for (Command& command : all)
    if (std::ranges::find(command.arguments, "--lang", &Argument::names) == command.arguments.end())
      command.arguments.push_back(language_argument());
  return all;
}

}  // namespace orrery::cli
