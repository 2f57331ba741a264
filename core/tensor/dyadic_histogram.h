// How many of a stream of numbers lie in each of some equal bins, exactly, in one pass, whatever their range turns out to be.
//
// Bin k holds k w ≤ x < (k + 1) w, where w is a power of two: the least one for which at most 256 bins reach from the
// smallest number to the largest. So there are 129 to 256 bins (fewer only where neighbouring doubles are further apart, or
// all are below 2^-1022), their edges are exact, and numbers of a narrow format, which lie on such a grid themselves, fall
// evenly into them: no bin is empty for the format's sake that a neighbour is not. While the numbers come, w doubles as
// often as it must, and bins join in pairs; as ⌊⌊x/w⌋/2⌋ = ⌊x/2w⌋, the result is the same for every order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace orrery::tensor {

class DyadicHistogram {
 public:
  static constexpr std::size_t most_bins = 256;

  /// Finite numbers, of which `least` and `most` are the ends.
  void add(std::span<const double> finite, double least, double most);

  bool empty() const { return used_ == 0; }
  double width() const { return width_; }  ///< w
  /// Where bin i begins, the last one ends at i = counts().size(); what would be ±2^1024 is the largest double.
  double edge(std::size_t i) const {
    constexpr double largest = std::numeric_limits<double>::max();
    return std::clamp((static_cast<double>(first_) + static_cast<double>(i)) * width_, -largest, largest);
  }
  double low() const { return edge(0); }
  std::span<const std::int64_t> counts() const {
    return {bins_.data(), used_};
  }  ///< from the first to the last number

 private:
  void widen();
  void cover(double least, double most);

  double width_ = 0;
  std::int64_t first_ = 0;  // k of bins_[0]
  std::size_t used_ = 0;
  std::array<std::int64_t, most_bins> bins_{};
};

}  // namespace orrery::tensor
