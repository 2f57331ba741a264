// What many numbers amount to, taken a block at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace orrery::tensor {

/// Over the finite ones; the others are counted. The mean is as good as if it had been computed in twice the digits, however
/// many numbers there are, and the same for every division into blocks of whole multiples of 512; no sum overflows.
class Summary {
 public:
  void add(std::span<const double> block);

  double min() const { return min_; }  ///< NaN where no number is finite; so are the next two
  double max() const { return max_; }
  double mean() const;
  std::int64_t nan() const { return nan_; }
  std::int64_t infinite() const { return infinite_; }

 private:
  void add_chunk(std::span<const double> chunk);

  double min_ = NAN, max_ = NAN;
  std::int64_t finite_ = 0, nan_ = 0, infinite_ = 0;
  double scale_ = 1;           // what is summed is this multiple of the numbers
  double sum_ = 0, rest_ = 0;  // together the sum
};

}  // namespace orrery::tensor
