// Activation functions and their derivatives, element by element. σ is the logistic function, Φ and φ the standard
// normal distribution and its density, z the two lines' common inner term, [·] is 1 where its condition holds.
//
//   relu        max(0, x)                               [x > 0]
//   leaky_relu  x, or αx where x < 0                    1, or α where x ≤ 0
//   elu         x, or α(eˣ − 1) where x < 0             1, or αeˣ where x ≤ 0
//   selu        λx, or λα(eˣ − 1) where x < 0           λ, or λαeˣ where x ≤ 0    (λ and α are its own constants)
//   gelu        x Φ(x) = x/2 · erfc(−x/√2)              Φ(x) + x φ(x)
//   gelu_tanh   x/2 (1 + tanh z) = x σ(2z)              σ(2z) + x σ(2z) σ(−2z) · 2z',  z = √(2/π)(x + 0.044715x³)
//   gelu_quick  x σ(z)                                  σ(z) + z σ(z) σ(−z),  z = 1.702x
//   silu        x σ(x) = x / (1 + e⁻ˣ)                  σ(x) + x σ(x) σ(−x)
//   swish       x σ(z)                                  σ(z) + z σ(z) σ(−z),  z = βx
//   mish        x tanh(z)                               tanh z + x (1 − tanh² z) σ(x),  z = ln(1 + eˣ)
//   softplus    ln(1 + e^z)/β, or x where z > 20        σ(z), or 1 where z > 20,  z = βx
//   relu2       max(0, x)²                              2 max(0, x)
//   hard_swish  x min(max(x + 3, 0), 6)/6               0, (2x + 3)/6 on [−3, 3], 1
//   sigmoid     σ(x)                                    σ(x) σ(−x)
//   tanh        tanh x                                  4 σ(2x) σ(−2x)
//
// Where two pieces of hard_swish meet, its derivative is that of the middle one: 1.5 at 3, where PyTorch has 1.
//
// Shapes     x, y: the same, any.
// Formats    cpu: stored and computed in T (float, double). In float, gelu, gelu_tanh and silu carry the argument
//            of exp in two floats where it is not x itself, and keep exp times a power of two where it would leave
//            float; where registers hold 16 floats, they are polynomials in pieces between −3.875 and 3.875
//            (pieces.h). The other kinds: in double, rounded once. gpu: float throughout.
//            staged: x rounded to storage, the function of it rounded to accumulate, then to storage.
// Edges      NaN → NaN in that element only; ±∞ → the limit (−∞ → 0 for all that have a tail; derivatives 1 and
//            0, but relu2's at +∞ is ∞); empty: nothing is written. y may be x.
//            All are relatively exact in their tails until the result is subnormal: GELU by erfc, the tanh
//            form as x σ(2z), which never forms 1 + tanh(z), mish as a quotient of sums of positive terms,
//            softplus by log1p, elu and selu by expm1.
//            softplus is cut at z = 20 as PyTorch cuts it: a step of 2.1e-9/β, which float does not see.
// Bound      activation_bound(kind) (cpu) and activation_gpu_bound(kind, β), against activation_ref on the
//            same inputs rounded to float.
// Source     Hendrycks, Gimpel, arXiv 1606.08415 (GELU, its forms, SiLU); Elfwing et al., arXiv 1702.03118
//            (SiLU); Clevert et al., 1511.07289 (ELU); Klambauer et al., 1706.02515 (SELU); Ramachandran et al.,
//            1710.05941 (Swish); Misra, 1908.08681 (Mish); So et al., 2109.08668 (squared ReLU); Howard et al.,
//            1905.02244 (hard swish).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::activation {

enum class Kind {
  relu,
  leaky_relu,
  elu,
  selu,
  gelu,
  gelu_tanh,
  gelu_quick,
  silu,
  swish,
  mish,
  softplus,
  relu2,
  hard_swish,
  sigmoid,
  tanh
};

/// In the order of Kind; as typed, and as lib/activation.glsl calls them.
inline constexpr std::array<std::string_view, 15> kind_names{
    "relu",  "leaky_relu", "elu",      "selu",  "gelu",       "gelu_tanh", "gelu_quick", "silu",
    "swish", "mish",       "softplus", "relu2", "hard_swish", "sigmoid",   "tanh"};

constexpr std::string_view name(Kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}
/// Throws InvalidArgument that lists the names.
Kind kind_from_name(std::string_view);

/// A function of the family. A kind by itself stands for the function with its usual constants.
struct ActivationParams {
  ActivationParams(Kind k)
      : kind(k), alpha(k == Kind::leaky_relu ? 0.01 : 1) {}  // NOLINT(google-explicit-constructor)

  Kind kind;
  double alpha;     ///< leaky_relu: the slope on the left; elu: minus the limit on the left
  double beta = 1;  ///< swish, softplus: what x is multiplied by; above 0
};

/// u = 2⁻²⁴. silu, gelu_tanh: exp (1 u, and its sum with 1), the quotient: 2.9 u at most over the floats. gelu:
/// 1/(a + 4), the polynomial, exp and three products; for small x > 0 the tail is as large as the result, so
/// that its errors count twice: 8.1 u at most over the floats. The other kinds are computed in double.
constexpr tensor::Bound activation_bound(Kind kind) {
  tensor::Bound bound = tensor::rounded_once;
  if (kind == Kind::silu || kind == Kind::gelu_tanh) bound.rel = 0x1.8p-23, bound.nmse = 0x1p-45;
  if (kind == Kind::gelu) bound.rel = 0x1.2p-21, bound.nmse = 0x1p-44;
  return bound;
}

/// Float, u = 2⁻²⁴. relu rounds nothing. The others: exp of our own (below 2 ulp; its argument is carried in
/// two floats, or is x itself), a quotient (2.5 ulp is all that GL promises), for gelu a polynomial, a
/// product and x − tail. abs: arguments and results below 2⁻¹²⁶ may be flushed to zero, softplus before it is
/// divided by β. llvmpipe uses 33 %.
constexpr tensor::Bound activation_gpu_bound(Kind kind, double beta = 1) {
  if (kind == Kind::relu) return {.abs = 0x1p-126};
  return {.abs = 0x1p-125 / (beta < 1 ? beta : 1), .rel = 0x1p-20, .nmse = 2e-14};
}

/// One value, in double: the definition that everything else is measured against.
double value(const ActivationParams&, double x);
double derivative(const ActivationParams&, double x);

void activation_ref(tensor::View<const double> x, const ActivationParams&, tensor::View<double> y);

/// T is float or double.
template <class T>
void activation_cpu(tensor::View<const T> x, const ActivationParams&, tensor::View<T> y);

void activation_gpu(gpu::Device&, tensor::View<const float> x, const ActivationParams&,
                    tensor::View<float> y);

void activation_staged(tensor::View<const double> x, const ActivationParams&, const tensor::Precision&,
                       tensor::View<double> y);

}  // namespace orrery::activation
