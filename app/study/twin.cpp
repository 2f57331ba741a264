#include "app/study/twin.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace orrery::study::twin {
namespace {

using Floats = tensor::Matrix<float>;
using View = tensor::View<double>;
using ConstView = tensor::View<const double>;
using FloatView = tensor::View<float>;
using ConstFloatView = tensor::View<const float>;

Matrix empty(tensor::Index rows, tensor::Index cols) {
  return Matrix::Zero(rows, cols);
}
Matrix widened(const Floats& y) {
  return y.cast<double>();
}
Floats narrowed(const Matrix& x) {
  return x.cast<float>();
}

}  // namespace

Matrix layer_norm(const Run& run, const Matrix& x, const norm::LayerNormParams& params) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = empty(x.rows(), x.cols());
    norm::layer_norm_ref(ConstView(x), {}, {}, params, View(y));
    return y;
  }
  const Floats in = narrowed(x);
  Floats y(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    norm::layer_norm_gpu(run.gpu(), ConstFloatView(in), {}, {}, params, FloatView(y));
  else
    norm::layer_norm_cpu<float>(ConstFloatView(in), {}, {}, params, FloatView(y));
  return widened(y);
}

Matrix rms_norm(const Run& run, const Matrix& x, const norm::RmsNormParams& params) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = empty(x.rows(), x.cols());
    norm::rms_norm_ref(ConstView(x), {}, params, View(y));
    return y;
  }
  const Floats in = narrowed(x);
  Floats y(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    norm::rms_norm_gpu(run.gpu(), ConstFloatView(in), {}, params, FloatView(y));
  else
    norm::rms_norm_cpu<float>(ConstFloatView(in), {}, params, FloatView(y));
  return widened(y);
}

Matrix rope(const Run& run, const Matrix& x, const position::RopeTable& table, position::RopeLayout layout) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = empty(x.rows(), x.cols());
    position::rope_ref(ConstView(x), table, layout, View(y));
    return y;
  }
  const Floats in = narrowed(x), cos = narrowed(table.cos), sin = narrowed(table.sin);
  Floats y(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    position::rope_gpu(run.gpu(), ConstFloatView(in), ConstFloatView(cos), ConstFloatView(sin), layout,
                       FloatView(y));
  else
    position::rope_cpu<float>(ConstFloatView(in), ConstFloatView(cos), ConstFloatView(sin), layout,
                              FloatView(y));
  return widened(y);
}

Matrix sinusoidal(const Run& run, tensor::Index length, tensor::Index dim,
                  const position::SinusoidalParams& params) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = empty(length, dim);
    position::sinusoidal_ref(params, View(y));
    return y;
  }
  Floats y(length, dim);
  if (run.device == DeviceChoice::gpu)
    position::sinusoidal_gpu(run.gpu(), params, FloatView(y));
  else
    position::sinusoidal_cpu<float>(params, FloatView(y));
  return widened(y);
}

Matrix scores(const Run& run, const Matrix& q, const Matrix& k, const attention::ScoresParams& params) {
  if (run.device == DeviceChoice::ref) {
    Matrix s = empty(q.rows(), k.rows());
    attention::scores_ref(ConstView(q), ConstView(k), params, View(s));
    return s;
  }
  const Floats queries = narrowed(q), keys = narrowed(k);
  Floats s(q.rows(), k.rows());
  if (run.device == DeviceChoice::gpu)
    attention::scores_gpu(run.gpu(), ConstFloatView(queries), ConstFloatView(keys), params, FloatView(s));
  else
    attention::scores_cpu<float>(ConstFloatView(queries), ConstFloatView(keys), params, FloatView(s));
  return widened(s);
}

Matrix softmax(const Run& run, const Matrix& x, const attention::SoftmaxParams& params) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = empty(x.rows(), x.cols());
    attention::softmax_ref(ConstView(x), params, View(y));
    return y;
  }
  const Floats in = narrowed(x);
  Floats y(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    attention::softmax_gpu(run.gpu(), ConstFloatView(in), params, FloatView(y));
  else
    attention::softmax_cpu<float>(ConstFloatView(in), params, FloatView(y));
  return widened(y);
}

Matrix activation(const Run& run, const Matrix& x, activation::Kind kind) {
  if (run.device == DeviceChoice::ref) {
    Matrix y = empty(x.rows(), x.cols());
    activation::activation_ref(ConstView(x), kind, View(y));
    return y;
  }
  const Floats in = narrowed(x);
  Floats y(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    activation::activation_gpu(run.gpu(), ConstFloatView(in), kind, FloatView(y));
  else
    activation::activation_cpu<float>(ConstFloatView(in), kind, FloatView(y));
  return widened(y);
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
  switch (device) {
    case DeviceChoice::ref:
      return "ref";
    case DeviceChoice::gpu:
      return "gpu";
    case DeviceChoice::cpu:
      break;
  }
  return "cpu";
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
