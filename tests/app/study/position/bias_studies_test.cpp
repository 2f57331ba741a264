// The studies of additive biases: their tables against published slopes, buckets and digits (tests/reference), and the
// comparison of schemes against what each formula says must come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/app/study/ask.h"
#include "tests/support/reference.h"

namespace orrery::study::bias_studies_test {
namespace {

using support::reference_values;

const std::vector<double>& column(const figure::Table& t, std::string_view name) {
  const auto found = std::ranges::find(t.columns, name, &figure::Column::name);
  if (found == t.columns.end()) throw InvalidArgument("no column " + std::string(name));
  return found->values;
}

TEST(AlibiStudy, SlopesAreThePublishedOnesByEveryRule) {
  for (const auto& [key, name] :
       {std::pair{"alibi_slopes", "authors' code"}, {"alibi_slopes_mpt_variant", "MPT's code"}}) {
    for (const auto& [heads, expected] : reference_values().at(key).items()) {
      const auto result = compute("position/alibi", {{"heads", heads.substr(1).c_str()}});
      const auto& slopes = column(table(result, "slopes"), name);
      ASSERT_EQ(slopes.size(), expected.size()) << heads;
      for (std::size_t h = 0; h < slopes.size(); ++h)
        EXPECT_NEAR(slopes[h], expected[h].get<double>(), 3e-16)
            << name << heads << " " << h;  // two roundings
    }
  }
  const auto twelve = table(compute("position/alibi", {{"heads", "12"}}), "slopes");
  EXPECT_DOUBLE_EQ(at(twelve, 1, 3), std::exp2(-2.0 / 3));  // the formula read literally
  EXPECT_EQ(at(twelve, 12, 3), 0x1p-8);
}

TEST(AlibiStudy, ReachIsThatOfAGeometricSequence) {
  const auto t = table(compute("position/alibi", {{"heads", "8"}, {"length", "65536"}}), "slopes");
  for (int h = 1; h <= 8; ++h) {
    const auto& golden = reference_values().at("alibi_zero_content").at("h8_slope" + std::to_string(h));
    const double mean = golden.at("mean_distance").get<double>();
    EXPECT_NEAR(at(t, h, 4), mean, 1e-11 * mean);  // summed over 50/slope keys; 12 printed decimals
    EXPECT_NEAR(at(t, h, 5), mean, 1e-12 * mean);
    EXPECT_NEAR(at(t, h, 7), golden.at("entropy_nats").get<double>(), 1e-12);
  }
  // 256 keys are too few for a slope of 1/256: the mean is a little below half of them.
  const auto few = table(compute("position/alibi", {{"heads", "8"}, {"length", "256"}}), "slopes");
  EXPECT_LT(at(few, 8, 4), 128);
  EXPECT_GT(at(few, 8, 4), 100);
}

TEST(AlibiStudy, TwoSidesReachAsOneOverTheHyperbolicSine) {
  const auto t =
      table(compute("position/alibi", {{"heads", "8"}, {"length", "65536"}, {"direction", "bidirectional"}}),
            "slopes");
  for (int h = 1; h <= 8; ++h) EXPECT_NEAR(at(t, h, 4) * std::sinh(std::exp2(-h)), 1, 1e-12) << h;
}

// ALiBi with keys on both sides: weights q^|k|, q = e^-slope, over Z = (1 + q)/(1 - q); numbers of mpmath.
TEST(AlibiStudy, EntropyAndReachAreThoseOfAllKeysThatAreSeen) {
  const auto both =
      table(compute("position/alibi", {{"heads", "8"}, {"length", "65536"}, {"direction", "bidirectional"}}),
            "slopes");
  EXPECT_NEAR(at(both, 1, 7), 2.3663, 5e-5);
  EXPECT_NEAR(at(both, 8, 7), 7.2383, 5e-5);
  EXPECT_EQ(at(both, 1, 6),
            9);  // 2 q^(r + 1)/(1 + q) of the weight lies beyond r: 0.0084 for 9, 0.0138 for 8
  // With few keys nearly all of them share evenly: log 4, and the last of them is 3 away.
  const auto few = table(compute("position/alibi", {{"heads", "8"}, {"length", "4"}}), "slopes");
  EXPECT_NEAR(at(few, 8, 7), std::log(4), 1e-4);
  EXPECT_EQ(at(few, 8, 6), 3);
}

// On a narrow page words get smaller, before they run into those of the next column.
TEST(SchemeTable, EveryColumnKeepsItsWords) {
  const auto result = compute("position/compare", {{"show", "table"}});
  std::map<double, std::vector<std::pair<double, double>>> rows;  // by row: where words begin, and their room
  for (const figure::Mark& mark : result.figure.panels.at(0).marks)
    if (const auto* note = std::get_if<figure::Note>(&mark)) rows[note->y].emplace_back(note->x, note->room);
  ASSERT_EQ(rows.size(), 7u);
  for (const auto& [y, words] : rows) {
    ASSERT_EQ(words.size(), 6u);
    for (std::size_t c = 0; c < words.size(); ++c) {
      EXPECT_GT(words[c].second, 0) << y << " " << c;
      EXPECT_LE(words[c].first + words[c].second, c + 1 < words.size() ? words[c + 1].first : 1.0)
          << y << " " << c;
    }
  }
}

// As the study's formula has it, over the 64 pairs of 128 dimensions.
TEST(BiasCompare, SandwichIsTheMissingPartOfEachCosine) {
  for (const char* head : {"1", "7"}) {
    const auto t = table(compute("position/bias-compare", {{"head", head}}), "bias");
    const std::vector<double>&distances = column(t, "distance"), &sandwich = column(t, "sandwich");
    for (std::size_t n = 0; n < distances.size(); ++n) {
      double sum = 0;
      for (int i = 0; i < 64; ++i) sum += std::cos(distances[n] * std::pow(10000, -2.0 * i / 128)) - 1;
      // 64 terms of at most 2, whose angles of up to 4096 are rounded twice.
      EXPECT_NEAR(sandwich[n], sum / std::stod(head), 64 * 4 * 4096 * 0x1p-53) << head << " " << distances[n];
    }
  }
}

// The last bucket has no end, and no bucket comes after it: its sign stands over its own place on the axis.
TEST(T5Study, TheEndlessBucketIsTheLast) {
  for (const char* buckets : {"4", "32"}) {
    const auto result =
        compute("position/t5", {{"buckets", buckets}, {"max_distance", "128"}, {"direction", "causal"}});
    const double last = column(table(result, "buckets"), "bucket").back();
    int signs = 0;
    for (const figure::Panel& panel : result.figure.panels)
      for (const figure::Mark& mark : panel.marks)
        if (const auto* note = std::get_if<figure::Note>(&mark); note && note->text == "∞") {
          ++signs;
          EXPECT_EQ(note->x, last);
          EXPECT_EQ(note->h, figure::HAlign::center);
          EXPECT_LT(panel.x.range->hi, last + 1);
        }
    EXPECT_EQ(signs, 1);
  }
}

TEST(T5Study, BucketsBeginWhereTheAuthorsCodeBeginsThem) {
  const auto& golden = reference_values().at("t5_buckets");
  const auto causal = table(compute("position/t5", {}), "buckets");
  const auto& starts = golden.at("causal_nb32_md128_distance_start_of_bucket");
  ASSERT_EQ(causal.columns[0].values.size(), starts.size());
  for (const auto& [bucket, start] : starts.items())
    EXPECT_EQ(at(causal, std::stod(bucket), 1), start.get<double>()) << bucket;
  const auto both = table(compute("position/t5", {{"direction", "bidirectional"}}), "buckets");
  for (const auto& [bucket, start] : golden.at("bidirectional_nb32_md128_past").items())
    EXPECT_EQ(at(both, std::stod(bucket), 1), start.get<double>()) << bucket;
}

TEST(T5Study, DistancesOfAllBucketsAddUp) {
  for (const char* const reach : {"20", "128", "1000"}) {
    const auto t = table(compute("position/t5", {{"max_distance", reach}}), "buckets");
    double sum = 0;
    for (const double count : t.columns[2].values) sum += count;
    EXPECT_EQ(sum, 2 * std::stod(reach) + 1) << reach;  // 0 … 2 D
  }
}

TEST(BiasCompare, EachCurveIsItsFormula) {
  const auto t = table(compute("position/bias-compare", {{"head", "3"}, {"r1", "2"}, {"r2", "0.5"}}), "bias");
  for (const double r : {1.0, 2.0, 4095.0}) {
    EXPECT_EQ(at(t, r, 1), -r / 8);
    EXPECT_NEAR(at(t, r, 3), -2 * std::log(1 + r / 2), 1e-13);
    EXPECT_NEAR(at(t, r, 4), -2 * std::pow(r, 0.3), 1e-12);
    EXPECT_NEAR(at(t, r, 5), -10 * std::log(1 + r / 10) / std::log(1 + 409.5), 1e-13);
  }
  // sinusoidal_dot: 128 dimensions, ⟨PE(p), PE(p + 1)⟩; head 3 of 8 divides by 3.
  EXPECT_NEAR(at(t, 1, 6), (62.0936838057676 - 64) / 3, 1e-12);
  EXPECT_NEAR(at(t, 4095, 2), -2 * std::log(1 + 113 / 2.0), 1e-13);  // T5's last bucket begins at 113
}

TEST(BiasCompare, SharesOfTheAttentionEndAtOne) {
  const auto t = table(compute("position/bias-compare", {}), "attention");
  for (std::size_t c = 1; c < t.columns.size(); ++c) {
    EXPECT_DOUBLE_EQ(t.columns[c].values.back(), 1) << t.columns[c].name;
    EXPECT_TRUE(std::ranges::is_sorted(t.columns[c].values)) << t.columns[c].name;
  }
  // ALiBi's head 7: 1 − q^(r + 1) of endless keys; 4096 of them leave out e^−32.
  EXPECT_NEAR(at(t, 127, 1), 1 - std::exp(-1), 1e-13);
}

TEST(SchemesCompared, OnlyAbsoluteSchemesKnowWhereTheQueryStands) {
  const auto t = table(compute("position/compare", {{"content", "random"}}), "schemes");
  const auto& spread = column(t, "spread over positions");
  EXPECT_GT(spread[0], 0.1);  // sinusoidal: ⟨x, PE⟩ swings
  EXPECT_GT(spread[1], 0.1);  // learned
  // RoPE: rotations in double, of angles up to 512 that are rounded to 2⁻⁴⁴; scores of about √64.
  EXPECT_LT(spread[2], 512 * 0x1p-50 * 8);
  for (const int even : {3, 4, 5}) EXPECT_EQ(spread[static_cast<std::size_t>(even)], 0) << even;
  EXPECT_EQ(column(t, "parameters"), (std::vector<double>{0, 512 * 64, 0, 0, 32, 0}));
  EXPECT_EQ(column(t, "numbers for the kernel"), (std::vector<double>{0, 0, 0, 1, 512 * 512, 0}));
  EXPECT_EQ(t.columns[0].words,
            (std::vector<std::string>{"sinusoidal", "learned", "RoPE", "ALiBi", "T5", "none"}));
  EXPECT_EQ(column(t, "relative"), (std::vector<double>{0, 0, 1, 1, 1, 0}));
}

/// Of the query at the end of the longer text, by scheme.
std::map<int, double> halves(const StudyResult& result) {
  const auto& t = table(result, "halves");
  std::map<int, double> half;
  for (std::size_t i = 0; i < t.columns[0].values.size(); ++i)
    if (t.columns[1].values[i] == 4095)
      half[static_cast<int>(t.columns[0].values[i])] = t.columns[2].values[i];
  return half;
}

// One weight for all: the nearest n of 4096 keys have n/4096. ALiBi's fall by e^(-1/64) a token.
TEST(SchemesCompared, AttentionLiesWithinADistanceAsTheFormulasSay) {
  const auto result = compute("position/compare", {});
  const auto& longer = table(result, "within_longer");
  for (const double r : {1.0, 4095.0}) {
    EXPECT_NEAR(at(longer, r, 5), (r + 1) / 4096, 1e-12);
    EXPECT_NEAR(at(longer, r, 3), std::expm1(-(r + 1) / 64) / std::expm1(-4096 / 64.0), 1e-12);
  }
  EXPECT_EQ(longer.columns.size(), 6u);  // the learned table has no row there
  EXPECT_EQ(table(result, "within_trained").columns.size(), 7u);
  const auto half = halves(result);
  EXPECT_EQ(half.at(6), 2047);
  EXPECT_EQ(half.at(4), 44);  // 64 ln 2 = 44.4
  EXPECT_FALSE(half.contains(2));
}

TEST(SchemesCompared, AllPanelsHaveOneScale) {
  const auto result = compute("position/compare", {});
  ASSERT_EQ(result.figure.panels.size(), 6u);
  for (const figure::Panel& panel : result.figure.panels) EXPECT_EQ(panel.y.range, (figure::Range{0, 1}));
}

TEST(SchemesCompared, WhatItsTriesPromiseIsSo) {
  const auto half = [](Changes changes) { return halves(compute("position/compare", changes)); };
  auto usual = half({}), random = half({{"content", "random"}});
  for (const int changed : {1, 3}) EXPECT_NE(random[changed], usual[changed]);
  for (const int same : {4, 5, 6}) EXPECT_EQ(random[same], usual[same]);
  EXPECT_EQ(half({{"head", "1"}}).at(4), 1);
  EXPECT_GT(half({{"base", "500000"}}).at(3), 2 * usual[3]);
}

// A steep head falls to -1024 where the others fall to a few: the axis ends at a weight of e^-20, and says so.
TEST(BiasCompare, ASteepHeadLeavesTheOthersRoom) {
  const auto range = [](const char* head) {
    const auto result = compute("position/bias-compare", {{"head", head}, {"show", "bias"}});
    return result.figure.panels.at(0).y.range;
  };
  ASSERT_TRUE(range("2").has_value());
  EXPECT_LT(range("2")->lo, -20);
  EXPECT_GT(range("2")->lo, -22);
  EXPECT_FALSE(range("8").has_value());  // 4095/256 is 16
}

/// A query within the trained length does not reach the distance that all of a is taken off at.
TEST(BiasCompare, FireTakesLessOffTheFirstTokenWithinTheTrainedLength) {
  const auto result = compute("position/bias-compare", {{"reach", "3"}, {"show", "fire"}});
  std::vector<double> last;
  for (const auto& mark : result.figure.panels.at(0).marks)
    if (const auto* line = std::get_if<figure::Line>(&mark)) last.push_back(line->y.back());
  ASSERT_EQ(last.size(), 2u);  // queries at 1535 and 384, of 512 trained
  EXPECT_EQ(last[0], -10);
  EXPECT_NEAR(last[1], -10 * std::log(39.4) / std::log(52.2), 1e-14 * 10);
  const auto asked = std::ranges::find_if(
      result.checks, [](const Check& check) { return check.statement.starts_with("FIRE takes"); });
  ASSERT_NE(asked, result.checks.end());
  EXPECT_EQ(asked->value, 0);
  EXPECT_TRUE(all_hold(result));
}

TEST(BiasCompare, QueriesOfFireDifferByDashesInItsOneColour) {
  const auto result = compute("position/bias-compare", {{"show", "fire"}});
  std::vector<figure::Dash> dashes;
  for (const auto& mark : result.figure.panels.at(0).marks)
    if (const auto* line = std::get_if<figure::Line>(&mark)) {
      EXPECT_EQ(line->ink.index, 4);
      EXPECT_FALSE(line->dash_by_series);
      dashes.push_back(line->dash);
    }
  ASSERT_GE(dashes.size(), 2u);
  EXPECT_NE(dashes[0], dashes[1]);
}

TEST(SchemesCompared, CurvesAreTheirFormulas) {
  const auto t = table(compute("position/compare", {{"width", "128"}, {"head", "5"}}), "scores");
  const double root = std::sqrt(128.0);
  // Equal vectors of ones: RoPE gives 2 Σ cos(r θ_i)/√d; 62.0936838057676 is the published sum at r = 1.
  EXPECT_NEAR(at(t, 1, 2), 2 * 62.0936838057676 / root, 1e-11);
  EXPECT_DOUBLE_EQ(at(t, 4095, 3), root - 4095.0 / 32);  // ALiBi
  EXPECT_DOUBLE_EQ(at(t, 4095, 4), 128 - std::log(32));  // T5: no 1/√d, the last of 32 buckets
  EXPECT_DOUBLE_EQ(at(t, 4095, 5), root);                // none
  // Sinusoidal: ⟨1 + PE(4095), 1 + PE(0)⟩ = d + Σ (sin + cos)(4095 ω) + d/2 + Σ cos(4095 ω).
  double expected = 128 + 64;
  for (int i = 0; i < 64; ++i) {
    const double angle = 4095 * std::pow(10000, -i / 64.0);
    expected += std::sin(angle) + 2 * std::cos(angle);
  }
  EXPECT_NEAR(at(t, 4095, 1), expected / root, 1e-11);
}

}  // namespace
}  // namespace orrery::study::bias_studies_test
