#include "core/position/rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::position::rope_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr RopeLayout layouts[] = {RopeLayout::interleaved, RopeLayout::half};

RopeTable table_for(Index first, Index tokens, Index rotary_dim, double base = 10000, double factor = 1) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), double(first));
  return rope_table(positions, rope_default_frequencies(rotary_dim, base), factor);
}

RopeTable rounded(const RopeTable& t) {
  return {t.cos.cast<float>().cast<double>(), t.sin.cast<float>().cast<double>()};
}

Matrix<double> reference(const Matrix<double>& x, const RopeTable& table, RopeLayout layout) {
  Matrix<double> y(x.rows(), x.cols());
  rope_ref(x, table, layout, y);
  return y;
}

template <class T>
Matrix<T> twin(const Matrix<double>& x, const RopeTable& table, RopeLayout layout) {
  const Matrix<T> in = x.cast<T>(), cos = table.cos.cast<T>(), sin = table.sin.cast<T>();
  GuardedMatrix<T> out(x.rows(), x.cols());
  rope_cpu<T>(in, cos, sin, layout, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

TEST(Rope, AgreesWithTheWorkedExample) {
  const auto& example = support::reference_values().at("rope_vector_example");
  Matrix<double> x(1, 4);
  x << 1, 2, 3, 4;
  const RopeTable three = table_for(3, 1, 4);
  for (RopeLayout layout : layouts) {
    const bool interleaved = layout == RopeLayout::interleaved;
    const auto expected = example.at(interleaved ? "interleaved" : "half_split").get<std::vector<double>>();
    const Matrix<double> y = reference(x, three, layout), fast = twin<double>(x, three, layout);
    for (Index j = 0; j < 4; ++j) {
      // Printed to 16 digits; a sum of two products of size 4.
      EXPECT_NEAR(y(0, j), expected[std::size_t(j)], 2e-15);
      EXPECT_NEAR(fast(0, j), expected[std::size_t(j)], 2e-15);
    }
    const double score = y.row(0).dot(reference(x, table_for(1, 1, 4), layout).row(0));
    const double relative = reference(x, table_for(2, 1, 4), layout).row(0).dot(x.row(0));
    const double printed = example.at(interleaved ? "score_m3_n1_interleaved_self" : "score_m3_n1_half_self");
    EXPECT_NEAR(score, printed, 2e-14);
    EXPECT_NEAR(relative, printed, 2e-14);
  }
}

TEST(Rope, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("rope"), worst_double("rope in double");
  for (RopeLayout layout : layouts) {
    for (Index width : support::input_sizes()) {
      const Index rotary = width / 2 * 2;
      for (const auto& set : support::input_sets()) {
        const Matrix<double> x = set.make(6, width);
        const RopeTable table = table_for(131070, 3, rotary, 500000, 1.1386294361119891);
        const std::string where = std::string(set.name) + " × " + std::to_string(width);
        worst.expect(support::compare(View<const float>(twin<float>(x, table, layout)),
                                      reference(x, rounded(table), layout), rope_bound),
                     where);
        worst_double.expect(support::compare(View<const double>(twin<double>(x, table, layout)),
                                             reference(x, table, layout), {}, tensor::Format::f64),
                            where);
      }
    }
  }
}

// python3: from mpmath import *; mp.dps = 60; t = mpf(500000)**(-mpf(2*i)/128); cos(m*t), sin(m*t)
TEST(Rope, AnglesAreReducedInDouble) {
  const struct {
    double position;
    Index pair;
    double cos, sin;
  } exact[] = {
      {131072, 0, 0.042090815250296232, -0.99911378895077083},
      {131072, 1, -0.97995547041971431, -0.19921665591630745},
      {131072, 5, -0.74560187968313823, 0.66639165436923883},
      {131072, 40, -0.18105456676064079, -0.98347305192115796},
      {131072, 63, 0.94866759320642436, 0.3162748766499327},
      {1000000, 0, 0.93675212753314479, -0.34999350217129295},
      {1000000, 1, -0.63498135483856333, 0.77252746165258263},
      {1000000, 5, -0.37776430924400786, -0.92590179104557174},
      {1000000, 40, -0.59814271079232073, -0.80138960407907349},
      {1000000, 63, -0.77349967702032425, 0.63379669425570063},
  };
  const auto inv_freq = rope_default_frequencies(128, 500000);
  for (const auto& e : exact) {
    const RopeTable table = rope_table(std::vector<double>{e.position}, inv_freq);
    // θ and m θ are each rounded to 2⁻⁵³ of the angle, and pow may be a unit off.
    const double allowed = 3 * e.position * inv_freq[std::size_t(e.pair)] * 0x1p-53 + 0x1p-52;
    EXPECT_NEAR(table.cos(0, e.pair), e.cos, allowed) << e.position << " " << e.pair;
    EXPECT_NEAR(table.sin(0, e.pair), e.sin, allowed) << e.position << " " << e.pair;
  }
}

TEST(Rope, KeepsLengths) {
  const Matrix<double> x = support::normal_floats(40, 128);
  for (RopeLayout layout : layouts) {
    const Matrix<double> y = twin<float>(x, table_for(100000, 40, 128), layout).cast<double>();
    // Every element is off by at most 2.4·2⁻²⁴ of its pair's length, and so is the row as a whole.
    for (Index r = 0; r < x.rows(); ++r)
      EXPECT_TRUE(support::close(y.row(r).norm(), x.row(r).norm(), 2.4 * 0x1p-24));
  }
}

TEST(Rope, ScoresDependOnTheOffsetOnly) {
  const Matrix<double> q = support::normal_floats(1, 64, 1), k = support::normal_floats(1, 64, 2);
  for (RopeLayout layout : layouts) {
    const auto score = [&](Index m, Index n) {
      return reference(q, table_for(m, 1, 64), layout)
          .row(0)
          .dot(reference(k, table_for(n, 1, 64), layout).row(0));
    };
    const double near = score(7, 0);
    for (Index shift : {1, 100, 4096, 131072}) {
      // Angles up to 131079 rad carry 1.5e-11 rad each; |q||k| is about 64.
      EXPECT_NEAR(score(7 + shift, shift), near, 64 * 3e-11);
    }
    EXPECT_GT(std::abs(score(8, 0) - near), 1e-3);
  }
}

TEST(Rope, TheLayoutsAreOnePermutationApart) {
  const Index pairs = 16;
  const Matrix<double> x = support::normal_floats(5, 2 * pairs);
  const RopeTable table = table_for(11, 5, 2 * pairs);
  const auto to_half = [&](const Matrix<double>& m) {
    Matrix<double> h(m.rows(), m.cols());
    for (Index i = 0; i < pairs; ++i) {
      h.col(i) = m.col(2 * i);
      h.col(i + pairs) = m.col(2 * i + 1);
    }
    return h;
  };
  EXPECT_EQ(to_half(reference(x, table, RopeLayout::interleaved)),
            reference(to_half(x), table, RopeLayout::half));
  // Not by chance: without the permutation they differ.
  EXPECT_GT((reference(x, table, RopeLayout::interleaved) - reference(x, table, RopeLayout::half)).norm(), 1);
}

TEST(Rope, ColumnsBeyondTheRotaryWidthAreCopied) {
  const Matrix<double> x = support::normal_floats(3, 40);
  for (RopeLayout layout : layouts) {
    const Matrix<float> y = twin<float>(x, table_for(5, 3, 10), layout);
    EXPECT_EQ(y.rightCols(30), x.cast<float>().rightCols(30));
    EXPECT_NE(y.leftCols(10), x.cast<float>().leftCols(10));
    // A table without pairs turns nothing.
    EXPECT_EQ(twin<float>(x, table_for(5, 3, 0), layout), x.cast<float>());
  }
}

TEST(Rope, GroupsShareTheirPositions) {
  const Matrix<double> x = support::normal_floats(12, 8);
  const RopeTable table = table_for(3, 4, 8);
  const Matrix<double> y = reference(x, table, RopeLayout::half);
  for (Index g = 0; g < 3; ++g)
    EXPECT_EQ(y.middleRows(4 * g, 4), reference(x.middleRows(4 * g, 4), table, RopeLayout::half));
}

TEST(Rope, TheAttentionFactorScalesTheTable) {
  const RopeTable plain = table_for(9, 4, 32), scaled = table_for(9, 4, 32, 10000, 1.25);
  EXPECT_EQ(scaled.cos, 1.25 * plain.cos);
  EXPECT_EQ(scaled.sin, 1.25 * plain.sin);
}

TEST(Rope, NanStaysInItsPair) {
  Matrix<double> x = support::normal_floats(2, 8);
  x(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const RopeTable table = table_for(5, 2, 8);
  for (RopeLayout layout : layouts) {
    const Index partner = layout == RopeLayout::interleaved ? 3 : 6;
    const Matrix<float> y = twin<float>(x, table, layout);
    for (Index r = 0; r < 2; ++r)
      for (Index j = 0; j < 8; ++j)
        EXPECT_EQ(std::isnan(y(r, j)), r == 1 && (j == 2 || j == partner)) << r << j;
  }
}

TEST(Rope, WorksInPlaceAndOnManyThreads) {
  const Matrix<double> x = support::normal_floats(600, 100);  // enough for the loop to be shared
  const RopeTable table = table_for(0, 300, 64);
  const Matrix<float> cos = table.cos.cast<float>(), sin = table.sin.cast<float>();
  for (RopeLayout layout : layouts) {
    Matrix<float> y = x.cast<float>();
    rope_cpu<float>(y, cos, sin, layout, y);
    EXPECT_EQ(y, twin<float>(x, table, layout));
  }
}

/// The message of the InvalidArgument that `f` throws.
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Rope, ShapesThatDoNotFitAreRefused) {
  EXPECT_EQ(refusal([] { rope_default_frequencies(7, 10000); }),
            "rotary width: found 7, allowed: even, at least 0");
  EXPECT_EQ(refusal([] { rope_default_frequencies(-2, 10000); }),
            "rotary width: found -2, allowed: even, at least 0");
  const Matrix<double> x = support::normal_floats(6, 4);
  EXPECT_EQ(refusal([&] { reference(x, table_for(0, 3, 6), RopeLayout::half); }),
            "rotary width: found 6, allowed: at most the width 4 of x");
  EXPECT_EQ(refusal([&] { twin<float>(x, table_for(0, 4, 4), RopeLayout::half); }),
            "rope: found 6 rows for 4 positions, allowed: a multiple of the positions");
  EXPECT_EQ(refusal([&] { twin<float>(x, table_for(0, 0, 4), RopeLayout::half); }),
            "rope: found 6 rows for 0 positions, allowed: a multiple of the positions");
  EXPECT_EQ(twin<float>(Matrix<double>(0, 4), table_for(0, 3, 4), RopeLayout::half).size(), 0);
  EXPECT_EQ(twin<float>(Matrix<double>(3, 0), table_for(0, 0, 0), RopeLayout::half).size(), 0);
}

}  // namespace
}  // namespace orrery::position::rope_test
