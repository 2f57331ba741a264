// The command line: what the program does when it is typed and not clicked.
//
// Exit codes: 0 done, 1 could not do it, 2 wrong arguments. An error is one line on stderr that says which
// argument, what was found and what is allowed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace orrery::cli {

/// What was asked of the window; the words of app/gui/window.h, which this folder may not know.
struct WindowRequest {
  std::filesystem::path file;
  std::string study, theme, language;
  double scale = 0;
  bool high_contrast = false, reduced_motion = false;
  bool no_config = false;
};

/// What only the whole program knows.
struct Program {
  std::string version;
  std::vector<std::string> window_libraries;  ///< "GLFW 3.3.8", for --version
  std::string commit;                         ///< of the sources; empty where the build did not know it
  std::vector<std::pair<std::string, std::string>> places;  ///< what is kept where: "session", a file
  std::function<int(const WindowRequest&)> open_window;
};

/// The whole program: reads the arguments, runs the command, prints, and returns the exit code. Lets no
/// exception out.
int run(int argc, const char* const* argv, const Program&);

}  // namespace orrery::cli
