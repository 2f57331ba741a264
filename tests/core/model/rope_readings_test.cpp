// Every reading of every model: other numbers than the file's own, and those that were published about them.
#include "core/model/rope_readings.h"
#include "tests/support/source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace orrery::model::rope_readings_test {
namespace {

RopeLayer layer(const std::string& model, std::optional<double> length = {}) {
  return read_rope_config(orrery::support::source("assets/models/") + model + ".json", length).layers.front();
}

const RopeOtherReading* reading(const std::vector<RopeOtherReading>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &RopeOtherReading::name);
  return found == all.end() ? nullptr : &*found;
}

TEST(RopeReadings, OfEveryModelDifferFromItsOwn) {
  for (const auto& entry : std::filesystem::directory_iterator(orrery::support::source("assets/models"))) {
    SCOPED_TRACE(entry.path().filename());
    for (const RopeLayer& each : read_rope_config(entry.path()).layers) {
      for (const RopeOtherReading& other : other_readings(each)) {
        EXPECT_TRUE(other.inv_freq != each.inv_freq || other.attention_factor != each.attention_factor)
            << other.name;
        EXPECT_FALSE(other.who.empty());
      }
    }
  }
}

TEST(RopeReadings, OfYarn) {
  // The file's factor is 4, its two lengths are equal: a copy that derives the factor does nothing at all.
  const auto qwen = other_readings(layer("qwen2.5-7b-yarn4"));
  EXPECT_EQ(reading(qwen, "factor from the lengths"), nullptr);
  EXPECT_NE(reading(qwen, "the paper's ramp"), nullptr);
  ASSERT_NE(reading(qwen, "rule forgotten"), nullptr);
  EXPECT_EQ(reading(qwen, "rule forgotten")->attention_factor, 1);
  // gpt-oss says truncate: false; rounded, its ramp would run from 8 to 18.
  const auto gpt_oss = other_readings(layer("gpt-oss-20b"));
  ASSERT_NE(reading(gpt_oss, "ramp's ends rounded"), nullptr);
  EXPECT_EQ(rope_frequencies(reading(gpt_oss, "ramp's ends rounded")->rule).ramp_low, 8);
  EXPECT_EQ(rope_frequencies(reading(gpt_oss, "ramp's ends rounded")->rule).ramp_high, 18);
}

TEST(RopeReadings, OfDynamicAndLongrope) {
  // Twice the length, factor 2: Hugging Face grows the base by 3, the paper by 2; vLLM grows it for short texts too.
  const auto brief = other_readings(layer("internvl2.5-llm-dynamic"));
  ASSERT_NE(reading(brief, "grown once"), nullptr);
  EXPECT_NEAR(rope_frequencies(reading(brief, "grown once")->rule).base, 3108223.6667, 5e-5);
  EXPECT_EQ(reading(brief, "the paper's growth"), nullptr);
  const auto twice = other_readings(layer("internvl2.5-llm-dynamic", 65536));
  EXPECT_EQ(reading(twice, "grown once"), nullptr);
  ASSERT_NE(reading(twice, "the paper's growth"), nullptr);
  EXPECT_NE(reading(other_readings(layer("phi-4-mini")), "always long_factor"), nullptr);
  EXPECT_EQ(reading(other_readings(layer("phi-4-mini", 8192)), "always long_factor"), nullptr);
}

/// √(1 + ln s / ln 4096): with the file's s, 8, and with 131072 / 4096 = 32, which version 4 took.
TEST(RopeReadings, OfALongropeWithAFactor) {
  const auto phi = [](const std::string& rope, const std::string& top) {
    return parse_rope_config(
        R"({"model_type":"phi3","head_dim":4,"rope_theta":1e4,"max_position_embeddings":131072,)" + top +
            R"("rope_scaling":{"type":"longrope","short_factor":[1,1],"long_factor":[2,3],)" + rope + "}}",
        "config.json");
  };
  const auto warned = [](const RopeConfig& config) {
    return std::ranges::any_of(config.warnings, [](const auto& w) {
      return w.field == "rope_scaling.factor" && w.message.find("the two lengths imply 32") != w.message.npos;
    });
  };
  const std::string at_the_top = R"("original_max_position_embeddings":4096,)";
  const RopeConfig eight = phi(R"("factor":8)", at_the_top);
  EXPECT_DOUBLE_EQ(eight.layers[0].attention_factor, 1.118033988749895);
  EXPECT_TRUE(warned(eight));
  const auto others = other_readings(eight.layers[0]);
  ASSERT_NE(reading(others, "factor from the lengths"), nullptr);
  EXPECT_DOUBLE_EQ(reading(others, "factor from the lengths")->attention_factor, 1.1902380714238083);
  // Nothing to choose: the lengths agree, or the file says the attention factor itself.
  const RopeConfig agree = phi(R"("factor":32)", at_the_top);
  EXPECT_FALSE(warned(agree));
  EXPECT_EQ(reading(other_readings(agree.layers[0]), "factor from the lengths"), nullptr);
  const RopeConfig given = phi(R"("factor":8,"attention_factor":1.5)", at_the_top);
  EXPECT_FALSE(warned(given));
  EXPECT_EQ(reading(other_readings(given.layers[0]), "factor from the lengths"), nullptr);
  // Version 4 looked for the original length at the top.
  EXPECT_FALSE(warned(phi(R"("factor":8,"original_max_position_embeddings":4096)", "")));
}

TEST(RopeReadings, OfProportional) {
  // Gemma 4's slowest live pair: 0.0333762, and 1.24094e-06 as ordinary partial rotary.
  const auto gemma = other_readings(layer("gemma-4-shape-v5"));
  ASSERT_NE(reading(gemma, "ordinary partial rotary"), nullptr);
  EXPECT_NEAR(reading(gemma, "ordinary partial rotary")->inv_freq.back(), 1.24094e-06, 5e-12);
}

TEST(RopeReadings, NoneForALayerWithoutPositions) {
  const auto config = parse_rope_config(R"({"head_dim":64,"rope_parameters":{"full_attention":null,
      "sliding_attention":{"rope_type":"default","rope_theta":10000}}})",
                                        "config.json");
  EXPECT_TRUE(other_readings(config.layers[0]).empty());
  EXPECT_TRUE(other_readings(config.layers[1]).empty());
}

}  // namespace
}  // namespace orrery::model::rope_readings_test
