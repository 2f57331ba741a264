#include "core/activation/glu.h"

namespace orrery::activation {

using tensor::Index;

bool is_rounded_before_the_product(const GluParams& params) {
  const Kind f = params.gate.activation.kind;
  const bool own_loop = f == Kind::relu || f == Kind::silu || f == Kind::gelu || f == Kind::gelu_tanh;
  return own_loop && params.gate.plain() && !params.interleaved;
}

tensor::Bound glu_bound(const GluParams& params, double largest_b) {
  if (!is_rounded_before_the_product(params)) return tensor::rounded_once;
  const Kind kind = params.gate.activation.kind;
  tensor::Bound bound = activation_bound(kind);
  if (kind == Kind::relu) return bound;  // it is exact
  bound.abs *= 1 + largest_b;
  bound.rel += 0x1p-24;
  bound.nmse += 0x1p-48;
  return bound;
}

tensor::Bound glu_gpu_bound(const GluParams& params, double largest_b) {
  const ActivationParams& f = params.gate.activation;
  tensor::Bound bound = activation_gpu_bound(f.kind, f.beta);
  bound.abs *= 1 + largest_b + std::abs(params.gate.offset);
  bound.rel += params.gate.plain() ? 0x1p-23 : 0x1p-22;
  bound.nmse += params.gate.plain() ? 0x1p-46 : 0x1p-44;
  return bound;
}

void glu_ref(tensor::View<const double> x, const GluParams& params, tensor::View<double> y) {
  const Index F = y.cols;
  const Halves at(params, F);
  for (Index n = 0; n < y.rows; ++n)
    for (Index j = 0; j < F; ++j)
      y(n, j) = params.gate.activated(x(n, at.a(j))) * params.gate.passed(x(n, at.b(j)));
}

}  // namespace orrery::activation
