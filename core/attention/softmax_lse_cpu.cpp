#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"
#include "core/simd/share.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;

template <class T>
void softmax_lse_cpu(tensor::View<const T> x, const SoftmaxParams& params, tensor::View<T> lse) {
  check_softmax(params, x.cols);
  simd::share_in_turns({.count = x.rows, .size = x.size() * 8}, [&] {
    return [&](Index first, Index end) {
      for (Index i = first; i < end; ++i) {
        const auto in = params.mask.range(i, x.rows, x.cols).of(x.row(i));
        // Comparisons with NaN are false, so max passes over NaN; the sum meets it.
        double max = params.sink.value_or(-INFINITY);
        for (const T v : in) max = static_cast<double>(v) > max ? static_cast<double>(v) : max;
        const double level = std::isinf(max) ? 0 : max;  // e^-∞ and e^∞ are what their sums are
        const auto term = [&](double v) { return std::exp((v - level) / params.temperature); };
        const double sum = tensor::sum(in, [&](T v) { return term(static_cast<double>(v)); }) +
                           (params.sink ? term(*params.sink) : 0);
        lse(i, 0) = static_cast<T>(level / params.temperature + std::log(sum));
      }
    };
  });
}

template void softmax_lse_cpu(tensor::View<const float>, const SoftmaxParams&, tensor::View<float>);
template void softmax_lse_cpu(tensor::View<const double>, const SoftmaxParams&, tensor::View<double>);

}  // namespace orrery::attention
