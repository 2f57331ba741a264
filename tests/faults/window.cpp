// A window without a display, for faults to happen to: window FOLDER [BASE]. It finds the session there, says the base of the
// figure that was open, changes it, is idle for as long as the window takes to save, and ends as a person ends it. It says on
// stdout what it found and what it kept ("found 500", "kept 777"), and on stderr what the window would say in its status line.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include "app/gui/app.h"
#include "app/gui/session_keeper.h"
#include "app/study/study.h"
#include "core/file/temporary.h"
#include "core/file/without_memory.h"

namespace {

using namespace orrery;

/// What the window says, where it says that something went wrong.
void say(const gui::App& app) {
  const gui::Notice notice = app.notice();
  if (notice.kind == gui::Notice::Kind::error && !notice.text.empty())
    std::fprintf(stderr, "window: %s\n", notice.text.c_str());
}

void live(const std::filesystem::path& folder, const char* base) {
  gui::SessionKeeper keeper(folder / "session.toml");
  gui::App app;
  const bool found = keeper.restore(app);
  say(app);
  std::printf("found %g\n", found ? app.settings().real("base") : 0);
  std::fflush(stdout);
  if (base) {
    app.open(study::find("rope/rotation"));
    app.change_text("base", base);
  }
  double now = 0;
  for (; now < gui::SessionKeeper::beginning + 2; now += 0.5) keeper.poll(now, app, 1600, 1000);
  for (int wait = 0; wait < 2000 && !keeper.up_to_date(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    keeper.poll(now, app, 1600, 1000);
  }
  if (base && keeper.up_to_date()) {
    std::printf("kept %s\n", base);
    std::fflush(stdout);
  }
  keeper.finish(app, 1600, 1000);
  say(app);
}

[[gnu::constructor(101)]] void have_a_last_word() {
  file::say_without_memory("window: out of memory\n");
}

}  // namespace

int main(int argc, char** argv) {
  file::remove_temporaries_on_signals();
  try {
    if (argc < 2) throw std::runtime_error("the folder of the sessions");
    live(argv[1], argc > 2 ? argv[2] : nullptr);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "window: %s\n", error.what());
    return 1;
  }
}
