// Configurations as they are published, against what their publishers say of them: tests/reference/
// published_positions.json. Frequencies without a rule are worked out here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/model/rope_config.h"
#include "core/tensor/error.h"
#include "tests/support/source.h"

namespace orrery::model::published_positions_test {
namespace {

using nlohmann::json;

std::string said(const RopeConfig& config) {
  std::string text;
  for (const auto& w : config.warnings) text += w.field + ": " + w.message + "\n";
  return text;
}

bool warned(const RopeConfig& config, std::string_view field) {
  return std::ranges::any_of(config.warnings, [&](const auto& w) { return w.field == field; });
}

void expect_layer(const RopeLayer& layer, const json& expected) {
  EXPECT_EQ(layer.name, expected["name"].get<std::string>());
  EXPECT_EQ(layer.rope_type, expected["rope_type"].get<std::string>());
  if (layer.rope_type == "none") {
    EXPECT_TRUE(layer.inv_freq.empty());
    return;
  }
  EXPECT_EQ(layer.base, expected["base"].get<double>());
  EXPECT_EQ(layer.rotary_dim, expected["rotary_dim"].get<tensor::Index>());
  EXPECT_EQ(layer.head_dim, expected["head_dim"].get<tensor::Index>());
  EXPECT_EQ(layer.layout == position::RopeLayout::half ? "half" : "interleaved",
            expected["layout"].get<std::string>());
  EXPECT_NEAR(layer.softmax_factor, expected.value("softmax_factor", 1.0), 1e-14);
  EXPECT_NEAR(layer.attention_factor, expected.value("attention_factor", 1.0), 1e-14);
  ASSERT_EQ(std::ssize(layer.inv_freq), layer.rotary_dim / 2);
  if (layer.rope_type != "default") return;
  for (std::size_t i = 0; i < layer.inv_freq.size(); ++i) {
    const double power = std::pow(expected["base"].get<double>(),
                                  -2.0 * static_cast<double>(i) / expected["rotary_dim"].get<double>());
    EXPECT_NEAR(layer.inv_freq[i], power, 1e-15) << "pair " << i;
  }
}

TEST(PublishedPositions, EveryFileIsReadAsItsPublisherMeansIt) {
  const json all = json::parse(std::ifstream(support::source("tests/reference/published_positions.json")));
  EXPECT_GE(all.size(), 60u);
  for (const json& each : all) {
    SCOPED_TRACE(each["name"].get<std::string>());
    const RopeConfig config = parse_rope_config(each["config"].dump(), "config.json");
    SCOPED_TRACE(said(config));
    EXPECT_EQ(name(config.positions.kind), each["positions"].get<std::string>());
    const json& layers = each["layers"];
    ASSERT_EQ(config.layers.size(), layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) expect_layer(config.layers[i], layers[i]);
    for (const json& field : each.value("warned", json::array()))
      EXPECT_TRUE(warned(config, field.get<std::string>())) << field;
  }
}

RopeConfig parse(const std::string& text, std::optional<double> length = {}) {
  return parse_rope_config(text, "config.json", length);
}

TEST(PublishedPositions, EncodersAndDecodersAreNamed) {
  const auto stacks = [](const char* text) {
    std::string all;
    for (const auto& [stack, kind] : by_stack(parse(text).positions))
      all += std::string(stack) + " " + std::string(name(kind)) + ";";
    return all;
  };
  EXPECT_EQ(stacks(R"({"model_type":"gpt2"})"), "decoder learned;");
  EXPECT_EQ(stacks(R"({"model_type":"bert"})"), "encoder learned;");
  EXPECT_EQ(stacks(R"({"model_type":"t5"})"), "encoder and decoder t5;");
  EXPECT_EQ(stacks(R"({"model_type":"whisper"})"), "encoder sinusoidal;decoder learned;");
  EXPECT_EQ(stacks(R"({"model_type":"encoder-decoder","encoder":{"model_type":"bert"},
      "decoder":{"model_type":"xglm"}})"),
            "encoder learned;decoder sinusoidal;");
  EXPECT_EQ(stacks(R"({"model_type":"modernbert"})"), "encoder rotary;");
  EXPECT_EQ(stacks(R"({"model_type":"t5gemma","encoder":{"model_type":"t5_gemma_module","hidden_size":768,
      "num_attention_heads":12,"head_dim":64},"decoder":{"model_type":"t5_gemma_module","hidden_size":768,
      "num_attention_heads":12,"head_dim":64}})"),
            "encoder and decoder rotary;");
}

/// Their modelling files: projected sinusoids or a table of distances meet queries and keys; a convolution is added.
TEST(PublishedPositions, OfModelsWithoutATableOfPlaces) {
  for (const char* type : {"xlnet", "transfo-xl", "nezha", "funnel"})
    EXPECT_EQ(name(parse(R"({"model_type":")" + std::string(type) + "\"}").positions.kind), "relative")
        << type;
  for (const char* type : {"wav2vec2", "hubert", "wavlm"}) {
    const RopeConfig config =
        parse(R"({"model_type":")" + std::string(type) + R"(","num_conv_pos_embeddings":128})");
    EXPECT_EQ(name(config.positions.kind), "convolution") << type;
    EXPECT_EQ(warned(config, "num_buckets"), type == std::string("wavlm")) << type;
  }
  for (const char* text : {R"({"model_type":"kosmos-2"})", R"({"model_type":"kosmos_2_text_model"})",
                           R"({"model_type":"kosmos-2","text_config":{"model_type":"kosmos_2_text_model"}})"})
    EXPECT_EQ(name(parse(text).positions.kind), "sinusoidal") << text;
}

TEST(PublishedPositions, WhatIsNotKnownIsSaid) {
  const RopeConfig config = parse(R"({"model_type":"frobnicator","hidden_size":64,"num_attention_heads":4})");
  EXPECT_EQ(config.positions.kind, Positions::unknown);
  EXPECT_TRUE(config.layers.empty());
  EXPECT_TRUE(warned(config, "model_type"));
  EXPECT_TRUE(warned(parse(R"({"model_type":"bloom","rope_theta":10000})"), "rope_theta"));
}

/// Qwen's code: alpha = 2^ceil(log2(n/L) + 1) − 1, base · alpha^(d/(d − 2)), from its seq_length on.
TEST(PublishedPositions, QwensBaseGrowsInSteps) {
  const std::string file =
      R"({"model_type":"qwen","hidden_size":4096,"num_attention_heads":32,"kv_channels":128,
      "rotary_emb_base":10000,"seq_length":8192,"max_position_embeddings":32768,"use_dynamic_ntk":true})";
  const auto base = [&](double length) { return parse(file, length).layers[0].base; };
  EXPECT_EQ(base(8192), 10000);
  const auto grown = [](double alpha) { return 10000 * std::pow(alpha, 128.0 / 126); };
  EXPECT_NEAR(base(8193), grown(3), 1e-8);
  EXPECT_NEAR(base(16384), grown(3), 1e-8);
  EXPECT_NEAR(base(16385), grown(7), 1e-8);
}

/// modeling_nomic_bert: base · (s n/M − (s − 1))^(R/(R − 2)) beyond M, which is max_trained_positions.
TEST(PublishedPositions, NomicsBaseGrowsFromTheLengthItWasTrainedOn) {
  const std::string file = R"({"model_type":"nomic_bert","n_embd":768,"n_head":12,"n_positions":8192,
      "max_trained_positions":2048,"rotary_emb_base":1000,"rotary_scaling_factor":2})";
  EXPECT_EQ(parse(file, 2048).layers[0].base, 1000);
  EXPECT_NEAR(parse(file, 8192).layers[0].base, 1000 * std::pow(7, 64.0 / 62), 1e-9);
  EXPECT_EQ(parse(file).trained.tokens, 2048);
}

/// Alibaba-NLP/new-impl: (base · s)^(−2i/R) / s^(2/R), for texts of any length.
TEST(PublishedPositions, GtesRuleDividesTheFastestPairToo) {
  const RopeConfig config = parse(R"({"model_type":"new","hidden_size":1024,"num_attention_heads":16,
      "rope_theta":160000,"rope_scaling":{"factor":2.0,"type":"ntk"},"max_position_embeddings":8192})");
  ASSERT_EQ(config.layers.size(), 1u);
  ASSERT_EQ(config.layers[0].inv_freq.size(), 32u);
  for (int i = 0; i < 32; ++i) {
    const double published = std::pow(320000.0, -i / 32.0) / std::pow(2.0, 1 / 32.0);
    EXPECT_NEAR(config.layers[0].inv_freq[static_cast<std::size_t>(i)], published, 1e-15 * published * 8)
        << "pair " << i;
  }
  EXPECT_EQ(config.positions.stacks, Stacks::encoder);
}

/// A type that another model's file has by mistake, and a key that is left over, are not what counts.
TEST(PublishedPositions, LeftOverKeysDoNotMakeAModelRotateOrStand) {
  EXPECT_EQ(parse(R"({"model_type":"git"})").positions.kind, Positions::learned);
  EXPECT_EQ(parse(R"({"model_type":"esm","position_embedding_type":"absolute"})").positions.kind,
            Positions::learned);
  EXPECT_EQ(parse(R"({"model_type":"deberta-v2"})").positions.kind, Positions::learned);
  EXPECT_EQ(parse(R"({"model_type":"deberta-v2","relative_attention":true})").positions.kind,
            Positions::learned);
}

TEST(PublishedPositions, Phi3SmallWritesAFactorForEachList) {
  const std::string file = R"({"model_type":"phi3small","hidden_size":8,"num_attention_heads":2,
      "rope_embedding_base":1000000,"max_position_embeddings":131072,"rope_scaling":{"type":"su",
      "short_factor":[1,1.5],"long_factor":[2,3],"short_mscale":1.1,"long_mscale":1.25,
      "original_max_position_embeddings":8192}})";
  EXPECT_EQ(parse(file, 8192).layers[0].attention_factor, 1.1);
  EXPECT_EQ(parse(file, 8193).layers[0].attention_factor, 1.25);
  EXPECT_EQ(parse(file).layers[0].base, 1e6);
}

}  // namespace
}  // namespace orrery::model::published_positions_test
