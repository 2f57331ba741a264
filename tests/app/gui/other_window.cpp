#include "tests/app/gui/other_window.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tests/app/gui/session_samples.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

// A forked child of these tests, which have threads, may begin none of its own for ThreadSanitizer: it is these tests
// anew, and what is said here makes a window of them.
constexpr const char *session_of = "ORRERY_OTHER_WINDOW_SESSION", *study_of = "ORRERY_OTHER_WINDOW_STUDY",
                     *base_of = "ORRERY_OTHER_WINDOW_BASE";
constexpr int talk_of_child = 0;

[[noreturn]] void live(const fs::path& session, const char* study, const char* base) {
  {
    SessionKeeper keeper(session);
    App app;
    keeper.restore(app);
    app.open(study::find(study));
    app.change_text("base", base);
    recipe::Recipe recipe;
    recipe.study = &app.study();
    recipe.settings = app.settings();
    const recipe::NamedRecipe figure{"", recipe, base};
    app.edit("Collect", {}, [&](Document& d) { d.tray = with_recipes(d.tray, std::span(&figure, 1)); });
    double now = 0;
    session_samples::pass(keeper, app, now, SessionKeeper::beginning + 5);
    char told = 0;
    if (::write(talk_of_child, "r", 1) != 1 || ::read(talk_of_child, &told, 1) != 1) ::_exit(1);
    keeper.finish(app, 1600, 1000);
  }
  ::_exit(0);
}

class Living : public testing::Environment {
  void SetUp() override {
    if (const char* session = std::getenv(session_of))
      live(session, std::getenv(study_of), std::getenv(base_of));
  }
};
[[maybe_unused]] const auto* const living = testing::AddGlobalTestEnvironment(new Living);

pid_t begin(int talk, const std::vector<std::string>& said) {
  std::string program = fs::read_symlink("/proc/self/exe").string();
  std::vector<char*> environment;
  for (char** each = environ; *each; ++each)  // which tests these are is not that one's business
    if (!std::string_view(*each).starts_with("GTEST_")) environment.push_back(*each);
  for (const std::string& each : said) environment.push_back(const_cast<char*>(each.c_str()));
  environment.push_back(nullptr);
  std::array<char*, 2> words{program.data(), nullptr};
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, talk, talk_of_child);
  ::posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  EXPECT_EQ(::posix_spawn(&process, program.c_str(), &files, nullptr, words.data(), environment.data()), 0);
  ::posix_spawn_file_actions_destroy(&files);
  return process;
}

}  // namespace

OtherWindow::OtherWindow(const fs::path& session, const std::string& study, const std::string& base) {
  int ends[2]{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  talk_ = ends[0];
  process_ = begin(ends[1],
                   {session_of + ("=" + session.string()), study_of + ("=" + study), base_of + ("=" + base)});
  ::close(ends[1]);
  char ready = 0;
  EXPECT_EQ(::read(talk_, &ready, 1), 1) << "the other window has ended";
}

OtherWindow::~OtherWindow() {
  kill();
  ::close(talk_);
}

void OtherWindow::close() {
  EXPECT_EQ(::write(talk_, "c", 1), 1);
  wait();
}

void OtherWindow::kill(bool bury) {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  siginfo_t ended{};
  if (bury)
    wait();
  else
    ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT);
}

void OtherWindow::wait() {
  if (process_ > 0) ::waitpid(process_, nullptr, 0);
  process_ = 0;
}

}  // namespace orrery::gui
