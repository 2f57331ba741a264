// Activation functions and their derivatives, element by element.
//
//   relu   max(0, x)                                  1[x > 0]   (0 at 0)
//   gelu   x Φ(x) = x/2 · erfc(−x/√2)                 Φ(x) + x φ(x)
//   gelu_tanh  x/2 (1 + tanh(√(2/π)(x + 0.044715x³))) ½(1+t) + ½x(1−t²)√(2/π)(1 + 3·0.044715x²)
//   silu   x σ(x) = x / (1 + e^−x)                    σ + x σ (1 − σ)
//
// Shapes     x, y: the same, any.
// Formats    cpu: stored in T (float, double), computed in double, rounded once; for float, exp and the
//            normal tail by polynomials of our own (2⁻⁴²), which vectorise. gpu: float throughout.
// Edges      NaN → NaN in that element only; +∞ → +∞, −∞ → 0 (derivatives 1 and 0); empty: nothing is
//            written. y may be x.
//            All are relatively exact in their negative tails until the result is subnormal: GELU by
//            erfc, the tanh form as x σ(2z), which is the same function and never forms 1 + tanh(z).
// Bound      activation_bound(kind) (cpu) and activation_gpu_bound(kind), against activation_ref on the
//            same inputs rounded to float.
// Source     Hendrycks, Gimpel, arXiv 1606.08415 (GELU, its tanh form, SiLU); Elfwing et al., arXiv
//            1702.03118 (SiLU).
#pragma once

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::activation {

enum class Kind { relu, gelu, gelu_tanh, silu };

/// Rounded once, whatever the kind.
constexpr tensor::Bound activation_bound(Kind) {
  return tensor::rounded_once;
}

/// Float, u = 2⁻²⁴. relu rounds nothing. The others: exp of our own (below 2 ulp; its argument is carried in
/// two floats, or is x itself), a quotient (2.5 ulp is all that GL promises), for gelu a polynomial, a
/// product and x − tail. abs: arguments and results below 2⁻¹²⁶ may be flushed to zero. llvmpipe uses 29 %.
constexpr tensor::Bound activation_gpu_bound(Kind kind) {
  if (kind == Kind::relu) return {.abs = 0x1p-126};
  return {.abs = 0x1p-125, .rel = 0x1p-20, .nmse = 2e-14};
}

/// One value, in double: the definition that everything else is measured against.
double value(Kind, double x);
double derivative(Kind, double x);

void activation_ref(tensor::View<const double> x, Kind, tensor::View<double> y);

/// T is float or double.
template <class T>
void activation_cpu(tensor::View<const T> x, Kind, tensor::View<T> y);

void activation_gpu(gpu::Device&, tensor::View<const float> x, Kind, tensor::View<float> y);

}  // namespace orrery::activation
