#include <vector>

#include "core/norm/kernels.h"
#include "core/norm/rms_norm.h"
#include "core/norm/root_mean_square.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;

namespace {

/// One row in double: the twin for double, and for the rows whose squares leave float.
template <class T>
void rms_norm_row(std::span<const T> x, std::span<const T> weight, std::span<const T> bias,
                  const RmsNormParams& params, std::span<T> y) {
  const auto [rrms, scale] = inverse_rms(x, params);
  if (!bias.empty()) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double gain = weight.empty() ? 1 : params.weight_offset + static_cast<double>(weight[j]);
      y[j] = static_cast<T>(gain * (static_cast<double>(x[j]) * scale * rrms) + static_cast<double>(bias[j]));
    }
  } else if (weight.empty()) {
    for (std::size_t j = 0; j < x.size(); ++j)
      y[j] = static_cast<T>(static_cast<double>(x[j]) * scale * rrms);
  } else {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double gain = params.weight_offset + static_cast<double>(weight[j]);
      y[j] = static_cast<T>(gain * (static_cast<double>(x[j]) * scale * rrms));
    }
  }
}

}  // namespace

template <>
void rms_norm_cpu(tensor::View<const double> x, std::span<const double> weight, std::span<const double> bias,
                  const RmsNormParams& params, tensor::View<double> y) {
  if (params.partial != 1) return rms_norm_partial_cpu(x, weight, bias, params, y);
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) rms_norm_row(x.row(i), weight, bias, params, y.row(i));
  });
}

template <>
void rms_norm_cpu(tensor::View<const float> x, std::span<const float> weight, std::span<const float> bias,
                  const RmsNormParams& params, tensor::View<float> y) {
  if (params.partial != 1) return rms_norm_partial_cpu(x, weight, bias, params, y);
  if (x.empty()) return;
  std::vector<float> shifted;
  const float* gain = weight.empty() ? nullptr : weight.data();
  if (gain != nullptr && params.weight_offset != 0) {
    shifted.reserve(weight.size());
    for (const float w : weight)
      shifted.push_back(static_cast<float>(params.weight_offset + static_cast<double>(w)));
    gain = shifted.data();
  }
  std::vector<float> ones;
  if (gain == nullptr && !bias.empty()) {
    ones.assign(bias.size(), 1);
    gain = ones.data();
  }
  const float* const added = bias.empty() ? nullptr : bias.data();

  const bool streamed = simd::is_streamed(y), outside = params.eps_place == EpsPlace::outside;
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      i += rms_norm_rows(float_rows(x, y, i, end, streamed), gain, added, params.eps, outside);
      if (i < end) rms_norm_row(x.row(i), weight, bias, params, y.row(i));
    }
  });
}

}  // namespace orrery::norm
