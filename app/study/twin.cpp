#include "app/study/twin.h"

#include <algorithm>
#include <cmath>

#include "app/study/device_names.h"

namespace orrery::study::twin {
namespace {

using Floats = tensor::Matrix<float>;
using View = tensor::View<double>;
using FloatView = tensor::View<float>;

Matrix widened(const Floats& y) {
  return y.cast<double>();
}
Floats narrowed(const Matrix& x) {
  return x.cast<float>();
}

/// A result of rows × cols, written by whichever of the three the run asks for.
Matrix on_device(const Run& run, tensor::Index rows, tensor::Index cols, auto&& ref, auto&& cpu, auto&& gpu) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = Matrix::Zero(rows, cols);
    ref(View(y));
    return y;
  }
  Floats y = Floats::Zero(rows, cols);
  if (run.device == DeviceChoice::gpu)
    gpu(run.gpu(), FloatView(y));
  else
    cpu(FloatView(y));
  return widened(y);
}

}  // namespace

Matrix layer_norm(const Run& run, const Matrix& x, const norm::LayerNormParams& params) {
  const Floats in = narrowed(x);
  return on_device(
      run, x.rows(), x.cols(), [&](View y) { norm::layer_norm_ref(x, {}, {}, params, y); },
      [&](FloatView y) { norm::layer_norm_cpu<float>(in, {}, {}, params, y); },
      [&](gpu::Device& gpu, FloatView y) { norm::layer_norm_gpu(gpu, in, {}, {}, params, y); });
}

Matrix rms_norm(const Run& run, const Matrix& x, const norm::RmsNormParams& params) {
  const Floats in = narrowed(x);
  return on_device(
      run, x.rows(), x.cols(), [&](View y) { norm::rms_norm_ref(x, {}, params, y); },
      [&](FloatView y) { norm::rms_norm_cpu<float>(in, {}, params, y); },
      [&](gpu::Device& gpu, FloatView y) { norm::rms_norm_gpu(gpu, in, {}, params, y); });
}

Matrix rope(const Run& run, const Matrix& x, const position::RopeTable& table, position::RopeLayout layout) {
  const Floats in = narrowed(x), cos = narrowed(table.cos), sin = narrowed(table.sin);
  return on_device(
      run, x.rows(), x.cols(), [&](View y) { position::rope_ref(x, table, layout, y); },
      [&](FloatView y) { position::rope_cpu<float>(in, cos, sin, layout, y); },
      [&](gpu::Device& gpu, FloatView y) { position::rope_gpu(gpu, in, cos, sin, layout, y); });
}

Matrix sinusoidal(const Run& run, tensor::Index length, tensor::Index dim,
                  const position::SinusoidalParams& params) {
  return on_device(
      run, length, dim, [&](View y) { position::sinusoidal_ref(params, y); },
      [&](FloatView y) { position::sinusoidal_cpu<float>(params, y); },
      [&](gpu::Device& gpu, FloatView y) { position::sinusoidal_gpu(gpu, params, y); });
}

Matrix scores(const Run& run, const Matrix& q, const Matrix& k, const attention::ScoresParams& params) {
  const Floats queries = narrowed(q), keys = narrowed(k);
  return on_device(
      run, q.rows(), k.rows(), [&](View s) { attention::scores_ref(q, k, params, s); },
      [&](FloatView s) { attention::scores_cpu<float>(queries, keys, params, s); },
      [&](gpu::Device& gpu, FloatView s) { attention::scores_gpu(gpu, queries, keys, params, s); });
}

Matrix softmax(const Run& run, const Matrix& x, const attention::SoftmaxParams& params) {
  const Floats in = narrowed(x);
  return on_device(
      run, x.rows(), x.cols(), [&](View y) { attention::softmax_ref(x, params, y); },
      [&](FloatView y) { attention::softmax_cpu<float>(in, params, y); },
      [&](gpu::Device& gpu, FloatView y) { attention::softmax_gpu(gpu, in, params, y); });
}

Matrix activation(const Run& run, const Matrix& x, const activation::ActivationParams& f) {
  const Floats in = narrowed(x);
  return on_device(
      run, x.rows(), x.cols(), [&](View y) { activation::activation_ref(x, f, y); },
      [&](FloatView y) { activation::activation_cpu<float>(in, f, y); },
      [&](gpu::Device& gpu, FloatView y) { activation::activation_gpu(gpu, in, f, y); });
}

Matrix embedding(const Run& run, std::span<const tensor::Index> rows, const Matrix& table,
                 embedding::Scale scale) {
  const Floats in = narrowed(table);
  return on_device(
      run, std::ssize(rows), table.cols(), [&](View y) { embedding::embedding_ref(rows, table, scale, y); },
      [&](FloatView y) { embedding::embedding_cpu<float>(rows, in, scale, y); },
      [&](gpu::Device& gpu, FloatView y) { embedding::embedding_gpu(gpu, rows, in, scale, y); });
}

Matrix rounded(const Matrix& x) {
  return widened(narrowed(x));
}

position::RopeTable rounded(const position::RopeTable& table) {
  return {rounded(table.cos), rounded(table.sin)};
}

double unit_roundoff(const Run& run) {
  return std::exp2(run.device == DeviceChoice::ref ? -53 : -24);
}

double turned_score_slack(const Run& run, tensor::Index width) {
  const double u = unit_roundoff(run);
  double products = attention::scores_bound(width).rel;
  if (run.device == DeviceChoice::ref) products = static_cast<double>(width) * u;
  if (run.device == DeviceChoice::gpu) products = attention::scores_gpu_bound(width);
  // Each vector is off by 4 u of its length: two products, a sum, a rounded cos and sin.
  return 8 * u + products;
}

Run on_reference(const Run& run) {
  Run other = run;
  other.device = DeviceChoice::ref;
  return other;
}

Run on_fast(const Run& run) {
  Run other = run;
  if (other.device == DeviceChoice::ref) other.device = DeviceChoice::cpu;
  return other;
}

std::string name(DeviceChoice device) {
  return std::string(device_name(device));
}

Check equals_reference(const Run& fast, const Matrix& result, const Matrix& reference, const Bounds& bounds) {
  const tensor::Bound& bound = fast.device == DeviceChoice::gpu ? bounds.gpu : bounds.cpu;
  Check check{name(fast.device) + " equals the double reference", 0, 0};
  double worst = 0;
  for (tensor::Index i = 0; i < result.rows(); ++i) {
    double largest = 0;
    for (tensor::Index j = 0; j < result.cols(); ++j)
      if (std::isfinite(reference(i, j))) largest = std::max(largest, std::abs(reference(i, j)));
    for (tensor::Index j = 0; j < result.cols(); ++j) {
      const double y = result(i, j), r = reference(i, j);
      const double allowed = bound.abs + bound.rel * std::abs(r) + bound.row * largest;
      if (y == r || (std::isnan(y) && std::isnan(r))) {  // infinities agree in sign, NaN in place
        if (check.value == 0 && std::isfinite(r)) check.bound = std::max(check.bound, allowed);
        continue;
      }
      const double difference = std::abs(y - r);
      if (std::isnan(difference)) return {check.statement, difference, allowed};
      if (difference <= worst * allowed) continue;
      worst = difference / allowed;
      check.value = difference;
      check.bound = allowed;
    }
  }
  return check;
}

}  // namespace orrery::study::twin
