#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "core/attention/softmax.h"
#include "core/tensor/error.h"
#include "core/tensor/exp.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;

namespace {

template <class T>
double exp(double x) {
  if constexpr (std::is_same_v<T, float>) return tensor::exp_for_float(x);
  return std::exp(x);
}

template <class T>
void softmax_row(std::span<const T> x, double inverse_temperature, std::span<double> e, std::span<T> y) {
  // Comparisons with NaN are false, so max passes over NaN; the exponentials meet it.
  T max = -INFINITY;
  for (T v : x) max = v > max ? v : max;
  if (max == -INFINITY) {
    const bool nan = std::any_of(x.begin(), x.end(), [](T v) { return std::isnan(v); });
    std::fill(y.begin(), y.end(), nan ? T(NAN) : T(0));
    return;
  }
  const double top = max;
  for (std::size_t j = 0; j < x.size(); ++j)
    e[j] = exp<T>((static_cast<double>(x[j]) - top) * inverse_temperature);
  const double sum = tensor::sum(std::span<const double>(e), [](double v) { return v; });
  const double inverse_sum = 1 / sum;
  for (std::size_t j = 0; j < x.size(); ++j) y[j] = static_cast<T>(e[j] * inverse_sum);
}

}  // namespace

template <class T>
void softmax_cpu(tensor::View<const T> x, const SoftmaxParams& params, tensor::View<T> y) {
  check_softmax(params);
  if (params.sink) return softmax_sink_cpu(x, params, y);
#pragma omp parallel if (x.size() > tensor::small_work / 8)
  {
    std::vector<double> e(static_cast<std::size_t>(x.cols));
#pragma omp for schedule(dynamic, 16)
    for (Index i = 0; i < x.rows; ++i) softmax_row(x.row(i), 1 / params.temperature, std::span(e), y.row(i));
  }
}

template void softmax_cpu(tensor::View<const float>, const SoftmaxParams&, tensor::View<float>);
template void softmax_cpu(tensor::View<const double>, const SoftmaxParams&, tensor::View<double>);

}  // namespace orrery::attention
