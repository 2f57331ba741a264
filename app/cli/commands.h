// The commands, one file each: every function here declares its arguments and what happens when they are
// given.
#pragma once

namespace CLI {
class App;
}

namespace orrery::cli {

void add_list(CLI::App&);
void add_render(CLI::App&);
void add_batch(CLI::App&);
void add_gallery(CLI::App&);
void add_apply(CLI::App&);
void add_rope(CLI::App&);
void add_identify(CLI::App&);
void add_inspect(CLI::App&);
void add_bench(CLI::App&);

}  // namespace orrery::cli
