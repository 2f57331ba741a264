#include "app/cli/cli.h"
#include "app/cli/waiting_threads.h"
#include "app/gui/actions.h"
#include "app/gui/libraries.h"
#include "app/gui/session.h"
#include "app/gui/window.h"
#include "app/recipe/presets_folder.h"
#include "core/file/without_memory.h"

namespace orrery {
extern const char* const commit;  // made by the build
}

namespace {

/// Before whatever lives as long as the program is made, which takes memory too.
[[gnu::constructor(101)]] void have_a_last_word() {
  orrery::file::say_without_memory("orrery: out of memory\n");
}

}  // namespace

int main(int argc, char** argv) {
  orrery::cli::let_waiting_threads_sleep(argv);
  orrery::cli::Program program;
  program.version = ORRERY_VERSION;
  program.window_libraries = orrery::gui::libraries();
  program.commit = orrery::commit;
  program.places = {{"session", orrery::gui::session_file().string()},
                    {"shortcuts", orrery::gui::key_map_file().string()},
                    {"presets", orrery::recipe::presets_folder().string()}};
  program.open_window = [](const orrery::cli::WindowRequest& asked) {
    orrery::gui::Start start;
    start.file = asked.file;
    start.study = asked.study;
    start.scale = asked.scale;
    start.theme = asked.theme;
    start.language = asked.language;
    start.high_contrast = asked.high_contrast;
    start.reduced_motion = asked.reduced_motion;
    start.no_config = asked.no_config;
    return orrery::gui::run(start);
  };
  return orrery::cli::run(argc, argv, program);
}
