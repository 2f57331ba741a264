// Pairings and clocks: the same rotation must be seen whichever columns make a pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "app/study/rope/clocks.h"
#include "app/study/rope/turning.h"

namespace orrery::study::rope_turning_test {
namespace {

class Pairing : public testing::TestWithParam<position::RopeLayout> {};

TEST_P(Pairing, EachPairIsTurnedByItsAngle) {
  position::RopeRule rule;
  rule.rotary_dim = 8;
  const Turning turning{position::rope_frequencies(rule), GetParam()};
  study::Run run;
  run.device = DeviceChoice::ref;
  const auto before = turning.repeated(std::array{0.5, -0.25}, 8);
  const auto after = twin::rope(run, before, turning.table(std::array{3.0}), turning.layout);
  for (int i = 0; i < 4; ++i) {
    const auto [a, b] = turning.columns(i, 8);
    const double angle = 3 * std::pow(10000, -i / 4.0);
    // 1e-15: a handful of roundings in double on numbers below 1.
    EXPECT_NEAR(after(0, a), 0.5 * std::cos(angle) + 0.25 * std::sin(angle), 1e-15) << i;
    EXPECT_NEAR(after(0, b), 0.5 * std::sin(angle) - 0.25 * std::cos(angle), 1e-15) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Pairing,
                         testing::Values(position::RopeLayout::interleaved, position::RopeLayout::half));

const figure::Points& tips(const figure::Panel& panel, figure::Role role) {
  for (const auto& mark : panel.marks)
    if (const auto* points = std::get_if<figure::Points>(&mark); points && points->ink.role == role)
      return *points;
  throw std::logic_error("no such points");
}

TEST(Clocks, HandsThatHaveComeRoundAreTold) {
  const double turn = 2 * std::numbers::pi;
  const figure::Panel panel =
      clock_panel({{1, 0, 0, 1, turn * 3.25}, {1, 0, -1, 0, turn / 2}, {1, 0, 0, -1, turn * 0.75}});
  const auto& round = tips(panel, figure::Role::text);
  const auto& turning = tips(panel, figure::Role::accent);
  ASSERT_EQ(round.x.size(), 1u);
  ASSERT_EQ(turning.x.size(), 2u);
  EXPECT_EQ(round.x[0], 0);  // the first clock stands at the origin, its hand points up
  EXPECT_EQ(round.y[0], 1);
  EXPECT_EQ(turning.y[0], 0);  // the second points to the left, in the same row
  EXPECT_LT(turning.x[0], turning.x[1]);
}

TEST(Clocks, TheArcEndsAtTheHandAndLeavesWholeTurnsOut) {
  const double angle = 2 * std::numbers::pi * 5 + 1;
  const figure::Panel panel = clock_panel({{0, 1, -std::sin(1), std::cos(1), angle}});
  const auto& arc = std::get<figure::Line>(panel.marks[2]);
  ASSERT_GT(arc.x.size(), 3u);
  EXPECT_NEAR(arc.x.front(), 0, 1e-15);
  EXPECT_NEAR(arc.y.front(), 1, 1e-15);
  // The last point is the pen's gap; 1e-14: fmod of an angle near 32.
  EXPECT_NEAR(arc.x[arc.x.size() - 2], -std::sin(1), 1e-14);
  EXPECT_NEAR(arc.y[arc.y.size() - 2], std::cos(1), 1e-14);
  double length = 0;
  for (std::size_t i = 1; i + 1 < arc.x.size(); ++i)
    length += std::hypot(arc.x[i] - arc.x[i - 1], arc.y[i] - arc.y[i - 1]);
  EXPECT_NEAR(length, 1, 1e-3);  // one radian, in chords
}

TEST(Clocks, AFewHaveTheFirstTheLastAndTheMarkedOne) {
  for (const int count : {3, 12, 13, 32, 64, 128})
    for (const int marked : {-1, 0, 1, 5, 17, count - 1}) {
      if (marked >= count) continue;
      const std::vector<Clock> few = few_of(std::vector<Clock>(static_cast<std::size_t>(count)), 12, marked);
      EXPECT_EQ(std::ssize(few), std::min(count, 12));
      EXPECT_EQ(few.front().pair, 0);
      EXPECT_EQ(few.back().pair, count - 1);
      for (std::size_t i = 1; i < few.size(); ++i) EXPECT_LT(few[i - 1].pair, few[i].pair) << count;
      EXPECT_TRUE(marked < 0 || std::ranges::any_of(few, [&](const Clock& c) { return c.pair == marked; }))
          << marked << " of " << count;
    }
}

std::vector<Clock> twelve() {
  return few_of(std::vector<Clock>(32), 12, 8);
}

/// Points of a radius, in a plot of so many points.
double radius_in(double width, double height, const figure::Panel& panel) {
  return std::min(width / panel.x.range->length(), height / panel.y.range->length());
}

// The plots are those of rope/rotation. Twelve in one row, with words above and below, had 8 and 13.9 points in the
// windows, and 27.6 thousandths of the printed width.
TEST(Clocks, TwelveWithTheirTurnsStandInTwoRowsAndAreLarger) {
  const figure::Panel panel = clock_panel(twelve(), {.marked = 8, .turns = true});
  EXPECT_GT(radius_in(333, 66, panel), 10) << "a window of 900 × 600";
  EXPECT_GT(radius_in(581, 130, panel), 18) << "a window of 1280 × 800";
  EXPECT_GT(radius_in(1192, 141, panel), 28) << "the usual page, 1344 wide";
}

TEST(Clocks, WordsOfATurnStandBetweenItsClockAndTheNext) {
  const double turn = 2 * std::numbers::pi, root = std::numbers::sqrt2;
  for (const double length : {1.0, root}) {
    std::vector<Clock> clocks = twelve();
    for (Clock& clock : clocks)
      clock = {1, 0, length, 0, turn * 20861, {}, clock.pair};  // to the right, where the words are
    const figure::Panel panel = clock_panel(clocks, {.turns = true});
    const figure::Points& ends = tips(panel, figure::Role::text);
    std::size_t told = 0;
    for (const figure::Mark& mark : panel.marks) {
      const auto* note = std::get_if<figure::Note>(&mark);
      if (!note || note->text != "20.9k") continue;
      ASSERT_LT(told, ends.x.size());
      EXPECT_GT(note->x, ends.x[told]) << told;
      const bool last = told + 1 == ends.x.size() || ends.y[told + 1] != ends.y[told];
      const double next = last ? panel.x.range->hi : ends.x[told + 1] - 2 * length;
      EXPECT_GE(next - note->x, 2.3 - 1e-9) << told << ": room for five characters";
      ++told;
    }
    EXPECT_EQ(told, 12u);
  }
}

TEST(Clocks, NoClockMovesToAnotherRowWhileItsHandIsDragged) {
  for (const std::size_t count : {2u, 6u, 7u, 12u}) {
    const auto rows = [&](double length) {
      const figure::Panel panel =
          clock_panel(std::vector<Clock>(count, {0, 1, 0, length, 0.5}), {.turns = true});
      const std::vector<double> y = tips(panel, figure::Role::accent).y;
      return std::ranges::count_if(y, [&](double each) { return each == y.front(); });
    };
    EXPECT_EQ(rows(1), rows(std::numbers::sqrt2)) << count;
  }
}

}  // namespace
}  // namespace orrery::study::rope_turning_test
