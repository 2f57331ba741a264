#include "core/tensor/dyadic_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::tensor {
namespace {

constexpr auto most = static_cast<double>(DyadicHistogram::most_bins);

/// Of a bin; a double where it is too far out for an integer. A power of two scales exactly, but for what vanishes: that is
/// 0, whichever side it came from.
double floored(double x, double scaled) {
  return scaled == 0 && x < 0 ? -1 : std::floor(scaled);
}

double bin_of(double x, double width) {
  return floored(x, x / width);
}

/// So far from 0 the bins that neighbouring doubles fall into are still told apart by whole numbers.
bool countable(double least, double largest, double width) {
  constexpr double exact = 0x1p53;
  return std::abs(bin_of(least, width)) < exact && std::abs(bin_of(largest, width)) < exact;
}

bool fits(double least, double largest, double width) {
  return countable(least, largest, width) && bin_of(largest, width) - bin_of(least, width) < most;
}

constexpr double smallest_width = std::numeric_limits<double>::min();

}  // namespace

/// Bins in pairs: k and k + 1 of an even k.
void DyadicHistogram::widen() {
  const std::int64_t first = first_ >> 1;  // rounded down, of negative ones too
  std::array<std::int64_t, most_bins> joined{};
  for (std::size_t i = 0; i < used_; ++i)
    joined[static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(i)) >> 1) - first)] += bins_[i];
  const std::int64_t last = (first_ + static_cast<std::int64_t>(used_) - 1) >> 1;
  used_ = used_ == 0 ? 0 : static_cast<std::size_t>(last - first + 1);
  first_ = first;
  bins_ = joined;
  width_ *= 2;
}

/// Makes room from `least` to `most`, both of which come; the bins begin and end where numbers do.
void DyadicHistogram::cover(double least, double largest) {
  if (used_ == 0) {
    width_ = smallest_width;
    // From below the range, so that no wider one than is needed is taken.
    const double span =
        std::max(largest / 2 - least / 2, std::max(std::abs(least), std::abs(largest)) * 0x1p-53);
    if (span > 0) width_ = std::max(smallest_width, std::ldexp(1.0, std::ilogb(span) - 8));
    while (!fits(least, largest, width_)) width_ *= 2;
    first_ = static_cast<std::int64_t>(bin_of(least, width_));
    used_ = static_cast<std::size_t>(bin_of(largest, width_) - static_cast<double>(first_)) + 1;
    return;
  }
  const auto low = [&] { return std::min(bin_of(least, width_), static_cast<double>(first_)); };
  const auto high = [&] {
    return std::max(bin_of(largest, width_),
                    static_cast<double>(first_ + static_cast<std::int64_t>(used_) - 1));
  };
  while (!countable(least, largest, width_) || high() - low() >= most) widen();
  const auto first = static_cast<std::int64_t>(low());
  const auto shift = static_cast<std::size_t>(first_ - first);
  const auto used = static_cast<std::size_t>(high() - low()) + 1;
  std::shift_right(bins_.begin(), bins_.begin() + static_cast<std::ptrdiff_t>(used_ + shift),
                   static_cast<std::ptrdiff_t>(shift));
  std::fill_n(bins_.begin(), shift, 0);
  first_ = first;
  used_ = used;
}

void DyadicHistogram::add(std::span<const double> finite, double least, double largest) {
  if (finite.empty()) return;
  cover(least, largest);
  // w is no less than 2^-1022. x/w and the first bin are both below 2^53: the difference of the floors is exact.
  const double per_width = 1 / width_, first = static_cast<double>(first_);
  // All in one bin, as many zeros are.
  if (const double bin = bin_of(least, width_); bin == bin_of(largest, width_)) {
    bins_[static_cast<std::size_t>(bin - first)] += static_cast<std::int64_t>(finite.size());
    return;
  }
  for (const double x : finite) {
    const double bin = floored(x, x * per_width) - first;
    ++bins_[static_cast<std::size_t>(bin)];
  }
}

}  // namespace orrery::tensor
