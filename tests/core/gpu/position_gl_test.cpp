// Rotary and sinusoidal positions on the graphics device against the reference.
#include <limits>
#include <numeric>
#include <vector>

#include "core/position/rope.h"
#include "core/position/sinusoidal.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::position_gl_test {
namespace {

using position::RopeLayout;
using position::SinusoidalLayout;
using position::SinusoidalParams;
using tensor::Index;

using PositionGlTest = GlTest;

/// The table of positions first, first + 1, …, every entry a float.
position::RopeTable float_table(Index tokens, Index pairs, double first) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), first);
  position::RopeTable table =
      position::rope_table(positions, position::rope_default_frequencies(2 * pairs, 10000));
  const auto as_float = [](double v) { return double(float(v)); };
  table.cos = table.cos.unaryExpr(as_float).eval();
  table.sin = table.sin.unaryExpr(as_float).eval();
  return table;
}

void expect_rope(Device& device, Worst& worst, const tensor::Matrix<double>& x, Index tokens, Index pairs,
                 RopeLayout layout, const std::string& what, Index first = 0) {
  const position::RopeTable table = float_table(tokens, pairs, 100000);
  const tensor::Matrix<float> x_floats = x.cast<float>(), cos = table.cos.cast<float>(),
                              sin = table.sin.cast<float>();
  tensor::Matrix<double> reference(x.rows(), x.cols());
  position::rope_ref(x, table, layout, reference, first);
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  position::rope_gpu(device, x_floats, cos, sin, layout, y.view(), first);
  worst.expect(y, y.view(), reference, position::rope_gpu_bound, what);
}

TEST_F(PositionGlTest, RopeOnEveryInput) {
  Worst worst("rope");
  for (const support::InputSet& set : support::input_sets())
    for (Index rows : row_counts)
      for (Index cols : widths)
        for (RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half})
          expect_rope(*device, worst, set.make(rows, cols), rows, cols / 2, layout,
                      case_name(set.name, rows, cols));
}

// Several heads share a table; columns behind the rotary width are copied.
TEST_F(PositionGlTest, RopeOfSeveralHeadsAndPartOfTheWidth) {
  Worst worst("rope");
  for (Index pairs : {0, 1, 8, 24})
    for (RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half})
      expect_rope(*device, worst, support::normal_floats(60, 49), 12, pairs, layout,
                  "60 rows, 12 tokens, " + std::to_string(pairs) + " pairs");
}

// Multi-head latent attention: the last columns turn, those before them are copied.
TEST_F(PositionGlTest, RopeOfTheLastColumns) {
  Worst worst("rope");
  for (Index first : {0, 1, 17, 33})
    for (RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half})
      expect_rope(*device, worst, support::normal_floats(60, 49), 12, 8, layout,
                  "16 columns from " + std::to_string(first), first);
}

TEST_F(PositionGlTest, RopeKeepsNanInItsPair) {
  Worst worst("rope");
  tensor::Matrix<double> x = support::normal_floats(4, 32);
  x(1, 3) = std::numeric_limits<double>::quiet_NaN();
  x(2, 31) = std::numeric_limits<double>::quiet_NaN();
  for (RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half})
    expect_rope(*device, worst, x, 4, 12, layout, "NaN");
}

TEST_F(PositionGlTest, RopeRefusesATableThatDoesNotFit) {
  tensor::Matrix<float> x(4, 6), table(3, 3), wide(4, 4);
  EXPECT_THROW(position::rope_gpu(*device, x, table, table, RopeLayout::half, x), InvalidArgument);
  EXPECT_THROW(position::rope_gpu(*device, x, wide, wide, RopeLayout::half, x), InvalidArgument);
}

void expect_sinusoidal(Device& device, Worst& worst, const SinusoidalParams& params, Index rows, Index cols,
                       const std::string& what) {
  tensor::Matrix<double> reference(rows, cols);
  position::sinusoidal_ref(params, reference);
  support::GuardedMatrix<float> y(rows, cols);
  position::sinusoidal_gpu(device, params, y.view());
  worst.expect(y, y.view(), reference, position::sinusoidal_bound, what);
}

TEST_F(PositionGlTest, SinusoidalOfEveryShapeAndLayout) {
  Worst worst("sinusoidal");
  for (Index rows : {1, 2, 33, 255, 256, 257, 1000})
    for (Index cols : {2, 4, 32, 34, 130})
      for (SinusoidalLayout layout :
           {SinusoidalLayout::paper, SinusoidalLayout::tensor2tensor, SinusoidalLayout::fairseq})
        expect_sinusoidal(*device, worst, {.base = 10000, .layout = layout, .offset = 2}, rows, cols,
                          case_name("layout " + std::to_string(static_cast<int>(layout)), rows, cols));
}

// Up to the last position that the contract speaks of; float angles would be wrong by 8e-3 here.
TEST_F(PositionGlTest, SinusoidalUpToPosition131072) {
  Worst worst("sinusoidal");
  for (double offset : {0.0, 1.5, 65536.0, 131072.0 - 3000})
    expect_sinusoidal(*device, worst, {.base = 10000, .layout = SinusoidalLayout::paper, .offset = offset},
                      3001, 64, "from position " + std::to_string(offset));
}

TEST_F(PositionGlTest, SinusoidalRefusesAnOddWidth) {
  tensor::Matrix<float> y(2, 3);
  EXPECT_THROW(position::sinusoidal_gpu(*device, {}, y), InvalidArgument);
}

TEST_F(PositionGlTest, EmptyIsLeftAlone) {
  tensor::Matrix<float> none(0, 4), table(1, 2);
  EXPECT_NO_THROW(position::rope_gpu(*device, none, table, table, RopeLayout::half, none));
  EXPECT_NO_THROW(position::sinusoidal_gpu(*device, {}, none));
}

}  // namespace
}  // namespace orrery::gpu::position_gl_test
