// The rules where paper and code part, and those that no library names: against arbitrary-precision values
// (tests/reference/values.json) and what the papers say of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/position/rope_frequencies.h"
#include "core/tensor/error.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::position::rope_rules_test {
namespace {

using nlohmann::json;
using support::reference_values;

RopeRule rule_of(const json& config, RopeType type, RopeReading reading) {
  RopeRule r;
  r.type = type;
  r.reading = reading;
  r.rotary_dim = config.at("d");
  r.base = config.at("base");
  r.factor = config.at("s");
  r.original_length = config.at("L");
  r.truncate = config.at("truncate");
  return r;
}

TEST(RopeRules, YarnByThePapersRamp) {
  for (const auto& [key, golden] : reference_values().at("yarn").items()) {
    SCOPED_TRACE(key);
    const RopeFrequencies paper =
        rope_frequencies(rule_of(golden["config"], RopeType::yarn, RopeReading::paper));
    const auto expected = golden["inv_freq_paper_ramp_in_r"].get<std::vector<double>>();
    ASSERT_EQ(paper.inv_freq.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // w is good to 2e-15, turns and ramp to as much; where the ramp is nearly 0 the slow share w/s is left, and
      // an error of the ramp weighs s ≤ 40 times as much: 40 · 31⁻¹ · 2e-15 and a few roundings.
      EXPECT_TRUE(support::close(paper.inv_freq[i], expected[i], 1e-14)) << i;
    }
    EXPECT_DOUBLE_EQ(paper.attention_factor, golden["attention_factor_0.1ln(s)+1"].get<double>());
    // How far everyone's code is from the paper.
    const RopeFrequencies code =
        rope_frequencies(rule_of(golden["config"], RopeType::yarn, RopeReading::code));
    double difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      difference = std::max(difference, std::abs(code.inv_freq[i] / paper.inv_freq[i] - 1));
    }
    EXPECT_NEAR(difference, golden["max_rel_diff_code_vs_paper"].get<double>(), 1e-12);
  }
}

TEST(RopeRules, ByPartsIsYarnWithoutTheTemperature) {
  const json& config = reference_values().at("yarn").at("llama2_s16").at("config");
  const RopeFrequencies parts = rope_frequencies(rule_of(config, RopeType::by_parts, RopeReading::code));
  EXPECT_EQ(parts.inv_freq, rope_frequencies(rule_of(config, RopeType::yarn, RopeReading::paper)).inv_freq);
  EXPECT_EQ(parts.attention_factor, 1);
}

TEST(RopeRules, Llama3IsByPartsWithOneAndFourTurns) {
  RopeRule llama{
      .type = RopeType::llama3, .rotary_dim = 128, .base = 500000, .factor = 8, .original_length = 8192};
  RopeRule parts = llama;
  parts.type = RopeType::by_parts;
  parts.beta_slow = 1;
  parts.beta_fast = 4;
  const auto a = rope_frequencies(llama).inv_freq, b = rope_frequencies(parts).inv_freq;
  // The same algebra, turns formed as L w/2π here and L/λ there; as above.
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(support::close(a[i], b[i], 1e-14)) << i;
  parts.beta_fast = 1;
  EXPECT_THROW(rope_frequencies(parts), InvalidArgument);
}

TEST(RopeRules, DynamicByThePaperGrowsTheBaseByTheStretchAlone) {
  for (const auto& [key, expected] :
       reference_values().at("dynamic_ntk_base_hf").at("paper_s=max(1,seq/L)").items()) {
    int L = 0, length = 0;
    ASSERT_EQ(std::sscanf(key.c_str(), "L%d_seq%d", &L, &length), 2);
    RopeRule r{.type = RopeType::dynamic, .rotary_dim = 128, .factor = 2, .reading = RopeReading::paper};
    r.max_length = L;
    r.length = length;
    EXPECT_TRUE(support::close(rope_frequencies(r).base, expected.get<double>(), 4e-16)) << key;
    // Hugging Face's rule with a factor of 1 is the paper's.
    r.reading = RopeReading::code;
    r.factor = 1;
    EXPECT_TRUE(support::close(rope_frequencies(r).base, expected.get<double>(), 4e-16)) << key;
  }
}

TEST(RopeRules, ResonanceRoundsWavelengthsToWholeTokens) {
  const json& golden = reference_values().at("resonance_rope_d64_base10000");
  const auto w = rope_frequencies({.type = RopeType::resonance, .rotary_dim = 64}).inv_freq;
  ASSERT_EQ(w.size(), 32u);
  for (std::size_t i = 0; i < 32; ++i) {
    const double wavelength = 2 * std::numbers::pi / w[i];
    EXPECT_TRUE(support::close(wavelength, golden["rounded_wavelengths"][i].get<double>(), 4e-16)) << i;
    EXPECT_TRUE(support::close(w[i], golden["theta"][i].get<double>(), 4e-16)) << i;
    // What the rule is made for: after a whole wavelength the pair stands where it stood, to a rounding of 2π.
    EXPECT_NEAR(std::cos(std::round(wavelength) * w[i]), 1, 1e-15);
  }
}

TEST(RopeRules, NamesGoThereAndBack) {
  for (const RopeType type : {RopeType::standard, RopeType::by_parts, RopeType::resonance}) {
    EXPECT_EQ(rope_type_from_name(name(type)), type);
  }
  EXPECT_FALSE(rope_type_from_name("ntk-by-parts"));
}

}  // namespace
}  // namespace orrery::position::rope_rules_test
