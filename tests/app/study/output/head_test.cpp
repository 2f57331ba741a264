// From a state to the next word, against PyTorch; what the title says, looked up in the tables.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace output_head_test {
namespace {

constexpr const char* typed = "1.5,-0.25,2,0.5,0,-1";

/// torch.softmax(x / 0.7, -1) in float64, then the warpers of transformers' generate(): top-k 4, top-p 0.95, min-p 0.3.
TEST(OutputHead, CutsWhatTransformersCuts) {
  const auto result = compute("output/head", {{"words", "a b c d e f"},
                                              {"logits", "typed"},
                                              {"typed", typed},
                                              {"temperature", "0.7"},
                                              {"k", "4"},
                                              {"p", "0.95"},
                                              {"min_p", "0.3"}});
  EXPECT_EQ(column(result, "tokens", "word"), (std::vector<double>{2, 0, 3, 4, 1, 5}));
  EXPECT_EQ(column(result, "tokens", "outcome"), (std::vector<double>{0, 0, 3, 2, 1, 1}));
  const double probable[] = {0.5819904482471034,  0.284908569881182,    0.06827863406316939,
                             0.03342523583156585, 0.023386719566633803, 0.008010392410345539};
  const double drawn[] = {0.6713474534827301, 0.32865254651727, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(column(result, "tokens", "probability")[i], probable[i], 1e-15) << i;
    EXPECT_NEAR(column(result, "tokens", "drawn with")[i], drawn[i], 1e-15) << i;
  }
  EXPECT_TRUE(all_hold(result));
}

/// torch.nn.functional.cross_entropy of the fourth of these, without and with label_smoothing=0.1, in float64.
TEST(OutputHead, LossesAreThoseOfPyTorch) {
  const auto result = compute(
      "output/head", {{"words", "a b c d e f"}, {"logits", "typed"}, {"typed", typed}, {"target", "3"}});
  EXPECT_NEAR(column(result, "losses", "cross-entropy")[0], 2.2515021208450317, 1e-14);
  EXPECT_NEAR(column(result, "losses", "smoothed")[0], 2.2556687875116985, 1e-14);
  EXPECT_NEAR(column(result, "losses", "perplexity")[0], std::exp(2.2515021208450317), 1e-13);
}

// One word alone, words that are all alike, a target behind the last one.
TEST(OutputHead, SmallVocabulariesKeepTheChecks) {
  for (const char* words : {"one", "no no no", "$ 猫"})
    for (const char* rule : {"in_turn", "top_k", "top_p", "min_p", "none"})
      EXPECT_TRUE(all_hold(compute("output/head", {{"words", words}, {"rule", rule}, {"target", "15"}})))
          << words;
  const auto alike =
      compute("output/head", {{"logits", "typed"}, {"typed", "0"}, {"rule", "top_p"}, {"p", "0.5"}});
  EXPECT_EQ(std::ranges::count(column(alike, "tokens", "outcome"), 0), 6);  // of twelve
}

/// Of one word the loss is 0 whatever its logit: no rounding fills the panel, and the count is of one token.
TEST(OutputHead, OneWordAloneCostsNothing) {
  const auto ask = [](const char* show) {
    return compute(
        "output/head",
        {{"words", "a"}, {"logits", "typed"}, {"typed", "50"}, {"smoothing", "0.9"}, {"show", show}});
  };
  const auto result = ask("loss");
  for (const char* name : {"cross-entropy", "smoothed"})
    for (const double loss : column(result, "loss", name)) {
      EXPECT_GE(loss, 0) << name;
      EXPECT_LT(loss, 1e-12) << name;
    }
  const auto& range = result.figure.panels.at(0).y.range;
  ASSERT_TRUE(range);
  EXPECT_GT(range->hi, 0.05);
  EXPECT_EQ(ask("all").figure.title, "1 of 1 token is kept, with 100.0 % of the probability");
}

/// With terms beside their words the page is higher than wide, or two of the four panels had no room on it.
TEST(OutputHead, TermsHaveAPageWithRoomForAllPanels) {
  EXPECT_LE(compute("output/head", {}).figure.aspect, 0.95);
  EXPECT_GE(compute("output/head", {{"logits", "typed"}}).figure.aspect, 1.2);
}

/// "3 of 12 tokens are kept, with 85.6 % of the probability"; of the loss alone its two values.
bool what_is_kept(const titles::Said& said) {
  if (said.settings.choice("show") == "loss") {
    const auto part = said.as("“{}” came: cross-entropy {} nat, smoothed {}");
    const auto fixed = [&](std::size_t i, const char* name) {
      return std::abs(titles::number_of((*part)[i]) - said.column("losses", name)[0]) <= 0.0005000001;
    };
    return part && fixed(1, "cross-entropy") && fixed(2, "smoothed");
  }
  const auto& cut = said.column("tokens", "outcome");
  double kept = 0, mass = 0;
  for (std::size_t i = 0; i < cut.size(); ++i) {
    if (cut[i] != 0) continue;
    ++kept;
    mass += said.column("tokens", "probability")[i];
  }
  const auto part = said.as(cut.size() == 1 ? "{} of {} token is kept, with {} % of the probability"
                            : kept == 1     ? "{} of {} tokens is kept, with {} % of the probability"
                                            : "{} of {} tokens are kept, with {} % of the probability");
  return part && titles::says((*part)[0], kept) &&
         titles::says((*part)[1], static_cast<double>(cut.size())) &&
         std::abs(titles::number_of((*part)[2]) - 100 * mass) <= 0.05000001;
}

const titles::Entries entries{{"output/head", what_is_kept}};

}  // namespace
}  // namespace output_head_test
}  // namespace orrery::study
