#include "core/attention/softmax_vjp.h"

#include <algorithm>
#include <cmath>

#include "core/simd/share.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

template <class T>
void softmax_vjp_of_weights(View<const T> y, double temperature, View<const T> g, View<T> dx) {
  simd::share(y.rows, y.size() * 8, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      double mean = 0;  // of g, under the weights
      // A weight of 0 stands where a mask does, and its gradient may be anything.
      const auto seen = [&](Index j) { return y(i, j) != T(0); };
      for (Index j = 0; j < y.cols; ++j)
        if (seen(j)) mean += static_cast<double>(y(i, j)) * static_cast<double>(g(i, j));
      for (Index j = 0; j < y.cols; ++j) {
        const double weight = static_cast<double>(y(i, j));
        dx(i, j) =
            seen(j) ? static_cast<T>(weight * (static_cast<double>(g(i, j)) - mean) / temperature) : T(0);
      }
    }
  });
}

std::vector<double> softmax_sink_weights(View<const double> x, const SoftmaxParams& params) {
  const double sink = *params.sink;
  std::vector<double> weights;
  for (Index i = 0; i < x.rows; ++i) {
    const std::span<const double> seen = params.mask.range(i, x.rows, x.cols).of(x.row(i));
    double max = sink;
    for (const double v : seen) max = std::max(max, v);
    const double own = std::exp((sink - max) / params.temperature);
    double sum = own;
    for (const double v : seen) sum += std::exp((v - max) / params.temperature);
    weights.push_back(own / sum);
  }
  return weights;
}

double softmax_sink_vjp(View<const double> y, std::span<const double> of_sink, double temperature,
                        View<const double> g) {
  double sum = 0;
  for (Index i = 0; i < y.rows; ++i) {
    double mean = 0;
    for (Index j = 0; j < y.cols; ++j)
      if (y(i, j) != 0) mean += y(i, j) * g(i, j);  // as above
    sum -= of_sink[static_cast<std::size_t>(i)] * mean / temperature;
  }
  return sum;
}

void softmax_lse_vjp_of_weights(View<const double> y, double temperature, View<const double> g,
                                View<double> dx) {
  for (Index i = 0; i < y.rows; ++i)
    for (Index j = 0; j < y.cols; ++j) dx(i, j) = y(i, j) == 0 ? 0 : g(i, 0) * y(i, j) / temperature;
}

double softmax_lse_sink_vjp(std::span<const double> of_sink, double temperature, View<const double> g) {
  double sum = 0;
  for (Index i = 0; i < g.rows; ++i) sum += g(i, 0) * of_sink[static_cast<std::size_t>(i)] / temperature;
  return sum;
}

namespace {

/// In double, from the weights of the logits: `derive` puts the derivative in their place.
template <class T, class Derive>
void by_weights(View<const T> x, const SoftmaxParams& params, View<const T> g, View<T> dx, Derive derive) {
  const Matrix<double> logits = x.eigen().template cast<double>(),
                       gradient = g.eigen().template cast<double>();
  Matrix<double> weights(x.rows, x.cols);
  softmax_cpu<double>(logits, params, weights);
  derive(gradient, weights);
  dx.eigen() = weights.template cast<T>();
}

}  // namespace

template <class T>
void softmax_vjp(View<const T> x, const SoftmaxParams& params, View<const T> g, View<T> dx) {
  by_weights(x, params, g, dx, [&](const Matrix<double>& gradient, Matrix<double>& weights) {
    softmax_vjp_of_weights<double>(weights, params.temperature, gradient, weights);
  });
}

template <class T>
void softmax_lse_vjp(View<const T> x, const SoftmaxParams& params, View<const T> g, View<T> dx) {
  by_weights(x, params, g, dx, [&](const Matrix<double>& gradient, Matrix<double>& weights) {
    softmax_lse_vjp_of_weights(weights, params.temperature, gradient, weights);
  });
}

template void softmax_lse_vjp(View<const float>, const SoftmaxParams&, View<const float>, View<float>);
template void softmax_lse_vjp(View<const double>, const SoftmaxParams&, View<const double>, View<double>);
template void softmax_vjp(View<const float>, const SoftmaxParams&, View<const float>, View<float>);
template void softmax_vjp(View<const double>, const SoftmaxParams&, View<const double>, View<double>);
template void softmax_vjp_of_weights(View<const float>, double, View<const float>, View<float>);
template void softmax_vjp_of_weights(View<const double>, double, View<const double>, View<double>);

}  // namespace orrery::attention
