// What attention/masks says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/study/attention/mask_ways.h"
#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Rows of # and . of the op's result.
std::vector<std::string> drawn(MaskWay way, const MaskSizes& sizes) {
  const twin::Matrix through = let_through({}, way, sizes);
  std::vector<std::string> rows;
  for (tensor::Index m = 0; m < through.rows(); ++m) {
    rows.emplace_back();
    for (tensor::Index n = 0; n < through.cols(); ++n) rows.back() += through(m, n) == 0 ? '#' : '.';
  }
  return rows;
}

using Rows = std::vector<std::string>;

/// Drawn by hand from what the papers and libraries say: mask.h names them.
TEST(AttentionMasks, AreThoseOfTheirPapers) {
  const MaskSizes sizes{.tokens = 5, .window = 2, .chunk = 2, .prefix = 3, .lengths = {2}, .filled = 1};
  EXPECT_EQ(drawn(MaskWay::causal, sizes), (Rows{"#....", "##...", "###..", "####.", "#####"}));
  EXPECT_EQ(drawn(MaskWay::window, sizes), (Rows{"#....", "##...", ".##..", "..##.", "...##"}));
  EXPECT_EQ(drawn(MaskWay::before, sizes), (Rows{"#....", "##...", "###..", ".###.", "..###"}));
  EXPECT_EQ(drawn(MaskWay::chunked, sizes), (Rows{"#....", "##...", "..#..", "..##.", "....#"}));
  EXPECT_EQ(drawn(MaskWay::prefix, sizes), (Rows{"###..", "###..", "###..", "####.", "#####"}));
  EXPECT_EQ(drawn(MaskWay::documents, sizes), (Rows{"#....", "##...", "..#..", "..##.", "..###"}));
  EXPECT_EQ(drawn(MaskWay::padding, sizes), (Rows{".....", ".#...", ".##..", ".###.", ".####"}));
}

TEST(AttentionMasks, FillingStandsWhereItIsPut) {
  MaskSizes sizes{.tokens = 3, .filled = 1, .filling = Filling::right};
  EXPECT_EQ(drawn(MaskWay::padding, sizes), (Rows{"#..", "##.", "##."}));
  sizes.filling = Filling::encoder;
  EXPECT_EQ(drawn(MaskWay::padding, sizes), (Rows{"##.", "##.", "##."}));
  sizes.filled = 64;  // more than there are
  EXPECT_EQ(drawn(MaskWay::padding, sizes), (Rows{"...", "...", "..."}));
}

/// The derivation's Mistral 7B by its ratio: (W − 1) a layer. By hand: a window of 3 reaches 2 tokens further with each layer.
TEST(AttentionMasks, LayersOfAWindowReachFurther) {
  const auto result = compute("attention/masks", {{"tokens", "20"}, {"query", "19"}, {"window", "3"}});
  EXPECT_EQ(column(result, "reach", "window"), (std::vector<double>{1, 3, 5, 7, 9, 11, 13}));
  EXPECT_EQ(column(result, "reach", "window before it"), (std::vector<double>{1, 4, 7, 10, 13, 16, 19}));
  EXPECT_EQ(column(result, "reach", "causal"), (std::vector<double>{1, 20, 20, 20, 20, 20, 20}));
  EXPECT_EQ(column(result, "reach", "chunks"), (std::vector<double>{1, 4, 4, 4, 4, 4, 4}));
  EXPECT_TRUE(all_hold(result));
}

/// T (T + 1)/2 = 78 of 144; 4 · 12 − 6 = 42; 3 chunks of 4: 3 · 10; 5, 4 and 3 tokens: 15 + 10 + 6.
TEST(AttentionMasks, PairsAreCounted) {
  const auto result = compute("attention/masks", {});
  EXPECT_EQ(at(result, "masks", "pairs seen", "causal"), 78);
  EXPECT_EQ(at(result, "masks", "pairs seen", "window"), 42);
  EXPECT_EQ(at(result, "masks", "pairs seen", "chunks"), 30);
  EXPECT_EQ(at(result, "masks", "pairs seen", "documents"), 31);
  EXPECT_EQ(at(result, "masks", "pairs seen", "ALiBi"), 78);
}

namespace attention_masks_title {

bool says_what_is_seen(const titles::Said& said) {
  const auto part =
      said.as("Query {} sees {} of {} keys, {} in a window, {} in its chunk, and {} in its document");
  if (!part) return false;
  const auto tokens = static_cast<double>(said.settings.integer("tokens"));
  const auto seen = [&](const char* mask) { return at(said.result, "masks", "seen by the query", mask); };
  return titles::number_of((*part)[0]) ==
             std::min(static_cast<double>(said.settings.integer("query")), tokens - 1) &&
         titles::number_of((*part)[1]) == seen("causal") && titles::number_of((*part)[2]) == tokens &&
         titles::number_of((*part)[3]) == seen("window") && titles::number_of((*part)[4]) == seen("chunks") &&
         titles::number_of((*part)[5]) == seen("documents");
}

const titles::Entries entries{{"attention/masks", says_what_is_seen}};

}  // namespace attention_masks_title

}  // namespace
}  // namespace orrery::study
