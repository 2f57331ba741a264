#include "app/study/norm/norm_kin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"

namespace orrery::study {
namespace {

using tensor::Index;
using twin::Matrix;

norm::RmsNormParams rms_of(const KinSettings& s) {
  return {.eps = s.eps};
}
norm::RmsNormParams outside_of(const KinSettings& s) {
  return {.eps = s.eps, .eps_place = norm::EpsPlace::outside};
}
norm::RmsNormParams partial_of(const KinSettings& s) {
  return {.eps = s.eps, .partial = s.partial};
}

double root_mean_square(const Matrix& y) {
  return std::sqrt(y.squaredNorm() / number(y.size()));
}

/// In degrees, by the chord of the unit vectors: also where they are nearly the same. NaN where one has no direction.
double angle_between(const Matrix& a, const Matrix& b) {
  const double chord = (a.normalized() - b.normalized()).norm();
  if (a.norm() == 0 || b.norm() == 0) return std::numeric_limits<double>::quiet_NaN();
  return 2 * std::asin(std::min(1.0, chord / 2)) * 180 / std::numbers::pi;
}

double mean_angle(const Matrix& a, const Matrix& b) {
  double sum = 0, tokens = 0;
  for (Index i = 0; i < a.rows(); ++i)
    if (const double angle = angle_between(a.row(i), b.row(i)); std::isfinite(angle)) sum += angle, ++tokens;
  return sum / tokens;
}

/// By what a component's error turns a row: over its mean size.
double turned_by(double component, const Matrix& row) {
  return component * std::sqrt(number(row.size())) / row.norm() * 180 / std::numbers::pi;
}

Check same_direction(const Run& run, const NormKin& kin) {
  const Matrix outside = twin::rms_norm(run, kin.x, kin.affine, outside_of(kin.settings)),
               partial = twin::rms_norm(run, kin.x, kin.affine, partial_of(kin.settings)),
               &rms = kin.all[1].y;
  const double width = number(kin.x.cols());
  Worst worst;
  double bound = 0x1p-40;  // of the chord and its arc in double
  for (Index i = 0; i < rms.rows(); ++i)
    for (const Matrix* other : {&outside, &partial}) {
      const Matrix a = rms.row(i), b = other->row(i);
      if (a.norm() == 0 || b.norm() == 0) continue;
      worst.meet(angle_between(a, b));
      bound = std::max(bound, 0x1p-40 + 2 * turned_by(slack(run, rms_norm_bounds, a, width), a) +
                                  2 * turned_by(slack(run, rms_norm_bounds, b, width), b));
    }
  return {"RMSNorm, epsilon outside and part of the features: all point the same way", worst, bound};
}

/// RMSNorm of stored weights w as 1 + w is that of w and the plain one together.
Check offset_adds_one(const Run& run, const NormKin& kin) {
  const Matrix plain = twin::rms_norm(run, kin.x, rms_of(kin.settings)),
               offset = twin::rms_norm(run, kin.x, kin.affine, {.eps = kin.settings.eps, .weight_offset = 1});
  const double width = number(kin.x.cols());
  return {"the gain 1 + w adds RMSNorm without a gain", (offset - kin.all[1].y - plain).cwiseAbs().maxCoeff(),
          slack(run, rms_norm_bounds, plain, width) + slack(run, rms_norm_bounds, offset, width) +
              slack(run, rms_norm_bounds, kin.all[1].y, width)};
}

/// But for epsilon, which the one adds to the mean square and the other takes for a floor of the norm.
Check scale_norm_is_rms_norm(const Run& run, const NormKin& kin) {
  const double eps = kin.settings.eps, width = number(kin.x.cols());
  const Matrix plain = twin::rms_norm(run, kin.x, rms_of(kin.settings)),
               scaled = twin::scale_norm(run, kin.x, std::sqrt(width), {.eps = eps});
  Worst worst;
  for (Index i = 0; i < plain.rows(); ++i) {
    const double square = kin.x.row(i).squaredNorm() / width;
    if (kin.x.row(i).norm() > eps)
      worst.meet((plain.row(i) - std::sqrt(square / (square + eps)) * scaled.row(i)).cwiseAbs().maxCoeff());
  }
  return {"ScaleNorm of $g = \\sqrt{D}$ is RMSNorm with $\\epsilon = 0$", worst,
          slack(run, rms_norm_bounds, plain, width) + 2 * slack(run, scale_norm_bounds, scaled, width)};
}

/// A result is off by what its size allows, and by what its column is larger than its deviation.
Check batch_means(const Run& run, const NormKin& kin) {
  const double tokens = number(kin.x.rows());
  const Matrix y = twin::batch_norm(run, kin.x, kin.affine, {.eps = kin.settings.eps});
  Worst worst;
  double condition = 0, size = 0;
  for (Index j = 0; j < y.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double w = std::abs(kin.affine.weight[at]), b = std::abs(kin.affine.bias[at]);
    worst.meet(std::abs(y.col(j).mean() - kin.affine.bias[at]));
    const auto column = kin.x.col(j).array();
    const double variance = (column - column.mean()).square().mean();
    condition = std::max(condition, w * column.abs().maxCoeff() / std::sqrt(variance + kin.settings.eps));
    size =
        std::max(size, w * std::sqrt(tokens) + b);  // no number is more than √N deviations from a mean of N
  }
  return {"BatchNorm: over the tokens each feature has the mean b", worst,
          slack(run, batch_norm_bounds, Matrix::Constant(1, 1, size), tokens + 4) + 0x1p-50 * condition};
}

}  // namespace

NormKin norm_kin(const Run& run, const Matrix& x, const Affine& affine, const KinSettings& s) {
  NormKin kin{.x = x, .affine = affine, .settings = s, .all = {}, .apart = {}, .angle = {}};
  kin.all = {{"LayerNorm", twin::layer_norm(run, x, affine, {.eps = s.eps})},
             {"RMSNorm", twin::rms_norm(run, x, affine, rms_of(s))}};
  if (x.cols() > 1)
    kin.all.push_back(
        {"LayerNorm, $n - 1$, $\\epsilon$ outside",
         twin::layer_norm(run, x, affine, {.eps = s.eps, .variant = norm::LayerNormVariant::annotated})});
  kin.all.push_back({"RMSNorm, $\\epsilon$ outside", twin::rms_norm(run, x, affine, outside_of(s))});
  kin.all.push_back({"BatchNorm", twin::batch_norm(run, x, affine, {.eps = s.eps})});
  kin.all.push_back({"RMSNorm, $1 + w$", twin::rms_norm(run, x, affine, {.eps = s.eps, .weight_offset = 1})});
  kin.all.push_back({"DyT", twin::dyt(run, x, affine, {.alpha = s.alpha})});
  kin.all.push_back({"RMSNorm, partial", twin::rms_norm(run, x, affine, partial_of(s))});
  kin.all.push_back({"ScaleNorm", twin::scale_norm(run, x, std::sqrt(number(x.cols())), {.eps = s.eps})});

  const Index count = std::ssize(kin.all);
  kin.apart = kin.angle = Matrix::Zero(count, count);
  for (Index a = 0; a < count; ++a)
    for (Index b = 0; b <= a; ++b) {
      const Matrix &one = kin.all[static_cast<std::size_t>(a)].y,
                   &other = kin.all[static_cast<std::size_t>(b)].y;
      kin.apart(a, b) = kin.apart(b, a) = root_mean_square(one - other);
      kin.angle(a, b) = kin.angle(b, a) = mean_angle(one, other);
    }
  run.check();
  return kin;
}

std::vector<figure::Table> kin_tables(const NormKin& kin) {
  figure::Table norms{"kin", {{.name = "norm"}, {.name = "mean"}, {.name = "RMS"}, {.name = "largest"}}};
  figure::Table pairs{"kin_apart", {{.name = "norm"}, {.name = "other norm"}, {.name = "RMS distance"}}},
      angles{"kin_angles", {{.name = "norm"}, {.name = "other norm"}, {.name = "angle", .unit = "degrees"}}};
  const auto called = [&](std::size_t a) { return Called{std::string(kin.all[a].name), number(a)}; };
  for (std::size_t a = 0; a < kin.all.size(); ++a) {
    const Matrix& y = kin.all[a].y;
    add_row(norms, called(a), y.mean(), root_mean_square(y), y.cwiseAbs().maxCoeff());
    for (std::size_t b = 0; b < a; ++b) {
      const auto i = static_cast<Index>(a), j = static_cast<Index>(b);
      add_row(pairs, called(a), called(b), kin.apart(i, j));
      if (std::isfinite(kin.angle(i, j))) add_row(angles, called(a), called(b), kin.angle(i, j));
    }
  }
  return {std::move(norms), std::move(pairs), std::move(angles)};
}

std::vector<Check> kin_checks(const Run& run, const NormKin& kin) {
  const auto equals = [&](const char* name, const twin::Bounds& bounds, auto&& compute) {
    return named(name, twin::equals_reference(run, bounds, compute));
  };
  return {
      same_direction(run, kin),
      offset_adds_one(run, kin),
      scale_norm_is_rms_norm(run, kin),
      batch_means(run, kin),
      equals(
          "RMSNorm, partial", rms_norm_bounds,
          [&](const Run& each) { return twin::rms_norm(each, kin.x, kin.affine, partial_of(kin.settings)); }),
  };
}

}  // namespace orrery::study
