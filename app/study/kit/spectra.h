// What a matrix does to directions, as numbers. In a file of its own: Eigen's decompositions are long to compile.
#pragma once

#include <vector>

#include "core/tensor/view.h"

namespace orrery::study {

/// Eigenvalues of a symmetric matrix, of which the lower half is read: the largest first.
/// Each is off by a small multiple of 2^-53 of the largest in size. Where not all of its numbers are finite, all are NaN.
std::vector<double> symmetric_eigenvalues(const tensor::Matrix<double>&);

/// Singular values of a square matrix (std::logic_error otherwise), the largest first, by Jacobi's rotations: for small
/// matrices. Each is off by a small multiple of 2^-53 of the largest. NaN likewise.
std::vector<double> singular_values(const tensor::Matrix<double>&);

}  // namespace orrery::study
