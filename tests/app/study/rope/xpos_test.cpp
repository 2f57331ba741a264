// xPos against published code's numbers: ζ, its mean decay, scores of torchscale's rotation, and where formats end.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/reference.h"

namespace orrery::study {
namespace rope_xpos_test {
namespace {

TEST(RopeXpos, PairsDecayAsPublished) {
  const auto& golden = support::reference_values().at("xpos");
  const auto zeta = golden.at("zeta_d64").get<std::vector<double>>();
  const auto kept = table(compute("rope/xpos", {{"reach", "4096"}}), "kept");
  for (const auto& [r, decay] : golden.at("decay_factor_mean_over_pairs_d64").items())
    if (std::stod(r) <= 4096) {
      EXPECT_NEAR(at(kept, std::stod(r), kept.columns.size() - 1), decay.get<double>(), 2e-15) << r;
    }
  EXPECT_NEAR(at(kept, 512, 1), zeta[0], 1e-16);
  EXPECT_NEAR(at(kept, 1024, 1), zeta[0] * zeta[0], 1e-16);
  EXPECT_NEAR(at(kept, 512, 5), zeta[31], 1e-16);
}

// Without few bits, by hand: d = 2 has one pair, ζ_0 = 0.4/1.4, that turns by 1 rad a token.
TEST(RopeXpos, OnePairByHand) {
  const auto scores =
      table(compute("rope/xpos", {{"head_width", "2"}, {"reach", "64"}, {"distance", "10"}}), "scores");
  for (const double r : {0.0, 1.0, 10.0, 64.0, -16.0}) {
    EXPECT_NEAR(at(scores, r, 1), std::cos(r), 1e-14) << r;
    EXPECT_NEAR(at(scores, r, 2), std::cos(r) * std::pow(2 / 7.0, r / 512), 1e-14) << r;
  }
}

// 3.5^(n/512) passes 65520 at n = 4532.45; floats' 2^128 (1 − 2^-25) at 36 261.1, and bf16's 2^128 (1 − 2^-9) a token
// earlier or at it: worked out in mpmath. (2/7)^(m/512) is half of 2^-24, 2^-149, 2^-133 at 7081.9, 42 490.6, 37 956.9 …
TEST(RopeXpos, FormatsEndWhereTheirPowersDo) {
  const auto result = compute("rope/xpos", {});
  const auto of = [&](const char* column, const char* format) {
    return at(result, "overflow", column, format);
  };
  const double speed = std::log(3.5) / 512;
  for (const auto& [format, most, least] :
       {std::tuple{"f16", std::log(65520.0), 25.0}, std::tuple{"f32", 128 * std::log(2.0), 150.0},
        std::tuple{"bf16", 128 * std::log(2.0) + std::log1p(-0x1p-9), 134.0}}) {
    EXPECT_EQ(of("key overflows from", format), std::ceil(most / speed)) << format;
    EXPECT_EQ(of("query vanishes from", format), std::ceil(least * std::log(2.0) / speed)) << format;
  }
  EXPECT_EQ(of("key overflows from", "f16"), 4533);
}

TEST(RopeXpos, ATextCentredIsRightAllAlongIt) {
  const auto errors = [](const char* from, const char* length) {
    return column(compute("rope/xpos", {{"count_from", from}, {"length", length}}), "anywhere_f16", "error");
  };
  // Of 257 places those from 4533 on overflow; counted from the middle, all of a text of 8192 have room.
  const auto held =
      errors("start", "8192").size();  // a component is up to √2 times the factor: 142 tokens earlier
  EXPECT_LE(held, 142u);
  EXPECT_GE(held, 137u);
  EXPECT_EQ(errors("middle", "8192").size(), 257u);
  EXPECT_LT(errors("middle", "16384").size(), 257u);
  // Where nothing overflows or vanishes, f16 is off by a few of its units: tables, turned vectors, both sides.
  EXPECT_LT(std::ranges::max(errors("middle", "4096")), 4 * 0x1p-11);
}

TEST(RopeXpos, EveryCheckHoldsFarFromTheDefaults) {
  EXPECT_TRUE(all_hold(compute(
      "rope/xpos", {{"gamma", "0.1"}, {"scale_base", "64"}, {"distance", "8192"}, {"length", "262144"}})));
  EXPECT_TRUE(all_hold(compute("rope/xpos", {{"head_width", "2"}, {"base", "2"}, {"content", "random"}})));
  EXPECT_TRUE(all_hold(compute("rope/xpos", {{"gamma", "0.1"}, {"scale_base", "64"}, {"distance", "8192"}},
                               DeviceChoice::cpu)));
}

bool says_what_is_kept(const titles::Said& said) {
  const bool centred = said.settings.choice("count_from") == "middle";
  const auto part = said.as(
      centred
          ? "At distance {} pairs keep {} % on average; counted from the middle, the factors of {} tokens "
            "have room in f16"
          : "At distance {} pairs keep {} % on average; the factor of keys leaves f16 at position {}");
  return part && titles::says((*part)[0], said.settings.real("distance")) &&
         titles::says((*part)[1], 100 * said.column("here", "kept on average").front(), 3) &&
         titles::says(
             (*part)[2],
             said.column("overflow", centred ? "longest text, centred" : "key overflows from").front());
}

const titles::Entries entries{{"rope/xpos", says_what_is_kept}};

}  // namespace
}  // namespace rope_xpos_test
}  // namespace orrery::study
