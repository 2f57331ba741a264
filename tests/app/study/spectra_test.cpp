// Eigenvalues and singular values of matrices whose own are known.
#include "app/study/kit/spectra.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "app/study/kit/numbers.h"
#include "core/tensor/random.h"

namespace orrery::study::spectra_test {
namespace {

using Matrix = tensor::Matrix<double>;
using tensor::Index;

/// H = I − 2 v vᵀ/|v|² is its own inverse: H D H has the eigenvalues of D.
Matrix mirrored(const std::vector<double>& diagonal) {
  const auto size = static_cast<Index>(diagonal.size());
  Matrix v(size, 1), d = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    v(i, 0) = std::cos(1.0 + number(i));
    d(i, i) = diagonal[static_cast<std::size_t>(i)];
  }
  const Matrix mirror = Matrix::Identity(size, size) - 2 / v.squaredNorm() * v * v.transpose();
  return mirror * d * mirror;
}

TEST(Spectra, EigenvaluesOfASymmetricMatrix) {
  const double root = std::numbers::sqrt2;
  Matrix golden(2, 2);
  golden << 1, 1, 1, 0;
  EXPECT_LE(largest_difference(symmetric_eigenvalues(golden),
                               std::vector{std::numbers::phi, 1 - std::numbers::phi}),
            0x1p-51);
  // The second difference of three points: 2 − 2 cos(kπ/4).
  Matrix difference(3, 3);
  difference << 2, -1, 0, -1, 2, -1, 0, -1, 2;
  EXPECT_LE(largest_difference(symmetric_eigenvalues(difference), std::vector{2 + root, 2.0, 2 - root}),
            0x1p-50);
  const std::vector<double> own{5, 3, 1e-3, 0, -2, -7};
  EXPECT_LE(largest_difference(symmetric_eigenvalues(mirrored(own)), own), 7 * 0x1p-49);
}

TEST(Spectra, SingularValuesOfASquareMatrix) {
  const std::vector<double> own{7, 5, 3, 2, 1e-3, 0};
  std::vector<double> signs = own;
  signs[1] = -5;
  EXPECT_LE(largest_difference(singular_values(mirrored(signs)), own), 7 * 0x1p-49);
  // A shear moves what it does not turn: of [1 1; 0 1] they are φ and 1/φ.
  Matrix shear(2, 2);
  shear << 1, 1, 0, 1;
  EXPECT_LE(largest_difference(singular_values(shear), std::vector{std::numbers::phi, 1 / std::numbers::phi}),
            0x1p-51);
  // Of products of so many rows of two numbers there are two.
  const Matrix q = tensor::Random(1).normals(32, 2), k = tensor::Random(2).normals(32, 2);
  const std::vector<double> two = singular_values(q * k.transpose());
  ASSERT_EQ(two.size(), 32U);
  EXPECT_GT(two[1], 1);
  EXPECT_LE(two[2], two[0] * 32 * 0x1p-52);
}

TEST(Spectra, OfWhatIsNoNumberThereAreNone) {
  const auto all_nan = [](const std::vector<double>& all) {
    return std::ranges::all_of(all, [](double x) { return std::isnan(x); });
  };
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const Index size : {1, 2, 3})
      for (Index at = 0; at < size; ++at) {
        Matrix matrix = Matrix::Identity(size, size);
        matrix(at, at) = wrong;
        EXPECT_TRUE(all_nan(symmetric_eigenvalues(matrix))) << wrong << " at " << at << " of " << size;
        EXPECT_TRUE(all_nan(singular_values(matrix))) << wrong << " at " << at << " of " << size;
      }
}

TEST(Spectra, SingularValuesAreNotFoundOfAnyShape) {
  EXPECT_THROW(singular_values(Matrix::Zero(2, 3)), std::logic_error);
}

}  // namespace
}  // namespace orrery::study::spectra_test
