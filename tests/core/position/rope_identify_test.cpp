// Vectors of known rules, in double, in float and rounded to bf16: each is recognised, with its numbers.
#include "core/position/rope_identify.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/tensor/error.h"
#include "core/tensor/format.h"

namespace orrery::position::rope_identify_test {
namespace {

using tensor::Format;

RopeRule rule(RopeType type, tensor::Index rotary_dim, double base, double factor = 1, double length = 0) {
  RopeRule r;
  r.type = type;
  r.rotary_dim = rotary_dim;
  r.base = base;
  r.factor = factor;
  r.original_length = length;
  return r;
}

struct Case {
  const char* name;
  RopeRule rule;
};

RopeRule with(RopeRule r, void (*change)(RopeRule&)) {
  change(r);
  return r;
}

std::vector<Case> cases() {
  using enum RopeType;
  return {
      {"RoFormer", rule(standard, 64, 10000)},
      {"Llama 3", rule(standard, 128, 500000)},
      {"Phi-4", rule(standard, 128, 250000)},
      {"gpt-oss, unscaled", rule(standard, 64, 150000)},
      {"LongChat", rule(linear, 128, 10000, 8)},
      {"Gemma 3", rule(linear, 256, 1e6, 8)},
      {"deepseek-coder", rule(linear, 128, 100000, 4)},
      {"NTK × 4", rule(ntk, 128, 10000, 4)},
      {"NTK × 8", rule(ntk, 64, 10000, 8)},
      {"Llama 2 × 16", rule(yarn, 128, 10000, 16, 4096)},
      {"Qwen2.5", rule(yarn, 128, 1e6, 4, 32768)},
      {"DeepSeek", rule(yarn, 64, 10000, 40, 4096)},
      {"Kimi K2.5", rule(yarn, 64, 50000, 64, 4096)},
      {"Mistral Medium", with(rule(yarn, 128, 1e6, 64, 4096), [](RopeRule& r) { r.beta_fast = 4; })},
      {"gpt-oss", with(rule(yarn, 64, 150000, 32, 4096), [](RopeRule& r) { r.truncate = false; })},
      {"Llama 3.1", rule(llama3, 128, 500000, 8, 8192)},
      {"Llama 3.2 1B", rule(llama3, 64, 500000, 32, 8192)},
      {"Llama 4 Scout",
       with(rule(llama3, 128, 500000, 16, 8192), [](RopeRule& r) { r.high_freq_factor = 1; })},
      {"NTK-by-parts", rule(by_parts, 128, 10000, 8, 4096)},
      {"Gemma 4", with(rule(proportional, 512, 1e6), [](RopeRule& r) { r.partial = 0.25; })},
      {"resonance", rule(resonance, 64, 10000)},
      {"resonance, wide", rule(resonance, 128, 500000)},
  };
}

std::vector<double> in_format(std::vector<double> f, Format format) {
  tensor::round_to(format, std::span(f));
  return f;
}

class RopeIdentify : public testing::TestWithParam<Format> {};

TEST_P(RopeIdentify, NamesTheRuleAndItsNumbers) {
  for (const auto& [name, truth] : cases()) {
    SCOPED_TRACE(name);
    // bf16 cannot tell a wavelength of 300 tokens from a whole number: of resonance only the base is left.
    if (truth.type == RopeType::resonance && GetParam() == Format::bf16) continue;
    const auto f = in_format(rope_frequencies(truth).inv_freq, GetParam());
    const RopeFit best = identify_rope(f).front();
    EXPECT_TRUE(best.fits);
    EXPECT_EQ(best.rule.type, truth.type) << position::name(best.rule.type);
    EXPECT_LE(best.max_relative_residual, identify_tolerance(GetParam()));
    const auto expected = numbers_of(truth), found = numbers_of(best.rule);
    ASSERT_EQ(found.size(), expected.size());
    // All were written with three digits or fewer: the numbers are the very ones.
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].name, expected[i].name);
      EXPECT_EQ(found[i].value, expected[i].value) << found[i].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RopeIdentify, testing::Values(Format::f64, Format::f32, Format::bf16),
                         [](const auto& format) { return std::string(tensor::name(format.param)); });

TEST(RopeIdentify, ABaseThatNobodyRoundedIsRecoveredAsWellAsTheFormatAllows) {
  const RopeRule odd = rule(RopeType::standard, 128, 48271.3719);
  for (const auto& [format, error] :
       {std::pair{Format::f64, 1e-9}, std::pair{Format::f32, 1e-4}, std::pair{Format::bf16, 1e-2}}) {
    const RopeFit best = identify_rope(in_format(rope_frequencies(odd).inv_freq, format)).front();
    EXPECT_EQ(best.rule.type, RopeType::standard);
    EXPECT_NEAR(best.rule.base / odd.base, 1, error) << tensor::name(format);
  }
}

TEST(RopeIdentify, RulesThatGiveOneVectorAreAllReported) {
  RopeRule grown = rule(RopeType::dynamic, 64, 1e6, 2);
  grown.max_length = 32768;
  grown.length = 65536;
  const auto fits = identify_rope(rope_frequencies(grown).inv_freq);
  EXPECT_EQ(fits[0].rule.type, RopeType::ntk);  // NTK × 3 is the same vector, in fewer words
  EXPECT_EQ(fits[0].rule.factor, 3);
  const auto dynamic =
      std::ranges::find(fits, RopeType::dynamic, [](const RopeFit& f) { return f.rule.type; });
  ASSERT_NE(dynamic, fits.end());
  EXPECT_TRUE(dynamic->fits);
  EXPECT_EQ(dynamic->rule.factor, 2);
  EXPECT_EQ(dynamic->rule.length / dynamic->rule.max_length, 2);
}

TEST(RopeIdentify, KnownRulesGiveTheirNames) {
  const std::vector<KnownRule> known{{"a model", rule(RopeType::yarn, 128, 1e6, 4, 32768)},
                                     {"another", rule(RopeType::standard, 64, 1e6)}};
  const RopeFit best = identify_rope(rope_frequencies(known[0].rule).inv_freq, known).front();
  EXPECT_EQ(best.names, (std::vector<std::string>{"a model"}));
  RopeRule phi = rule(RopeType::longrope, 8, 10000);
  phi.original_length = 4096;
  phi.short_factor = {1, 1, 1, 1};
  phi.long_factor = {1, 1.118320672, 1.250641126, 1.3};
  phi.length = 8192;
  const std::vector<KnownRule> with_lists{{"phi", phi}};
  const RopeFit listed = identify_rope(rope_frequencies(phi).inv_freq, with_lists).front();
  EXPECT_EQ(listed.rule.type, RopeType::longrope);
  EXPECT_EQ(listed.names.size(), 1u);
}

TEST(RopeIdentify, ADivisorForEveryPairFitsAnythingAndComesLast) {
  const auto fits = identify_rope(std::vector{1.0, 0.3, 0.2, 0.1999, 0.003, 0.001});
  EXPECT_TRUE(fits_anything(fits.back()));
  EXPECT_FALSE(fits.back().fits);
  ASSERT_GE(fits.size(), 2u);
  for (std::size_t i = 0; i + 1 < fits.size(); ++i) {
    EXPECT_FALSE(fits[i].fits) << i;
    EXPECT_FALSE(fits_anything(fits[i])) << i;
  }
  // Where a rule fits, it is not named at all.
  for (const RopeFit& fit : identify_rope(rope_frequencies(rule(RopeType::standard, 64, 10000)).inv_freq))
    EXPECT_FALSE(fits_anything(fit));
}

TEST(RopeIdentify, NothingThatIsNoRuleIsSaidToFit) {
  const auto f = rope_frequencies(rule(RopeType::standard, 64, 10000)).inv_freq;
  std::vector<double> reversed(f.rbegin(), f.rend()), one_wrong = f, noisy = f;
  one_wrong[7] *= 1.01;
  for (std::size_t i = 0; i < f.size(); ++i) noisy[i] *= i % 2 == 0 ? 1.01 : 0.99;
  for (const auto& each : {reversed, one_wrong, noisy})
    for (const RopeFit& fit : identify_rope(each)) EXPECT_FALSE(fit.fits) << name(fit.rule.type);
}

// A base of many digits in a format of few: as many as it needs, and no rule of five numbers before it.
TEST(RopeIdentify, FewNumbersComeBeforeMany) {
  for (const Format format : {Format::f16, Format::bf16}) {
    const auto f = in_format(rope_frequencies(rule(RopeType::standard, 128, 12345.678)).inv_freq, format);
    const RopeFit best = identify_rope(f).front();
    EXPECT_EQ(best.rule.type, RopeType::standard) << tensor::name(format);
    EXPECT_NEAR(best.rule.base / 12345.678, 1, 1e-2);
  }
}

TEST(RopeIdentify, ARowAsWideAsAHeadHoldsEachFrequencyTwice) {
  const auto f = rope_frequencies(rule(RopeType::standard, 64, 10000)).inv_freq;
  std::vector<double> halves = f, neighbours;
  halves.insert(halves.end(), f.begin(), f.end());
  for (const double x : f) neighbours.insert(neighbours.end(), {x, x});
  EXPECT_EQ(once_per_pair(halves).repetition, Repetition::halves);
  EXPECT_EQ(once_per_pair(halves).inv_freq, f);
  EXPECT_EQ(once_per_pair(neighbours).repetition, Repetition::neighbours);
  EXPECT_EQ(once_per_pair(neighbours).inv_freq, f);
  const std::vector<double> ones(8, 1.0);
  for (const auto& once : {f, ones}) {
    EXPECT_EQ(once_per_pair(once).repetition, Repetition::none);
    EXPECT_EQ(once_per_pair(once).inv_freq, once);
  }
}

TEST(RopeIdentify, RefusesWhatIsNoFrequency) {
  EXPECT_THROW(identify_rope(std::vector{1.0}), InvalidArgument);
  EXPECT_THROW(identify_rope(std::vector{0.0, 0.0}), InvalidArgument);
  EXPECT_THROW(identify_rope(std::vector{1.0, std::nan("")}), InvalidArgument);
  EXPECT_THROW(identify_rope(std::vector{1.0, -0.5}), InvalidArgument);
  EXPECT_THROW(identify_rope(std::vector{1.0, HUGE_VAL}), InvalidArgument);
}

TEST(RopeIdentify, TheNarrowestFormatIsThatOfTheNumbers) {
  const auto f = rope_frequencies(rule(RopeType::standard, 64, 10000)).inv_freq;
  for (const Format format : {Format::f64, Format::f32, Format::bf16})
    EXPECT_EQ(narrowest_format(in_format(f, format)), format);
}

/// Whatever two or more numbers are given: an answer, and no crash.
TEST(RopeIdentify, AnswersAnything) {
  std::uint64_t state = 1;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> f(2 + trial % 20);
    for (double& x : f) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x = trial % 7 == 0 && state % 3 == 0 ? 0
                                           : std::exp(-30.0 * static_cast<double>(state >> 40) / (1 << 24));
    }
    f[0] = 1;
    ASSERT_FALSE(identify_rope(f).empty());
  }
}

}  // namespace
}  // namespace orrery::position::rope_identify_test
