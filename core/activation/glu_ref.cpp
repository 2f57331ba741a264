#include "core/activation/glu.h"

namespace orrery::activation {

using tensor::Index;

bool is_rounded_before_the_product(Kind f) {
  return f == Kind::relu || f == Kind::silu || f == Kind::gelu || f == Kind::gelu_tanh;
}

tensor::Bound glu_bound(const GluParams& params, double largest_b) {
  tensor::Bound bound = activation_bound(params.gate.kind);
  if (!is_rounded_before_the_product(params.gate.kind) || params.gate.kind == Kind::relu)
    return bound;  // relu is exact
  bound.abs *= 1 + largest_b;
  bound.rel += 0x1p-24;
  bound.nmse += 0x1p-48;
  return bound;
}

tensor::Bound glu_gpu_bound(const GluParams& params, double largest_b) {
  tensor::Bound bound = activation_gpu_bound(params.gate.kind, params.gate.beta);
  bound.abs *= 1 + largest_b;
  bound.rel += 0x1p-23;
  bound.nmse += 0x1p-46;
  return bound;
}

void glu_ref(tensor::View<const double> x, const GluParams& params, tensor::View<double> y) {
  const Index F = y.cols;
  const Index a = params.gated == Half::first ? 0 : F, b = F - a;
  for (Index n = 0; n < y.rows; ++n)
    for (Index j = 0; j < F; ++j) y(n, j) = value(params.gate, x(n, a + j)) * x(n, b + j);
}

}  // namespace orrery::activation
