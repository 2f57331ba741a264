// What norms cost: counted by hand for models whose layers are simple, and at the ends where the answer is known.
#include "core/model/norm_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/model/weights.h"
#include "core/tensor/error.h"
#include "tests/core/model/shipped_card.h"

namespace orrery::model::norm_cost_test {
namespace {

TEST(NormCost, GainsAndShiftsAreThoseOfTheFiles) {
  // LLaMA 7B: two a layer and a last one. GPT-2 the same, with shifts. PaLM: one a layer, no shifts.
  EXPECT_EQ(norm_count(shipped_card("llama-7b")).parameters, 65 * 4096);
  EXPECT_EQ(norm_count(shipped_card("gpt2")).parameters, 25 * 2 * 768);
  EXPECT_EQ(norm_count(shipped_card("palm-540b")).parameters, 119 * 18432);
  EXPECT_EQ(norm_count(shipped_card("bert-base")).parameters,
            25 * 2 * 768);  // one on the embedding, none at the end
  // T5 small: 6 layers with two, 6 with three, two last ones.
  EXPECT_EQ(norm_count(shipped_card("t5-small")).numbers, (6 * 2 + 6 * 3 + 2) * 512);
}

TEST(NormCost, NormsOfHeadsSeeMoreNumbersThanTheyHaveGains) {
  const Card qwen =
      shipped_card("qwen3-8b");  // 36 layers, 32 heads of queries and 8 of keys, 128 numbers each
  EXPECT_EQ(norm_count(qwen).numbers, 73 * 4096 + 36 * (32 + 8) * 128);
  EXPECT_EQ(norm_count(qwen).parameters, 73 * 4096 + 36 * 2 * 128);
  const Card scout =
      shipped_card("llama-4-scout");  // without a gain, and not where it does not turn: 36 of 48
  EXPECT_EQ(norm_count(scout).numbers, 97 * 5120 + 36 * (40 + 8) * 128);
  EXPECT_EQ(norm_count(scout).parameters, 97 * 5120);
  const Card deepseek = shipped_card("deepseek-v3");  // 1536 of the query, 512 of keys and values
  EXPECT_EQ(norm_count(deepseek).numbers, 123 * 7168 + 61 * (1536 + 512));
}

TEST(NormCost, OperationsAreFourOrSevenForEachNumber) {
  const Card llama = shipped_card("llama-7b"), layer = with_norm(llama, NormKind::layer_norm);
  EXPECT_EQ(norm_count(llama).operations, 4 * 65 * 4096);
  EXPECT_EQ(norm_count(layer).operations, 7 * 65 * 4096);
  EXPECT_EQ(norm_count(layer).parameters, 2 * norm_count(llama).parameters);
  EXPECT_EQ(norm_operations(shipped_card("palm-540b").norm), 6);
}

TEST(NormCost, AStepOfLlamaMovesWhatItsKernelsReadAndWrite) {
  const Card card = shipped_card("llama-2-7b");
  const double D = 4096, L = 32, F = 11008, V = 32000, n = 100;
  const double matrices = L * (4 * D * D + 3 * D * F);
  const StepMoves read = step_moves(card, {.tokens = n});
  EXPECT_EQ(read.weights, matrices + V * D);
  EXPECT_EQ(read.norms, 65 * D + n * 2 * 65 * D);
  // Query, key, value, output: 2 D each; gate, up, down: D + F each; the gate 3 F; two sums 3 D each; attention 2 D.
  const double of_a_layer = 8 * D + 3 * (D + F) + 3 * F + 6 * D + 2 * D;
  EXPECT_EQ(read.others, n * (L * of_a_layer + 2 * D) + (V + D));  // logits of the last token alone
  EXPECT_EQ(read.cache, n * L * 2 * D);
  const StepMoves written = step_moves(card, {.tokens = n, .writing = true, .length = 1000});
  EXPECT_EQ(written.others, n * (L * of_a_layer + 2 * D + V + D));
  EXPECT_EQ(written.cache, n * 1000 * L * 2 * D);
  EXPECT_EQ(step_moves(card, {.tokens = n, .fused = false}).norms, 65 * D + n * 7 * 65 * D);
  const Card layer = with_norm(card, NormKind::layer_norm);
  EXPECT_EQ(step_moves(layer, {.tokens = n, .fused = false}).norms, 2 * 65 * D + n * 12 * 65 * D);
}

TEST(NormCost, OfExpertsThoseAreReadThatSomeTokenChooses) {
  const Card card = shipped_card("mixtral-8x7b");  // 2 of 8
  const double expert = 32 * 3 * 4096.0 * 14336;
  const auto weights = [&](double tokens) { return step_moves(card, {.tokens = tokens}).weights; };
  EXPECT_NEAR(weights(2) - weights(1), expert * (8 * (1 - 0.75 * 0.75) - 2), 1);
  // Of many tokens each is met by some: all parameters but norms and the table of tokens, which is looked up.
  EXPECT_NEAR(weights(1e6), parameters_of(card).total - 32000 * 4096.0 - 65 * 4096.0, 1);
}

TEST(NormCost, WhatIsNotKnownOrCannotBeIsRefused) {
  const Card unknown =
      parse_card(R"({"model_type": "mine", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e4})",
                 "mine", "config.json");
  EXPECT_THROW(norm_count(unknown), Failure);
  EXPECT_THROW(step_moves(unknown, {}), Failure);
  EXPECT_THROW(step_moves(shipped_card("bert-base"), {.writing = true}), Failure);
  EXPECT_NO_THROW(step_moves(shipped_card("bert-base"), {.tokens = 512}));
}

}  // namespace
}  // namespace orrery::model::norm_cost_test
