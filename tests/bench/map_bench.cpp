// What a score map costs at 1280 × 800 pixels: the first picture, and frames of a view that was there before and of one that
// was not. Both lengths in turns, so that the ratio is one of the same minutes:
//
//   build/release/tests/map_bench [ROUNDS]
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/score_map.h"
#include "core/attention/weight_map.h"
#include "core/bench/benchmark.h"
#include "core/bench/statistics.h"

namespace orrery::attention {
namespace {

constexpr Index across = 1280, down = 800;

std::vector<KeyRange> parts(Index first, Index end, Index count) {
  std::vector<KeyRange> ranges;
  for (Index i = 0; i < count; ++i) {
    const Index from = first + (end - first) * i / count;
    ranges.push_back({from, std::max(from + 1, first + (end - first) * (i + 1) / count)});
  }
  return ranges;
}

std::shared_ptr<const ScoreMap> map_of(Index tokens) {
  ScoreContent content;
  content.shared = ScoreContent::Shared::topics;
  content.tokens = tokens;
  content.width = 64;
  content.strength = 0.6;
  content.base = 10000;
  content.scale = 1.0 / 8;
  content.seed = 1;
  content.outlier = {{tokens / 2, tokens / 3, 60}};
  return std::make_shared<const ScoreMap>(content, Mask{.kind = Mask::Kind::causal});
}

template <class F>
double milliseconds(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
  std::vector<double> first, again, moved, highest, block, bands, weights, weights_again, cells;
};

void measure(Index tokens, Times& times) {
  const auto map = map_of(tokens);
  const auto columns = parts(0, tokens, across), rows = parts(0, tokens, down);
  times.first.push_back(milliseconds([&] { (void)map->map(rows, columns, Shows::mean); }));
  double least = INFINITY;  // of five: what else runs on the machine only adds
  for (int i = 0; i < 5; ++i)
    least = std::min(least, milliseconds([&] { (void)map->map(rows, columns, Shows::mean); }));
  times.again.push_back(least);
  const Index quarter = tokens / 4;
  const auto other_columns = parts(quarter, 3 * quarter, across),
             other_rows = parts(quarter, 3 * quarter, down);
  times.moved.push_back(milliseconds([&] { (void)map->map(other_rows, other_columns, Shows::mean); }));
  times.highest.push_back(milliseconds([&] { (void)map->map(rows, columns, Shows::highest); }));
  times.block.push_back(milliseconds([&] { (void)map->exact({rows[400], columns[640]}); }));
  const auto bands = parts(0, tokens, down / 16);  // what a window shows first
  times.bands.push_back(milliseconds([&] { (void)WeightMap(map, 1).means(bands, columns, 2); }));
  const WeightMap weights(map, 1);
  times.weights.push_back(milliseconds([&] { (void)weights.means(rows, columns, 2); }));
  times.weights_again.push_back(milliseconds([&] { (void)weights.means(rows, columns, 2); }));
  const Index from = tokens / 2;  // a pixel is a cell
  const auto near_columns = parts(from - across, from, across), near_rows = parts(from, from + down, down);
  times.cells.push_back(milliseconds([&] { (void)weights.means(near_rows, near_columns, 2); }));
}

int run(int rounds) {
  constexpr Index short_text = 4096, long_text = 1 << 20;
  Times few, many;
  for (int i = 0; i < rounds; ++i) {
    measure(short_text, few);
    measure(long_text, many);
  }
  std::printf("%s, medians of %d rounds in turns, %ld × %ld pixels, d = 64, milliseconds\n",
              bench::machine().c_str(), rounds, long(across), long(down));
  std::printf("%-44s %10s %10s\n", "", "4096", "1048576");
  const auto line = [](const char* what, const std::vector<double>& a, const std::vector<double>& b) {
    std::printf("%-44s %10.1f %10.1f\n", what, bench::median(a), bench::median(b));
  };
  line("first picture, means", few.first, many.first);
  line("a frame of a view that was there before", few.again, many.again);
  line("a frame of another view", few.moved, many.moved);
  line("highest: exact at 4096, bounds at a million", few.highest, many.highest);
  line("one pixel's block looked through", few.block, many.block);
  line("weights, first picture in a window", few.bands, many.bands);
  line("weights, first picture in a file, 2 rows", few.weights, many.weights);
  line("weights, a view that was there before", few.weights_again, many.weights_again);
  line("weights, first picture of 1280 × 800 cells", few.cells, many.cells);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < few.again.size(); ++i) ratios.push_back(many.again[i] / few.again[i]);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("a frame at 1048576 over one at 4096: %.2f; most memory: %.0f MiB\n", bench::median(ratios),
              double(used.ru_maxrss) / 1024);
  return 0;
}

}  // namespace
}  // namespace orrery::attention

int main(int argc, char** argv) {
  return orrery::attention::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 9);
}
