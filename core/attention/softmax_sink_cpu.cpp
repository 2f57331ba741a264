#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/softmax.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;

template <class T>
void softmax_sink_cpu(tensor::View<const T> x, const SoftmaxParams& params, tensor::View<T> y) {
  check_softmax(params, x.cols);
  simd::share_in_turns({.count = x.rows, .size = x.size() * 8}, [&] {
    return [&, e = std::vector<double>(static_cast<std::size_t>(x.cols))](Index first, Index end) mutable {
      for (Index i = first; i < end; ++i) {
        const KeyRange keys = params.mask.range(i, x.rows, x.cols);
        const auto in = keys.of(x.row(i));
        const auto weights = std::span(e).first(in.size());
        // Comparisons with NaN are false, so max passes over NaN; the exponentials meet it.
        double max = *params.sink;
        for (const T v : in) max = static_cast<double>(v) > max ? static_cast<double>(v) : max;
        std::transform(in.begin(), in.end(), weights.begin(),
                       [&](T v) { return std::exp((static_cast<double>(v) - max) / params.temperature); });
        const double sum = std::exp((*params.sink - max) / params.temperature) +
                           tensor::sum(std::span<const double>(weights), [](double v) { return v; });
        keys.clear_others(y.row(i));
        std::transform(weights.begin(), weights.end(), keys.of(y.row(i)).begin(),
                       [&](double v) { return static_cast<T>(v / sum); });
      }
    };
  });
}

template void softmax_sink_cpu(tensor::View<const float>, const SoftmaxParams&, tensor::View<float>);
template void softmax_sink_cpu(tensor::View<const double>, const SoftmaxParams&, tensor::View<double>);

}  // namespace orrery::attention
