// What is worth knowing of a tensor before it is used: taken in one pass, a block at a time, in memory that does not grow.
//
// Over the finite numbers x₁ … x_n of it:
//   mean        Σ x / n                                   as Summary has it: of twice the digits
//   deviation   √( Σ (x − mean)² / n )                    of the population, as numpy.std has it
//   norm        √( Σ x² )
// A sum of squares is kept in units of the largest |x| so far, a power of two: it neither overflows nor vanishes, for any
// doubles. Blocks of 512 numbers, each with its own mean, are joined as Chan, Golub and LeVeque do (1983): the relative error
// of deviation and norm stays below 1e-12 while the mean is within 1000 deviations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/dyadic_histogram.h"
#include "core/tensor/summary.h"

namespace orrery::tensor {

/// How many numbers there are with 2^e ≤ |x| < 2^(e+1).
struct MagnitudeCount {
  int exponent = 0;
  std::int64_t negative = 0, positive = 0;
  bool operator==(const MagnitudeCount&) const = default;
};

class Statistics {
 public:
  void add(std::span<const double> block);

  std::int64_t count() const { return count_; }    ///< of all numbers
  std::int64_t finite() const { return finite_; }  ///< NaN and ±∞ are left out of all that follows
  double min() const { return summary_.min(); }    ///< NaN where no number is finite; so are the next ones
  double max() const { return summary_.max(); }
  double mean() const { return summary_.mean(); }
  double deviation() const;
  double norm() const;
  std::int64_t nan() const { return summary_.nan(); }
  std::int64_t infinite() const { return summary_.infinite(); }
  std::int64_t zeros() const { return zeros_; }  ///< of either sign
  /// Where the largest |x| is, in the order of the numbers; of several the first. −1: nowhere.
  std::int64_t farthest_at() const { return farthest_at_; }
  double farthest() const { return farthest_; }  ///< it, with its sign

  const DyadicHistogram& histogram() const { return histogram_; }
  /// From the smallest to the largest that is there, without gaps; zeros are in none of them.
  std::vector<MagnitudeCount> magnitudes() const;

 private:
  void add_finite(std::span<const double> chunk, std::int64_t offset);
  void count_magnitudes(std::span<const double> finite);
  void rescale(double largest);

  static constexpr int least_exponent = -1074, exponents = 1024 + 1074;

  Summary summary_;
  DyadicHistogram histogram_;
  std::int64_t count_ = 0, finite_ = 0, zeros_ = 0;
  std::int64_t farthest_at_ = -1;
  double farthest_ = 0;
  int unit_ = -1000;          // squares are of x·2^-unit
  double mean_ = 0, m2_ = 0;  // of the scaled numbers: their mean, and the squares of what is left without it
  double squares_ = 0;        // of the scaled numbers
  std::array<std::array<std::int64_t, exponents>, 2> magnitudes_{};  // negative, positive
};

/// The rows of largest norm, of numbers that come row by row.
class LargestRows {
 public:
  struct Row {
    std::int64_t row = 0;
    double norm = 0;
    bool operator==(const Row&) const = default;
  };
  /// `width` numbers to a row, at least 1; so many of them are kept.
  explicit LargestRows(std::int64_t width, std::size_t kept = 5) : width_(width), kept_(kept) {}

  void add(std::span<const double> block);
  /// The largest first, of equal ones the first. A row that is not finite is not among them.
  const std::vector<Row>& rows() const { return rows_; }

 private:
  void add_to_row(std::span<const double> part);
  void end_row();

  std::int64_t width_, row_ = 0, in_row_ = 0;
  std::size_t kept_;
  double scale_ = 0, sum_ = 0;  // Σ x² = scale² · sum, as BLAS nrm2 has it
  bool finite_ = true;
  std::vector<Row> rows_;
};

}  // namespace orrery::tensor
