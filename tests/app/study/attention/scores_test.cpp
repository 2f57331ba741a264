// What attention/scores says of one vector for all, where every score can be worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/recipe/recipe.h"
#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"

namespace orrery::study::scores_test {
namespace {

StudyResult alike(const char* name, const char* value, const char* positions = "none") {
  return compute(
      "attention/scores",
      {{"content", "alike"}, {"length", "48"}, {"query", "40"}, {"positions", positions}, {name, value}});
}

/// Score of the framed query with itself: |q|²/√d, whatever tells positions here.
double same(const StudyResult& result) {
  return at(result, "framed_row", "score", 40);
}

TEST(AttentionScores, ARuleThatGrowsTheBaseWantsTwoPairs) {
  for (const char* rule : {"ntk", "dynamic", "dynamic_paper"}) {
    try {
      compute("attention/scores", {{"rule", rule}, {"head_width", "2"}});
      FAIL() << rule;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()), "head_width: 2; allowed: 4 or more for rule " + std::string(rule) +
                                               ", whose exponent is d/(d − 2)");
    }
  }
  EXPECT_TRUE(all_hold(compute("attention/scores", {{"rule", "yarn"}, {"head_width", "2"}})));
}

TEST(AttentionScores, BiasesAreThoseOfTheirPapers) {
  const auto behind = [](const char* positions, double r) {
    const StudyResult result = alike("slope", "0.25", positions);
    EXPECT_TRUE(all_hold(result));
    return at(result, "offsets", "mean score", r) - at(result, "offsets", "mean score", 0);
  };
  EXPECT_NEAR(behind("alibi", 7), -0.25 * 7, 1e-5);
  EXPECT_NEAR(behind("kerple", 7), -1.5 * std::log(8), 1e-5);
  EXPECT_NEAR(behind("fire", 7), -10 * std::log(1.7) / std::log(52.2), 1e-5);
  // Of 32 buckets of one side the first 16 hold a distance each; 20 is in the 17th, 40 in 16 + ⌊16 ln(40/16)/ln 8⌋ = 23.
  EXPECT_NEAR(behind("t5", 9), -std::log(10), 1e-5);
  EXPECT_NEAR(behind("t5", 20), -std::log(18), 1e-5);
  EXPECT_NEAR(behind("t5", 40), -std::log(24), 1e-5);
  // numpy: (cos(7 * 10000 ** (-np.arange(64) / 64)).sum() - 64) / 8
  EXPECT_NEAR(behind("sandwich", 7), -2.1472711657464885, 1e-5);
}

/// By hand: pair i of a score at distance r is RoPE's times ζ_i^(r/512), ζ_i = (2i/d + 0.4)/1.4 (arXiv 2212.10554); of one
/// pair ζ_0 = 2/7, of the angle r.
TEST(AttentionScores, XposScalesWhatRopeTurns) {
  const auto of = [](const char* positions) {
    return compute("attention/scores", {{"content", "alike"},
                                        {"length", "200"},
                                        {"query", "199"},
                                        {"head_width", "2"},
                                        {"positions", positions}});
  };
  const StudyResult xpos = of("xpos"), rope = of("rope");
  EXPECT_TRUE(all_hold(xpos));
  for (const double r : {0.0, 1.0, 64.0, 190.0}) {
    const double turned = at(rope, "offsets", "mean score", r), scaled = at(xpos, "offsets", "mean score", r);
    EXPECT_NEAR(scaled, turned * std::pow(2.0 / 7, r / 512),
                1e-5 * std::abs(at(rope, "offsets", "mean score", 0)));
  }
}

double score(const StudyResult& result, int query, int key) {
  return table(result, "scores").columns.at(std::size_t(key)).values.at(std::size_t(query));
}

/// By hand (arXiv 2401.01325): from W = 8 tokens on, in groups of 4, a query at m and a key at n are ⌊m/4⌋ + 8 − 2 − ⌊n/4⌋
/// apart.
TEST(AttentionScores, SelfExtendTurnsByTheDistanceOfGroups) {
  const auto of = [](const char* positions) {
    return compute("attention/scores", {{"content", "alike"},
                                        {"length", "48"},
                                        {"mask", "none"},
                                        {"group", "4"},
                                        {"near", "6"},  // drawn up to two groups
                                        {"positions", positions}});
  };
  const StudyResult extended = of("self_extend"), rope = of("rope");
  EXPECT_TRUE(all_hold(extended));
  for (int m = 0; m < 48; ++m)
    for (int n = 0; n < 48; ++n) {
      const int apart = m - n < 8 ? std::abs(m - n) : m / 4 + 8 - 2 - n / 4;
      EXPECT_NEAR(score(extended, m, n), score(rope, apart, 0), 1e-5) << m << " " << n;
    }
}

/// Rows of a table, in the place of words: without positions the two banks have one score for a key, with rows two.
TEST(AttentionScores, LearnedRowsAreAddedToEmbeddings) {
  const auto of = [](const char* positions) {
    return compute("attention/scores", {{"content", "embedded"},
                                        {"text", "river bank money bank"},
                                        {"mask", "none"},
                                        {"positions", positions}});
  };
  const auto difference = [&](const char* positions) {
    const StudyResult result = of(positions);
    EXPECT_TRUE(all_hold(result));
    return std::abs(score(result, 1, 0) - score(result, 3, 0));
  };
  EXPECT_LT(difference("none"), 1e-6);
  EXPECT_GT(difference("learned"), 0.01);
}

TEST(AttentionScores, AlibisWeightsAreAGeometricSequence) {
  const StudyResult result = alike("slope", "0.25", "alibi");
  const double first = -std::expm1(-0.25) / -std::expm1(-0.25 * 41);
  EXPECT_NEAR(at(result, "framed_row", "weight", 40), first, 1e-6);
  EXPECT_NEAR(at(result, "framed_row", "weight", 33), first * std::exp(-0.25 * 7), 1e-6);
}

TEST(AttentionScores, ScaleCapLogNAndSinkByHand) {
  const double plain = same(alike("scaled", "root_d")),
               product = at(alike("cap", "off"), "framed_row", "dot product", 40);
  EXPECT_NEAR(plain, product / 8, 1e-5);  // of 64 components
  EXPECT_NEAR(same(alike("scaled", "d")), product / 64, 1e-6);
  EXPECT_NEAR(same(alike("scaled", "none")), product, 1e-4);
  EXPECT_NEAR(same(alike("cap", "5")), 5 * std::tanh(plain / 5), 1e-5);
  EXPECT_NEAR(same(alike("log_n", "on")), plain * std::log(41) / std::log(512), 1e-5);
  EXPECT_NEAR(same(alike("log_n", "clipped")), plain, 1e-5);  // of fewer keys than the trained length
  EXPECT_NEAR(at(alike("sink", "6"), "framed_row", "weight", 40), 1 / (41 + std::exp(6 - plain)), 1e-6);
  for (const auto& [name, value] : {std::pair{"cap", "5"}, {"log_n", "on"}, {"sink", "6"}, {"scaled", "d"}})
    EXPECT_TRUE(all_hold(alike(name, value))) << name;
}

TEST(AttentionScores, OutputsAreMeansOfValues) {
  // Without positions all weights of a row are equal: without a mask every output is the mean of all values, under the
  // causal one that of the values so far.
  const StudyResult result = alike("mask", "none"), causal = alike("mask", "causal");
  for (const char* component : {"component 0", "component 15"}) {
    const auto& o = column(result, "outputs", component);
    EXPECT_NEAR(least(o), most(o), 1e-6) << "no mask: one mean for all";
    const auto& so_far = column(causal, "outputs", component);
    EXPECT_NEAR(o.back(), so_far.back(), 1e-6) << "the last query sees all";
    EXPECT_GT(std::abs(so_far[0] - o[0]), 1e-3) << "the first sees its own value";
  }
}

TEST(AttentionScores, ACellIsWorkedOutTermByTermInDouble) {
  const StudyResult result = compute("attention/scores", {{"query", "5"}, {"key", "2"}});
  const auto &q = column(result, "cell", "query"), &k = column(result, "cell", "key"),
             &product = column(result, "cell", "term");
  ASSERT_EQ(q.size(), 64U);
  double sum = 0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    EXPECT_EQ(product[j], q[j] * k[j]);
    sum += product[j];
  }
  EXPECT_EQ(column(result, "cell", "sum so far").back(), sum);
  EXPECT_NEAR(at(result, "framed_row", "dot product", 2), sum, 1e-4);
  EXPECT_TRUE(result.worked.starts_with("q_{5}^T k_{2} = ") || result.worked.starts_with("q_5^T k_2 = "))
      << result.worked;
  // One map has the handles: the weights, or what stands alone.
  const auto held = [](const StudyResult& r) {
    std::vector<std::string> titles;
    for (const figure::Panel& panel : r.figure.panels)
      if (!panel.handles.empty()) titles.push_back(panel.title);
    return titles;
  };
  EXPECT_EQ(held(result), std::vector<std::string>{"Weights"});
  EXPECT_EQ(held(compute("attention/scores", {{"show", "scores"}})).size(), 1U);
}

TEST(AttentionScores, WhatWasAToggleIsUnderstood) {
  parameter::Settings settings(find("attention/scores").parameters);
  for (const auto& [was, is] :
       {std::pair{"off", "none"}, {"false", "none"}, {"on", "root_d"}, {"true", "root_d"}}) {
    settings.set("scaled", std::string_view(was));
    EXPECT_EQ(settings.choice("scaled"), is) << was;
  }
  const auto recipe = recipe::recipe_from_toml(
      "orrery = 1\nstudy = \"attention/scores\"\n[parameters]\nscaled = false\n", "old.toml");
  EXPECT_EQ(recipe.settings.choice("scaled"), "none");
}

TEST(AttentionScores, OneWordInTwoContextsIsToldApart) {
  const auto at_end = [](const char* text) {
    return compute("attention/scores",
                   {{"content", "embedded"}, {"text", text}, {"positions", "none"}, {"mask", "none"}});
  };
  // Without positions and mask nothing tells the two places apart; a causal mask does.
  EXPECT_NEAR(column(at_end("river bank money bank"), "contexts", "cosine of outputs").back(), 1, 1e-6);
  const StudyResult causal =
      compute("attention/scores",
              {{"content", "embedded"}, {"text", "river bank money bank"}, {"positions", "none"}});
  EXPECT_LT(column(causal, "contexts", "cosine of outputs").back(), 0.99);
  EXPECT_NEAR(column(causal, "contexts", "cosine before").back(), 1, 1e-12);
}

}  // namespace
}  // namespace orrery::study::scores_test
