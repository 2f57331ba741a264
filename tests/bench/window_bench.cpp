// What the window costs, in its own off-screen harness at 1280×800 or another size: the first frame, a frame of each study
// at its defaults, and the time from a slider's move to the new figure on the screen.
//
//   ninja -C build/release window_bench && build/release/tests/window_bench [--size 3840x2160 --scale 2] [STUDY…]
//
// `coarse`: the frame as it is painted while things move, where a sharp one takes over 50 ms (app/gui/sharpness.h).
#include <chrono>
#include <cstdio>
#include <random>

#include "app/cli/waiting_threads.h"
#include "app/gui/slider_scale.h"
#include "tests/app/gui/screen.h"

namespace {

using namespace orrery;
using Clock = std::chrono::steady_clock;

constexpr int frames_timed = 60, moves_timed = 31;

double ms_since(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// One frame to its last pixel.
void frame(gui::Screen& screen) {
  screen.window.frames();
  glFinish();
}

double frame_ms(gui::Screen& screen) {
  std::vector<double> times;
  for (int i = 0; i < frames_timed; ++i) {
    const Clock::time_point from = Clock::now();
    frame(screen);
    times.push_back(ms_since(from));
  }
  return median(times);
}

/// The first number that a slider turns, over its whole way; NaN where a study has none.
double slider_ms(gui::Screen& screen) {
  const parameter::Parameter* number = nullptr;
  for (const parameter::Parameter& p : screen.window.app.study().parameters)
    if (!number && (p.kind == parameter::Kind::integer || p.kind == parameter::Kind::real)) number = &p;
  if (!number) return std::numeric_limits<double>::quiet_NaN();
  gui::App& app = screen.window.app;
  std::mt19937 any(1);
  std::vector<double> times;
  for (int i = 0; i < moves_timed; ++i) {
    const double fraction =
        static_cast<double>(any() % 997) / 997;  // never the same twice: nothing is remembered
    const Clock::time_point from = Clock::now();
    app.change(number->name, gui::nearest_allowed(*number, gui::slider_value(*number, fraction)), "slider");
    do frame(screen);
    while (app.busy());
    frame(screen);
    times.push_back(ms_since(from));
  }
  return median(times);
}

}  // namespace

int main(int count, char** words) {
  cli::let_waiting_threads_sleep(words);
  const Clock::time_point start = Clock::now();
  int width = 1280, height = 800;
  float scale = 1;
  std::vector<const study::Study*> wanted;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--size" && i + 1 < count && std::sscanf(words[i + 1], "%dx%d", &width, &height) == 2)
      ++i;
    else if (word == "--scale" && i + 1 < count)
      scale = std::strtof(words[++i], nullptr);
    else
      wanted.push_back(&study::find(words[i]));
  }
  gui::Target target(width, height);
  if (!target.context.ready) return std::fputs("window_bench: no OpenGL 3.3 through EGL here\n", stderr), 1;
  gui::Screen screen(target, scale);
  screen.window.app.start_with(study::find("rope/rotation"));
  frame(screen);
  const double first = ms_since(start);
  while (screen.window.app.busy()) frame(screen);
  frame(screen);
  std::printf("first frame %.0f ms, first figure %.0f ms after the start (context, faces and all)\n\n", first,
              ms_since(start));
  std::printf("%-28s %10s %10s %12s\n", "study", "frame ms", "coarse ms", "slider ms");
  if (wanted.empty()) wanted.assign(study::studies().begin(), study::studies().end());
  for (const study::Study* study : wanted) {
    screen.window.app.open(*study);
    screen.window.settle();
    const double each = frame_ms(screen);
    screen.coarse = true;
    const double coarse = frame_ms(screen);
    screen.coarse = false;
    std::printf("%-28.*s %10.2f %10.2f %12.1f\n", static_cast<int>(study->id.size()), study->id.data(), each,
                coarse, slider_ms(screen));
  }
  return 0;
}
