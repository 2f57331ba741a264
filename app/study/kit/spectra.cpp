#include "app/study/kit/spectra.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <limits>
#include <stdexcept>

namespace orrery::study {
namespace {

using tensor::Matrix;

/// Decompositions may pass over NaN and infinities.
std::vector<double> none_of(const Matrix<double>& x) {
  return std::vector<double>(static_cast<std::size_t>(x.rows()), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::vector<double> symmetric_eigenvalues(const Matrix<double>& symmetric) {
  if (!symmetric.allFinite()) return none_of(symmetric);
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(symmetric, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return none_of(symmetric);
  const auto falling = solver.eigenvalues().reverse();
  return {falling.begin(), falling.end()};
}

std::vector<double> singular_values(const Matrix<double>& square) {
  if (square.rows() != square.cols()) throw std::logic_error("singular_values: the matrix is not square");
  if (!square.allFinite()) return none_of(square);
  const Eigen::JacobiSVD<Matrix<double>, Eigen::NoQRPreconditioner> solver(square);
  if (solver.info() != Eigen::Success) return none_of(square);
  return {solver.singularValues().begin(), solver.singularValues().end()};
}

}  // namespace orrery::study
