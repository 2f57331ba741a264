#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "core/attention/kernels.h"
#include "core/attention/softmax.h"
#include "core/simd/share.h"
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

/// What is seen of a row, in double: the twin for double, and for what a float cannot hold.
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

template <class T>
void softmax_in_double(tensor::View<const T> x, const SoftmaxParams& params, tensor::View<T> y) {
  simd::share_in_turns(x.rows, x.size(), [&] {
    return [&, e = std::vector<double>(static_cast<std::size_t>(x.cols))](Index first, Index end,
                                                                          Index /*next*/) mutable {
      for (Index i = first; i < end; ++i) {
        const KeyRange keys = params.mask.range(i, x.rows, x.cols);
        const auto in = keys.of(x.row(i));
        keys.clear_others(y.row(i));
        softmax_row(in, 1 / params.temperature, std::span(e).first(in.size()), keys.of(y.row(i)));
      }
    };
  });
}

}  // namespace

template <>
void softmax_cpu(tensor::View<const double> x, const SoftmaxParams& params, tensor::View<double> y) {
  check_softmax(params);
  if (params.sink) return softmax_sink_cpu(x, params, y);
  softmax_in_double(x, params, y);
}

template <>
void softmax_cpu(tensor::View<const float> x, const SoftmaxParams& params, tensor::View<float> y) {
  check_softmax(params);
  if (x.empty()) return;
  if (params.sink) return softmax_sink_cpu(x, params, y);
  const double scale = std::numbers::log2e / params.temperature;
  if (!(scale > 0x1p-60 && scale < 0x1p60)) return softmax_in_double(x, params, y);

  const bool streamed = simd::is_streamed(y);
  const auto size = [](Index n) { return static_cast<std::size_t>(n); };
  simd::share_in_turns(x.rows, x.size(), [&] {
    return [&, e = hwy::AllocateAligned<float>(size(x.cols))](Index first, Index end, Index next) {
      for (Index i = first; i < end; ++i) {
        const KeyRange keys = params.mask.range(i, x.rows, x.cols);
        const Index after = i + 1 < end ? i + 1 : std::min(next, x.rows - 1);
        const SoftmaxRow row{x.row(i).data(), y.row(i).data(),     size(x.cols), size(keys.first),
                             size(keys.end),  x.row(after).data(), streamed};
        if (softmax_row(row, static_cast<float>(scale), e.get())) continue;
        const bool nan = std::ranges::any_of(keys.of(x.row(i)), [](float v) { return std::isnan(v); });
        keys.clear_others(y.row(i));
        std::ranges::fill(keys.of(y.row(i)), nan ? NAN : 0.0f);
      }
    };
  });
}

}  // namespace orrery::attention
