// Which columns turn together, by published code: and that it is said where nothing says it.
#include "core/model/pairing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/model/class_defaults.h"
#include "tests/support/source.h"

namespace orrery::model::pairing_test {
namespace {

using position::RopeLayout;

RopeConfig of(const std::string& keys) {
  return parse_rope_config(R"({"hidden_size":320,"num_attention_heads":4,"rope_theta":10000)" + keys + "}",
                           "config.json");
}

RopeConfig of_type(const std::string& type, const std::string& keys = "") {
  return of(R"(,"model_type":")" + type + '"' + keys);
}

bool guessed(const RopeConfig& config) {
  return std::ranges::any_of(config.warnings, [](const auto& w) {
    return w.field == "model_type" && w.message.find("half is taken") != w.message.npos;
  });
}

/// transformers' modeling files of these turn x[..., 0::2] with x[..., 1::2].
TEST(Pairing, FamiliesWhoseCodeTurnsNeighbours) {
  for (const char* type :
       {"glm", "glm4", "glm4v", "glm4v_text", "ernie4_5", "ernie4_5_moe", "ernie4_5_vl_moe",
        "ernie4_5_vl_moe_text", "ernie4_5_moe_vl", "blt", "cohere", "gptj", "llama4_text"}) {
    SCOPED_TRACE(type);
    const RopeConfig config = of_type(type);
    EXPECT_EQ(config.layers.front().layout, RopeLayout::interleaved);
    EXPECT_FALSE(guessed(config));
  }
}

/// GLM-4.5V turns as GPT-NeoX does, unlike GLM-4.1V.
TEST(Pairing, FamiliesWhoseCodeTurnsHalves) {
  for (const char* type : {"llama", "glm4_moe", "glm4v_moe", "glm4v_moe_text", "mimo_v2_flash", "openelm"}) {
    SCOPED_TRACE(type);
    const RopeConfig config = of_type(type);
    EXPECT_EQ(config.layers.front().layout, RopeLayout::half);
    EXPECT_FALSE(guessed(config));
  }
}

TEST(Pairing, AGuessIsSaid) {
  EXPECT_EQ(of_type("foo").layers.front().layout, RopeLayout::half);
  EXPECT_TRUE(guessed(of_type("foo")));
  EXPECT_TRUE(guessed(of("")));
  for (const char* key : {"rope_interleave", "rope_interleaved", "rotary_emb_interleaved"}) {
    SCOPED_TRACE(key);
    const std::string begin = std::string(R"(,")") + key + R"(":)";
    const RopeConfig yes = of_type("foo", begin + "true"), no = of_type("foo", begin + "false");
    EXPECT_EQ(yes.layers.front().layout, RopeLayout::interleaved);
    EXPECT_EQ(no.layers.front().layout, RopeLayout::half);
    EXPECT_FALSE(guessed(yes));
    EXPECT_FALSE(guessed(no));
  }
}

/// modeling_chatglm.py of chatglm-6b: both halves of a head by rotate_half, the second by block_position_ids.
TEST(Pairing, OfChatGLMsFirstGenerationIsSaidToBeOfOneStream) {
  const auto said = [](const RopeConfig& config) {
    return std::ranges::count(config.warnings, "position_encoding_2d", &position::RopeWarning::field);
  };
  const RopeConfig first = of_type("chatglm", R"(,"position_encoding_2d":true)");
  EXPECT_EQ(said(first), 1);
  EXPECT_EQ(first.layers.front().layout, RopeLayout::half);
  EXPECT_EQ(2 * first.layers.front().rotary_dim, first.layers.front().head_dim);
  for (const char* keys : {"", R"(,"position_encoding_2d":false)"}) {
    const RopeConfig second = of_type("chatglm", keys);
    EXPECT_EQ(said(second), 0) << keys;
    EXPECT_EQ(second.layers.front().layout, RopeLayout::interleaved) << keys;
  }
  EXPECT_EQ(said(of_type("llama", R"(,"position_encoding_2d":true)")), 0);
}

TEST(Pairing, OfNoPublishedModelIsGuessed) {
  for (const auto& entry : std::filesystem::directory_iterator(support::source("assets/models")))
    EXPECT_FALSE(guessed(read_rope_config(entry.path()))) << entry.path();
  for (const ClassDefaults& row : all_class_defaults())
    EXPECT_FALSE(guessed(of_type(std::string(row.model_type)))) << row.model_type;
}

}  // namespace
}  // namespace orrery::model::pairing_test
