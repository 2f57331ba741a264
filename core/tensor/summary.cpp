#include "core/tensor/summary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/lanes.h"

namespace orrery::tensor {
namespace {

constexpr std::size_t chunk_size = 512;

struct Twofold {
  double sum = 0, rest = 0;

  /// Knuth's TwoSum: what rounding takes from the sum goes to the rest.
  void add(double x) {
    const double with = sum + x, part = with - sum;
    rest += (sum - (with - part)) + (x - part);
    sum = with;
  }
};

Twofold sum_of(std::span<const double> finite, double scale) {
  std::array<double, lanes> sum{}, rest{};
  in_lanes(finite, 0, [&](const double* x) {
    for (std::size_t l = 0; l < lanes; ++l) {  // Twofold::add, side by side
      const double add = x[l] * scale, with = sum[l] + add, part = with - sum[l];
      rest[l] += (sum[l] - (with - part)) + (add - part);
      sum[l] = with;
    }
  });
  Twofold all;
  for (std::size_t l = 0; l < lanes; ++l) {
    all.add(sum[l]);
    all.rest += rest[l];
  }
  return all;
}

}  // namespace

void Summary::add(std::span<const double> block) {
  for (; !block.empty(); block = block.subspan(std::min(chunk_size, block.size())))
    add_chunk(block.first(std::min(chunk_size, block.size())));
}

void Summary::add_chunk(std::span<const double> chunk) {
  std::array<double, chunk_size> kept;
  if (!all_finite(chunk)) {
    std::size_t count = 0;
    for (const double v : chunk) {
      if (std::isfinite(v))
        kept[count++] = v;
      else
        ++(std::isnan(v) ? nan_ : infinite_);
    }
    chunk = std::span(kept).first(count);
  }
  if (chunk.empty()) return;
  const auto [least, most] = ends_of(chunk);
  min_ = finite_ == 0 ? least : std::min(min_, least);
  max_ = finite_ == 0 ? most : std::max(max_, most);
  finite_ += static_cast<std::int64_t>(chunk.size());
  const auto with = [&] {
    const Twofold part = sum_of(chunk, scale_);
    Twofold all{sum_, rest_ + part.rest};
    all.add(part.sum);
    return all;
  };
  Twofold all = with();
  if (!std::isfinite(all.sum + all.rest) && scale_ == 1) {  // from here on small enough for any count
    scale_ = 0x1p-64;
    sum_ *= scale_;
    rest_ *= scale_;
    all = with();
  }
  sum_ = all.sum;
  rest_ = all.rest;
}

double Summary::mean() const {
  if (finite_ == 0) return NAN;
  return (sum_ + rest_) / static_cast<double>(finite_) / scale_;
}

}  // namespace orrery::tensor
