// What layers cost, against numbers worked out by hand; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/block/layer_cost.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

using namespace block_complexity;

// Three places a layer: 1, 3, 9 tokens seen dilated, 1, 3, 5, 7, 9 side by side. Windows of four: 1, 4, 7, 10.
TEST(BlockComplexity, LayersBetweenTheEndsOfNineTokens) {
  Layer l{.length = 9, .width = 2, .kernel = 3, .window = 4};
  EXPECT_EQ(path(Kind::convolution, l), 2);
  EXPECT_EQ(path(Kind::restricted, l), 3);
  EXPECT_EQ(path(Kind::recurrent, l), 8);
  EXPECT_EQ(path(Kind::self_attention, l), 1);
  l.dilated = false;
  EXPECT_EQ(path(Kind::convolution, l), 4);
  l.length = 10;
  EXPECT_EQ(path(Kind::convolution, l), 5);
  l.dilated = true;
  EXPECT_EQ(path(Kind::convolution, l), 3);
}

TEST(BlockComplexity, EveryPathIsTheOneThatIsWalked) {
  for (double n = 2; n <= 70; ++n)
    for (double k = 2; k <= 5; ++k)
      for (const bool dilated : {true, false})
        for (const Kind kind : kinds) {
          const Layer l{.length = n, .width = 2, .kernel = k, .window = k, .dilated = dilated};
          ASSERT_EQ(path(kind, l), path_walked(kind, l)) << name_of(kind) << " n " << n << " k " << k;
        }
}

// The original's base model: 512 wide, 2048 hidden. LLaMA 7B: 3 × 4096 × 11008 against 4 n 4096.
TEST(BlockComplexity, LengthsWhereAttentionCostsAsMuch) {
  const auto original = table(compute("block/complexity", {}), "crossings").columns[1].values;
  EXPECT_EQ(original, (std::vector<double>{2048, 1024, 512}));
  const auto llama =
      table(compute("block/complexity", {{"width", "4096"}, {"times", "2.6875"}, {"feed_forward", "gated"}}),
            "crossings")
          .columns[1]
          .values;
  EXPECT_EQ(llama, (std::vector<double>{16512, 8320, 4096}));
}

// Table 1, term by term.
TEST(BlockComplexity, TermsOfTheTable) {
  const auto here = table(compute("block/complexity",
                                  {{"length", "100"}, {"width", "30"}, {"kernel", "5"}, {"window", "7"}}),
                          "here")
                        .columns[1]
                        .values;
  EXPECT_EQ(here, (std::vector<double>{300000, 90000, 450000, 21000}));
}

namespace block_complexity_title {

bool says_where_they_meet(const titles::Said& said) {
  const auto& at = said.column("crossings", "length");
  const double scores = std::ceil(at[0]), attention = std::ceil(at[1]);
  const auto from = said.as(
      "From length {} on scores and values cost as much as the feed-forward layer, with the projections from {} on");
  const auto always = said.as(
      "From length {} on scores and values cost as much as the feed-forward layer, with the projections at any length");
  if (!from && !always) return false;
  const auto& part = from ? *from : *always;
  return titles::says(part[0], scores) && (from ? at[1] > 1 && titles::says(part[1], attention) : at[1] <= 1);
}

bool says_at_which_length(const titles::Said& said) {
  const auto at = said.as("Table 1 at length {}");
  return at && titles::says((*at)[0], said.settings.real("length"));
}

const titles::Entries entries{{"block/complexity", says_where_they_meet, says_at_which_length}};

}  // namespace block_complexity_title

}  // namespace
}  // namespace orrery::study
