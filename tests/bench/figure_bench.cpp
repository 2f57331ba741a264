// What a figure costs the window at 1280 × 800, where its plot has about 700 × 620 pixels: a step of panning or zooming
// over a line of 1 000 000 points, and a heatmap of 2048 × 2048 cells that is another one in each frame, up to where its
// pixels would go to the graphics card. What is found once per figure, beside the window, is named apart.
//
//   ninja -C build/release figure_bench && build/release/tests/figure_bench
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/export/text.h"
#include "app/figure/digest.h"
#include "app/figure/layout.h"

namespace {

using namespace orrery;
using namespace orrery::figure;

constexpr Size size{740, 660};
constexpr int runs = 41;

struct Times {
  double median = 0, most = 0;  ///< milliseconds
};

template <class Work>
Times timed(Work&& work) {
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work(run);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.back()};
}

void print(const char* what, const Times& t, double budget = 0) {
  std::printf("  %-34s %8.2f ms   most %8.2f ms", what, t.median, t.most);
  if (budget > 0) std::printf("   budget %.0f ms, used %.0f %%", budget, 100 * t.median / budget);
  std::printf("\n");
}

Figure one(Mark mark) {
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].x.label = "position";
  figure.panels[0].y.grid = true;
  figure.panels[0].marks.push_back(std::move(mark));
  return figure;
}

Line million(const char* label) {
  Line line{.label = label};
  for (int i = 0; i < 1'000'000; ++i) {
    line.x.push_back(i);
    line.y.push_back(std::sin(i * 1e-5) + 0.1 * std::sin(i * 1.7) + 0.05 * std::sin(i * 0.013));
  }
  return line;
}

LayoutOptions on_screen(const Digest* digest = nullptr) {
  LayoutOptions options;
  options.size = size;
  options.pixels_per_point = 1;
  options.digest = digest;
  return options;
}

void line(const char* name, const char* label, const TextMetrics& metrics) {
  std::printf("%s\n", name);
  const Figure figure = one(million(label));
  Digest kept;
  print("once, beside the window", timed([&](int) { kept = digest(figure); }));
  Scene scene;
  const auto seen = [&](const Digest* digest, Range x) {
    LayoutOptions options = on_screen(digest);
    options.view.panels = {{x, Range{-1.5, 1.5}}};
    scene = layout(figure, options, dark_theme(), metrics);
  };
  print("a step, walking through all of it", timed([&](int i) { seen(nullptr, {i * 1e3, 8e5 + i * 1e3}); }));
  print("a pan of most of it", timed([&](int i) { seen(&kept, {i * 1e3, 8e5 + i * 1e3}); }), 1);
  print("a pan of a hundredth", timed([&](int i) { seen(&kept, {5e5 + i * 100, 5.1e5 + i * 100}); }), 1);
  print("a zoom from all to 100 samples", timed([&](int i) {
          seen(&kept, {5e5 - 5e5 * std::pow(0.8, i), 5e5 + 5e5 * std::pow(0.8, i)});
        }),
        1);
}

void heatmap(ColorScale colors, const char* name, const TextMetrics& metrics) {
  std::printf("%s\n", name);
  constexpr int side = 2048, variants = 4;
  std::vector<Figure> film;
  for (int k = 0; k < variants; ++k) {
    auto grid = std::make_shared<Grid>(Grid{side, side, {}});
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        grid->values.push_back(static_cast<float>(std::sin(0.01 * (i + k) * j * 0.01) + k));
    film.push_back(one(Heatmap{.x = {0, side}, .y = {0, side}, .grid = std::move(grid), .colors = colors}));
  }
  std::vector<Digest> kept(variants);
  print("once per figure, beside the window", timed([&](int i) {
          kept[static_cast<std::size_t>(i % variants)] = digest(film[static_cast<std::size_t>(i % variants)]);
        }));
  Scene scene;
  print("a frame", timed([&](int i) {
          const auto k = static_cast<std::size_t>(i % variants);
          scene = layout(film[k], on_screen(&kept[k]), dark_theme(), metrics);
        }),
        2);
}

}  // namespace

int main() {
  const exporter::TextSetter metrics(dark_theme().fonts);
  line("line, 1 000 000 samples", "", metrics);
  line("the same with a legend that looks for a free place", "noise", metrics);
  heatmap({.range = Range{-1, 4}}, "heatmap, 2048 x 2048, a new one in each frame", metrics);
  heatmap({.map = ColorMap::diverging}, "the same, its range of values to be found", metrics);
}
