#include "core/tensor/summary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace orrery::tensor {
namespace {

constexpr std::size_t chunk_size = 512, lanes = 8;

struct Twofold {
  double sum = 0, rest = 0;

  /// Knuth's TwoSum: what rounding takes from the sum goes to the rest.
  void add(double x) {
    const double with = sum + x, part = with - sum;
    rest += (sum - (with - part)) + (x - part);
    sum = with;
  }
};

bool all_finite(std::span<const double> chunk) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  std::uint64_t found = 0;
  for (const double v : chunk) found |= (std::bit_cast<std::uint64_t>(v) & exponent) == exponent ? 1 : 0;
  return found == 0;
}

/// Calls `each` with eight numbers at a time, so that they can be taken side by side; what is missing at the end is `pad`.
template <class Each>
void in_lanes(std::span<const double> finite, double pad, Each each) {
  std::size_t i = 0;
  for (; i + lanes <= finite.size(); i += lanes) each(finite.data() + i);
  if (i == finite.size()) return;
  std::array<double, lanes> last;
  last.fill(pad);
  std::copy(finite.begin() + static_cast<std::ptrdiff_t>(i), finite.end(), last.begin());
  each(last.data());
}

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

/// The least and the greatest.
std::pair<double, double> ends_of(std::span<const double> finite) {
  std::array<double, lanes> least, most;
  least.fill(finite.front());
  most.fill(finite.front());
  in_lanes(finite, finite.front(), [&](const double* x) {
    for (std::size_t l = 0; l < lanes; ++l) {
      least[l] = x[l] < least[l] ? x[l] : least[l];
      most[l] = x[l] > most[l] ? x[l] : most[l];
    }
  });
  return {*std::ranges::min_element(least), *std::ranges::max_element(most)};
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
