#include "core/activation/pieces.h"

#include <Eigen/QR>
#include <cmath>
#include <numbers>

namespace orrery::activation {
namespace {

/// c_k of Σ_k c_k (x − m)^k, relatively near f between m − width/2 and m + width/2; without a constant where m is 0. Least
/// squares on Chebyshev points come close to the least maximum. An even number: none is the middle.
Eigen::VectorXd fitted(Kind kind, double middle, double width, int degree) {
  constexpr int points = 16;
  const int lowest = middle == 0 ? 1 : 0;
  Eigen::MatrixXd powers(points, degree + 1 - lowest);
  for (int i = 0; i < points; ++i) {
    const double t = std::cos(std::numbers::pi * (i + 0.5) / points);
    const double f = value(kind, middle + t / 2 * width);
    for (int k = lowest; k <= degree; ++k) powers(i, k - lowest) = std::pow(t, k) / f;
  }
  Eigen::VectorXd coefficients = Eigen::VectorXd::Zero(degree + 1);
  if (lowest == 1) coefficients[0] = -0.0;  // added to −0 it leaves −0, to 0 nothing
  coefficients.tail(degree + 1 - lowest) = powers.householderQr().solve(Eigen::VectorXd::Ones(points));
  for (int k = lowest; k <= degree; ++k) coefficients[k] *= std::pow(2 / width, k);
  return coefficients;
}

/// Pieces from `first` on, each at its number modulo the count.
template <int count>
void set(float (*coefficient)[count], Kind kind, int first, int end, double width, int degree) {
  for (int j = first; j < end; ++j) {
    const Eigen::VectorXd piece = fitted(kind, j * width, width, degree);
    for (int k = 0; k <= degree; ++k) coefficient[k][(j + 2 * count) % count] = static_cast<float>(piece[k]);
  }
}

}  // namespace

Pieces pieces_of(Kind kind, int degree) {
  Pieces pieces;
  set(pieces.coefficient, kind, -Pieces::count / 2, Pieces::count / 2, Pieces::width, degree);
  return pieces;
}

HalfPieces half_pieces_of(Kind kind) {
  using P = HalfPieces;
  P pieces;
  set(pieces.near, kind, 1 - P::count, 1, P::width, P::near_degree);
  set(pieces.far, kind, 1 - P::count - P::far_count, 1 - P::count, P::width, P::far_degree);
  return pieces;
}

PressedLanes pressed_lanes() {
  PressedLanes pressed;
  for (unsigned mask = 0; mask < 256; ++mask)
    for (unsigned lane = 0, at = 0; lane < 8; ++lane)
      if (mask >> lane & 1) pressed.of[mask][at++] = static_cast<std::uint8_t>(lane);
  return pressed;
}

}  // namespace orrery::activation
