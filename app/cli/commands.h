// The commands, one file each: every function here says as data what its command takes and what happens then.
#pragma once

#include "app/cli/cli.h"
#include "app/cli/command.h"

namespace orrery::cli {

/// What is done without a command: the window.
Command window_command(const Program&);

Command list_command();
Command render_command();
Command batch_command();
Command gallery_command();
Command apply_command();
Command rope_command();
Command model_command();
Command identify_command();
Command inspect_command();
Command bench_command();
Command completions_command();
Command man_command(const Program&);

/// All that have a name, in the order of --help. Each call makes them anew, with nothing set.
std::vector<Command> commands(const Program&);

}  // namespace orrery::cli
