#include "app/cli/cli.h"
#include "app/gui/libraries.h"
#include "app/gui/sleeping_threads.h"
#include "app/gui/window.h"

int main(int argc, char** argv) {
  orrery::cli::Program program;
  program.version = ORRERY_VERSION;
  program.window_libraries = orrery::gui::libraries();
  program.open_window = [argv](const orrery::cli::WindowRequest& asked) {
    orrery::gui::let_waiting_threads_sleep(argv);
    orrery::gui::Start start;
    start.file = asked.file;
    start.study = asked.study;
    start.scale = asked.scale;
    start.theme = asked.theme;
    start.language = asked.language;
    start.no_config = asked.no_config;
    return orrery::gui::run(start);
  };
  return orrery::cli::run(argc, argv, program);
}
