// How far a twin may stand from the reference, as its contract says it.
#pragma once

namespace orrery::tensor {

/// A result y of a reference r is within the bound when |y − r| ≤ abs + rel·|r| for every element, and
/// Σ(y − r)² ≤ nmse·Σr² + N·abs² over its N elements. Infinities must agree in place and sign, NaN in place.
struct Bound {
  double abs = 0;
  double rel = 0;
  double nmse = 0;
};

}  // namespace orrery::tensor
