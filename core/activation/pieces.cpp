#include "core/activation/pieces.h"

#include <Eigen/QR>
#include <cmath>
#include <numbers>

namespace orrery::activation {

Pieces pieces_of(Kind kind, int degree) {
  // Least squares on Chebyshev points come close to the least maximum. An even number: none is the middle of a piece.
  constexpr int points = 16;
  Pieces pieces;
  for (int j = -Pieces::count / 2; j < Pieces::count / 2; ++j) {
    const int lowest = j == 0 ? 1 : 0;
    Eigen::MatrixXd powers(points, degree + 1 - lowest);
    for (int i = 0; i < points; ++i) {
      const double t = std::cos(std::numbers::pi * (i + 0.5) / points);
      const double f = value(kind, (j + t / 2) * Pieces::width);
      for (int k = lowest; k <= degree; ++k) powers(i, k - lowest) = std::pow(t, k) / f;
    }
    const Eigen::VectorXd solution = powers.householderQr().solve(Eigen::VectorXd::Ones(points));
    for (int k = lowest; k <= degree; ++k)
      pieces.coefficient[k][(j + Pieces::count) % Pieces::count] =
          static_cast<float>(solution[k - lowest] * std::pow(2 / Pieces::width, k));
  }
  return pieces;
}

}  // namespace orrery::activation
