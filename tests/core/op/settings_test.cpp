// What the adapters make of settings, on published numbers and on the configs of published models.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/model/rope_config.h"
#include "tests/core/op/call_by_hand.h"
#include "tests/support/reference.h"
#include "tests/support/source.h"

namespace orrery::op::settings_test {
namespace {

TEST(OpSettings, SlidingWindowsCountTheTokenItself) {
  Call call = call_of("scores", {{"q", normals({4, 2})}, {"k", normals({4, 2})}});
  call.settings.set("mask", "sliding:2");
  const Array s = find("scores").ref(call);
  for (Index t = 0; t < 4; ++t) {
    for (Index n = 0; n < 4; ++n) {
      EXPECT_EQ(std::isinf(s.matrix()(t, n)), n > t || t - n >= 2) << t << ", " << n;
    }
  }
}

TEST(OpSettings, ScaleZeroStandsForOneOverTheRootOfTheWidth) {
  Call call = call_of("scores", {{"q", normals({2, 16})}, {"k", normals({2, 16})}});
  const Array standard = find("scores").ref(call);
  call.settings.set("scale", "0.25");
  EXPECT_EQ(find("scores").ref(call).values, standard.values);
  call.settings.set("scale", "0.5");
  EXPECT_EQ(find("scores").ref(call).values[0], 2 * standard.values[0]);
}

TEST(OpSettings, RopeTurnsThePublishedVector) {
  const auto& example = support::reference_values().at("rope_vector_example");
  Call call =
      call_of("rope", {{"x", {tensor::Format::f64, {1, 4}, example.at("x").get<std::vector<double>>()}}});
  call.settings.set("offset", std::to_string(example.at("m").get<int>()));
  for (const auto& [layout, key] : {std::pair{"interleaved", "interleaved"}, {"half", "half_split"}}) {
    call.settings.set("layout", layout);
    const Array y = find("rope").ref(call);
    const auto expected = example.at(key).get<std::vector<double>>();
    // Given to 16 digits; the angle 3·θ and the rotation add a few roundings of 1.1e-16 of |x| = 5.5.
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(y.values[j], expected[j], 2e-15) << layout << " " << j;
  }
  // The same position given as an array.
  call.settings.set("offset", "0");
  call.inputs.emplace("positions", Array{tensor::Format::f64, {1}, {3}});
  const Array y = find("rope").ref(call);
  EXPECT_NEAR(y.values[0], example.at("half_split")[0].get<double>(), 2e-15);
}

TEST(OpSettings, RopeTakesItsFrequenciesFromAConfig) {
  const std::string config = orrery::support::source("assets/models/llama-3.2-1b.json");
  Array x = Array::zeros(tensor::Format::f64, {1, 64});
  for (Index j = 0; j < 32; ++j)
    x.values.doubles()[j] = 1;  // half layout: the pair (j, j + 32) is (1, 0), and turns to (cos, sin)
  Call call = call_of("rope", {{"x", x}});
  call.settings.set("config", config);
  call.settings.set("offset", "1");
  const Array y = find("rope").ref(call);
  // llama3 rule, base 500000, factor 32, head width 64: the fastest pair keeps 1 rad per token, the slowest,
  // far below the low frequency limit, turns 32 times slower than base^(−62/64).
  EXPECT_NEAR(std::atan2(y.values[32], y.values[0]), 1, 1e-15);
  EXPECT_NEAR(std::atan2(y.values[63], y.values[31]) * 32 / std::pow(500000, -62.0 / 64), 1, 1e-14);

  call.settings.set("base", "10");
  EXPECT_EQ(refusal("rope", call),
            "base: found 10 beside config=" + config + "; allowed: one of the two, for the file says it too");
  call = call_of("rope", {{"x", normals({1, 32})}});
  call.settings.set("config", config);
  EXPECT_EQ(refusal("rope", call), "x: found 32 on the last axis; allowed: 64, the head width of " + config);
  call.settings.set("config", "/nowhere/config.json");
  EXPECT_THROW(find("rope").ref(call), Failure);
}

/// Queries and keys of multi-head latent attention are [128 that stand still | 64 that turn].
TEST(OpSettings, LatentAttentionTurnsItsLastColumnsOrItsRotaryPartAlone) {
  const std::string config = orrery::support::source("assets/models/deepseek-v3.json");
  const Array whole = normals({3, 192});
  Array part = Array::zeros(tensor::Format::f64, {3, 64});
  for (Index t = 0; t < 3; ++t)
    for (Index j = 0; j < 64; ++j) part.values.doubles()[64 * t + j] = whole.values[192 * t + 128 + j];
  Call heads = call_of("rope", {{"x", whole}}), alone = call_of("rope", {{"x", part}});
  heads.settings.set("config", config);
  alone.settings.set("config", config);
  const Array y = find("rope").ref(heads), z = find("rope").ref(alone);
  for (Index t = 0; t < 3; ++t) {
    for (Index j = 0; j < 128; ++j) EXPECT_EQ(y.values[192 * t + j], whole.values[192 * t + j]);
    for (Index j = 0; j < 64; ++j) EXPECT_EQ(y.values[192 * t + 128 + j], z.values[64 * t + j]);
  }
  // Neighbours, the fastest pair by 1 rad per token: (x₀ cos 2 − x₁ sin 2, …) in the third row.
  const double a = part.values[128], b = part.values[129];
  EXPECT_NEAR(z.values[128], a * std::cos(2) - b * std::sin(2), 1e-15);
  EXPECT_EQ(find("rope").note(heads), "whole heads: columns 128 to 191 turn, the last 64 of 192");
  EXPECT_EQ(find("rope").note(alone), "the rotary part alone: all 64 columns turn");
  Call other = call_of("rope", {{"x", normals({3, 128})}});
  other.settings.set("config", config);
  EXPECT_EQ(refusal("rope", other), "x: found 128 on the last axis; allowed: 192, the head width of " +
                                        config + ", or 64, the part that turns");
  // By hand, without a config: the same columns.
  Call typed = call_of("rope", {{"x", whole}});
  typed.settings.set("rotary_dim", "64");
  typed.settings.set("rotary_place", "last");
  const Array last = find("rope").ref(typed);
  for (Index j = 0; j < 128; ++j) EXPECT_EQ(last.values[192 + j], whole.values[192 + j]);
  EXPECT_NE(last.values[192 + 128], whole.values[192 + 128]);
}

TEST(OpSettings, WhatIsGivenBesideAConfigIsNeverPassedOver) {
  const std::string config = orrery::support::source("assets/models/llama-3.2-1b.json");
  for (const auto& [name, value] : {std::pair{"layout", "interleaved"},
                                    {"base", "10000"},
                                    {"rotary_dim", "0"},
                                    {"factor", "1"},
                                    {"rope_type", "default"},
                                    {"rotary_place", "first"},
                                    {"truncate", "on"},
                                    {"mrope_interleaved", "off"}}) {
    Call call = call_of("rope", {{"x", normals({1, 64})}});
    call.settings.set("config", config);
    EXPECT_NO_THROW(find("rope").ref(call)) << name;
    call.given.insert(name);  // typed, with the value that it has anyway
    EXPECT_EQ(refusal("rope", call), std::string(name) + ": found " + value + " beside config=" + config +
                                         "; allowed: one of the two, for the file says it too");
  }
}

TEST(OpSettings, AConfigWithoutRotaryPositionsIsRefused) {
  const auto file = std::filesystem::temp_directory_path() / "orrery-bloom.json";
  std::ofstream(file) << R"({"model_type":"bloom","hidden_size":1024,"num_attention_heads":16})";
  Call call = call_of("rope", {{"x", normals({1, 64})}});
  call.settings.set("config", file.string());
  EXPECT_TRUE(refusal("rope", call).starts_with("config: " + file.string() + " has no rotary positions"))
      << refusal("rope", call);
  std::filesystem::remove(file);
}

TEST(OpSettings, OneKindOfLayerThatTurnsNeedsNoName) {
  Call call = call_of("rope", {{"x", normals({4, 128})}});
  call.settings.set("config", orrery::support::source("assets/models/llama-4-scout.json"));
  const Array all = find("rope").ref(call);
  call.settings.set("layer", "chunked_attention");
  EXPECT_EQ(find("rope").ref(call).values, all.values);
  call.settings.set("layer", "full_attention");
  EXPECT_NE(refusal("rope", call).find("full_attention"), std::string::npos);
}

TEST(OpSettings, LayersOfAConfigThatDifferAreChosenByName) {
  const std::string config = orrery::support::source("assets/models/gemma-3-4b-v5.json");
  Call call = call_of("rope", {{"x", normals({8, 256})}});
  call.settings.set("config", config);
  EXPECT_EQ(refusal("rope", call),
            "layer: found all; allowed with " + config + ": full_attention, sliding_attention");
  call.settings.set("layer", "full_attention");
  const Array full = find("rope").ref(call);
  call.settings.set("layer", "sliding_attention");
  EXPECT_NE(find("rope").ref(call).values, full.values);  // base 10⁶ with a factor of 8, and base 10⁴
  call.settings.set("config", "");
  EXPECT_EQ(refusal("rope", call),
            "layer: found sliding_attention without config; allowed: only beside config=FILE");
}

TEST(OpSettings, RopeKeepsTheLengthOfPairsUnderEveryModelsRule) {
  int layers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(orrery::support::source("assets/models"))) {
    for (const model::RopeLayer& layer : model::read_rope_config(entry.path(), 5).layers) {
      if (layer.rope_type == "none") continue;
      const Array x = normals({5, layer.head_dim}, 4);
      Call call = call_of("rope", {{"x", x}});
      call.settings.set("config", entry.path().string());
      call.settings.set("layer", layer.name);
      const Array y = find("rope").ref(call);
      const Index turning = 2 * std::ssize(layer.inv_freq);
      const double a = layer.attention_factor;
      const tensor::Matrix<double> given = x.matrix(), turned = y.matrix();
      for (Index t = 0; t < 5; ++t) {
        const auto before = given.row(t), after = turned.row(t);
        // Each pair is turned by factors that are off by 2 u at most: 1e-14 leaves room for sums of 256
        // squares.
        const Index first = layer.rotary_last ? layer.head_dim - turning : 0;
        EXPECT_NEAR(after.segment(first, turning).norm() / (a * before.segment(first, turning).norm()), 1,
                    1e-14)
            << entry << layer.name;
        EXPECT_EQ(after.head(first), before.head(first));
        const Index behind = layer.head_dim - turning - first;
        EXPECT_EQ(after.tail(behind), before.tail(behind));
      }
      ++layers;
    }
  }
  EXPECT_GE(layers, 15);
}

TEST(OpSettings, NormExampleOfTheReferenceFile) {
  const auto& example = support::reference_values().at("norm_example");
  const auto array = [&](const char* key) {
    auto values = example.at(key).get<std::vector<double>>();
    return Array{tensor::Format::f64, {std::ssize(values)}, values};
  };
  Call call = call_of("layer_norm", {{"x", array("x")}, {"weight", array("gamma")}, {"bias", array("beta")}});
  call.compute = tensor::Format::f64;
  const auto expected = example.at("layernorm").at("y").get<std::vector<double>>();
  for (const Twin twin : {find("layer_norm").ref, find("layer_norm").cpu}) {
    const Array y = twin(call);
    for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(y.values[j], expected[j], 1e-15);
  }
}

}  // namespace
}  // namespace orrery::op::settings_test
