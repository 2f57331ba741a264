#include "core/bench/memory.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "core/bench/memory_kernels.h"
#include "core/simd/share.h"

namespace orrery::bench {
namespace {

constexpr std::ptrdiff_t line = 16;  // floats of a cache line

}  // namespace

AlignedFloats::AlignedFloats(std::ptrdiff_t count, float value) {
  const std::size_t bytes = static_cast<std::size_t>((count + line - 1) / line * line) * sizeof(float);
  values_.reset(static_cast<float*>(std::aligned_alloc(simd::cache_line, std::max(bytes, simd::cache_line))));
  if (values_ == nullptr) throw std::bad_alloc();
  std::fill_n(data(), count, value);
}

void move_floats(const float* from, std::ptrdiff_t read, float* to, std::ptrdiff_t written, bool past_caches,
                 float fill) {
  // Cut at cache lines, what is read in proportion.
  const std::ptrdiff_t lines = (written + line - 1) / line;
  const auto read_before = [&](std::ptrdiff_t lines_before) {
    if (read == written) return std::min(read, lines_before * line);
    const double share = static_cast<double>(lines_before) / static_cast<double>(lines);
    return lines_before == lines
               ? read
               : static_cast<std::ptrdiff_t>(share * static_cast<double>(read)) / line * line;
  };
  simd::share(lines, std::max(read, written), [&](std::ptrdiff_t first, std::ptrdiff_t end) {
    const std::ptrdiff_t begin = std::min(written, first * line), taken = read_before(first);
    const float rest = move_part({.from = from + taken,
                                  .read = static_cast<std::size_t>(read_before(end) - taken),
                                  .to = to + begin,
                                  .written = static_cast<std::size_t>(std::min(written, end * line) - begin),
                                  .fill = fill},
                                 past_caches);
    if (std::isnan(rest)) to[begin] = rest;  // never of what is read here; but a compiler does not know it
  });
}

}  // namespace orrery::bench
