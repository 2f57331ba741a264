// What a gated unit does with its two halves: f(a) ⊙ b, and the forms that models have given it.
//
//   activated(a) = f(min(a, L))      passed(b) = min(max(b, −L), L) + c       y = activated(a) passed(b)
//
//   f            any activation of activation.h; the identity makes it bilinear, as in Shazeer's comparison
//   L            a limit on both halves, none by default. gpt-oss: 7
//   c            what the half that is let through is moved by, 0 by default. gpt-oss: 1, with f(a) = a σ(1.702 a)
//
// Edges      NaN stays NaN: a limit compares, and with NaN no comparison holds.
// Derivatives   of a limit 1 up to it, itself included, and 0 beyond, as PyTorch's clamp has them.
// Source     Shazeer, arXiv 2002.05202 (bilinear); GptOssExperts of Hugging Face, swiglu of openai/gpt-oss (limit, c).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/activation/activation.h"

namespace orrery::activation {

struct Gate {
  Gate(ActivationParams f) : activation(f) {}  // NOLINT(google-explicit-constructor)
  Gate(Kind kind) : activation(kind) {}        // NOLINT(google-explicit-constructor)

  ActivationParams activation;                             ///< f
  bool linear = false;                                     ///< f is the identity, whatever `activation` says
  double limit = std::numeric_limits<double>::infinity();  ///< L, above 0
  double offset = 0;                                       ///< c

  bool limited() const { return std::isfinite(limit); }
  /// Nothing but f and a product.
  bool plain() const { return !linear && !limited() && offset == 0; }

  double activated(double a) const {
    const double below = std::min(a, limit);
    return linear ? below : value(activation, below);
  }
  double passed(double b) const { return std::clamp(b, -limit, limit) + offset; }

  double activated_slope(double a) const {
    if (a > limit) return 0;
    return linear ? 1 : derivative(activation, a);
  }
  double passed_slope(double b) const { return std::abs(b) > limit ? 0 : 1; }
};

}  // namespace orrery::activation
