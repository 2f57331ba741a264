// What the adapters of embeddings, gated units and networks make of shapes and of values that cannot be meant.
#include <gtest/gtest.h>

#include <limits>

#include "tests/core/op/call_by_hand.h"

namespace orrery::op::embedding_ops_test {
namespace {

Call lookup(std::vector<double> ids) {
  const Index count = std::ssize(ids);
  return call_of("embedding",
                 {{"ids", {tensor::Format::f64, {count}, std::move(ids)}}, {"table", normals({7, 8})}});
}

TEST(EmbeddingOps, IdsAreWholeNumbersOfTheTable) {
  const std::string allowed = "; allowed: whole numbers from 0, below 7, the rows of the table (7×8)";
  EXPECT_EQ(refusal("embedding", lookup({0, 6, 3})), "accepted");
  EXPECT_EQ(refusal("embedding", lookup({0, 2.5})), "ids: found 2.5" + allowed);
  EXPECT_EQ(refusal("embedding", lookup({7})), "ids: found 7" + allowed);
  EXPECT_EQ(refusal("embedding", lookup({-1})), "ids: found -1" + allowed);
  EXPECT_EQ(refusal("embedding", lookup({std::numeric_limits<double>::quiet_NaN()})),
            "ids: found nan" + allowed);
  EXPECT_EQ(refusal("embedding", lookup({1e300})), "ids: found 1e300" + allowed);
}

TEST(EmbeddingOps, TheResultHasTheAxesOfTheIdsAndTheWidthOfTheTable) {
  const Call call =
      call_of("embedding", {{"ids", Array::zeros(tensor::Format::f64, {2, 3})}, {"table", normals({7, 8})}});
  EXPECT_EQ(find("embedding").cpu(call).shape, (Shape{2, 3, 8}));
  EXPECT_EQ(find("embedding").ref(call).shape, (Shape{2, 3, 8}));
  EXPECT_EQ(find("embedding").cpu(lookup({})).shape, (Shape{0, 8}));
  EXPECT_EQ(refusal("embedding", call_of("embedding", {{"ids", normals({2})}, {"table", normals({7})}})),
            "table: found shape 7; allowed: V × D");
}

TEST(EmbeddingOps, TokensAndTableMustFit) {
  const auto call = [](Shape x, Shape table) {
    return call_of("unembedding", {{"x", normals(x)}, {"table", normals(table)}});
  };
  EXPECT_EQ(find("unembedding").cpu(call({2, 3, 8}, {11, 8})).shape, (Shape{2, 3, 11}));
  EXPECT_EQ(refusal("unembedding", call({3, 8}, {11, 7})),
            "table: found shape 11×7; allowed: V × 8, as x is 3×8");
  EXPECT_EQ(refusal("unembedding", call({3, 8}, {2, 11, 8})), "table: found shape 2×11×8; allowed: V × D");
}

TEST(GluOps, AnOddAxisHasNoHalves) {
  EXPECT_EQ(refusal("glu", call_of("glu", {{"x", normals({2, 7})}})),
            "x: found 7 on the last axis; allowed: an even number, for its two halves");
  EXPECT_EQ(find("glu").cpu(call_of("glu", {{"x", normals({2, 3, 8})}})).shape, (Shape{2, 3, 4}));
}

TEST(FeedForwardOps, MatricesMustFit) {
  const auto call = [](Shape w1, Shape w2, Shape b1) {
    return call_of("feed_forward",
                   {{"x", normals({3, 8})}, {"w1", normals(w1)}, {"w2", normals(w2)}, {"b1", normals(b1)}});
  };
  EXPECT_EQ(refusal("feed_forward", call({8, 12}, {12, 8}, {12})), "accepted");
  EXPECT_EQ(refusal("feed_forward", call({12, 8}, {8, 12}, {12})),
            "w1: found shape 12×8; allowed: 8 × F, as x is 3×8");
  EXPECT_EQ(refusal("feed_forward", call({8, 12}, {8, 12}, {12})),
            "w2: found shape 8×12; allowed: 12×8 (F × D), as x is 3×8");
  EXPECT_EQ(refusal("feed_forward", call({8, 12}, {12, 8}, {8})),
            "b1: found shape 8; allowed: 12 (F), as x is 3×8");
  const auto gated = [](Shape up, Shape down) {
    return call_of(
        "gated_feed_forward",
        {{"x", normals({3, 8})}, {"gate", normals({8, 12})}, {"up", normals(up)}, {"down", normals(down)}});
  };
  EXPECT_EQ(refusal("gated_feed_forward", gated({8, 12}, {12, 8})), "accepted");
  EXPECT_EQ(refusal("gated_feed_forward", gated({8, 10}, {12, 8})),
            "up: found shape 8×10; allowed: 8×12 (D × F), as x is 3×8");
}

}  // namespace
}  // namespace orrery::op::embedding_ops_test
