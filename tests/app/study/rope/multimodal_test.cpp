// An image among text, against positions and sections as Qwen's code has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace multimodal_study_test {
namespace {

TEST(Multimodal, TheTextBehindAnImageGoesOnPastItsLongestSide) {
  const auto result = compute("rope/multimodal", {});
  const auto& tokens = table(result, "tokens");
  EXPECT_EQ(at(tokens, 3, 1), 3);       // text
  EXPECT_EQ(at(tokens, 4 + 13, 1), 4);  // token 13 of the image: row 2, column 1
  EXPECT_EQ(at(tokens, 4 + 13, 2), 6);
  EXPECT_EQ(at(tokens, 4 + 13, 3), 5);
  EXPECT_EQ(at(tokens, 28, 1), 10);
  EXPECT_TRUE(all_hold(result));
}

// get_rope_index of Hugging Face's Qwen3-VL: video_grid_thw repeated for every frame, each with one frame, whose t is 0. So
// frames of 4 × 6 begin at 4, 10, 16 and 22, and text at 28; in Qwen2-VL time alone moves on, and text begins at 10.
TEST(Multimodal, FramesOfQwen3VLStandOneBehindTheOther) {
  const auto third = compute("rope/multimodal", {{"model", "qwen3_vl"}, {"frames", "4"}});
  const auto second = compute("rope/multimodal", {{"model", "qwen2_vl"}, {"frames", "4"}});
  for (int frame = 0; frame < 4; ++frame)
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 6; ++column) {
        const int token = 4 + 24 * frame + 6 * row + column, start = 4 + 6 * frame;
        EXPECT_EQ(at(table(third, "tokens"), token, 1), start) << token;
        EXPECT_EQ(at(table(third, "tokens"), token, 2), start + row) << token;
        EXPECT_EQ(at(table(third, "tokens"), token, 3), start + column) << token;
        EXPECT_EQ(at(table(second, "tokens"), token, 1), 4 + frame) << token;
        EXPECT_EQ(at(table(second, "tokens"), token, 2), 4 + row) << token;
        EXPECT_EQ(at(table(second, "tokens"), token, 3), 4 + column) << token;
      }
  for (int axis = 1; axis <= 3; ++axis) {
    EXPECT_EQ(at(table(third, "tokens"), 100, std::size_t(axis)), 28);
    EXPECT_EQ(at(table(second, "tokens"), 100, std::size_t(axis)), 10);
  }
  EXPECT_EQ(third.worked, "p = 4 + 4 \\cdot \\max(4, 6) = 28");
  EXPECT_TRUE(all_hold(third) && all_hold(second));
}

TEST(Multimodal, AScoreIsAMeanOfCosines) {
  const auto result = compute("rope/multimodal", {});
  // Qwen2-VL: 16 pairs of time, 24 of rows, 24 of columns; token 17 is 6, 4 and 5 away from token 28.
  double sum = 0;
  for (int i = 0; i < 64; ++i) sum += std::cos((i < 16 ? 6 : i < 40 ? 4 : 5) * std::pow(1e6, -2.0 * i / 128));
  EXPECT_NEAR(at(table(result, "tokens"), 17, 4), sum / 64, 1e-14);
}

TEST(Multimodal, MistakesAreSeenOnTheImage) {
  for (const char* const mistake : {"arrangement", "flattened"})
    for (const char* const model : {"qwen2_vl", "qwen3_vl"}) {
      const auto result = compute("rope/multimodal", {{"mistake", mistake}, {"model", model}});
      const auto& tokens = table(result, "tokens");
      double off = 0;
      for (int k = 4; k < 28; ++k) off = std::max(off, std::abs(at(tokens, k, 4) - at(tokens, k, 5)));
      EXPECT_GT(off, 0.01) << mistake << " " << model;
      EXPECT_TRUE(all_hold(result));
    }
}

/// The name of the band stands over its own tokens, however few they are.
TEST(Multimodal, TheImageIsNamedWhereItStands) {
  for (const char* size : {"1", "4"}) {
    const auto result =
        compute("rope/multimodal", {{"before", "1"}, {"rows", size}, {"columns", size}, {"after", "1"}});
    const double tokens = std::stod(size) * std::stod(size);
    int named = 0;
    for (const figure::Mark& mark : result.figure.panels.at(0).marks)
      if (const auto* note = std::get_if<figure::Note>(&mark); note && note->text == "image") {
        ++named;
        EXPECT_GT(note->x, 0.5);
        EXPECT_LT(note->x, 0.5 + tokens);
        EXPECT_EQ(note->h, figure::HAlign::center);
      }
    EXPECT_EQ(named, 1) << size;
  }
}

namespace multimodal_title {

bool image(const titles::Said& said) {
  const auto whole = [&](const char* name) { return double(said.settings.integer(name)); };
  const double before = whole("before"), tokens = whole("frames") * whole("rows") * whole("columns");
  const bool video = whole("frames") > 1;
  const std::string& mistake = said.settings.choice("mistake");
  const auto &score = said.column("tokens", "score"), &right = said.column("tokens", "score when read right"),
             &time = said.column("tokens", "time");
  if (mistake == "none") {
    const bool apart = video && said.settings.choice("model") == "qwen3_vl";
    const double side = std::max(whole("rows"), whole("columns")),
                 moves = apart ? whole("frames") * side : std::max(whole("frames"), side);
    const auto part =
        said.as(apart   ? "Without its timestamps a video of {} tokens moves the text behind it on by {}"
                : video ? "A video of {} tokens moves the text behind it on by {}"
                : tokens == 1 ? "An image of {} token moves the text behind it on by {}"
                              : "An image of {} tokens moves the text behind it on by {}");
    return part && titles::says((*part)[0], tokens) && titles::says((*part)[1], moves) &&
           time[std::size_t(before + tokens)] - before == moves;
  }
  double off = 0;
  for (auto k = std::size_t(before); k < std::size_t(before + tokens); ++k)
    off = std::max(off, std::abs(score[k] - right[k]));
  const auto part =
      said.as(mistake == "arrangement"
                  ? video ? "Pairs given to the wrong axes: scores of the video are off by up to {}"
                          : "Pairs given to the wrong axes: scores of the image are off by up to {}"
              : video ? "A video counted as text: its scores are off by up to {}"
                      : "An image counted as text: its scores are off by up to {}");
  return part && titles::says((*part)[0], off, 2);
}

const titles::Entries entries{{"rope/multimodal", image}};

}  // namespace multimodal_title

}  // namespace
}  // namespace multimodal_study_test
}  // namespace orrery::study
