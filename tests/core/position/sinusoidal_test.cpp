#include "core/position/sinusoidal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::position::sinusoidal_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

Matrix<double> reference(Index rows, Index dim, const SinusoidalParams& params = {}) {
  Matrix<double> y(rows, dim);
  sinusoidal_ref(params, y);
  return y;
}

template <class T>
Matrix<T> twin(Index rows, Index dim, const SinusoidalParams& params = {}) {
  GuardedMatrix<T> out(rows, dim);
  sinusoidal_cpu<T>(params, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

TEST(Sinusoidal, AgreesWithTheTableForWidthEight) {
  const auto& rows = support::reference_values().at("sinusoidal_pe_d8");
  const Matrix<double> y = reference(51, 8);
  const Matrix<double> fast = twin<double>(51, 8);
  for (const auto& [name, values] : rows.items()) {
    const Index p = std::stoi(name.substr(3));  // "pos50"
    const auto expected = values.get<std::vector<double>>();
    for (Index j = 0; j < 8; ++j) {
      // The angle 50 ω is rounded to 2⁻⁵³ of itself.
      EXPECT_NEAR(y(p, j), expected[std::size_t(j)], 1e-14) << name;
      EXPECT_NEAR(fast(p, j), expected[std::size_t(j)], 1e-14) << name;
    }
  }
}

TEST(Sinusoidal, DotProductsOfRowsAreThePublishedOnes) {
  const struct {
    const char* key;
    Index dim;
    SinusoidalLayout layout;
  } cases[] = {{"paper_exponent_2i/d_d128", 128, SinusoidalLayout::paper},
               {"paper_exponent_2i/d_d512", 512, SinusoidalLayout::paper},
               {"t2t_fairseq_exponent_i/(d/2-1)_d128", 128, SinusoidalLayout::tensor2tensor},
               {"t2t_fairseq_d512", 512, SinusoidalLayout::fairseq}};
  for (const auto& c : cases) {
    const Matrix<double> y = reference(1101, c.dim, {.layout = c.layout});
    for (const auto& [offset, expected] :
         support::reference_values().at("sinusoidal_dot").at(c.key).items()) {
      // From any row to the one `offset` further on: d/2 products with angles up to 1100 rad, 1e-13 rad each.
      for (Index p : {0, 7, 100})
        EXPECT_NEAR(y.row(p).dot(y.row(p + std::stoi(offset))), expected.get<double>(), 1e-10)
            << c.key << offset;
    }
  }
}

// python3: from mpmath import *; mp.dps = 60; w = mpf(10000)**(-mpf(2*i)/128); sin(131072*w), cos(131072*w)
// and for tensor2tensor w = mpf(10000)**(-mpf(i)/63)
TEST(Sinusoidal, IsExactAtPosition131072) {
  const struct {
    SinusoidalLayout layout;
    Index i;
    double sin, cos;
  } exact[] = {
      {SinusoidalLayout::paper, 0, -0.99911378895077083, 0.042090815250296232},
      {SinusoidalLayout::paper, 1, -0.87949970014776013, -0.47589944047035821},
      {SinusoidalLayout::paper, 7, -0.93292858242209697, 0.36006146711345915},
      {SinusoidalLayout::paper, 31, -0.60663114141049969, 0.79498343270221319},
      {SinusoidalLayout::paper, 63, 0.5413188383700997, -0.84081740896918035},
      {SinusoidalLayout::tensor2tensor, 0, -0.99911378895077083, 0.042090815250296232},
      {SinusoidalLayout::tensor2tensor, 1, 0.29201518903093721, -0.95641368108953042},
      {SinusoidalLayout::tensor2tensor, 31, 0.43988671517290738, -0.89805327114508606},
      {SinusoidalLayout::tensor2tensor, 63, 0.51484718600383059, 0.85728196940326294},
  };
  for (const auto& e : exact) {
    const bool paper = e.layout == SinusoidalLayout::paper;
    const Index at_sin = paper ? 2 * e.i : e.i, at_cos = paper ? 2 * e.i + 1 : 64 + e.i;
    // The last of 64 rows, so that the float twin has turned the pair 63 times since it last asked for sin
    // and cos.
    const SinusoidalParams params{.layout = e.layout, .offset = 131072 - 63};
    const Matrix<double> r = reference(64, 128, params);
    const Matrix<float> y = twin<float>(64, 128, params);
    // The angle, p ω, and ω itself are rounded to 2⁻⁵³: 2 · 131072 · 2⁻⁵³.
    EXPECT_NEAR(r(63, at_sin), e.sin, 3e-11);
    EXPECT_NEAR(r(63, at_cos), e.cos, 3e-11);
    // Rounding to float adds half a unit in the last place, 2⁻²⁵ below 1.
    EXPECT_NEAR(y(63, at_sin), e.sin, 0x1p-25 + 3e-11);
    EXPECT_NEAR(y(63, at_cos), e.cos, 0x1p-25 + 3e-11);
  }
}

TEST(Sinusoidal, CpuIsWithinItsBound) {
  support::Worst worst("sinusoidal"), worst_double("sinusoidal in double");
  for (auto layout : {SinusoidalLayout::paper, SinusoidalLayout::tensor2tensor, SinusoidalLayout::fairseq}) {
    for (Index dim : {2, 32, 34, 256, 1000, 4096}) {
      for (double offset : {0.0, 0.5, 131072.0 - 150}) {
        const SinusoidalParams params{.layout = layout, .offset = offset};
        const std::string where = std::to_string(dim) + " from " + std::to_string(offset);
        const Matrix<double> r = reference(150, dim, params);
        worst.expect(support::compare(View<const float>(twin<float>(150, dim, params)), r, sinusoidal_bound),
                     where);
        worst_double.expect(support::compare(View<const double>(twin<double>(150, dim, params)), r,
                                             {.abs = 0x1p-52}, tensor::Format::f64),
                            where);
      }
    }
  }
}

TEST(Sinusoidal, RowsHaveTheLengthOfTheirPairs) {
  const Matrix<double> y = twin<float>(500, 256, {.offset = 100000}).cast<double>();
  for (Index p = 0; p < y.rows(); ++p) EXPECT_NEAR(y.row(p).squaredNorm(), 128, 128 * 0x1p-23);
}

TEST(Sinusoidal, TensorToTensorsSlowestWavelengthIsTheBase) {
  const auto w = sinusoidal_frequencies(512, {.layout = SinusoidalLayout::tensor2tensor});
  EXPECT_EQ(w.front(), 1);
  EXPECT_TRUE(support::close(w.back(), 1e-4, 4e-16));
  const auto paper = sinusoidal_frequencies(512, {});
  EXPECT_TRUE(support::close(paper.back(), std::pow(1e4, -510.0 / 512), 4e-16));
  EXPECT_EQ(sinusoidal_frequencies(2, {.layout = SinusoidalLayout::tensor2tensor}), std::vector<double>{1});
}

TEST(Sinusoidal, OddWidthsAreRefusedAndEmptyOnesWriteNothing) {
  try {
    reference(3, 7);
    FAIL() << "an odd width was accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "sinusoidal width: found 7, allowed: even, at least 0");
  }
  EXPECT_THROW(twin<float>(3, 7), InvalidArgument);
  EXPECT_EQ(twin<float>(0, 8).size(), 0);
  EXPECT_EQ(twin<float>(8, 0).size(), 0);
}

}  // namespace
}  // namespace orrery::position::sinusoidal_test
