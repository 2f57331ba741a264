// Against arbitrary-precision values (tests/reference/values.json, 40 digits, printed with 16) and published
// constants.
#include "core/position/rope_frequencies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/tensor/error.h"
#include "tests/support/source.h"

namespace orrery::rope_frequencies_test {
namespace {

using orrery::InvalidArgument;
using namespace orrery::position;
using nlohmann::json;

const json& reference() {
  static const json values =
      json::parse(std::ifstream(orrery::support::source("tests/reference/values.json")));
  return values;
}

/// A frequency is one pow of an exponent rounded once, a quotient, and at most a blend of two: the relative
/// error of b^(−2i/R) from rounding the exponent is ln(b)·2i/R·2^-53 ≤ 14·1.1e-16, the rest a few 1.1e-16.
/// Together below 4e-15.
constexpr double tolerance = 4e-15;

void expect_frequencies(const std::vector<double>& found, const json& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double e = expected[i].get<double>();
    EXPECT_NEAR(found[i], e, tolerance * std::abs(e)) << "pair " << i;
  }
}

RopeRule rule(RopeType type, orrery::tensor::Index rotary_dim, double base, double factor = 1) {
  RopeRule r;
  r.type = type;
  r.rotary_dim = rotary_dim;
  r.base = base;
  r.factor = factor;
  return r;
}

RopeRule llama3(orrery::tensor::Index rotary_dim, double factor) {
  RopeRule r = rule(RopeType::llama3, rotary_dim, 500000, factor);
  r.original_length = 8192;
  return r;
}

TEST(RopeFrequencies, Llama3) {
  const json& golden = reference()["llama3"];
  expect_frequencies(rope_frequencies(llama3(128, 8)).inv_freq, golden["llama3.1_d128_factor8"]);
  expect_frequencies(rope_frequencies(llama3(128, 32)).inv_freq, golden["llama3.2_3B_d128_factor32"]);
  expect_frequencies(rope_frequencies(llama3(64, 32)).inv_freq, golden["llama3.2_1B_d64_factor32"]);
  expect_frequencies(rope_frequencies(rule(RopeType::standard, 128, 500000)).inv_freq,
                     golden["default_d128_base5e5"]);
}

TEST(RopeFrequencies, CountsOfKeptBlendedAndDividedPairs) {
  const auto counts = [](const RopeRule& r) { return count_pairs(r, rope_frequencies(r)); };
  EXPECT_EQ(counts(llama3(128, 8)), (PairCounts{29, 6, 29, 0}));   // Llama 3.1 8B
  EXPECT_EQ(counts(llama3(64, 32)), (PairCounts{15, 3, 14, 0}));   // Llama 3.2 1B
  EXPECT_EQ(counts(llama3(128, 32)), (PairCounts{29, 6, 29, 0}));  // Llama 3.2 3B
  RopeRule scout = llama3(128, 16);  // Llama 4 Scout: no blend, and no division by zero
  scout.high_freq_factor = 1;
  EXPECT_EQ(counts(scout), (PairCounts{35, 0, 29, 0}));
  EXPECT_EQ(rope_frequencies(scout).warnings.size(), 1u);
  RopeRule half_still = rule(RopeType::proportional, 16, 10000);
  half_still.partial = 0.5;
  EXPECT_EQ(counts(half_still), (PairCounts{4, 0, 0, 4}));
}

TEST(RopeFrequencies, Yarn) {
  for (const auto& [key, golden] : reference()["yarn"].items()) {
    SCOPED_TRACE(key);
    const json& c = golden["config"];
    RopeRule r = rule(RopeType::yarn, c["d"], c["base"], c["s"]);
    r.original_length = c["L"];
    r.truncate = c["truncate"];
    const RopeFrequencies f = rope_frequencies(r);
    // The ends come from a logarithm times d/2 ≤ 64: a few roundings of 1.1e-16 · 50.
    EXPECT_NEAR(f.ramp_low, golden["low"].get<double>(), 2e-14);
    EXPECT_NEAR(f.ramp_high, golden["high"].get<double>(), 2e-14);
    if (r.truncate) {
      expect_frequencies(f.inv_freq, golden["inv_freq_code"]);
    } else {  // an end moved by 2e-14 moves the ramp by 2e-15, and the slow end divides by s = 32 what it
              // moves
      for (std::size_t i = 0; i < f.inv_freq.size(); ++i) {
        const double e = golden["inv_freq_code"][i].get<double>();
        EXPECT_NEAR(f.inv_freq[i], e, 7e-14 * e) << "pair " << i;
      }
    }
    EXPECT_DOUBLE_EQ(f.attention_factor, golden["attention_factor_0.1ln(s)+1"].get<double>());
  }
}

TEST(RopeFrequencies, YarnAttentionFactor) {
  for (const auto& [s, expected] : reference()["yarn_attention_factor"].items()) {
    EXPECT_DOUBLE_EQ(yarn_mscale(std::stod(s), 1), expected.get<double>()) << s;
  }
  RopeRule deepseek = rule(RopeType::yarn, 64, 10000, 40);
  deepseek.original_length = 4096;
  deepseek.mscale = deepseek.mscale_all_dim = 0.707;
  EXPECT_EQ(rope_frequencies(deepseek).attention_factor, 1);  // the same number over itself
  // DeepSeek's second correction, as its reference code computes it: softmax scale = 192^-0.5 · m².
  const json& scale = reference()["deepseek_softmax_scale"];
  EXPECT_DOUBLE_EQ(std::pow(yarn_mscale(40, 1), 2) / std::sqrt(192.0),
                   scale["v3"]["softmax_scale"].get<double>());
  EXPECT_DOUBLE_EQ(yarn_mscale(40, 0.707), scale["v2_lite_like"]["m"].get<double>());
  deepseek.mscale = 0;  // zero counts as not given
  EXPECT_DOUBLE_EQ(rope_frequencies(deepseek).attention_factor,
                   reference()["yarn_attention_factor"]["40"].get<double>());
  deepseek.attention_factor = 1.25;
  EXPECT_EQ(rope_frequencies(deepseek).attention_factor, 1.25);
}

TEST(RopeFrequencies, NtkBase) {
  for (const auto& [key, expected] : reference()["ntk_base"].items()) {
    int base = 0, d = 0, s = 0;
    ASSERT_EQ(std::sscanf(key.c_str(), "base%d_d%d_s%d", &base, &d, &s), 3);
    const RopeFrequencies f = rope_frequencies(rule(RopeType::ntk, d, base, s));
    EXPECT_DOUBLE_EQ(f.base, expected.get<double>()) << key;
    // What the rule is made for: the slowest pair is exactly s times slower, the fastest unchanged.
    EXPECT_EQ(f.inv_freq.front(), 1);
    const double slowest = std::pow(base, -(d - 2.0) / d);
    EXPECT_NEAR(f.inv_freq.back(), slowest / s, tolerance * slowest / s) << key;
  }
}

TEST(RopeFrequencies, DynamicBaseAsHuggingFaceComputesIt) {
  for (const auto& [key, expected] : reference()["dynamic_ntk_base_hf"]["ex"].items()) {
    int L = 0, factor = 0, length = 0;
    ASSERT_EQ(std::sscanf(key.c_str(), "L%d_factor%d_seq%d", &L, &factor, &length), 3);
    RopeRule r = rule(RopeType::dynamic, 128, 10000, factor);
    r.max_length = L;
    r.length = length;
    EXPECT_DOUBLE_EQ(rope_frequencies(r).base, expected.get<double>()) << key;
  }
  RopeRule short_text = rule(RopeType::dynamic, 128, 10000, 2);
  short_text.max_length = 4096;
  EXPECT_EQ(rope_frequencies(short_text).inv_freq,
            rope_frequencies(rule(RopeType::standard, 128, 10000)).inv_freq);
}

TEST(RopeFrequencies, LongRope) {
  for (const auto& [key, expected] : reference()["longrope_attention_factor"].items()) {
    int L = 0, s = 0;
    const auto numbers = key.substr(key.find('L'));
    ASSERT_EQ(std::sscanf(numbers.c_str(), "L%d_s%d", &L, &s), 2) << key;
    RopeRule r = rule(RopeType::longrope, 4, 10000, s);
    r.original_length = L;
    r.short_factor = {1, 2};
    r.long_factor = {4, 8};
    EXPECT_DOUBLE_EQ(rope_frequencies(r).attention_factor, expected.get<double>()) << key;
    r.length = L;
    EXPECT_EQ(rope_frequencies(r).inv_freq, (std::vector<double>{1, 0.01 / 2}));  // 10000^(−2/4) = 0.01
    r.length = L + 1;
    EXPECT_EQ(rope_frequencies(r).inv_freq, (std::vector<double>{0.25, 0.01 / 8}));
    r.attention_factor = 1;
    EXPECT_EQ(rope_frequencies(r).attention_factor, 1);
  }
}

TEST(RopeFrequencies, ProportionalKeepsTheWholeHeadInItsExponent) {
  // p-RoPE with p = 1/4 of a head of 64: 8 live pairs with the exponents of 64, not of 16.
  RopeRule r = rule(RopeType::proportional, 64, 10000);
  r.partial = 0.25;
  const RopeFrequencies f = rope_frequencies(r);
  const json& golden = reference()["partial_rotary"]["p_rope_d64_p0.25_first8_of_32_theta"];
  expect_frequencies({f.inv_freq.begin(), f.inv_freq.begin() + 8}, golden);
  for (std::size_t i = 8; i < 32; ++i) EXPECT_EQ(f.inv_freq[i], 0) << i;
  // The ordinary partial rule on the same head, for the difference.
  expect_frequencies(rope_frequencies(rule(RopeType::standard, 16, 10000)).inv_freq,
                     reference()["partial_rotary"]["gptneox_default_like_d64_pct0.25_rotary_dim16_theta"]);
}

TEST(RopeFrequencies, RefusesWhatCannotBeMeant) {
  EXPECT_THROW(rope_frequencies(rule(RopeType::standard, 7, 10000)), InvalidArgument);
  EXPECT_THROW(rope_frequencies(rule(RopeType::standard, -2, 10000)), InvalidArgument);
  EXPECT_THROW(rope_frequencies(rule(RopeType::standard, 8, 1)), InvalidArgument);
  EXPECT_THROW(rope_frequencies(rule(RopeType::standard, 8, std::nan(""))), InvalidArgument);
  EXPECT_THROW(rope_frequencies(rule(RopeType::linear, 8, 10000, 0)), InvalidArgument);
  EXPECT_THROW(rope_frequencies(rule(RopeType::linear, 8, 10000, INFINITY)), InvalidArgument);
  EXPECT_THROW(rope_frequencies(rule(RopeType::ntk, 2, 10000, 2)), InvalidArgument);   // exponent 2/0
  EXPECT_THROW(rope_frequencies(rule(RopeType::yarn, 8, 10000, 2)), InvalidArgument);  // no original length
  RopeRule uneven = rule(RopeType::longrope, 8, 10000, 2);
  uneven.original_length = 4096;
  uneven.short_factor = {1, 1, 1, 1};
  uneven.long_factor = {1, 1, 1};
  EXPECT_THROW(rope_frequencies(uneven), InvalidArgument);
  EXPECT_TRUE(rope_frequencies(rule(RopeType::standard, 0, 10000)).inv_freq.empty());
}

}  // namespace
}  // namespace orrery::rope_frequencies_test
