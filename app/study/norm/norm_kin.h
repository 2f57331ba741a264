// One batch through the norms and their kin: what each makes of it, how far apart and at which angles they end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "app/study/norm/norm_ops.h"

namespace orrery::study {

struct KinSettings {
  double eps = 1e-5;
  double partial = 0.25;  ///< p: the part of the features whose root mean square RMSNorm takes
  double alpha = 0.5;     ///< of DyT
};

/// One of them, and what it makes of the batch, gain and bias included where it has them.
struct Kin {
  std::string_view name;
  twin::Matrix y;
};

struct NormKin {
  twin::Matrix x;
  Affine affine;
  KinSettings settings;
  std::vector<Kin> all;  ///< the first two are LayerNorm and RMSNorm
  /// Of each pair the root of the mean square of their difference; the angle between them in degrees, the mean over the
  /// tokens of which both leave something: NaN where there is none.
  twin::Matrix apart, angle;
};

/// With features of one number LayerNorm by the unbiased deviation is not defined, and not among them.
NormKin norm_kin(const Run&, const twin::Matrix& x, const Affine&, const KinSettings&);

/// Each in a map of tokens and features: where cells are finer than the page, the number that is largest by size.
figure::Figure kin_figure(const NormKin&);
figure::Figure kin_histograms_figure(const NormKin&);
figure::Figure kin_difference_figure(const NormKin&);
figure::Figure kin_angles_figure(const NormKin&);

std::vector<figure::Table> kin_tables(const NormKin&);
std::vector<Check> kin_checks(const Run&, const NormKin&);

}  // namespace orrery::study
