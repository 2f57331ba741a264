// Every norm of the op table behind one call, with gain and shift, on the device of the run.
#pragma once

#include <span>
#include <vector>

#include "app/study/twin.h"
#include "core/norm/batch_norm.h"
#include "core/norm/dyt.h"
#include "core/norm/group_norm.h"
#include "core/norm/instance_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/norm/scale_norm.h"

namespace orrery::study {

/// Gain and shift of each column; empty: 1 and 0. A norm that has no shift takes none.
struct Affine {
  std::vector<double> weight{}, bias{};
};

namespace twin {

Matrix layer_norm(const Run&, const Matrix& x, const Affine&, const norm::LayerNormParams&);
Matrix rms_norm(const Run&, const Matrix& x, const Affine&, const norm::RmsNormParams&);
Matrix batch_norm(const Run&, const Matrix& x, const Affine&, const norm::BatchNormParams&);
Matrix instance_norm(const Run&, const Matrix& x, const Affine&, const norm::InstanceNormParams&);
Matrix group_norm(const Run&, const Matrix& x, const Affine&, const norm::GroupNormParams&);
Matrix scale_norm(const Run&, const Matrix& x, double gain, const norm::ScaleNormParams&);
Matrix dyt(const Run&, const Matrix& x, const Affine&, const norm::DytParams&);

}  // namespace twin

inline constexpr twin::Bounds layer_norm_bounds{norm::layer_norm_bound, norm::layer_norm_gpu_bound};
inline constexpr twin::Bounds rms_norm_bounds{norm::rms_norm_bound, norm::rms_norm_gpu_bound};
inline constexpr twin::Bounds batch_norm_bounds{norm::batch_norm_bound, norm::batch_norm_gpu_bound};
inline constexpr twin::Bounds instance_norm_bounds{norm::instance_norm_bound, norm::instance_norm_gpu_bound};
inline constexpr twin::Bounds group_norm_bounds{norm::group_norm_bound, norm::group_norm_gpu_bound};
inline constexpr twin::Bounds scale_norm_bounds{norm::scale_norm_bound, norm::scale_norm_gpu_bound};

}  // namespace orrery::study
