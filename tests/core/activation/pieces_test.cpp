#include "core/activation/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/within.h"

namespace orrery::activation::pieces_test {
namespace {

constexpr std::pair<Kind, int> tables[] = {
    {Kind::gelu, gelu_degree}, {Kind::gelu_tanh, gelu_tanh_degree}, {Kind::silu, silu_degree}};

/// In double, so that only the polynomials and the rounding of their coefficients err.
double by_table(const Pieces& pieces, double x) {
  const auto piece = static_cast<int>(std::nearbyint(x / Pieces::width));
  const double d = x - piece * Pieces::width;
  double p = 0;
  for (int k = Pieces::highest_degree; k >= 0; --k)
    p = p * d + static_cast<double>(pieces.coefficient[k][(piece + Pieces::count) % Pieces::count]);
  return p;
}

TEST(Pieces, AreTheFunctionToAboutARounding) {
  for (const auto& [kind, degree] : tables) {
    const Pieces pieces = pieces_of(kind, degree);
    constexpr tensor::Index points = 40000;       // an even number: 0 is none of them
    constexpr double end = Pieces::limit - 1e-9;  // itself, it is outside
    tensor::Matrix<double> by_pieces(1, points), exact(1, points);
    for (tensor::Index i = 0; i < points; ++i) {
      const double x = end * (2 * static_cast<double>(i) / (points - 1) - 1);
      by_pieces(0, i) = by_table(pieces, x), exact(0, i) = value(kind, x);
    }
    // The first two coefficients are rounded to 2⁻²⁴ of themselves, and what the degree leaves out is about as much.
    support::Worst("pieces of " + std::string(name(kind)))
        .expect(support::compare(by_pieces, exact, {.rel = 3 * 0x1p-24, .nmse = 0x1p-46}), "−3.875 … 3.875");
  }
}

/// Left of 0, in double.
double by_half(const HalfPieces& pieces, double x) {
  const auto piece = static_cast<int>(std::nearbyint(x / HalfPieces::width));
  const double d = x - piece * HalfPieces::width;
  const bool near = x > -HalfPieces::near_limit;
  double p = 0;
  for (int k = near ? HalfPieces::near_degree : HalfPieces::far_degree; k >= 0; --k)
    p = p * d + static_cast<double>((
                    near ? pieces.near : pieces.far)[k][(piece + 2 * HalfPieces::count) % HalfPieces::count]);
  return p;
}

TEST(HalfPieces, AreTheFunctionOnBothSides) {
  const HalfPieces pieces = half_pieces_of(Kind::gelu);
  double near = 0, far = 0;
  for (double x = -HalfPieces::far_limit + 1e-9; x < -1e-9; x += 0.000317) {
    const double f = by_half(pieces, x), exact = value(Kind::gelu, x);
    double& worst = x > -HalfPieces::near_limit ? near : far;
    worst = std::max(worst, std::abs(f / exact - 1));
    EXPECT_NEAR(-x + f, value(Kind::gelu, -x), 3 * 0x1p-24 * std::abs(x)) << x;
  }
  EXPECT_LT(near, 1.5 * 0x1p-24);  // the rounding of the coefficients
  EXPECT_LT(far, 4.5 * 0x1p-24);
  EXPECT_EQ(pieces.near[0][0], 0) << "0 is 0";
}

TEST(PressedLanes, AreThoseOfTheMaskInTheirOrder) {
  const PressedLanes pressed = pressed_lanes();
  EXPECT_EQ(std::vector<int>(pressed.of[0b10100110], pressed.of[0b10100110] + 4),
            (std::vector<int>{1, 2, 5, 7}));
  EXPECT_EQ(pressed.of[255][7], 7);
}

// Relatively exact about 0: all three begin with x/2.
TEST(Pieces, TheOneAboutZeroHasNoConstant) {
  for (const auto& [kind, degree] : tables) {
    const Pieces pieces = pieces_of(kind, degree);
    EXPECT_EQ(pieces.coefficient[0][0], 0);
    EXPECT_NEAR(pieces.coefficient[1][0], 0.5, 0x1p-24) << name(kind);
  }
}

// A higher degree is a closer fit, until the rounding of the coefficients is all that is left.
TEST(Pieces, DegreesAreNoHigherThanNeeded) {
  const auto worst = [](Kind kind, int degree) {
    const Pieces pieces = pieces_of(kind, degree);
    double error = 0;
    for (double x = -3.8; x < 3.8; x += 0.00317)
      error = std::max(error, std::abs(by_table(pieces, x) / value(kind, x) - 1));
    return error;
  };
  for (const auto& [kind, degree] : tables)
    EXPECT_GT(worst(kind, degree - 1), worst(kind, degree)) << name(kind);
}

}  // namespace
}  // namespace orrery::activation::pieces_test
