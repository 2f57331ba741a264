// The table of a sweep, as `orrery sweep --collect` writes it (app/experiment/collect.h): a row for each cell and test length.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::study {

struct SweepRow {
  std::string variant;
  double trained = 0, seed = 0;              ///< the longest that was trained, in tokens
  double length = 0, sequences = 0;          ///< asked
  double loss = 0, accuracy = 0, floor = 0;  ///< NaN where there is none
};

struct SweepTable {
  std::vector<SweepRow> rows;

  std::vector<std::string> variants() const;  ///< in their order
  std::vector<double> lengths() const;        ///< ascending
  /// The rows of models that were trained up to the length among theirs that is nearest to this one (of two the shorter).
  SweepTable trained_near(double length) const;
  /// Of one variant at one length.
  std::vector<SweepRow> of(std::string_view variant, double length) const;
};

/// Throws Failure, one line with its place, for what is no such table.
SweepTable sweep_table(std::string_view csv, std::string_view origin);
/// The one that came with the program, made by `./dev sweep`.
SweepTable shipped_sweep();

}  // namespace orrery::study
