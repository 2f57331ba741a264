#include "core/tensor/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace orrery::tensor::random_test {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(Philox, KnownAnswersOfRandom123) {
  // kat_vectors of the paper's own distribution, "philox4x32 10".
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t all = 0xffffffff;
  EXPECT_EQ(philox4x32({all, all, all, all}, {all, all}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Quantile, AgreesWithMpmath) {
  struct Row {
    double p, x;
  };
  // mpmath 1.3, 40 digits, at the double p: the root x of erfc(−x/√2)/2 = p. All three branches and both
  // seams (0.075, e^−25).
  const Row rows[] = {
      {0x1.0000000000000p-2, -0.67448975019608174},   {0x1.8000000000000p-1, 0.67448975019608174},
      {0x1.3333333333333p-4, -1.4395314709384559},    {0x1.32ca57a786c22p-4, -1.4402382675279637},
      {0x1.d99999999999ap-1, 1.4395314709384562},     {0x1.d9a6b50b0f27cp-1, 1.4402382675279639},
      {0x1.47ae147ae147bp-7, -2.3263478740408411},    {0x1.4f8b588e368f1p-17, -4.2648907939228246},
      {0x1.b7cdfd9d7bdbbp-34, -6.3613409024040562},   {0x1.5fd7fe1796495p-37, -6.7060231554951363},
      {0x1.07e1fe91b0b70p-36, -6.6465708874771129},   {0x1.dee7a4ad4b81fp-167, -14.933337534788489},
      {0x1.bff2ee48e0530p-333, -21.273453560965324},  {0x1.56e1fc2f8f359p-997, -37.047096299361199},
      {0x0.0000000000001p-1022, -38.467405617144346}, {0x1.0000000000000p-53, -8.2095361516013869},
      {0x1.ff7ced916872bp-1, 3.0902323061678133},     {0x1.fffffffffffffp-1, 8.2095361516013869},
      {0x1.3333333333333p-2, -0.52440051270804082},   {0x1.fffff94a03595p-2, -2.5066282747031065e-7},
      {0x1.f333333333333p-1, 1.9599639845400539},
  };
  // Wichura gives about 1e-16 for the approximation itself; evaluating two degree-7 polynomials and a
  // quotient adds a few roundings of 1.1e-16, partly cancelling. 5e-16 is 2 to 4 units in the last place.
  double worst = 0;
  for (const Row& row : rows) {
    const double error = std::abs(normal_quantile(row.p) / row.x - 1);
    worst = std::max(worst, error);
    EXPECT_LE(error, 5e-16) << "p = " << row.p;
  }
  std::printf("quantile: worst relative error %.2g\n", worst);
}

TEST(Quantile, EndsAndOutside) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_EQ(normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::nan(""))));
}

TEST(Random, UniformIsThePhiloxWordsOfItsIndex) {
  // Seed 0, stream 0, element 0: counter 0, key 0. The first 52 bits of the known answer, and the middle of
  // their cell.
  const auto cell = static_cast<double>((0x6627e8d5ull << 20) | (0xe169c58dull >> 12));
  EXPECT_EQ(Random(0).uniform(0), (cell + 0.5) / 0x1p52);
  EXPECT_EQ(Random(0).normal(0), normal_quantile(Random(0).uniform(0)));
}

TEST(Random, NeverChanges) {
  // Recipes and figures depend on these bits. The uniforms are those of a second Philox, written in Python
  // for the purpose; the normals are within 2 units in the last place of mpmath's √2 erfinv(2u − 1).
  const Random random(2024, 1);
  EXPECT_EQ(random.uniform(0), 0x1.30b2f74286a46p-2);
  EXPECT_EQ(random.uniform(2), 0x1.4a35fd40da4adp-1);
  EXPECT_EQ(random.uniform(1000), 0x1.454fcb0118be5p-1);
  EXPECT_EQ(random.normal(0), -0x1.10189f12b82ecp-1);
  EXPECT_EQ(random.normal(2), 0x1.7c9fd14b75ee5p-2);
  EXPECT_EQ(random.normal(1000), 0x1.626dbe9503e4p-2);
}

TEST(Random, ElementsStreamsAndSeedsAllDiffer) {
  std::set<double> seen;
  for (std::uint64_t seed : {0ull, 1ull, 1ull << 32}) {
    for (std::uint32_t stream : {0u, 1u}) {
      for (std::uint64_t i : {0ull, 1ull, 1ull << 32}) seen.insert(Random(seed, stream).uniform(i));
    }
  }
  EXPECT_EQ(seen.size(), 18u);
}

TEST(Random, MomentsAreThoseOfTheDistributions) {
  constexpr Index n = 1000;
  const Matrix<double> z = Random(1).normals(n, n);
  // The standard error of the mean of N(0, 1) is 1e-3 here, of the mean square 1.4e-3, of the mean fourth
  // power √96·1e-3; four of them each. The seed is fixed, so this cannot fail by chance.
  EXPECT_NEAR(z.mean(), 0, 4e-3);
  EXPECT_NEAR(z.array().square().mean(), 1, 5.7e-3);
  EXPECT_NEAR(z.array().square().square().mean(), 3, 4e-2);

  const Matrix<double> u = Random(1).uniforms(n, n, -2, 6);
  EXPECT_GT(u.minCoeff(), -2);
  EXPECT_LT(u.maxCoeff(), 6);
  EXPECT_NEAR(u.mean(), 2, 4 * 8 / std::sqrt(12.0) * 1e-3);
}

TEST(Random, MatricesAreRowMajorRunsOfElements) {
  const Random random(7, 3);
  const Matrix<double> m = random.normals(3, 5);
  EXPECT_EQ(m(2, 4), random.normal(2 * 5 + 4));
  EXPECT_EQ(random.normals(0, 4).size(), 0);
}

}  // namespace
}  // namespace orrery::tensor::random_test
