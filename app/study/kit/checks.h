// What checks are made of. A check says how loose it is: on the fast twins what the contract of the op allows, on the
// reference what its own sums lose in double. It must hold at every setting, so a slack is derived (how many roundings,
// of what size), never tried out; one that the same run's ref, cpu and gpu cannot all keep is the wrong statement.
#pragma once

#include <cmath>
#include <string>

#include "app/study/twin.h"

namespace orrery::study {

/// One that says nothing of these settings: published numbers, found again by the code that has just run.
Check known_answer(std::string statement, double value, double bound);

/// "LayerNorm: cpu equals the double reference".
Check named(const std::string& what, Check);

/// How far the largest element of a result may be off: as the op's contract says, and on the reference 2^-53 of it for
/// each of `terms` that were summed.
double slack(const Run&, const twin::Bounds&, const twin::Matrix& result, double terms);

/// The worst that was met, from 0 on. What is no number is the worst of all, so that the check fails.
class Worst {
 public:
  void meet(double x) {
    if (!(x <= worst_) && !std::isnan(worst_)) worst_ = x;
  }
  operator double() const {
    return worst_;
  }  // NOLINT(google-explicit-constructor): a value in a list of checks

 private:
  double worst_ = 0;
};

}  // namespace orrery::study
