// What the studies say of why their formulas are so, line by line in numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "app/study/study.h"
#include "app/study/twin.h"
#include "core/tensor/random.h"

namespace orrery::study::derivations_test {
namespace {

using twin::Matrix;

Run exact() {
  Run run;
  run.device = DeviceChoice::ref;
  return run;
}

TEST(Derivations, HaveThreeToSixLines) {
  int there = 0;
  for (const Study* study : studies()) {
    if (study->derivation.empty()) continue;
    ++there;
    const auto lines = 1 + std::ranges::count(study->derivation, '\n');
    EXPECT_GE(lines, 3) << study->id;
    EXPECT_LE(lines, 6) << study->id;
  }
  EXPECT_GE(there, 4);
}

TEST(Derivations, OfRotatedScores) {
  const double m = 31, n = 12, theta = 0.7;
  const std::complex<double> q(0.3, -1.2), k(0.8, 0.5);
  // The product of two vectors is the real part of one times the other's conjugate.
  EXPECT_NEAR(std::real(q * std::conj(k)), 0.3 * 0.8 - 1.2 * 0.5, 1e-15);
  const auto turned = [&](std::complex<double> z, double position) {
    return z * std::polar(1.0, position * theta);
  };
  EXPECT_NEAR(std::real(turned(q, m) * std::conj(turned(k, n))),
              std::real(q * std::conj(k) * std::polar(1.0, (m - n) * theta)), 1e-14);
  // (R_m q)^T (R_n k) = q^T R_{n−m} k, with the op's own rotation.
  const tensor::Random random(1);
  const Matrix a = random.normals(1, 8), b = tensor::Random(2).normals(1, 8);
  const auto at = [&](const Matrix& x, double position) {
    return twin::rope(
        exact(), x, position::rope_table(std::array{position}, position::rope_default_frequencies(8, 10000)),
        position::RopeLayout::interleaved);
  };
  EXPECT_NEAR(at(a, m).row(0).dot(at(b, n).row(0)), a.row(0).dot(at(b, n - m).row(0)), 1e-13);
}

TEST(Derivations, OfTheRootOfTheWidth) {
  constexpr int d = 64, draws = 20000;
  const Matrix q = tensor::Random(1).normals(draws, d), k = tensor::Random(2).normals(draws, d);
  const Eigen::VectorXd scores = (q.array() * k.array()).rowwise().sum();
  // Var(s²) = d² (2 + 6/d) for products of normal numbers: six standard errors of the mean of s².
  const double error = 6 * std::sqrt((2 + 6.0 / d) / draws);
  EXPECT_NEAR(scores.squaredNorm() / draws / d, 1, error);
  EXPECT_NEAR(scores.squaredNorm() / draws / (d * d), 1.0 / d, error / d);  // divided by d instead
}

TEST(Derivations, OfTheTwoNorms) {
  Matrix x = tensor::Random(3).normals(1, 48);
  x.array() += 2;
  const double eps = 1e-5, mean = x.mean();
  const Matrix centred = (x.array() - mean).matrix();
  const Matrix layer = twin::layer_norm(exact(), x, {.eps = eps}),
               rms = twin::rms_norm(exact(), centred, {.eps = eps});
  EXPECT_LT((layer - rms).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(x.squaredNorm() / 48, centred.squaredNorm() / 48 + mean * mean, 1e-13);
}

TEST(Derivations, OfShiftedRows) {
  const auto row = [&](double p) { return twin::sinusoidal(exact(), 1, 8, {.offset = p}); };
  const double k = 5;
  const auto frequencies = position::sinusoidal_frequencies(8, {});
  for (const double p : {0.0, 3.0, 1000.0}) {
    const Matrix from = row(p), to = row(p + k);
    for (int i = 0; i < 4; ++i) {
      const double s = from(0, 2 * i), c = from(0, 2 * i + 1),
                   a = k * frequencies[static_cast<std::size_t>(i)];
      EXPECT_NEAR(to(0, 2 * i), s * std::cos(a) + c * std::sin(a), 1e-12) << p;
      EXPECT_NEAR(to(0, 2 * i + 1), c * std::cos(a) - s * std::sin(a), 1e-12) << p;
    }
  }
}

}  // namespace
}  // namespace orrery::study::derivations_test
