// How long a figure takes into each format inside a running process, and how large the file becomes: a heatmap of
// 4096 × 4096 cells, a line of 1 000 000 points, and the study that the window opens on.
//
//   ninja -C build/release export_bench && build/release/tests/export_bench
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/export/export.h"
#include "app/recipe/runner.h"

namespace {

using namespace orrery;
namespace fs = std::filesystem;

figure::Figure heatmap() {
  constexpr int side = 4096;
  auto grid = std::make_shared<figure::Grid>();
  grid->rows = grid->cols = side;
  grid->values.resize(std::size_t{side} * side);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      grid->values[static_cast<std::size_t>(i) * side + static_cast<std::size_t>(j)] =
          j > i ? -INFINITY : static_cast<float>(std::cos((i - j) * 0.01) / (1 + 0.001 * (i - j)));
  figure::Heatmap map;
  map.x = map.y = {0, side};
  map.grid = grid;
  figure::Figure f;
  f.panels.resize(1);
  f.panels[0].marks = {map};
  return f;
}

figure::Figure line() {
  figure::Line line;
  for (int i = 0; i < 1'000'000; ++i) {
    line.x.push_back(i);
    line.y.push_back(std::sin(i * 1e-5) + 0.3 * std::sin(i * 0.7));
  }
  figure::Figure f;
  f.panels.resize(1);
  f.panels[0].marks = {line};
  return f;
}

figure::Figure opening() {
  const study::Study& study = *study::studies().front();
  return recipe::compute_now(study, parameter::Settings(study.parameters), study::Run{}).result.figure;
}

/// The median of some runs: fonts are found in the first.
double milliseconds(const figure::Figure& figure, const exporter::Page& page, const fs::path& path) {
  std::vector<double> times;
  for (int run = 0; run < 6; ++run) {
    const auto start = std::chrono::steady_clock::now();
    exporter::write_figure(figure, page, path);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (run > 0) times.push_back(took.count());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

void measure(const char* name, const figure::Figure& figure, const fs::path& folder) {
  exporter::Page page;
  page.size = exporter::parse_size("12cm×8cm");
  for (const std::string_view ending : exporter::figure_endings()) {
    const fs::path path = folder / (std::string("figure") + std::string(ending));
    const double ms = milliseconds(figure, page, path);
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(folder)) bytes += file.file_size();
    std::printf("%-22s %-5s %8.1f ms %9.1f kB\n", name, std::string(ending).c_str(), ms,
                double(bytes) / 1000);
    for (const auto& file : fs::directory_iterator(folder)) fs::remove(file.path());
  }
}

}  // namespace

int main() {
  const fs::path folder = fs::temp_directory_path() / "orrery-export-bench";
  fs::remove_all(folder);
  fs::create_directories(folder);
  measure("heatmap 4096²", heatmap(), folder);
  measure("line 1 000 000", line(), folder);
  measure(std::string(study::studies().front()->id).c_str(), opening(), folder);
  fs::remove_all(folder);
}
