// extrapolation/scores where no position lies past the trained length.
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "app/figure/data_range.h"
#include "tests/app/study/ask.h"

namespace orrery::study::scores_past_test {
namespace {

bool says_so(const figure::Panel& panel) {
  return std::ranges::any_of(panel.marks, [](const figure::Mark& mark) {
    const auto* inset = std::get_if<figure::Inset>(&mark);
    return inset && inset->text == "no position past $L$";
  });
}

TEST(ExtrapolationScores, NothingPastTheEndIsSaid) {
  const auto past = [](const char* reach) {
    return compute("extrapolation/scores", {{"reach", reach}, {"show", "past"}}).figure.panels.at(0);
  };
  EXPECT_TRUE(says_so(past("1")));
  EXPECT_GE(figure::y_range(past("1")).lo, 0) << "a share is not below 0";
  EXPECT_FALSE(says_so(past("1.01")));
  EXPECT_FALSE(says_so(past("8")));
}

}  // namespace
}  // namespace orrery::study::scores_past_test
