#include <algorithm>
#include <vector>

#include "core/attention/log_sums.h"
#include "core/gpu/device.h"
#include "core/tensor/error.h"

namespace orrery::attention {
namespace {

using tensor::Index;

/// Whole numbers below 2²⁴ are floats.
gpu::Buffer ranges_on_device(std::span<const KeyRange> ranges) {
  std::vector<float> ends;
  for (const KeyRange& range : ranges) {
    ends.push_back(static_cast<float>(range.first));
    ends.push_back(static_cast<float>(range.end));
  }
  return gpu::Buffer(std::span<const float>(ends));
}

/// What of a row's keys lies in a tile of so many.
std::vector<KeyRange> within(std::span<const KeyRange> ranges, Index keys) {
  std::vector<KeyRange> all;
  for (const KeyRange& range : ranges)
    all.push_back({std::clamp<Index>(range.first, 0, keys), std::clamp<Index>(range.end, 0, keys)});
  return all;
}

}  // namespace

// The keys lie across, so that neighbours in a work group read neighbours.
void log_sums_gpu(gpu::Device& device, const LogSumTile& tile, std::span<LogSum> found) {
  const Index rows = tile.q.rows, keys = tile.k.rows, count = std::ssize(tile.stretches);
  if (keys > most_log_sum_keys) throw Failure(wrong("{} keys", keys).allowed("up to {}", most_log_sum_keys));
  if (rows == 0 || count == 0) return;
  tensor::Matrix<float> across(tile.k.cols, keys);
  for (Index n = 0; n < keys; ++n)
    for (Index j = 0; j < tile.k.cols; ++j) across(j, n) = tile.k.data[n * tile.k.stride + j];

  const gpu::Program& program = device.program("log_sums");
  program.set("rows", static_cast<unsigned>(rows));
  program.set("stretches", static_cast<unsigned>(count));
  program.set("keys", static_cast<unsigned>(keys));
  program.set("width", static_cast<unsigned>(tile.q.cols));
  program.set("scale", static_cast<float>(tile.scale));
  tensor::Matrix<float> pairs(rows * count, 2);
  const gpu::Buffer q(tile.q), k{tensor::View<const float>(across)},
      seen = ranges_on_device(within(tile.seen, keys)),
      stretches = ranges_on_device(within(tile.stretches, keys)),
      made(static_cast<std::size_t>(pairs.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&q, &k, &stretches, &seen, &made};
  // Each invocation has up to 16 products of its own, all their terms in the loop.
  constexpr Index own = most_log_sum_keys / 256;
  device.dispatch_groups(program, buffers, rows * count, {own * (tile.q.cols + tile.q.cols / 16 + 4), 1});
  made.read(pairs);
  for (Index i = 0; i < rows * count; ++i)
    found[static_cast<std::size_t>(i)] = {pairs(i, 0), static_cast<double>(pairs(i, 1))};
}

}  // namespace orrery::attention
