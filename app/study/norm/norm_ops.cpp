#include "app/study/norm/norm_ops.h"

namespace orrery::study::twin {
namespace {

using Floats = tensor::Matrix<float>;

/// A result as large as x: `in_double` on the reference, else one of the others on floats.
Matrix by_device(const Run& run, const Matrix& x, const Affine& affine, auto&& in_double, auto&& in_float,
                 auto&& on_gpu) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = Matrix::Zero(x.rows(), x.cols());
    in_double(tensor::View<double>(y));
    return y;
  }
  const Floats in = x.cast<float>();
  const std::vector<float> weight(affine.weight.begin(), affine.weight.end()),
      bias(affine.bias.begin(), affine.bias.end());
  Floats y = Floats::Zero(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    on_gpu(run.gpu(), in, weight, bias, tensor::View<float>(y));
  else
    in_float(in, weight, bias, tensor::View<float>(y));
  return y.cast<double>();
}

}  // namespace

Matrix layer_norm(const Run& run, const Matrix& x, const Affine& affine,
                  const norm::LayerNormParams& params) {
  return by_device(
      run, x, affine, [&](auto y) { norm::layer_norm_ref(x, affine.weight, affine.bias, params, y); },
      [&](auto& in, auto& w, auto& b, auto y) { norm::layer_norm_cpu<float>(in, w, b, params, y); },
      [&](auto& gpu, auto& in, auto& w, auto& b, auto y) { norm::layer_norm_gpu(gpu, in, w, b, params, y); });
}

Matrix rms_norm(const Run& run, const Matrix& x, const Affine& affine, const norm::RmsNormParams& params) {
  return by_device(
      run, x, affine, [&](auto y) { norm::rms_norm_ref(x, affine.weight, params, y); },
      [&](auto& in, auto& w, auto&, auto y) { norm::rms_norm_cpu<float>(in, w, params, y); },
      [&](auto& gpu, auto& in, auto& w, auto&, auto y) { norm::rms_norm_gpu(gpu, in, w, params, y); });
}

Matrix batch_norm(const Run& run, const Matrix& x, const Affine& affine,
                  const norm::BatchNormParams& params) {
  return by_device(
      run, x, affine, [&](auto y) { norm::batch_norm_ref(x, affine.weight, affine.bias, params, y); },
      [&](auto& in, auto& w, auto& b, auto y) { norm::batch_norm_cpu<float>(in, w, b, params, y); },
      [&](auto& gpu, auto& in, auto& w, auto& b, auto y) { norm::batch_norm_gpu(gpu, in, w, b, params, y); });
}

Matrix instance_norm(const Run& run, const Matrix& x, const Affine& affine,
                     const norm::InstanceNormParams& params) {
  return by_device(
      run, x, affine, [&](auto y) { norm::instance_norm_ref(x, affine.weight, affine.bias, params, y); },
      [&](auto& in, auto& w, auto& b, auto y) { norm::instance_norm_cpu<float>(in, w, b, params, y); },
      [&](auto& gpu, auto& in, auto& w, auto& b, auto y) {
        norm::instance_norm_gpu(gpu, in, w, b, params, y);
      });
}

Matrix group_norm(const Run& run, const Matrix& x, const Affine& affine,
                  const norm::GroupNormParams& params) {
  return by_device(
      run, x, affine, [&](auto y) { norm::group_norm_ref(x, affine.weight, affine.bias, params, y); },
      [&](auto& in, auto& w, auto& b, auto y) { norm::group_norm_cpu<float>(in, w, b, params, y); },
      [&](auto& gpu, auto& in, auto& w, auto& b, auto y) { norm::group_norm_gpu(gpu, in, w, b, params, y); });
}

Matrix scale_norm(const Run& run, const Matrix& x, double gain, const norm::ScaleNormParams& params) {
  const auto single = static_cast<float>(gain);
  return by_device(
      run, x, {}, [&](auto y) { norm::scale_norm_ref(x, gain, params, y); },
      [&](auto& in, auto&, auto&, auto y) { norm::scale_norm_cpu<float>(in, single, params, y); },
      [&](auto& gpu, auto& in, auto&, auto&, auto y) { norm::scale_norm_gpu(gpu, in, single, params, y); });
}

Matrix dyt(const Run& run, const Matrix& x, const Affine& affine, const norm::DytParams& params) {
  return by_device(
      run, x, affine, [&](auto y) { norm::dyt_ref(x, affine.weight, affine.bias, params, y); },
      [&](auto& in, auto& w, auto& b, auto y) { norm::dyt_cpu<float>(in, w, b, params, y); },
      [&](auto& gpu, auto& in, auto& w, auto& b, auto y) { norm::dyt_gpu(gpu, in, w, b, params, y); });
}

}  // namespace orrery::study::twin
