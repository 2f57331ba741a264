// Pictures of the window for the eye: every study, or those that are named, as it stands when its figure is there.
//
//   ninja -C build/release window_shots && build/release/tests/window_shots OUT [--size 1280x800] [--scale 1]
//       [--theme dark|light] [--language en|zh] [--open FILE] [STUDY…]
//
// With --open it is one picture, opened.png: what the window shows of that file.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/app/gui/screen.h"

int main(int count, char** words) {
  using namespace orrery;
  std::string out, opened, theme = "dark", language = "en";
  int width = 1280, height = 800;
  float scale = 1;
  std::vector<const study::Study*> wanted;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i], next = i + 1 < count ? words[i + 1] : "";
    if (word == "--size") {
      std::sscanf(next.c_str(), "%dx%d", &width, &height), ++i;
    } else if (word == "--scale") {
      scale = std::strtof(next.c_str(), nullptr), ++i;
    } else if (word == "--theme") {
      theme = next, ++i;
    } else if (word == "--language") {
      language = next, ++i;
    } else if (word == "--open") {
      opened = next, ++i;
    } else if (word.starts_with("-")) {
      return std::fprintf(stderr,
                          "window_shots: found '%s'; allowed: --size, --scale, --theme, --language, --open\n",
                          word.c_str()),
             2;
    } else if (out.empty()) {
      out = word;
    } else {
      wanted.push_back(&study::find(word));
    }
  }
  if (out.empty()) return std::fputs("window_shots: a folder for the pictures is wanted\n", stderr), 2;
  if (wanted.empty()) wanted.assign(study::studies().begin(), study::studies().end());
  std::filesystem::create_directories(out);

  gui::Target target(width, height);
  if (!target.context.ready) return std::fputs("window_shots: no OpenGL 3.3 through EGL here\n", stderr), 1;
  gui::Screen screen(target, scale);
  screen.window.app.preferences.theme = theme;
  screen.window.app.preferences.language = language;
  if (!opened.empty()) {
    screen.window.app.open(*wanted.front());
    screen.window.settle();
    if (!screen.window.take(opened))
      return std::fprintf(stderr, "%s\n", screen.window.app.notice().text.c_str()), 1;
    screen.window.frames(6);
    screen.save(std::filesystem::path(out) / "opened.png");
    return 0;
  }
  for (const study::Study* study : wanted) {
    screen.window.app.open(*study);
    screen.window.settle();
    screen.window.frames(3);
    std::string name(study->id);
    std::replace(name.begin(), name.end(), '/', '-');
    screen.save(std::filesystem::path(out) / (name + ".png"));
  }
  return 0;
}
