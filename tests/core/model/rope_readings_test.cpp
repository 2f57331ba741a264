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
