// Tokens in equal parts over threads: each finds the run of its first token, and counts on from there.
#include <algorithm>

#include "core/position/mrope_positions.h"
#include "core/simd/share.h"

namespace orrery::position {
namespace {

using tensor::Index;

/// Where a token of an image stands in it, and the next one.
struct InImage {
  Index time, row, column;

  InImage(Index token, const MropeRun& run)
      : time(token / (run.rows * run.columns)),
        row(token / run.columns % run.rows),
        column(token % run.columns) {}
  void step(const MropeRun& run) {
    if (++column < run.columns) return;
    column = 0;
    if (++row < run.rows) return;
    row = 0;
    ++time;
  }
};

/// Of the tokens from one to another, all of one run.
template <class T>
void fill(const MropeRun& run, Index from, Index to, tensor::View<T> y) {
  if (run.columns == 0) {
    for (Index k = from; k < to; ++k)
      y(0, k) = y(1, k) = y(2, k) = static_cast<T>(run.start + (k - run.first));
    return;
  }
  InImage at(from - run.first, run);
  for (Index k = from; k < to; ++k, at.step(run)) {
    y(0, k) = static_cast<T>(run.start + at.time);
    y(1, k) = static_cast<T>(run.start + at.row);
    y(2, k) = static_cast<T>(run.start + at.column);
  }
}

}  // namespace

template <class T>
void mrope_positions_cpu(std::span<const MropeStretch> stretches, tensor::View<T> y) {
  check_mrope_shape(stretches, y.rows, y.cols);
  if (y.empty()) return;
  const std::vector<MropeRun> runs = mrope_runs(stretches);
  simd::share(y.cols, y.size(), [&](Index first, Index end) {
    auto run = std::ranges::upper_bound(runs, first, {}, &MropeRun::first) - 1;
    for (Index from = first; from < end; ++run) {
      const Index to = run + 1 == runs.end() ? end : std::min(end, (run + 1)->first);
      fill(*run, from, to, y);
      from = to;
    }
  });
}

template void mrope_positions_cpu(std::span<const MropeStretch>, tensor::View<float>);
template void mrope_positions_cpu(std::span<const MropeStretch>, tensor::View<double>);

}  // namespace orrery::position
