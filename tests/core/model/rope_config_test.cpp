// The public configurations of assets/models, against what others publish about them, and files that nobody
// should trust.
#include "core/model/rope_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/tensor/error.h"
#include "tests/support/source.h"

namespace orrery::model::rope_config_test {
namespace {

using namespace orrery::model;
using orrery::Failure;
using orrery::InvalidArgument;
using orrery::position::PairCounts;
using orrery::position::RopeLayout;

RopeConfig read(const std::string& name, std::optional<double> length = {}) {
  return read_rope_config(orrery::support::source("assets/models/") + name + ".json", length);
}

RopeConfig parse(const std::string& json, std::optional<double> length = {}) {
  return parse_rope_config(json, "config.json", length);
}

bool warned(const RopeConfig& config, std::string_view field) {
  return std::ranges::any_of(config.warnings, [&](const auto& w) { return w.field == field; });
}

PairCounts counts(const RopeLayer& layer) {
  return count_pairs(layer.rule, layer.frequencies);
}

TEST(RopeConfig, EveryModelOfTheCollectionResolves) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(orrery::support::source("assets/models"))) {
    SCOPED_TRACE(entry.path().filename());
    ++files;
    const RopeConfig config = read_rope_config(entry.path());
    EXPECT_FALSE(config.model_type.empty());
    ASSERT_FALSE(config.layers.empty());
    EXPECT_EQ(config.positions.kind, Positions::rotary);
    for (const RopeLayer& layer : config.layers) {
      if (layer.rope_type == "none") {  // Llama 4's layers that see the whole text
        EXPECT_EQ(layer.name, "full_attention");
        continue;
      }
      EXPECT_FALSE(layer.spans.empty());
      EXPECT_EQ(layer.inv_freq.size(), static_cast<std::size_t>(layer.rotary_dim / 2));
      EXPECT_LE(layer.rotary_dim, layer.head_dim);
      EXPECT_EQ(layer.inv_freq.front(), layer.rope_type == "linear" ? 1 / layer.rule.factor : 1);
      EXPECT_TRUE(std::ranges::is_sorted(layer.inv_freq, std::greater<>{}));
    }
  }
  EXPECT_EQ(files, 15);
}

TEST(RopeConfig, Llama31) {
  const RopeConfig config = read("llama-3.1-8b");
  ASSERT_EQ(config.layers.size(), 1u);
  const RopeLayer& layer = config.layers.front();
  EXPECT_EQ(layer.name, "all");
  EXPECT_EQ(layer.rope_type, "llama3");
  EXPECT_EQ(layer.base, 500000);
  EXPECT_EQ(layer.head_dim, 128);  // 4096 / 32: the file has no head_dim
  EXPECT_EQ(counts(layer), (PairCounts{29, 6, 29, 0}));
  // The published value has 16 digits; pow and two divisions are off by a few 2^-53 at most.
  EXPECT_NEAR(layer.inv_freq.back(), 3.068925988914511e-07, 4e-15 * 3.07e-07);
  EXPECT_EQ(layer.attention_factor, 1);
  EXPECT_TRUE(config.warnings.empty());
}

TEST(RopeConfig, YarnModels) {
  const RopeConfig qwen = read("qwen2.5-7b-yarn4");
  EXPECT_EQ(qwen.layers[0].frequencies.ramp_low, 23);
  EXPECT_EQ(qwen.layers[0].frequencies.ramp_high, 40);
  EXPECT_DOUBLE_EQ(qwen.layers[0].attention_factor, 1.138629436111989);
  EXPECT_TRUE(warned(qwen, "rope_scaling.factor"));  // the two lengths of the file imply 1, not 4

  const RopeConfig gpt_oss = read("gpt-oss-20b");
  EXPECT_NEAR(gpt_oss.layers[0].frequencies.ramp_low, 8.092779115512402, 2e-14);
  EXPECT_NEAR(gpt_oss.layers[0].frequencies.ramp_high, 17.398024501588555, 2e-14);
  EXPECT_TRUE(warned(gpt_oss, "head_dim"));  // 2880 / 64 = 45, and head_dim says 64

  const RopeConfig ministral = read("ministral-3-8b");
  EXPECT_EQ(ministral.layers[0].frequencies.ramp_low, 20);
  EXPECT_EQ(ministral.layers[0].frequencies.ramp_high, 37);
  EXPECT_EQ(ministral.layers[0].attention_factor, 1);
  EXPECT_TRUE(warned(ministral, "rope_parameters.llama_4_scaling_beta"));
}

TEST(RopeConfig, DeepSeekCorrectsTwice) {
  const RopeLayer v3 = read("deepseek-v3").layers[0];
  EXPECT_EQ(v3.attention_factor, 1);
  EXPECT_NEAR(v3.softmax_factor, 1.873854, 1e-6);  // published with seven digits
  EXPECT_EQ(v3.rotary_dim, 64);
  EXPECT_EQ(v3.head_dim, 192);
  EXPECT_EQ(v3.layout, RopeLayout::interleaved);
  EXPECT_NEAR(read("deepseek-v2-lite").layers[0].softmax_factor, 1.589626, 1e-6);
  EXPECT_EQ(read("llama-3.1-8b").layers[0].softmax_factor, 1);
}

TEST(RopeConfig, LayersThatDiffer) {
  const RopeConfig gemma3 = read("gemma-3-4b-v5");
  ASSERT_EQ(gemma3.layers.size(), 2u);
  EXPECT_EQ(gemma3.layers[0].name, "full_attention");
  EXPECT_EQ(gemma3.layers[0].rope_type, "linear");
  EXPECT_EQ(gemma3.layers[0].base, 1e6);
  EXPECT_EQ(gemma3.layers[1].name, "sliding_attention");
  EXPECT_EQ(gemma3.layers[1].base, 10000);

  const RopeConfig gemma4 = read("gemma-4-shape-v5");
  EXPECT_EQ(gemma4.layers[0].head_dim, 512);
  EXPECT_EQ(counts(gemma4.layers[0]), (PairCounts{64, 0, 0, 192}));
  EXPECT_NEAR(gemma4.layers[0].inv_freq[63], 0.0333762, 5e-8);  // published with six digits
  EXPECT_EQ(gemma4.layers[1].head_dim, 256);

  // Olmo 3 stretches its full-attention layers only, and its file does not say so.
  const RopeConfig olmo = read("olmo-3-7b");
  ASSERT_EQ(olmo.layers.size(), 2u);
  EXPECT_EQ(olmo.layers[0].attention_factor, 1.2079441541679836);
  EXPECT_EQ(olmo.layers[0].frequencies.ramp_low, 18);
  EXPECT_EQ(olmo.layers[0].frequencies.ramp_high, 35);
  EXPECT_EQ(olmo.layers[1].rope_type, "default");
}

TEST(RopeConfig, RulesThatChangeWithTheLength) {
  EXPECT_EQ(read("internvl2.5-llm-dynamic").layers[0].base, 1e6);
  EXPECT_EQ(read("internvl2.5-llm-dynamic", 32768).layers[0].base, 1e6);
  EXPECT_NEAR(read("internvl2.5-llm-dynamic", 65536).layers[0].base, 3108223.6667, 5e-5);  // published digits
  EXPECT_NEAR(read("internvl2.5-llm-dynamic", 131072).layers[0].base, 7453483.0318, 5e-5);

  const RopeLayer brief = read("phi-4-mini", 4096).layers[0], extended = read("phi-4-mini", 4097).layers[0];
  EXPECT_EQ(brief.rotary_dim, 96);
  EXPECT_EQ(brief.head_dim, 128);
  EXPECT_DOUBLE_EQ(brief.attention_factor, 1.1902380714238083);
  EXPECT_EQ(read("phi-4-mini").layers[0].inv_freq, brief.inv_freq);
  EXPECT_DOUBLE_EQ(extended.inv_freq[1] * 1.118320672, brief.inv_freq[1]);
  EXPECT_THROW(read("phi-4-mini", 0), InvalidArgument);
  EXPECT_THROW(read("phi-4-mini", std::nan("")), InvalidArgument);
}

TEST(RopeConfig, SectionsOfSeveralAxes) {
  EXPECT_EQ(read("qwen2-vl-7b").layers[0].sections, (std::vector<int>{16, 24, 24}));
  EXPECT_EQ(read("qwen2-vl-7b").layers[0].rope_type, "default");
  EXPECT_TRUE(warned(
      parse(R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"mrope","mrope_section":[1,2]}})"),
      "rope_scaling.mrope_section"));
}

TEST(RopeConfig, OldAndNewFilesSayTheSame) {
  const std::string v4 = R"({"head_dim":64,"rope_theta":10000,"partial_rotary_factor":0.5,
      "rope_scaling":{"type":"linear","factor":4}})";
  const std::string v5 =
      R"({"head_dim":64,"rope_parameters":{"rope_type":"linear","factor":4.0,"rope_theta":1e4,
      "partial_rotary_factor":0.5},"rope_scaling":null})";
  const std::string nested = R"({"text_config":{"head_dim":64,"partial_rotary_factor":0.5,"rope_parameters":{
      "full_attention":{"rope_type":"linear","factor":4,"rope_theta":10000},
      "sliding_attention":{"rope_type":"linear","factor":4,"rope_theta":10000}}},"head_dim":128})";
  for (const auto& text : {v5, nested}) {
    const RopeConfig config = parse(text);
    ASSERT_EQ(config.layers.size(), 1u);
    EXPECT_EQ(config.layers[0].name, "all");
    EXPECT_EQ(config.layers[0].rotary_dim, 32);
    EXPECT_EQ(config.layers[0].inv_freq, parse(v4).layers[0].inv_freq);
  }
}

TEST(RopeConfig, LayersWithoutPositions) {
  const RopeConfig config = parse(R"({"head_dim":64,"rope_parameters":{"full_attention":null,
      "sliding_attention":{"rope_type":"default","rope_theta":10000}}})");
  ASSERT_EQ(config.layers.size(), 2u);
  EXPECT_EQ(config.layers[0].rope_type, "none");
  EXPECT_TRUE(config.layers[0].inv_freq.empty());
}

TEST(RopeConfig, HunyuansAlphaIsAFixedBase) {
  const RopeConfig config = parse(R"({"head_dim":128,"rope_theta":10000,"max_position_embeddings":32768,
      "rope_scaling":{"type":"dynamic","alpha":1000,"factor":1}})",
                                  100000);
  EXPECT_NEAR(config.layers[0].base, 11158839.925, 5e-4);  // published digits
  EXPECT_TRUE(warned(config, "rope_scaling.alpha"));
}

TEST(RopeConfig, TrapsAndIgnoredKeysAreSaid) {
  EXPECT_TRUE(warned(parse(R"({"head_dim":64})"), "rope_theta"));
  EXPECT_TRUE(warned(
      parse(R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"linear","factor":2,"beta_fast":32}})"),
      "rope_scaling.beta_fast"));
  EXPECT_TRUE(warned(
      parse(R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"linear","factor":2,"colour":1}})"),
      "rope_scaling.colour"));
  EXPECT_TRUE(warned(parse(R"({"head_dim":64,"rope_theta":1e4,"rope_magic":1})"), "rope_magic"));
  EXPECT_FALSE(warned(parse(R"({"head_dim":64,"rope_theta":1e4,"vocab_size":1})"), "vocab_size"));
  EXPECT_TRUE(warned(parse(R"({"head_dim":64,"rope_theta":1e4,"rope_theta":2e4})"), "rope_theta"));
  EXPECT_EQ(parse(R"({"head_dim":64,"rope_theta":1e4,"rope_theta":2e4})").layers[0].base, 2e4);
  EXPECT_TRUE(warned(read("llama-4-scout"), "rope_scaling.high_freq_factor"));
  EXPECT_TRUE(warned(read("llama-4-scout"), "no_rope_layers"));
  EXPECT_TRUE(
      warned(parse(R"({"head_dim":64,"max_position_embeddings":8192,"rope_parameters":{"full_attention":
      {"rope_type":"yarn","rope_theta":1e4,"factor":2,"original_max_position_embeddings":4096,"truncate":false}}})"),
             "rope_parameters.full_attention.truncate"));
}

TEST(RopeConfig, EveryBadFileIsOneLineThatNamesIt) {
  const std::vector<std::string> bad{
      "",
      "{",
      "[1, 2]",
      "{\"head_dim\": 64, \"rope_theta\": 1e999}",
      "{\"head_dim\": \xff}",
      std::string(100000, '['),
      "{}",
      R"({"hidden_size":4096})",
      R"({"hidden_size":16,"num_attention_heads":32})",
      R"({"head_dim":"64"})",
      R"({"head_dim":64.5})",
      R"({"head_dim":-64})",
      R"({"head_dim":1e300})",
      R"({"head_dim":63,"rope_theta":1e4})",
      R"({"head_dim":64,"rope_theta":1e4,"partial_rotary_factor":0.02})",
      R"({"head_dim":64,"rope_theta":1e4,"partial_rotary_factor":1.5})",
      R"({"head_dim":64,"rope_theta":1e4,"rotary_dim":128})",
      R"({"head_dim":64,"rope_theta":0})",
      R"({"head_dim":64,"rope_theta":-1e4})",
      R"({"head_dim":64,"rope_theta":true})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":"linear"})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"liner","factor":2}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"linear"}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"linear","factor":0}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"linear","factor":-2}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"linear","factor":[2]}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"dynamic","factor":2}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"yarn","factor":2}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"llama3","factor":2,"original_max_position_embeddings":8}})",
      R"({"head_dim":64,"rope_theta":1e4,"rope_scaling":{"type":"longrope","short_factor":[1],"long_factor":[1],
          "original_max_position_embeddings":4096,"factor":2}})",
      R"({"head_dim":4,"rope_theta":1e4,"rope_scaling":{"type":"longrope","short_factor":[1,"a"],"long_factor":[1,1],
          "original_max_position_embeddings":4096,"factor":2}})",
      R"({"head_dim":4,"rope_theta":1e4,"rope_scaling":{"type":"mrope","mrope_section":[-1,3]}})",
  };
  for (const std::string& text : bad) {
    try {
      parse(text);
      ADD_FAILURE() << "accepted: " << text.substr(0, 200);
    } catch (const Failure& e) {
      const std::string what = e.what();
      EXPECT_TRUE(what.starts_with("config.json:")) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_LT(what.size(), 300u) << what;
    }
  }
}

/// Every cut of a real file: resolved or refused, never anything else.
TEST(RopeConfig, NoDamageCrashesTheReader) {
  const std::string good =
      R"({"model_type":"phi3","head_dim":4,"max_position_embeddings":131072,"rope_theta":10000.0,
      "rope_scaling":{"type":"longrope","short_factor":[1,1.5],"long_factor":[2,3],"original_max_position_embeddings":4096}})";
  ASSERT_NO_THROW(parse(good));
  for (std::size_t n = 0; n < good.size(); ++n) EXPECT_THROW(parse(good.substr(0, n)), Failure) << n;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char c : {'\0', '"', '{', '}', '[', '9', '-', 'e', '\xff'}) {
      std::string text = good;
      text[at] = c;
      try {
        parse(text);
      } catch (const Failure&) {
      }
    }
  }
}

}  // namespace
}  // namespace orrery::model::rope_config_test
