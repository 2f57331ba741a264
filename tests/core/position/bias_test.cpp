// ALiBi, T5's buckets, KERPLE: published slopes and bucket ends, and what the papers say of the biases.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/position/alibi.h"
#include "core/position/kerple.h"
#include "core/position/sandwich.h"
#include "core/position/t5_bias.h"
#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::position::bias_test {
namespace {

using support::reference_values;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Direction directions[] = {Direction::causal, Direction::bidirectional};

TEST(Alibi, SlopesAreThePublishedOnesForAnyNumberOfHeads) {
  for (const char* key : {"alibi_slopes", "alibi_slopes_mpt_variant"}) {
    for (const auto& [heads, expected] : reference_values().at(key).items()) {
      const std::vector<double> slopes = alibi_slopes(std::stoi(heads.substr(1)));
      ASSERT_EQ(slopes.size(), expected.size()) << heads;
      for (std::size_t h = 0; h < slopes.size(); ++h) {
        EXPECT_TRUE(support::close(slopes[h], expected[h].get<double>(), 3e-16)) << key << heads << " " << h;
      }
    }
  }
  EXPECT_EQ(alibi_slopes(1), std::vector<double>{0x1p-8});
  EXPECT_TRUE(alibi_slopes(0).empty());
}

TEST(Alibi, MptsCodeGivesTheSameListAndThePapersFormulaAnother) {
  for (Index heads = 1; heads <= 300; ++heads) {
    EXPECT_EQ(alibi_slopes(heads, AlibiRule::mosaic), alibi_slopes(heads)) << heads;
  }
  // Read literally, 12 heads begin at 2^(−8/12) and end at 2⁻⁸; the code ends the list at 2^(−3.5).
  const std::vector<double> formula = alibi_slopes(12, AlibiRule::formula);
  ASSERT_EQ(formula.size(), 12u);
  EXPECT_DOUBLE_EQ(formula[0], 0.62996052494743658);  // 4^(−1/3)
  EXPECT_EQ(formula[2], 0.25);
  EXPECT_EQ(formula[11], 0x1p-8);
  EXPECT_EQ(alibi_slopes(16, AlibiRule::formula), alibi_slopes(16));
}

TEST(Sandwich, IsTheDotProductOfSinusoidalRows) {
  // sinusoidal_dot: ⟨PE(p), PE(p + k)⟩ of 128 dimensions. The first of 8 heads divides by 1, the last by 8.
  const Matrix<double> v = sandwich_values({}, 11);
  for (const auto& [k, dot] : {std::pair{1, 62.0936838057676}, {5, 47.1850119698}, {10, 42.8200228985}}) {
    EXPECT_NEAR(v(0, 10 - k), dot - 64, 1e-10);  // ten printed decimals
    EXPECT_NEAR(v(7, 10 - k), (dot - 64) / 8, 1e-10);
    EXPECT_EQ(v(0, 10 + k), -infinity);
  }
  EXPECT_EQ(v(0, 10), 0);
  // From the second pair on: base^(−2/D) times further for the same value of all but one wave.
  const Matrix<double> two = sandwich_values({.heads = 1, .width = 2, .first = 1}, 2);
  EXPECT_NEAR(two(0, 0), (std::cos(1e-4) - 1) / 8, 1e-17);  // cos is rounded to 2⁻⁵⁴, and divided by 8
}

TEST(Sandwich, TwinsAgree) {
  for (const Direction direction : directions) {
    const SandwichParams params{.heads = 3, .width = 16, .direction = direction};
    for (const Index length : {1, 2, 33}) {
      Matrix<double> r(3 * length, length);
      sandwich_ref(params, r);
      support::GuardedMatrix<float> y(3 * length, length);
      const Matrix<float> v = sandwich_values(params, length).cast<float>();
      relative_bias_cpu<float>(v, y.view());
      EXPECT_TRUE(y.intact());
      EXPECT_TRUE(support::within(support::compare(View<const float>(y.view()), r, relative_bias_bound)));
    }
  }
  EXPECT_THROW(sandwich_values({.width = 3}, 4), InvalidArgument);
  EXPECT_THROW(sandwich_values({.base = 1}, 4), InvalidArgument);
}

TEST(Alibi, ZeroContentAttendsToAGeometricDistance) {
  // Scores of nothing but the bias: weights (1 − q) q^k, q = e^−slope. 2600 keys reach far enough that what is left out
  // of the flattest head, q^2600 = 4e-5, times its distance, stays below 0.15.
  const Index length = 2600;
  const Matrix<double> v = alibi_values(8, length, Direction::causal);
  for (Index h = 0; h < 8; ++h) {
    const auto& golden = reference_values().at("alibi_zero_content").at("h8_slope" + std::to_string(h + 1));
    double sum = 0, mean = 0;
    for (Index k = 0; k < length; ++k) {
      const double weight = std::exp(v(h, length - 1 - k));
      sum += weight;
      mean += weight * static_cast<double>(k);
    }
    const double left_out = std::exp(v(h, 0)) * static_cast<double>(length) + 1e-9;
    EXPECT_NEAR(mean / sum, golden.at("mean_distance").get<double>(), left_out) << h;
  }
}

TEST(Alibi, TwinsAgreeAndCausalHidesTheFuture) {
  for (const Direction direction : directions) {
    for (const Index length : {1, 2, 33}) {
      Matrix<double> r(3 * length, length);
      alibi_ref(3, direction, r);
      support::GuardedMatrix<float> y(3 * length, length);
      const Matrix<float> v = alibi_values(3, length, direction).cast<float>();
      relative_bias_cpu<float>(v, y.view());
      EXPECT_TRUE(y.intact());
      EXPECT_TRUE(support::within(support::compare(View<const float>(y.view()), r, relative_bias_bound)));
      for (Index m = 0; m < length; ++m) {
        for (Index n = 0; n < length; ++n) {
          if (n > m && direction == Direction::causal) {
            EXPECT_EQ(r(m, n), -infinity);
          } else {
            EXPECT_EQ(r(m, n), -0.0625 * static_cast<double>(std::abs(m - n)));  // 3 heads: 2⁻⁴ first
          }
        }
      }
    }
  }
  EXPECT_FALSE(std::signbit(alibi_values(1, 1, Direction::causal)(0, 0)));
}

// flash-attention#846: slopes must be float. 12 heads have slopes of 1/√2, which bf16 makes 0.70703125.
TEST(Alibi, SlopesInBf16BendEveryBias) {
  const tensor::Precision low{tensor::Format::bf16, tensor::Format::f32};
  const Index length = 1000;
  const Matrix<double> exact = alibi_values(12, length, Direction::bidirectional);
  const Matrix<double> staged = alibi_staged_values(12, length, Direction::bidirectional, low);
  EXPECT_EQ(staged(8, length - 2), -0.70703125);
  // Slope and bias are each rounded to 2⁻⁸ or 2⁻⁹ of themselves: at 999 tokens by up to 4 of 706.
  EXPECT_GT(std::abs(staged(8, 0) - exact(8, 0)), 0.4);
  EXPECT_LE(std::abs(staged(8, 0) / exact(8, 0) - 1), 0x1p-8);
  EXPECT_EQ(staged(0, 0), tensor::round_to(tensor::Format::bf16, -999 * 0.5));
}

TEST(T5, CausalBucketsBeginWhereTheyAreKnownToBegin) {
  const T5Buckets rule;
  for (const auto& [bucket, start] :
       reference_values().at("t5_buckets").at("causal_nb32_md128_distance_start_of_bucket").items()) {
    const Index first = start.get<int>();
    EXPECT_EQ(t5_bucket(-first, rule), std::stoi(bucket));
    if (first > 0) {
      EXPECT_EQ(t5_bucket(-first + 1, rule), std::stoi(bucket) - 1);
    }
  }
  EXPECT_EQ(t5_bucket(5, rule), 0);  // a later key counts as distance 0
  EXPECT_EQ(t5_bucket(-4096, rule), 31);
  EXPECT_EQ(t5_bucket(-(Index{1} << 60), rule), 31);
}

// ln 2/ln 32 · 5 is 1 and 0.9999999999999999 in double.
TEST(T5, BucketsBeginAtTheirFirstDistance) {
  const T5Buckets ten{.num_buckets = 10, .max_distance = 160}, nine{.num_buckets = 9};
  for (Index k = 1; k < 5; ++k) {
    EXPECT_EQ(t5_bucket(-(Index{5} << k), ten), 5 + std::min<Index>(k, 4));
    EXPECT_EQ(t5_bucket(-(Index{5} << k) + 1, ten), 5 + k - 1);
    EXPECT_EQ(t5_bucket(-(Index{4} << k), nine), 4 + k);
  }
}

TEST(T5, BidirectionalBucketsBeginWhereTheyAreKnownToBegin) {
  const T5Buckets rule{.direction = Direction::bidirectional};
  const auto& golden = reference_values().at("t5_buckets");
  const int future = golden.at("bidirectional_future_offset");
  for (const auto& [bucket, start] : golden.at("bidirectional_nb32_md128_past").items()) {
    const Index first = start.get<int>();
    EXPECT_EQ(t5_bucket(-first, rule), std::stoi(bucket));
    if (first == 0) continue;
    EXPECT_EQ(t5_bucket(-first + 1, rule), std::stoi(bucket) - 1);
    EXPECT_EQ(t5_bucket(first, rule), std::stoi(bucket) + future);
  }
}

TEST(T5, BiasesAreRowsOfTheTable) {
  const Matrix<double> table = support::normal_floats(32, 3);
  for (const Direction direction : directions) {
    const T5Buckets rule{.direction = direction};
    const Index length = 70;
    Matrix<double> r(3 * length, length), y(3 * length, length);
    t5_bias_ref(table, rule, r);
    const Matrix<double> v = t5_bias_values<double>(table, rule, length);
    relative_bias_cpu<double>(v, y);
    EXPECT_EQ(y, r);
    EXPECT_EQ(r(2 * length + 60, 10), table(t5_bucket(-50, rule), 2));
  }
}

TEST(T5, DerivativeCountsThePairsOfEachBucket) {
  const T5Buckets rule;
  const Index length = 140, heads = 2;
  const Matrix<double> g = Matrix<double>::Ones(heads * length, length);
  Matrix<double> d(32, heads);
  t5_bias_vjp<double>(g, rule, d);
  // Distance r ≥ 1 occurs length − r times; bucket 0 has the diagonal and all that lies after it.
  EXPECT_EQ(d(0, 1), length + length * (length - 1) / 2);
  EXPECT_EQ(d(7, 0), length - 7);
  EXPECT_EQ(d(16, 0), (length - 16) + (length - 17) + (length - 18));  // 16, 17, 18
  EXPECT_EQ(d.sum(), static_cast<double>(heads * length * length));
}

TEST(T5, BucketsThatCannotBeAreRefused) {
  EXPECT_THROW(check_t5_buckets({.num_buckets = 1}), InvalidArgument);
  EXPECT_THROW(check_t5_buckets({.num_buckets = 33, .direction = Direction::bidirectional}), InvalidArgument);
  EXPECT_THROW(check_t5_buckets({.num_buckets = 2, .direction = Direction::bidirectional}), InvalidArgument);
  EXPECT_THROW(check_t5_buckets({.max_distance = 16}), InvalidArgument);
  EXPECT_NO_THROW(check_t5_buckets({.max_distance = 17}));
}

TEST(Kerple, PowerOfOneIsAlibi) {
  const std::vector<double> slopes = alibi_slopes(8);
  const KerpleParams params{.kernel = KerpleKernel::power, .r1 = slopes};
  EXPECT_EQ(kerple_values(params, 20), alibi_values(8, 20, Direction::causal));
}

TEST(Kerple, LogarithmByHand) {
  const KerpleParams params{.direction = Direction::bidirectional, .r1 = {2, 3}, .r2 = {0.5}};
  ASSERT_EQ(params.heads(), 2);
  Matrix<double> y(2 * 9, 9);
  kerple_ref(params, y);
  // −2 ln(1 + 0.5·4) and −3 ln(1 + 0.5·8); mpmath: ln 3 = 1.0986122886681098, ln 5 = 1.6094379124341003
  EXPECT_NEAR(y(6, 2), -2 * 1.0986122886681098, 1e-15);
  EXPECT_NEAR(y(9 + 0, 8), -3 * 1.6094379124341003, 1e-15);
  EXPECT_EQ(y(4, 4), 0);
  EXPECT_THROW(check_kerple({.r1 = {0}}), InvalidArgument);
  EXPECT_THROW(check_kerple({.kernel = KerpleKernel::power, .r2 = {2.5}}), InvalidArgument);
  EXPECT_THROW(check_kerple({.r1 = {1, 1}, .r2 = {1, 1, 1}}), InvalidArgument);
  EXPECT_THROW(check_kerple({.r1 = {}}), InvalidArgument);
}

TEST(RelativeBias, ShapesThatDoNotFitAreRefused) {
  const Matrix<float> v(2, 9);
  Matrix<float> y(9, 5);
  EXPECT_THROW(relative_bias_cpu<float>(v, y), InvalidArgument);
  Matrix<float> wrong(8, 4);
  EXPECT_THROW(relative_bias_cpu<float>(v, wrong), InvalidArgument);
  Matrix<float> empty(0, 0);
  EXPECT_NO_THROW(relative_bias_cpu<float>(Matrix<float>(2, 0), empty));
}

}  // namespace
}  // namespace orrery::position::bias_test
