#include "app/study/norm/averaged.h"

#include <cmath>

#include "app/study/kit/numbers.h"
#include "app/study/norm/norm_ops.h"
#include "core/tensor/random.h"

namespace orrery::study {

using tensor::Index;
using twin::Matrix;

std::string name_of(Averaging norm) {
  switch (norm) {
    case Averaging::batch:
      return "BatchNorm";
    case Averaging::instance:
      return "InstanceNorm";
    case Averaging::group:
      return "GroupNorm";
    case Averaging::layer:
      return "LayerNorm";
    case Averaging::rms:
      break;
  }
  return "RMSNorm";
}

std::string axes_of(Averaging norm) {
  switch (norm) {
    case Averaging::batch:
      return "samples, positions";
    case Averaging::instance:
      return "positions";
    case Averaging::group:
      return "positions, features of a group";
    case Averaging::layer:
    case Averaging::rms:
      break;
  }
  return "features";
}

Cells set_of(Averaging norm, const BatchShape& s) {
  switch (norm) {
    case Averaging::batch:
      return {s.samples, s.positions, 1};
    case Averaging::instance:
      return {1, s.positions, 1};
    case Averaging::group:
      return {1, s.positions, s.features / s.groups};
    case Averaging::layer:
    case Averaging::rms:
      break;
  }
  return {1, 1, s.features};
}

namespace {

/// A row for each sample: its features one after the other, each with all positions; and back.
Matrix features_first(const Matrix& x, Index positions) {
  Matrix rows(x.rows() / positions, x.cols() * positions);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) rows(i / positions, j * positions + i % positions) = x(i, j);
  return rows;
}
Matrix positions_first(const Matrix& rows, Index positions) {
  Matrix x(rows.rows() * positions, rows.cols() / positions);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) x(i, j) = rows(i / positions, j * positions + i % positions);
  return x;
}

}  // namespace

Matrix normed(const Run& run, Averaging norm, const Matrix& x, const BatchShape& shape, double eps) {
  switch (norm) {
    case Averaging::batch:
      return twin::batch_norm(run, x, {}, {.eps = eps});
    case Averaging::instance:
      return twin::instance_norm(run, x, {}, {.eps = eps, .positions = shape.positions});
    case Averaging::group: {
      const Matrix rows = features_first(x, shape.positions);
      return positions_first(twin::group_norm(run, rows, {}, {.eps = eps, .groups = shape.groups}),
                             shape.positions);
    }
    case Averaging::layer:
      return twin::layer_norm(run, x, {.eps = eps});
    case Averaging::rms:
      break;
  }
  return twin::rms_norm(run, x, {.eps = eps});
}

namespace {

/// What the streams of random numbers are for.
enum Stream : std::uint32_t { noise, of_feature, size_of_feature, of_sample };

}  // namespace

Samples::Samples(const parameter::Settings& settings)
    : positions_(settings.integer("positions")),
      features_(settings.integer("features")),
      feature_offset_(settings.real("feature_offset")),
      feature_scale_(settings.real("feature_scale")),
      sample_offset_(settings.real("sample_offset")),
      seed_(seed_of(settings)) {}

double Samples::mean(Index feature) const {
  return feature_offset_ * tensor::Random(seed_, of_feature).normal(static_cast<std::uint64_t>(feature));
}

double Samples::variance_within(Index feature) const {
  const double size = tensor::Random(seed_, size_of_feature).normal(static_cast<std::uint64_t>(feature));
  return std::exp(2 * feature_scale_ * size);
}

double Samples::value(Index sample, Index position, Index feature) const {
  const auto place = static_cast<std::uint64_t>((sample * positions_ + position) * features_ + feature);
  return tensor::Random(seed_, noise).normal(place);
}

Matrix Samples::feature_from(Index first, Index count, Index feature) const {
  const double middle = mean(feature), deviation = std::sqrt(variance_within(feature));
  Matrix column(count * positions_, 1);
  for (Index b = 0; b < count; ++b) {
    const double shift =
        sample_offset_ * tensor::Random(seed_, of_sample).normal(static_cast<std::uint64_t>(first + b));
    for (Index t = 0; t < positions_; ++t)
      column(b * positions_ + t, 0) = middle + shift + deviation * value(first + b, t, feature);
  }
  return twin::rounded(column);
}

Matrix Samples::from(Index first, Index count) const {
  Matrix x(count * positions_, features_);
  for (Index j = 0; j < features_; ++j) x.col(j) = feature_from(first, count, j);
  return x;
}

}  // namespace orrery::study
