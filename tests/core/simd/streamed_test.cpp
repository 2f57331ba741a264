// Results too large for the caches go past them, several rows at once and from any address. They are the results of the
// same rows one by one, bit for bit, and nothing beside them is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/activation/activation.h"
#include "core/activation/glu.h"
#include "core/embedding/embedding.h"
#include "core/norm/batch_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/op/sample.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"
#include "core/simd/share.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::simd::streamed_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// A matrix in the middle of a larger one: `offset` floats after the start of a cache line, rows `gap` floats apart. What
/// lies between is 7.
class Placed {
 public:
  Placed(Index rows, Index cols, Index offset, Index gap)
      : memory_(Matrix<float>::Constant(1, offset + rows * (cols + gap), 7)),
        view_(memory_.data() + offset, rows, cols, cols + gap) {}
  View<float> view() const { return view_; }
  bool intact() const {
    const auto is_seven = [](float v) { return v == 7; };
    if (!std::all_of(memory_.data(), const_cast<const float*>(view_.data), is_seven)) return false;
    for (Index i = 0; i < view_.rows; ++i) {
      const float* const end = view_.row(i).data() + view_.cols;
      if (!std::all_of(end, end + view_.stride - view_.cols, is_seven)) return false;
    }
    return true;
  }

 private:
  Matrix<float> memory_;
  View<float> view_;
};

bool same_bits(View<const float> a, View<const float> b) {
  for (Index i = 0; i < a.rows; ++i)
    if (std::memcmp(a.row(i).data(), b.row(i).data(), sizeof(float) * a.row(i).size()) != 0) return false;
  return true;
}

View<const float> row_of(View<const float> m, Index i) {
  return {m.row(i).data(), 1, m.cols};
}

/// op(x, y) on all rows at once equals op on each row, wherever y stands. y has as many columns as x, or `cols`.
template <class Op>
void equals_its_rows(const std::string& name, View<const float> x, Op op, Index cols = 0) {
  if (cols == 0) cols = x.cols;
  Matrix<float> expected(x.rows, cols);
  for (Index i = 0; i < x.rows; ++i) op(row_of(x, i), View<float>(expected.row(i).data(), 1, cols));
  for (const Index offset : {0, 1, 13}) {
    const Index gap = offset == 0 ? 32 - cols % 32 : offset;
    const Placed y(x.rows, cols, offset, gap);
    ASSERT_TRUE(is_streamed(y.view()));
    EXPECT_EQ(starts_on_lines(y.view()), offset == 0);
    op(x, y.view());
    EXPECT_TRUE(same_bits(y.view(), expected)) << name << ", " << offset << " floats from a line";
    EXPECT_TRUE(y.intact()) << name << ", " << offset << " floats from a line";
  }
}

/// Neither rows nor columns are a multiple of what is done at once; some rows leave float's range when squared, the first and
/// the last of them among rows that do not.
Matrix<float> large_rows() {
  Matrix<float> x = support::normal_floats(2051, 1030).cast<float>();
  for (const Index i : {5, 6, 1400, 2050}) x.row(i) *= 1e25F;
  x.row(9).array() += 1000;  // the mean is far from that of the first few
  x.row(9).head(16).setZero();
  return x;
}

std::vector<float> floats(Index count, unsigned stream) {
  const Matrix<double> m = support::normal_floats(1, count, stream);
  return {m.data(), m.data() + m.size()};
}

/// Whether every row of its one input by place is done by itself, as the letters of the contract say: "… × D", or "any".
bool does_rows_alone(const op::Op& op) {
  const bool one = std::ranges::count_if(op.inputs, &op::Input::positional) == 1;
  return one && op.inputs[0].holds == op::Holds::numbers &&
         std::ranges::count(op.inputs[0].shape, ' ') <= 2;  // "… × T × D" has four
}

tensor::Values row_of(const tensor::Array& a, Index i) {
  const auto first = a.values.begin() + i * a.cols();
  return std::vector<double>(first, first + a.cols());
}

TEST(Streamed, EveryOpOfRowsOfTheTable) {
  int ops = 0;
  for (const op::Op& op : op::table()) {
    if (op.vjp == nullptr || !does_rows_alone(op)) continue;
    ++ops;
    op::Sizes many{.T = 2051}, one{};
    many[op::width_letter(op)] = one[op::width_letter(op)] = 1030;
    const parameter::Settings settings = op::sample_settings(op, many);
    // Where a row's document depends on its place, rows are alone without documents.
    const bool packed = std::ranges::count(op.inputs, op::Holds::documents, &op::Input::holds) > 0;
    const op::Named named = packed ? op::Named::needed : op::Named::all;
    const op::Call large = op::sample(op, settings, many, op::random_values(1), named);
    const tensor::Array y = op.cpu(large);
    for (const Index i : {0, 1, 16, 1025, 2049, 2050}) {
      op::Call alone = op::sample(op, settings, one, op::random_values(1), named);
      alone.inputs.find("x")->second.values = row_of(large.input("x"), i);
      const tensor::Array row = op.cpu(alone);
      EXPECT_EQ(row.values, row_of(y, i)) << op.name << ", row " << i;
    }
  }
  EXPECT_GE(ops, 7);
}

TEST(Streamed, LayerNorm) {
  const Matrix<float> x = large_rows();
  const std::vector<float> weight = floats(x.cols(), 1), bias = floats(x.cols(), 2);
  equals_its_rows("layer_norm", x, [&](View<const float> from, View<float> to) {
    norm::layer_norm_cpu<float>(from, weight, bias, {}, to);
  });
}

TEST(Streamed, RmsNorm) {
  const Matrix<float> x = large_rows();
  const std::vector<float> weight = floats(x.cols(), 1);
  equals_its_rows("rms_norm", x, [&](View<const float> from, View<float> to) {
    norm::rms_norm_cpu<float>(from, weight, {}, to);
  });
}

TEST(Streamed, Activations) {
  const Matrix<float> x = large_rows();  // most of what is times 1e25 is beyond every table
  for (const auto kind : {activation::Kind::gelu, activation::Kind::gelu_tanh, activation::Kind::silu})
    equals_its_rows(std::string(activation::name(kind)), x, [&](View<const float> from, View<float> to) {
      activation::activation_cpu<float>(from, kind, to);
    });
}

TEST(Streamed, GatedUnits) {
  const Matrix<float> x = support::normal_floats(2051, 2060).cast<float>();
  activation::GluParams params;
  params.gate = activation::Kind::silu;
  equals_its_rows(
      "glu", x, [&](View<const float> from, View<float> to) { activation::glu_cpu<float>(from, params, to); },
      1030);
}

// Twice as many rows as elsewhere here: of a table it is the result alone that counts.
TEST(Streamed, Embedding) {
  const Matrix<float> table = support::normal_floats(300, 1030).cast<float>();
  std::vector<Index> ids;
  for (Index n = 0; n < 4099; ++n) ids.push_back(n * 7 % 300);
  for (const auto scale : {embedding::Scale::none, embedding::Scale::sqrt_d}) {
    const double s = embedding::scale_factor(scale, table.cols());
    for (const Index offset : {0, 1, 13}) {
      const Placed y(4099, 1030, offset, offset == 0 ? 26 : offset);
      ASSERT_TRUE(is_large_alone(y.view()) && is_streamed(y.view()));
      embedding::embedding_cpu<float>(ids, table, scale, y.view());
      EXPECT_TRUE(y.intact()) << offset;
      for (Index n = 0; n < 4099; ++n) {
        const Matrix<float> expected = (s * table.row(ids[std::size_t(n)]).cast<double>()).cast<float>();
        ASSERT_TRUE(same_bits(row_of(y.view(), n), expected)) << n << ", " << offset;
      }
    }
  }
}

TEST(Streamed, BatchNorm) {
  const Matrix<float> x = support::normal_floats(2051, 1030).cast<float>();
  Matrix<float> expected(2051, 1030);
  for (Index first = 0; first < 1030; first += 103) {  // a few columns by themselves are not large
    const Matrix<float> part = x.middleCols(first, 103);
    Matrix<float> y(2051, 103);
    norm::batch_norm_cpu<float>(part, {}, {}, {}, y);
    expected.middleCols(first, 103) = y;
  }
  for (const Index offset : {0, 1}) {
    const Placed y(2051, 1030, offset, offset == 0 ? 26 : offset);
    norm::batch_norm_cpu<float>(x, {}, {}, {}, y.view());
    EXPECT_TRUE(same_bits(y.view(), expected)) << offset;
    EXPECT_TRUE(y.intact()) << offset;
  }
}

TEST(Streamed, NormsInPlace) {
  const Matrix<float> x = large_rows();
  Matrix<float> apart(x.rows(), x.cols()), in_place = x;
  norm::layer_norm_cpu<float>(x, {}, {}, {}, apart);
  norm::layer_norm_cpu<float>(in_place, {}, {}, {}, in_place);
  EXPECT_TRUE(same_bits(in_place, apart));
}

TEST(Streamed, RopeApartAndInPlace) {
  constexpr Index heads = 7, tokens = 1210,
                  width = 256;  // neither four heads at once nor 64 tokens divide them
  const Matrix<float> x = support::normal_floats(heads * tokens, width).cast<float>();
  std::vector<double> positions(tokens);
  for (std::size_t m = 0; m < positions.size(); ++m) positions[m] = static_cast<double>(m);
  const auto table = position::rope_table(positions, position::rope_default_frequencies(width, 1e4));
  const Matrix<float> cos = table.cos.cast<float>(), sin = table.sin.cast<float>();
  for (const auto layout : {position::RopeLayout::half, position::RopeLayout::interleaved}) {
    const auto turn = [&](View<const float> from, View<float> to) {
      position::rope_cpu<float>(from, cos, sin, layout, to);
    };
    Matrix<float> expected(x.rows(), width);
    for (Index h = 0; h < heads; ++h)
      turn({x.row(h * tokens).data(), tokens, width}, {expected.row(h * tokens).data(), tokens, width});
    for (const Index offset : {0, 1}) {
      const Placed y(x.rows(), width, offset, offset);
      turn(x, y.view());
      EXPECT_TRUE(same_bits(y.view(), expected)) << offset;
      EXPECT_TRUE(y.intact()) << offset;
    }
    Matrix<float> in_place = x;
    turn(in_place, in_place);
    EXPECT_TRUE(same_bits(in_place, expected));
  }
}

/// More rows than lie between two calls of the library, and not a multiple of the rows made at once.
TEST(Streamed, Sinusoidal) {
  for (const auto layout : {position::SinusoidalLayout::paper, position::SinusoidalLayout::tensor2tensor}) {
    const position::SinusoidalParams params{.layout = layout, .offset = 131072 - 8203};
    Matrix<double> expected(8203, 272);
    position::sinusoidal_ref(params, expected);
    for (const Index offset : {0, 3}) {
      const Placed y(8203, 272, offset, offset);
      position::sinusoidal_cpu<float>(params, y.view());
      const View<float> result = y.view();
      support::Worst("streamed sinusoidal")
          .expect(support::compare(View<const float>(result), expected, position::sinusoidal_bound),
                  std::to_string(offset));
      EXPECT_TRUE(y.intact());
    }
  }
}

}  // namespace
}  // namespace orrery::simd::streamed_test
