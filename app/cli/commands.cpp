#include "app/cli/commands.h"

#include <algorithm>

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
  return {list_command(),  render_command(),      batch_command(),     gallery_command(),
          apply_command(), rope_command(),        identify_command(),  inspect_command(),
          bench_command(), completions_command(), man_command(program)};
}

}  // namespace orrery::cli
