// What serving a model costs: bytes that papers print, steps counted by hand, and where one limit takes the other's place.
#include "core/model/serving.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/model/cost.h"
#include "core/model/weights.h"
#include "core/tensor/error.h"
#include "tests/core/model/shipped_card.h"

namespace orrery::model::serving_test {
namespace {

constexpr StoredBytes bf16{2, 2};
constexpr Machine h100{989e12, 3350e9};

TEST(Serving, BytesATokenAreThePublishedOnes) {
  const auto bytes = [](const char* name) { return 2 * cached_numbers_per_token(shipped_card(name)); };
  EXPECT_EQ(bytes("deepseek-v3"), 70272);  // 2505.09343, table 1: 70.272 KB
  EXPECT_EQ(bytes("llama-3.1-405b"), 516096);
  EXPECT_EQ(bytes("llama-2-7b"), 512 * 1024);
  EXPECT_EQ(bytes("llama-3.1-8b"), 128 * 1024);
  EXPECT_EQ(bytes("llama-2-70b"), 320 * 1024);
}

TEST(Serving, SharingIsReadAndMade) {
  EXPECT_EQ(sharing_of(shipped_card("llama-2-7b")), Sharing::heads);
  EXPECT_EQ(sharing_of(shipped_card("llama-3.1-8b")), Sharing::groups);
  EXPECT_EQ(sharing_of(shipped_card("falcon-7b")), Sharing::one);
  EXPECT_EQ(sharing_of(shipped_card("deepseek-v3")), Sharing::latent);
  const auto kept = [](const char* name, Sharing sharing) {
    return cached_numbers_per_token(with_sharing(shipped_card(name), sharing));
  };
  EXPECT_EQ(kept("llama-2-7b", Sharing::heads), 32 * 32 * 256);
  EXPECT_EQ(kept("llama-2-7b", Sharing::groups), 32 * 8 * 256);
  EXPECT_EQ(kept("llama-2-7b", Sharing::one), 32 * 256);
  EXPECT_EQ(kept("llama-2-7b", Sharing::latent), 32 * 576);
  EXPECT_EQ(kept("llama-3.2-3b", Sharing::groups), 28 * 8 * 256);  // its own
  EXPECT_EQ(kept("gpt2", Sharing::groups), 12 * 6 * 128);          // half of 12 heads
  EXPECT_EQ(kept("deepseek-v3", Sharing::heads), 61 * 128 * (192 + 128));
  EXPECT_EQ(kept("deepseek-v3", Sharing::one), 61 * (192 + 128));
}

/// Llama 2 7B: 32 layers of 4 D² + 3 D F, and V D.
TEST(Serving, AStepOfLlamaIsThatCountedByHand) {
  const double D = 4096, F = 11008, V = 32000, matrices = 32 * (4 * D * D + 3 * D * F) + V * D;
  const Load one = writing(shipped_card("llama-2-7b"), 1, 1000, bf16),
             many = writing(shipped_card("llama-2-7b"), 10, 1000, bf16);
  EXPECT_EQ(one.weights, 2 * matrices);
  EXPECT_EQ(one.cache, 524288.0 * 1000);
  EXPECT_EQ(one.operations, 2 * matrices + 32 * 4 * D * 1000);
  EXPECT_EQ(many.weights, one.weights);
  EXPECT_EQ(many.cache, 10 * one.cache);
  EXPECT_EQ(many.operations, 10 * one.operations);
  EXPECT_NEAR(h100.tokens_a_second(one), 3350e9 / (2 * matrices + 524288000), 1e-9);
  const Load all = reading(shipped_card("llama-2-7b"), 1, 1000, bf16);
  EXPECT_EQ(all.weights, one.weights);
  EXPECT_EQ(all.cache, one.cache);
  EXPECT_NEAR(all.operations, 1000 * (2 * matrices + 32 * 4 * D * 1001 / 2), 1);
  EXPECT_FALSE(h100.limited_by_memory(all));
  EXPECT_TRUE(h100.limited_by_memory(one));
}

TEST(Serving, ExpertsAreReadAsTheyAreMet) {
  const Card mixtral = shipped_card("mixtral-8x7b");  // 2 of 8 in each of 32 layers
  const double expert = 3.0 * 4096 * 14336,
               dense = writing(mixtral, 1, 1, bf16).weights / 2 - 32 * 2 * expert;
  EXPECT_NEAR(writing(mixtral, 2, 1, bf16).weights / 2, dense + 32 * (8 - 8 * 0.75 * 0.75) * expert, 10);
}

/// By the closed form of a model without windows: N > W / (B m), and B (F / P − M / β) ≥ W / β.
TEST(Serving, LimitsChangeWhereTheClosedFormSays) {
  const Card card = shipped_card("llama-3.1-8b");
  const Load one = writing(card, 1, 1, bf16);
  EXPECT_EQ(length_that_outweighs(card, 1, bf16), std::floor(one.weights / 131072) + 1);
  EXPECT_EQ(length_that_outweighs(card, 16, bf16), std::floor(one.weights / 131072 / 16) + 1);
  const Load text = writing(card, 1, 128, bf16);
  const double gain = text.operations / h100.operations - text.cache / h100.bytes;
  EXPECT_EQ(texts_that_fill(h100, card, 128, bf16), std::ceil(text.weights / h100.bytes / gain));
  EXPECT_FALSE(texts_that_fill(h100, card, 65536, bf16));  // a text's cache alone holds arithmetic up
  EXPECT_EQ(texts_that_fill({1e9, 1e12}, card, 128, bf16), 1);
  EXPECT_FALSE(length_that_outweighs(shipped_card("mistral-7b"), 1, bf16));  // windows of 4096 in every layer
  EXPECT_TRUE(length_that_outweighs(without_windows(shipped_card("mistral-7b")), 1, bf16));
}

TEST(Serving, WhatWritesNothingIsRefused) {
  EXPECT_THROW(writing(shipped_card("bert-base"), 1, 1, bf16), Failure);
  EXPECT_EQ(reading(shipped_card("bert-base"), 2, 10, bf16).cache, 0);
}

}  // namespace
}  // namespace orrery::model::serving_test
