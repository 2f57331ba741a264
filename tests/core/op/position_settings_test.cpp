// What the settings of rope and of the biases ask for, against what the contracts give when called directly.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/position/rope_frequencies.h"
#include "tests/core/op/call_by_hand.h"
#include "tests/support/reference.h"
#include "tests/support/source.h"

namespace orrery::op::position_settings_test {
namespace {

/// Rows (1, 0) in every pair of the half layout: turned, they are (a cos, a sin) of the angles.
Call ones(Index tokens, Index width) {
  tensor::Matrix<double> x = tensor::Matrix<double>::Zero(tokens, width);
  x.leftCols(width / 2).setOnes();
  Call call = call_of("rope", {{"x", Array::from(x, tensor::Format::f64)}});
  call.compute = tensor::Format::f64;
  call.settings.set("layout", "half");
  return call;
}

/// Angle of pair i at token t, and the length of what was turned.
std::pair<double, double> polar(const Array& y, Index t, Index i) {
  const double c = y.matrix()(t, i), s = y.matrix()(t, i + y.cols() / 2);
  return {std::atan2(s, c), std::hypot(c, s)};
}

TEST(RopeSettings, RulesByTheirNamesInConfigurations) {
  const auto& golden = support::reference_values().at("yarn").at("qwen2.5_s4");
  Call call = ones(2, 128);
  for (const auto& [name, value] : {std::pair{"rope_type", "yarn"},
                                    {"base", "1000000"},
                                    {"factor", "4"},
                                    {"original_max_position_embeddings", "32768"}}) {
    call.settings.set(name, value);
  }
  for (const auto& [reading, key] :
       {std::pair{"code", "inv_freq_code"}, {"paper", "inv_freq_paper_ramp_in_r"}}) {
    call.settings.set("reading", reading);
    const Array y = find("rope").ref(call);
    for (Index i = 0; i < 64; ++i) {
      const auto [angle, length] = polar(y, 1, i);
      // At position 1 the angle is the frequency, through cos, sin and atan2: a few roundings of 1.
      EXPECT_NEAR(angle, golden.at(key)[static_cast<std::size_t>(i)].get<double>(), 5e-16) << reading << i;
      EXPECT_NEAR(length, golden.at("attention_factor_0.1ln(s)+1").get<double>(), 1e-15);
    }
  }
}

/// What is made here is what rope reads: an image among text, turned in sections.
TEST(MropeSettings, StretchesOfFourNumbers) {
  Call call = call_of("mrope_positions", {});
  const Array p = find("mrope_positions").ref(call);
  EXPECT_EQ(p.shape, (std::vector<Index>{3, 34}));
  EXPECT_EQ(p.matrix()(1, 33), 15);  // 4 + max(1, 4, 6) + 5
  call.settings.set("stretches", "");
  EXPECT_EQ(find("mrope_positions").ref(call).shape, (std::vector<Index>{3, 0}));
  for (const char* wrong : {"4,0,0", "1,2,3,4,5", "0,1,2.5,3"}) {
    call.settings.set("stretches", wrong);
    EXPECT_EQ(
        refusal("mrope_positions", call),
        "stretches: found " + std::string(wrong) +
            "; allowed: four whole numbers for each: tokens of text, or frames, rows and columns of an image");
  }
  call.settings.set("stretches", "16777216,0,0,0,1,0,0,0");
  EXPECT_EQ(refusal("mrope_positions", call),
            "stretches: more tokens than are counted; allowed: up to 16777216 in all");
}

TEST(RopeSettings, NumbersThatNoRuleReadsAreRefused) {
  Call call = ones(2, 8);
  call.settings.set("factor", "8");
  EXPECT_EQ(refusal("rope", call),
            "factor: found 8 with rope_type=default; allowed: only with "
            "linear|ntk|dynamic|yarn|longrope|llama3|proportional|by_parts");
  call.settings.set("rope_type", "yarn");
  EXPECT_EQ(refusal("rope", call), "original_max_position_embeddings: 0; allowed: a number from 1 to 1e+12");
  call.settings.set("original_max_position_embeddings", "64");
  call.settings.set("short_factor", "1,2");
  EXPECT_EQ(refusal("rope", call),
            "short_factor: found 1,2 with rope_type=yarn; allowed: only with longrope");
  call.settings.set("rope_type", "longrope");
  call.settings.set("long_factor", "1,2");
  EXPECT_EQ(refusal("rope", call),
            "short_factor: 2 numbers; allowed: one per pair, 4 for a rotary width of 8");
}

TEST(RopeSettings, WhatARuleRefusesHasTheNameOfTheOp) {
  Call call = ones(2, 8);
  call.settings.set("rope_type", "linear");
  call.settings.set("base", "1");
  EXPECT_EQ(refusal("rope", call), "base: 1; allowed: a number from 1.0001 to 1e+18");
  call.settings.set("base", "10000");
  call.inputs.emplace("positions", Array{tensor::Format::f64, {2}, {0, 2e12}});
  EXPECT_EQ(refusal("rope", call), "positions: 2e+12; allowed: a number from 0 to 999999999999");
}

TEST(RopeSettings, WhatOnlyXposAndSelfExtendReadIsRefusedWithoutThem) {
  for (const auto& [name, value, allowed] :
       {std::tuple{"kind", "k", "xpos=on or a group above 1"}, std::tuple{"gamma", "0.5", "xpos=on"},
        std::tuple{"scale_base", "1024", "xpos=on"}, std::tuple{"window", "4", "a group above 1"}}) {
    Call call = ones(2, 8);
    call.settings.set(name, value);
    EXPECT_EQ(refusal("rope", call), std::string(name) + ": found " + value +
                                         ", which changes nothing here; allowed: only with " + allowed);
    call.settings.set("xpos", "on");
    call.settings.set("group", "2");
    EXPECT_EQ(refusal("rope", call), "accepted") << name;
  }
}

TEST(RopeSettings, AnOddWidthIsNamedByTheInputThatHasIt) {
  EXPECT_EQ(
      refusal("rope", call_of("rope", {{"x", normals({2, 9})}})),
      "x: found 9 on the last axis; allowed: an even number, for pairs, or rotary_dim=8 or less beside it");
  Call call = call_of("rope", {{"x", normals({2, 9})}});
  call.settings.set("rotary_dim", "6");
  EXPECT_EQ(refusal("rope", call), "accepted");
}

TEST(RopeSettings, DynamicGoesByTheLastPosition) {
  Call call = ones(2, 128);
  call.settings.set("rope_type", "dynamic");
  call.settings.set("factor", "2");
  call.settings.set("max_position_embeddings", "4096");
  call.settings.set("offset", "8190");  // the last position is 8191: a text of 8192 tokens
  const double base =
      support::reference_values().at("dynamic_ntk_base_hf").at("ex").at("L4096_factor2_seq8192");
  const auto [angle, length] = polar(find("rope").ref(call), 1, 63);
  EXPECT_NEAR(angle, 8191 * std::pow(base, -126.0 / 128), 1e-14);
  EXPECT_NEAR(length, 1, 1e-15);
}

TEST(RopeSettings, PositionsOfSeveralAxes) {
  Call call = ones(2, 12);
  call.settings.set("mrope_section", "2,2,2");
  call.inputs.emplace("positions", Array{tensor::Format::f64, {3, 2}, {1, 2, 10, 20, 100, 200}});
  const auto expect_axes = [&](std::vector<int> axes) {
    const Array y = find("rope").ref(call);
    const double at[] = {2, 20, 200};
    for (Index i = 0; i < 6; ++i) {
      const double angle = at[axes[static_cast<std::size_t>(i)]] * std::pow(10000, -i / 6.0);
      const auto [found, length] = polar(y, 1, i);
      EXPECT_NEAR(std::remainder(found - angle, 2 * std::numbers::pi), 0, 1e-13) << i;
    }
  };
  expect_axes({0, 0, 1, 1, 2, 2});
  call.settings.set("mrope_interleaved", "true");
  expect_axes({0, 1, 2, 0, 1, 2});
  call.settings.set("mrope_section", "2,1,3");
  EXPECT_EQ(
      refusal("rope", call),
      "mrope_section: found 2, 1, 3; allowed when interleaved: at most 2 of 6 pairs on axis 3: so often is it its turn");
  call.settings.set("mrope_section", "");
  call.settings.set("mrope_interleaved", "false");
  EXPECT_EQ(refusal("rope", call),
            "positions: found 3 axes; allowed: one, or as many as mrope_section has numbers");
  call.settings.set("mrope_section", "2,2");
  EXPECT_EQ(refusal("rope", call), "mrope_section: found 4 pairs in all; allowed: 6, as many as turn");
}

TEST(RopeSettings, SectionsOfAConfigAreUsed) {
  const std::string config = orrery::support::source("assets/models/qwen2-vl-7b.json");
  Call call = ones(1, 128);
  call.settings.set("layout", "interleaved");  // as it was: the file says half
  call.settings.set("config", config);
  call.inputs.emplace("positions", Array{tensor::Format::f64, {3, 1}, {1, 2, 3}});
  const Array y = find("rope").ref(call);
  for (const auto& [pair, position] : {std::pair{15, 1}, {16, 2}, {39, 2}, {40, 3}}) {  // 16 + 24 + 24
    EXPECT_NEAR(polar(y, 0, pair).first, position * std::pow(1e6, -pair / 64.0), 1e-15) << pair;
  }
}

TEST(RopeSettings, XposAndSelfExtendTellQueriesFromKeys) {
  Call call = ones(1, 8);
  call.settings.set("offset", "512");
  call.settings.set("xpos", "true");
  EXPECT_NEAR(polar(find("rope").ref(call), 0, 0).second, 0.4 / 1.4, 1e-15);
  call.settings.set("kind", "k");
  EXPECT_NEAR(polar(find("rope").ref(call), 0, 0).second, 1.4 / 0.4, 4e-15);
  call.settings.set("xpos", "false");
  call.settings.set("group", "8");
  call.settings.set("window", "16");
  call.settings.set("base", "1e9");
  EXPECT_NEAR(polar(find("rope").ref(call), 0, 3).first, 64 * std::pow(1e9, -0.75), 1e-15);
  call.settings.set("kind", "q");
  EXPECT_NEAR(polar(find("rope").ref(call), 0, 3).first, (64 + 16 - 2) * std::pow(1e9, -0.75), 1e-15);
  call.settings.set("window", "12");
  EXPECT_EQ(refusal("rope", call), "window: found 12; allowed: a multiple of group, 8");
}

TEST(RopeSettings, TheStageSaysWhatIsRounded) {
  Call call = ones(1, 8);
  call.settings.set("offset", "257");
  call.precision = {tensor::Format::bf16, tensor::Format::f64};
  call.settings.set("stage", "positions");
  const Array low = find("rope").staged(call);
  EXPECT_EQ(low.values[0], tensor::round_to(tensor::Format::bf16, std::cos(256)));
  call.settings.set("stage", "result");
  EXPECT_EQ(find("rope").staged(call).values[0], tensor::round_to(tensor::Format::bf16, std::cos(257)));
}

TEST(BiasSettings, ShapesAndRefusals) {
  Call alibi = call_of("alibi", {});
  alibi.settings.set("length", "5");
  EXPECT_EQ(find("alibi").ref(alibi).shape, (Shape{8, 5, 5}));
  alibi.settings.set("output", "slopes");
  EXPECT_EQ(find("alibi").cpu(alibi).values[7], 0x1p-8);
  alibi.settings.set("output", "bias");
  alibi.settings.set("length", "1000000");
  EXPECT_EQ(refusal("alibi", alibi),
            "length: found 1000000 for 8 heads; allowed: heads × length² up to 2147483648");
  alibi.settings.set("length", "0");
  EXPECT_EQ(find("alibi").cpu(alibi).shape, (Shape{8, 0, 0}));

  Call t5 = call_of("t5_bias", {});
  t5.settings.set("length", "3");
  EXPECT_EQ(
      refusal("t5_bias", t5),
      "table: this input is missing; allowed: 32 × H, a bias for each bucket and head, or output=buckets");
  t5.settings.set("output", "buckets");
  EXPECT_EQ(find("t5_bias").ref(t5).values, (std::vector<double>{0, 0, 0, 1, 0, 0, 2, 1, 0}));
  t5.settings.set("output", "bias");
  t5.inputs.emplace("table", normals({31, 2}));
  EXPECT_EQ(refusal("t5_bias", t5),
            "table: found shape 31×2; allowed: 32 × H, a bias for each bucket and head");

  Call kerple = call_of("kerple", {});
  kerple.settings.set("r1", "1,0");
  EXPECT_EQ(refusal("kerple", kerple), "r1: allowed: a value for each head, above 0 and up to 1000000000");

  Call fire = call_of("fire", {{"w_in", normals({8, 1})},
                               {"b_in", normals({8})},
                               {"w_out", normals({2, 8})},
                               {"b_out", normals({3})}});
  EXPECT_EQ(refusal("fire", fire), "b_out: found shape 3; allowed: 2, as w_in and w_out have it");
}

}  // namespace
}  // namespace orrery::op::position_settings_test
