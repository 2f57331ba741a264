// LayerNorm and RMSNorm of the same rows, how far apart they are, and what must hold of both.
#pragma once

#include <vector>

#include "app/study/study.h"
#include "app/study/twin.h"

namespace orrery::study {

struct BothNorms {
  twin::Matrix layer, rms;
};

BothNorms both_norms(const Run&, const twin::Matrix& x, double eps);

/// The root of the mean square of their difference.
double rms_distance(const twin::Matrix& a, const twin::Matrix& b);

/// How far a component of either may be off, summed for both: see both_norms_checks().
double norms_slack(const Run&, const twin::Matrix& x, const BothNorms& y);

/// `y` is what the norms made of the row `x`.
std::vector<Check> both_norms_checks(const Run&, const twin::Matrix& x, const BothNorms& y, double eps);

}  // namespace orrery::study
