// How far a twin may stand from the reference, as its contract says it.
#pragma once

namespace orrery::tensor {

/// A result y of a reference r is within the bound when |y − r| ≤ abs + rel·|r| + row·max|r| for every
/// element (the maximum over its row), and Σ(y − r)² ≤ nmse·Σr² + N·abs² over all N. Infinities must agree in
/// place and sign, NaN in place.
struct Bound {
  double abs = 0;
  double rel = 0;
  double nmse = 0;
  double row = 0;  ///< for ops whose elements share a scale and may cancel: right at 10⁻³⁰ as at 10³⁰
};

/// A float result that was computed in double and rounded once: half a unit in the last place, and 2⁻¹⁶ of it
/// for what the double arithmetic itself loses. Among the subnormals half a unit is at most 2⁻¹⁵⁰; the same
/// again for the double.
inline constexpr Bound rounded_once{0x1p-149, 0x1.0001p-24, 0x1.0002p-48};

}  // namespace orrery::tensor
