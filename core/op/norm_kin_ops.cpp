// The kin of layer_norm: batch_norm, instance_norm, group_norm, scale_norm and dyt.
#include <algorithm>
#include <cmath>

#include "core/norm/batch_norm.h"
#include "core/norm/batch_norm_vjp.h"
#include "core/norm/dyt.h"
#include "core/norm/dyt_vjp.h"
#include "core/norm/group_norm.h"
#include "core/norm/group_norm_vjp.h"
#include "core/norm/instance_norm.h"
#include "core/norm/instance_norm_vjp.h"
#include "core/norm/scale_norm.h"
#include "core/norm/scale_norm_vjp.h"
#include "core/op/affine_norm.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

norm::BatchNormParams batch_norm_params(const Call& call) {
  const Array& x = input_with_axes(call, "x", 2, "… × T × D");  // a single token is no batch
  norm::BatchNormParams params{.eps = call.settings.real("eps"),
                               .mean = column_values<double>(call, "running_mean", x),
                               .variance = column_values<double>(call, "running_var", x)};
  norm::check_batch_norm(params, x.cols());
  return params;
}

norm::InstanceNormParams instance_norm_params(const Call& call) {
  const Array& x = input_with_axes(call, "x", 2, "… × T × D");
  return {.eps = call.settings.real("eps"), .positions = x.shape[x.shape.size() - 2]};
}

norm::GroupNormParams group_norm_params(const Call& call) {
  const Array& x = tokens(call);
  const Index groups = call.settings.integer("groups"), D = x.shape.back();
  if (D % groups != 0)
    throw InvalidArgument(about("groups").found(groups).allowed("a divisor of {}, the last axis of x ({})", D,
                                                                tensor::shape_text(x.shape)));
  return {.eps = call.settings.real("eps"), .groups = groups};
}

norm::DytParams dyt_params(const Call& call) {
  return {.alpha = call.settings.real("alpha")};
}

norm::ScaleNormParams scale_norm_params(const Call& call) {
  return {.eps = call.settings.real("eps")};
}

/// g, the one gain for all columns; 1 when not given.
double gain_of(const Call& call) {
  const Array* gain = call.find("gain");
  if (gain == nullptr) return 1;
  if (gain->size() == 1) return gain->values[0];
  throw InvalidArgument(wrong_shape("gain", *gain).allowed("{}, one gain for all columns", 1));
}

template <class T>
Work scale_norm(const Call& call, auto twin) {
  const Array& x = tokens(call);
  const auto in = kept<T>(x), out = room<T>(x.rows(), x.cols());
  const T gain = static_cast<T>(gain_of(call));
  const norm::ScaleNormParams params = scale_norm_params(call);
  return Work(
      out, x.shape, [=] { twin(View<const T>(*in), gain, params, View<T>(*out)); }, in);
}

/// |w| max|x̂| + |b|; `spread` puts the largest |x̂| of those that share a mean in the place of each.
Array magnitude_of_standardised(const Call& call, Work (*ref)(const Call&), auto spread) {
  Call plain;
  plain.settings = call.settings;
  plain.inputs.emplace("x", tokens(call));
  for (const char* statistics : {"running_mean", "running_var"})
    if (const Array* given = call.find(statistics)) plain.inputs.emplace(statistics, *given);
  const Array y = ref(plain).done();
  if (y.values.empty()) return y;
  const std::vector<double> weight = column_values<double>(call, "weight", y);
  const std::vector<double> bias = column_values<double>(call, "bias", y);
  Matrix<double> sizes = y.matrix().cwiseAbs();
  spread(sizes);
  for (Index j = 0; j < y.cols(); ++j) {
    if (!weight.empty()) sizes.col(j) *= std::abs(weight[static_cast<std::size_t>(j)]);
    if (!bias.empty()) sizes.col(j).array() += std::abs(bias[static_cast<std::size_t>(j)]);
  }
  return array_of(sizes, y.shape);
}

}  // namespace

template <>
struct NormTwins<BatchNorm>
    : AffineTwins<batch_norm_params, norm::batch_norm_ref, norm::batch_norm_cpu<float>,
                  norm::batch_norm_cpu<double>, norm::batch_norm_gpu, norm::batch_norm_staged,
                  norm::batch_norm_vjp<float>, norm::batch_norm_vjp<double>> {};
template struct AffineNorm<BatchNorm>;

Bounds BatchNorm::bounds(const Call&) {
  tensor::Bound in_double = double_bound;
  in_double.abs =
      0x1p-46;  // its columns have each a scale of their own: beside 1, not beside the row's largest
  return {.cpu = norm::batch_norm_bound, .gpu = norm::batch_norm_gpu_bound, .cpu_in_double = in_double};
}

Array BatchNorm::magnitude(const Call& call) {
  return magnitude_of_standardised(call, ref, [](auto& sizes) {
    for (Index j = 0; j < sizes.cols(); ++j) sizes.col(j).setConstant(sizes.col(j).maxCoeff());
  });
}

template <>
struct NormTwins<InstanceNorm>
    : AffineTwins<instance_norm_params, norm::instance_norm_ref, norm::instance_norm_cpu<float>,
                  norm::instance_norm_cpu<double>, norm::instance_norm_gpu, norm::instance_norm_staged,
                  norm::instance_norm_vjp<float>, norm::instance_norm_vjp<double>> {};
template struct AffineNorm<InstanceNorm>;

Bounds InstanceNorm::bounds(const Call& call) {
  Bounds bounds = BatchNorm::bounds(call);
  bounds.cpu = norm::instance_norm_bound;
  bounds.gpu = norm::instance_norm_gpu_bound;
  return bounds;
}

Array InstanceNorm::magnitude(const Call& call) {
  return magnitude_of_standardised(call, ref, [&](auto& sizes) {
    const Index positions = instance_norm_params(call).positions;
    for (Index first = 0; first < sizes.rows(); first += positions)
      for (Index j = 0; j < sizes.cols(); ++j) {
        auto column = sizes.col(j).segment(first, positions);
        column.setConstant(column.maxCoeff());
      }
  });
}

template <>
struct NormTwins<GroupNorm>
    : AffineTwins<group_norm_params, norm::group_norm_ref, norm::group_norm_cpu<float>,
                  norm::group_norm_cpu<double>, norm::group_norm_gpu, norm::group_norm_staged,
                  norm::group_norm_vjp<float>, norm::group_norm_vjp<double>> {};
template struct AffineNorm<GroupNorm>;

/// As many groups as the paper has, or the most that leave each two columns.
void GroupNorm::fit(parameter::Settings& settings, const Sizes& sizes) {
  Index groups = std::clamp<Index>(sizes.D / 2, 1, 32);
  while (sizes.D % groups != 0) --groups;
  settings.set("groups", groups);
}

Bounds GroupNorm::bounds(const Call&) {
  // Centring loses one rounding of the mean, which may stand at 10⁴ σ: 10⁴ u = 2⁻⁴⁰.
  tensor::Bound in_double = double_bound;
  in_double.rel = 0x1p-40;
  return {norm::group_norm_bound, norm::group_norm_gpu_bound, true, in_double};
}

Array GroupNorm::magnitude(const Call& call) {
  return magnitude_of_standardised(call, ref, [&](auto& sizes) {
    const Index width = sizes.cols() / call.settings.integer("groups");
    for (Index i = 0; i < sizes.rows(); ++i)
      for (Index first = 0; first < sizes.cols(); first += width) {
        auto group = sizes.row(i).segment(first, width);
        group.setConstant(group.maxCoeff());
      }
  });
}

Work ScaleNorm::ref(const Call& call) {
  return scale_norm<double>(call, norm::scale_norm_ref);
}

Work ScaleNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return scale_norm<T>(call, norm::scale_norm_cpu<T>); });
}

Work ScaleNorm::gpu(const Call& call) {
  return scale_norm<float>(call, on_device(call, norm::scale_norm_gpu));
}

Work ScaleNorm::staged(const Call& call) {
  return scale_norm<double>(call, [&](auto x, double gain, const auto& params, auto y) {
    norm::scale_norm_staged(x, gain, params, call.precision, y);
  });
}

Gradients ScaleNorm::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const Array& x = tokens(call);
    require_gradient_shape(gradient, x.shape);
    const Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
    Matrix<T> dx(input.rows(), input.cols()), of_gain(1, 1);
    of_gain(0, 0) =
        norm::scale_norm_vjp<T>(input, static_cast<T>(gain_of(call)), g, scale_norm_params(call), dx);
    Gradients result;
    keep(result, call, "x", dx);
    keep(result, call, "gain", of_gain);
    return result;
  });
}

Bounds ScaleNorm::bounds(const Call&) {
  return {norm::scale_norm_bound, norm::scale_norm_gpu_bound};
}

template <>
struct NormTwins<Dyt>
    : AffineTwins<dyt_params, norm::dyt_ref, norm::dyt_cpu<float>, norm::dyt_cpu<double>, norm::dyt_gpu,
                  norm::dyt_staged, norm::dyt_vjp<float>, norm::dyt_vjp<double>> {};
template struct AffineNorm<Dyt>;

Bounds Dyt::bounds(const Call& call) {
  double largest = 1;
  if (const Array* weight = call.find("weight"))
    for (const double w : weight->values)
      if (std::isfinite(w)) largest = std::max(largest, std::abs(w));
  return {norm::dyt_bound(largest), norm::dyt_gpu_bound, true};
}

/// |w| tanh|αx| + |b|
Array Dyt::magnitude(const Call& call) {
  return magnitude_of_absolutes(call, ref);
}

}  // namespace orrery::op
