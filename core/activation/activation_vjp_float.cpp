#include "core/activation/activation_vjp.h"
#include "core/activation/slope_kernels.h"
#include "core/simd/share.h"

namespace orrery::activation {
namespace {

SlopeKernel* slopes_of(Kind kind) {
  switch (kind) {
    case Kind::relu:
      return relu_slopes;
    case Kind::gelu:
      return gelu_slopes;
    case Kind::gelu_tanh:
      return gelu_tanh_slopes;
    case Kind::silu:
      return silu_slopes;
    default:
      return nullptr;
  }
}

}  // namespace

void activation_vjp_in_float(tensor::View<const float> x, tensor::View<const float> g,
                             const ActivationParams& params, tensor::View<float> dx) {
  SlopeKernel* const kernel = slopes_of(params.kind);
  if (kernel == nullptr) return activation_vjp<float>(x, g, params, dx);
  simd::share(x.rows, x.size(), [&](tensor::Index first, tensor::Index end) {
    for (tensor::Index i = first; i < end; ++i)
      kernel({x.row(i).data(), g.row(i).data(), dx.row(i).data(), static_cast<std::size_t>(x.cols)});
  });
}

}  // namespace orrery::activation
