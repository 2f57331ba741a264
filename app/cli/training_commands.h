// The commands about trainings; as those of commands.h.
#pragma once

#include "app/cli/command.h"

namespace orrery::cli {

Command train_command();
Command evaluate_command();
Command sweep_command();

}  // namespace orrery::cli
