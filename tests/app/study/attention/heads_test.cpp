// What attention/heads says, against PyTorch's multi-head attention; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/attention/multi_head.h"
#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

using tensor::Index;
using twin::Matrix;

/// ((a i + b j + k) mod 7 − 3) / 4: exact in every format, the same in Python.
Matrix pattern(Index rows, Index cols, int a, int b, int k) {
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = static_cast<double>((a * i + b * j + k) % 7 - 3) / 4;
  return m;
}

struct Small {
  Matrix x = pattern(3, 4, 3, 5, 1), source = pattern(2, 4, 2, 3, 4);
  HeadWeights weights{pattern(4, 4, 1, 2, 0), pattern(4, 4, 3, 1, 2), pattern(4, 4, 2, 5, 3),
                      pattern(4, 4, 5, 4, 1)};
};

MultiHead on_ref(const Matrix& x, const Matrix& source, const HeadWeights& weights, const HeadsAsked& asked) {
  Run run;
  run.device = DeviceChoice::ref;
  return multi_head(run, x, source, weights, asked);
}

void expect_rows(const Matrix& y, std::initializer_list<double> torch, double bound) {
  ASSERT_EQ(y.size(), std::ssize(torch));
  Index i = 0;
  for (const double expected : torch) EXPECT_NEAR(y.data()[i++], expected, bound);
}

// PyTorch 1.13 in double, torch.nn.functional.multi_head_attention_forward without biases, two heads of two numbers.
constexpr double rounded_twice = 1e-15;

TEST(AttentionHeadsStudy, IsMultiHeadAttentionOfPyTorch) {
  const Small s;
  const MultiHead y = on_ref(s.x, s.x, s.weights, {.heads = 2, .key_heads = 2});
  expect_rows(y.result,
              {-0.16180051991865468, 0.4486627716567657, -0.2908450021714867, 0.13353422412782384,
               -0.29651808633918314, 0.7173722455639584, -0.5631140269071822, 0.2731321281301482,
               -0.18082653020483144, 0.48745853461248506, -0.33022920399674394, 0.15361335919430213},
              rounded_twice);
  expect_rows(
      y.weights[1],
      {0.2668791873278893, 0.4954738154243521, 0.23764699724775862, 0.40642600291132763, 0.14465665885523793,
       0.4489173382334344, 0.29008482889381315, 0.4451024376117286, 0.26481273349445833},
      rounded_twice);
}

TEST(AttentionHeadsStudy, IsMaskedAndCrossAttentionOfPyTorch) {
  const Small s;
  expect_rows(on_ref(s.x, s.x, s.weights,
                     {.heads = 2, .key_heads = 2, .mask = {.kind = attention::Mask::Kind::causal}})
                  .result,
              {0.0, 0.796875, -0.921875, 0.3125, -0.4562517283195393, 0.6115269661523927,
               -0.20195643761245025, 0.07422019026628277, -0.18082653020483144, 0.48745853461248506,
               -0.33022920399674394, 0.15361335919430213},
              rounded_twice);
  const MultiHead cross = on_ref(s.x, s.source, s.weights, {.heads = 2, .key_heads = 2});
  expect_rows(cross.result,
              {0.3891932314351783, -0.9825917834719307, 0.6949286832776755, -0.2790044040716587,
               0.27616186078423666, -0.7345489504911324, 0.5604026961603364, -0.31846160340120333,
               0.3662417460352511, -0.9604198149994294, 0.6966787619822354, -0.29021362572112536},
              rounded_twice);
  expect_rows(cross.weights[1],
              {0.7817863336916215, 0.2182136663083785, 0.21261197162114567, 0.7873880283788545,
               0.7266706947732927, 0.27332930522670723},
              rounded_twice);
}

/// Keys and values by repeat_interleave: four heads of one number, two key heads.
TEST(AttentionHeadsStudy, SharesKeysAsRepeatInterleaveDoes) {
  const Small s;
  const HeadWeights few{s.weights.query, s.weights.key.leftCols(2), s.weights.value.leftCols(2),
                        s.weights.output};
  expect_rows(on_ref(s.x, s.x, few, {.heads = 4, .key_heads = 2}).result,
              {0.07455467851991839, 0.20245905054171012, -0.24150382779706947, 0.1597966911538941,
               0.08169532148008163, 0.184607443141302, -0.23436318483690624, 0.16693733411405734,
               0.07537624150031699, 0.20022765680555862, -0.24103723738698074, 0.16132819927491246},
              rounded_twice);
}

/// x · rsqrt(mean(x²) + 1e-6) of each head; then rounded to float here, as queries and keys are.
TEST(AttentionHeadsStudy, NormalisesQueriesAndKeysOfEachHead) {
  const Small s;
  expect_rows(on_ref(s.x, s.x, s.weights, {.heads = 2, .key_heads = 2, .normalised = true}).result,
              {-0.09398515438153761, 0.28899973162496273, -0.11911378990274374, 0.04175031387382494,
               -0.3220631667468168, 0.7957072840025401, -0.6568683206001964, 0.3241644832860314,
               -0.07700164843308233, 0.32442989227031216, -0.18905490997539567, 0.08496300972495874},
              4e-7);
}

TEST(AttentionHeadsStudy, ShapesAreThoseOfTheCourse) {
  const auto result = compute("attention/heads", {});
  const auto shape = [&](const char* stage) {
    return std::array{at(result, "stages", "heads", stage), at(result, "stages", "rows", stage),
                      at(result, "stages", "columns", stage)};
  };
  EXPECT_EQ(shape("tokens"), (std::array{1.0, 6.0, 512.0}));
  EXPECT_EQ(shape("queries"), (std::array{8.0, 6.0, 64.0}));
  EXPECT_EQ(shape("weights"), (std::array{8.0, 6.0, 6.0}));
  EXPECT_EQ(shape("result"), (std::array{1.0, 6.0, 512.0}));
  EXPECT_TRUE(all_hold(result));
  const auto grouped = compute("attention/heads", {{"shared_by", "4"}});
  EXPECT_EQ(at(grouped, "stages", "heads", "keys"), 2);
  EXPECT_EQ(column(grouped, "heads", "key head"), (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(AttentionHeadsStudy, RefusesATextWithoutWords) {
  EXPECT_THROW(compute("attention/heads", {{"text", " "}}), InvalidArgument);
}

namespace attention_heads_title {

/// "Query heads: 8, key and value heads: 2; kept are 256 numbers a token, of 1024"
bool says_the_heads(const titles::Said& said) {
  const auto part = said.as("Query heads: {}, key and value heads: {}; kept are {} numbers a token, of {}");
  return part &&
         titles::number_of((*part)[0]) == static_cast<double>(said.column("heads", "key head").size()) &&
         titles::number_of((*part)[1]) == said.column("kept", "key heads").front() &&
         titles::number_of((*part)[1]) == said.column("heads", "key head").back() + 1 &&
         titles::number_of((*part)[2]) == said.column("kept", "numbers a token").front() &&
         titles::number_of((*part)[3]) == said.column("kept", "of heads of their own").front();
}

const titles::Entries entries{{"attention/heads", says_the_heads}};

}  // namespace attention_heads_title

}  // namespace
}  // namespace orrery::study
