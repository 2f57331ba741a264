// How long the layout of a figure takes, and how much of it is left for the canvas: a line of 1 000 000 points, as many
// points without a line, a heatmap of 4096 × 4096 cells, and the gallery of all marks.
//
//   ninja -C build/release layout_bench && build/release/tests/layout_bench
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/figure/gallery.h"
#include "app/figure/layout.h"

namespace {

using namespace orrery::figure;

/// Letters of one width: what is measured is the layout, not the typesetting.
class EvenText final : public TextMetrics {
 public:
  Extent measure(std::string_view text, const TextStyle& style) const override {
    return {0.5 * style.size * static_cast<double>(text.size()), 0.95 * style.size, 0.25 * style.size};
  }
};

Figure one(Mark mark) {
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].marks.push_back(std::move(mark));
  return figure;
}

std::pair<std::vector<double>, std::vector<double>> million() {
  std::pair<std::vector<double>, std::vector<double>> xy;
  for (int i = 0; i < 1'000'000; ++i) {
    xy.first.push_back(i);
    xy.second.push_back(std::sin(i * 0.001) + 0.1 * std::sin(i * 1.7));
  }
  return xy;
}

Mark heatmap() {
  constexpr int side = 4096;
  auto grid = std::make_shared<Grid>(Grid{side, side, {}});
  for (int i = 0; i < side * side; ++i) grid->values.push_back(static_cast<float>(i % 1009));
  return Heatmap{.x = {0, side}, .y = {0, side}, .grid = std::move(grid)};
}

std::size_t places(const Scene& scene) {
  std::size_t count = 0;
  for (const Primitive& primitive : scene.primitives)
    std::visit(
        [&](const auto& p) {
          if constexpr (requires { p.points; }) count += p.points.size();
          if constexpr (requires { p.centres; }) count += p.centres.size();
        },
        primitive);
  return count;
}

void measure(const char* name, const Figure& figure, Size size) {
  constexpr int runs = 9;
  LayoutOptions options;
  options.size = size;
  double best = 1e9;
  Scene scene;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    scene = layout(figure, options, print_theme(), EvenText{});
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%-22s %7.1f ms, %zu primitives, %zu places\n", name, best * 1e3, scene.primitives.size(),
              places(scene));
}

}  // namespace

int main() {
  const auto [x, y] = million();
  measure("line, 1 000 000", one(Line{.x = x, .y = y}), {480, 300});
  measure("points, 1 000 000", one(Points{.x = x, .y = y}), {480, 300});
  measure("heatmap, 4096 x 4096", one(heatmap()), {480, 300});
  measure("gallery", gallery_figure(), {850, 964});
}
