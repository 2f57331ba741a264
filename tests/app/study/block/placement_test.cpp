// Where the norm stands, against PyTorch with random numbers of its own and the laws of Xiong et al. 2020; study_test.cpp
// asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "app/figure/layout.h"
#include "app/figure/theme.h"
#include "app/study/block/norm_drawing.h"
#include "app/study/block/placement_measured.h"
#include "tests/app/figure/support.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/block/pytorch_stacks.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace block_placement_test {
namespace {

/// The last gradients of a placement's models of one depth, one for each seed.
std::vector<double> last_gradients(const StudyResult& result, std::string_view place, double depth) {
  const figure::Table& models = table(result, "models");
  std::vector<double> all;
  for (std::size_t i = 0; i < models.columns[0].words.size(); ++i)
    if (models.columns[0].words[i] == place && models.columns[1].values[i] == depth)
      all.push_back(models.columns[3].values[i]);
  return all;
}

StudyResult eight_seeds(const char* heads = "4") {
  return compute("block/placement", {{"seeds", "8"}, {"heads", heads}}, DeviceChoice::cpu);
}

// One drawing above its plots was a stamp, its boxes too small for "attention".
TEST(BlockPlacement, FewDrawingsAboveTheirPlotsAreAsLargeAsSeven) {
  std::vector<const NormPlace*> all;
  for (const NormPlace& place : norm_places()) all.push_back(&place);
  const figure::Panel one = norm_drawing_panel({all.front()}, all.size()),
                      seven = norm_drawing_panel(all, all.size());
  EXPECT_DOUBLE_EQ(one.x.range->length(), seven.x.range->length());
  EXPECT_DOUBLE_EQ(one.y.range->length(), seven.y.range->length());
  EXPECT_FALSE(one.equal_aspect);
  EXPECT_TRUE(norm_drawing_panel({all.front()}, 4).equal_aspect) << "alone";
}

// The same stacks in PyTorch with other random numbers: means agree within five of their standard errors, in one comparison of
// three million by chance alone.
TEST(BlockPlacement, IsWhatPyTorchMeasures) {
  const StudyResult result = eight_seeds();
  for (const NormPlace& place : norm_places()) {
    double worst = 0;
    for (const int depth : {3, 6, 12, 24}) {
      const std::vector<double> own = last_gradients(result, place.name, depth);
      ASSERT_EQ(own.size(), 8u);
      worst = std::max(worst, of_pytorch(place.key, depth, "gradient").errors_apart(own));
    }
    std::printf("%-12s gradients: %.1f standard errors apart at most\n", std::string(place.name).c_str(),
                worst);
    EXPECT_LT(worst, 5) << place.name;
  }
}

// Xiong et al., theorem 1: with Pre-LN the last layer's gradient falls as 1/√L, with Post-LN it stays. The exponent is read off
// between 6 and 24 layers; what it may be off is four of its standard errors over the seeds, and for Pre-LN what 1 + cL differs
// from L there: ½ ln((1 + 24c)/(1 + 6c))/ln 4 is 0.44 to 0.47 for c from ½ to 3/2, lemma 2's.
TEST(BlockPlacement, FollowsTheoremOne) {
  const StudyResult result = eight_seeds();
  const auto exponent = [&](std::string_view place) {
    const Sample few(last_gradients(result, place, 6)), many(last_gradients(result, place, 24));
    const double error = std::hypot(few.error() / few.mean, many.error() / many.mean) / std::log(4);
    return std::pair(std::log(many.mean / few.mean) / std::log(4), error);
  };
  const auto [pre, pre_error] = exponent("Pre-LN");
  const auto [post, post_error] = exponent("Post-LN");
  std::printf("exponents: Pre-LN %.3f ± %.3f, Post-LN %.3f ± %.3f\n", pre, pre_error, post, post_error);
  EXPECT_NEAR(pre, -0.5, 0.06 + 4 * pre_error);
  EXPECT_NEAR(post, 0, 4 * post_error);
  EXPECT_LT(pre, -0.3);
}

// Lemma 2 with its own conditions: F = D, Xavier's variances, queries and keys 0.
TEST(BlockPlacement, LemmaTwosBandIsTheOnePublished) {
  const StudyResult result =
      compute("block/placement", {{"score_gain", "0"}, {"layers", "48"}, {"seeds", "1"}}, DeviceChoice::cpu);
  const figure::Table& law = table(result, "law");
  for (const double l : {0.0, 1.0, 6.0, 12.0, 48.0}) {
    EXPECT_NEAR(at(law, l, 1), 1 + l / 2, 1e-12 * (1 + l));
    EXPECT_NEAR(at(law, l, 2), 1 + 3 * l / 2, 1e-12 * (1 + l));
  }
  const auto& squares = table(result, "variance");
  const auto pre = std::ranges::find(squares.columns, "Pre-LN", &figure::Column::name);
  ASSERT_NE(pre, squares.columns.end());
  EXPECT_GT(pre->values.back(), 1 + 48 / 2.0);
  EXPECT_LT(pre->values.back(), 1 + 3 * 48 / 2.0);
  // Post-LN: 3/2 at every layer, on average.
  const auto post = std::ranges::find(squares.columns, "Post-LN", &figure::Column::name);
  double mean = 0;
  for (std::size_t l = 1; l <= 48; ++l) mean += post->values[l] / 48;
  EXPECT_NEAR(mean, 1.5, 0.15);  // of 48 layers, each within 0.2 or so
}

// A network four times as wide gets Xavier's smaller variances: c = D F (2/(D + F))²/2 = 8/25 for F = 4D.
TEST(BlockPlacement, AWiderNetworkAddsLess) {
  const figure::Table branches =
      table(compute("block/placement", {{"times", "4"}, {"layers", "4"}, {"seeds", "1"}}), "branches");
  for (std::size_t i = 0; i + 1 < branches.columns[0].words.size(); ++i) {
    EXPECT_NEAR(branches.columns[1].values[i], 0.32, 1e-12);
    EXPECT_NEAR(branches.columns[2].values[i], 1, 1e-12);
  }
  // DeepNorm of 4 layers: α = 8^¼, and β = 32^−¼ on both of its matrices.
  EXPECT_NEAR(branches.columns[3].values.back(), std::pow(8, 0.25), 1e-12);
  EXPECT_NEAR(branches.columns[1].values.back(), 0.32 / 32, 1e-12);
}

/// The largest logit by a loop over all pairs, from the tape's own queries and keys.
TEST(BlockPlacement, NormedLogitsAreNoLargerThanTheRootOfTheWidth) {
  for (const char* gain : {"1", "4"}) {
    const StudyResult result =
        compute("block/placement",
                {{"placement", "output"}, {"beside", "none"}, {"score_gain", gain}, {"seeds", "1"}});
    const figure::Table& logits = table(result, "logits");
    for (std::size_t l = 0; l < 24; ++l) EXPECT_LE(logits.columns[2].values[l], 4 * (1 + 1e-9));  // √16
    // Vectors of mean square v have products of deviation v; the largest of some thousand is a few of these.
    EXPECT_GT(logits.columns[1].values.back() / logits.columns[1].values.front(), 8);
  }
}

// A dotted stream in words stood so close below the last norm's name that all words were written by a quarter smaller.
TEST(BlockPlacement, WordsOfSevenDrawingsAreAsLargeAsTheirBoxesHold) {
  std::vector<const NormPlace*> places;
  for (const NormPlace& place : norm_places()) places.push_back(&place);
  const figure::Figure seven{.panels = {norm_drawing_panel(places, places.size())}};
  const figure::Theme& theme = figure::theme_by_name("dark");
  const figure::CountedText metrics;
  const figure::Scene scene = figure::layout(seven, figure::page(760, 200), theme, metrics);
  const double wide = scene.panels.at(0).plot.w / seven.panels[0].x.range->length(),
               high = scene.panels.at(0).plot.h / seven.panels[0].y.range->length();
  int attentions = 0;
  for (const figure::Label& label : figure::all_of_kind<figure::Label>(scene)) {
    if (label.text != "attention" && label.text != "FFN" && label.text != "norm") continue;
    EXPECT_NEAR(label.style.size, 0.6 * theme.text_size, 1e-6) << label.text;
    const figure::Extent words = metrics.measure(label.text, label.style);
    EXPECT_LT(words.width, (label.text == "norm" ? 1.9 : 2.2) * wide) << label.text;
    EXPECT_LT(words.ascent + words.descent, 1.05 * high) << label.text;
    attentions += label.text == "attention";
  }
  EXPECT_EQ(attentions, 7);
}

// Words are small where the row of drawings is low: at 1280 × 800 its pane leaves all plots together 366 points, and a line of
// 0.68 text sizes is 9.5 points high.
TEST(BlockPlacement, DrawingsHaveTheHeightOfTheirWords) {
  const StudyResult result = compute("block/placement", {{"layers", "4"}, {"seeds", "1"}});
  const std::vector<double>& rows = result.figure.row_weights;
  const double high = 366 * rows.at(0) / (rows.at(0) + rows.at(1) + rows.at(2));
  EXPECT_GE(1.05 * high / result.figure.panels.at(0).y.range->length(), 9.4);
}

bool says_how_the_gradient_goes(const titles::Said& said) {
  const auto two =
      said.as("From {} to {} layers the last one's gradient is multiplied by {} with {}, by {} with {}");
  const auto one = said.as("From {} to {} layers the last one's gradient is multiplied by {} with {}");
  if (!two && !one) return false;
  const auto& part = two ? *two : *one;
  const auto& depths = said.column("depths", "layers");
  const auto right = [&](const std::string& times, const std::string& place) {
    const auto& gradients = said.column("depths", place);
    return titles::says(times, gradients.back() / gradients[gradients.size() - 2], 2);
  };
  const auto followed = norm_place(said.settings.choice("placement")).name;
  return titles::says(part[0], depths[depths.size() - 2]) && titles::says(part[1], depths.back()) &&
         part[3] == followed && right(part[2], part[3]) &&
         (!two || (part[5] != followed && right(part[4], part[5])));
}

bool says_whose(const titles::Said& said) {
  const auto followed = norm_place(said.settings.choice("placement")).name;
  const auto logits = said.as("Largest logit, {}"), law = said.as("Mean square, law of {}");
  return (logits && (*logits)[0] == followed) || (law && (*law)[0] == followed);
}

const titles::Entries entries{{"block/placement", says_how_the_gradient_goes, says_whose}};

}  // namespace
}  // namespace block_placement_test
}  // namespace orrery::study
