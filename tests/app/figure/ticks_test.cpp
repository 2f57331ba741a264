#include "app/figure/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

namespace orrery::figure::ticks_test {
namespace {

using Labels = std::vector<std::string>;

Labels labels(const Scale& scale, Range range, int target, TickHint hint = TickHint::none) {
  return tick_labels(locate_ticks(scale, range, target, hint));
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Reads a label of a linear axis back as a person would.
double parsed(std::string label) {
  replace_all(label, "\u2212", "-");
  replace_all(label, "\u2009", "");
  replace_all(label, "$", "");
  replace_all(label, " \\times 10^{", "e");
  replace_all(label, "}", "");
  return std::stod(label);
}

// The ranges and answers that were published or measured for the extended algorithm on ranges of this
// program.
TEST(Ticks, KnownRanges) {
  EXPECT_EQ(labels({}, {-8, 8}, 5), (Labels{"\u22128", "\u22124", "0", "4", "8"}));
  EXPECT_EQ(labels({}, {0, 127}, 6), (Labels{"0", "25", "50", "75", "100", "125"}));
  EXPECT_EQ(labels({}, {0, 1}, 5), (Labels{"0", "0.25", "0.50", "0.75", "1.00"}));
  EXPECT_EQ(labels({}, {0, 1}, 6), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
}

// What a reader counts in: multiples of the step, so that 0 and 1 are named where they are inside.
TEST(Ticks, AreMultiplesOfTheirStep) {
  EXPECT_EQ(labels({}, {0.02, 0.98}, 6), (Labels{"0.2", "0.4", "0.6", "0.8"}));
  EXPECT_EQ(labels({}, {0, 399}, 6), (Labels{"0", "100", "200", "300"}));
  EXPECT_EQ(labels({}, {0, 1.55}, 6), (Labels{"0", "0.25", "0.50", "0.75", "1.00", "1.25", "1.50"}));
  EXPECT_EQ(labels({}, {-0.7, 4}, 6), (Labels{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(labels({}, {-0.5, 23.5}, 5, TickHint::integers), (Labels{"0", "5", "10", "15", "20"}));
  EXPECT_EQ(labels({}, {-0.5, 47.5}, 3, TickHint::integers), (Labels{"0", "20", "40"}));
  EXPECT_EQ(labels({}, {-0.33, 1.03}, 3), (Labels{"0", "0.5", "1.0"}));
  EXPECT_EQ(labels({}, {0, 0.5}, 2), (Labels{"0", "0.5"})) << "as few digits as tell them apart";
  std::mt19937_64 random(41);
  std::uniform_real_distribution<double> at(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double lo = at(random);
    const TickSet t = locate_ticks({}, {lo, lo + 0.01 + std::abs(at(random))}, 2 + trial % 6);
    ASSERT_GE(t.count, 2);
    EXPECT_EQ(t.first % t.stride, 0) << t.first << " in steps of " << t.stride;
  }
}

TEST(Ticks, NoTraceOfBinary) {
  EXPECT_EQ(labels({}, {0.1 + 0.2, 0.7}, 5), (Labels{"0.3", "0.4", "0.5", "0.6", "0.7"}));
  const TickSet t = locate_ticks({}, {0, 1}, 11);
  for (int i = 0; i < t.count; ++i) EXPECT_EQ(t.value(i), std::stod(std::to_string(t.value(i))));
}

TEST(Ticks, LargeOffsetsKeepTheirDigits) {
  EXPECT_EQ(labels({}, {1e5, 1e5 + 2}, 3), (Labels{"100\u2009000", "100\u2009001", "100\u2009002"}));
  const Labels l = labels({}, {5e9, 5e9 + 4}, 5);
  EXPECT_EQ(l.front(), "5\u2009000\u2009000\u2009000");
  EXPECT_EQ(l.back(), "5\u2009000\u2009000\u2009004");
}

TEST(Ticks, TinyValuesShareAPower) {
  EXPECT_EQ(labels({}, {0, 3e-8}, 4),
            (Labels{"$0$", "$1 \\times 10^{-8}$", "$2 \\times 10^{-8}$", "$3 \\times 10^{-8}$"}));
}

TEST(Ticks, ZerosThatAllSharePassIntoThePower) {
  TickSet t;
  t.count = 3;
  t.stride = 10;
  t.exp10 = -1;
  EXPECT_EQ(tick_labels(t), (Labels{"0", "1", "2"}));
  t.stride = 1000000;
  t.exp10 = 1;
  EXPECT_EQ(tick_labels(t), (Labels{"$0$", "$1 \\times 10^{7}$", "$2 \\times 10^{7}$"}));
}

TEST(Ticks, Hints) {
  EXPECT_EQ(labels({}, {0, 256}, 5, TickHint::powers_of_two), (Labels{"0", "64", "128", "192", "256"}));
  EXPECT_EQ(labels({}, {0, 131072}, 4, TickHint::powers_of_two),
            (Labels{"0", "32\u2009768", "65\u2009536", "98\u2009304", "131\u2009072"}));
  EXPECT_EQ(labels({}, {0, 2 * std::numbers::pi}, 5, TickHint::pi),
            (Labels{"$0$", "$\\pi/2$", "$\\pi$", "$3\\pi/2$", "$2\\pi$"}));
  EXPECT_EQ(labels({}, {-std::numbers::pi, std::numbers::pi}, 3, TickHint::pi),
            (Labels{"$-\\pi$", "$0$", "$\\pi$"}));
  EXPECT_EQ(labels({}, {0, 3.2}, 6, TickHint::integers), (Labels{"0", "1", "2", "3"}));
  EXPECT_EQ(labels({}, {2.5, 3.4}, 6, TickHint::integers), (Labels{"3"}));
  EXPECT_TRUE(labels({}, {3.2, 3.7}, 6, TickHint::integers).empty());
}

TEST(Ticks, LogScales) {
  EXPECT_EQ(labels(Scale::log(2), {1, 16384}, 8), (Labels{"$2^{0}$", "$2^{2}$", "$2^{4}$", "$2^{6}$",
                                                          "$2^{8}$", "$2^{10}$", "$2^{12}$", "$2^{14}$"}));
  EXPECT_EQ(labels(Scale::log(10), {1e-8, 1}, 5),
            (Labels{"$10^{-8}$", "$10^{-6}$", "$10^{-4}$", "$10^{-2}$", "$10^{0}$"}));
  EXPECT_EQ(labels(Scale::log(10), {2, 9}, 4).size(), 4u) << "less than a decade: linear ticks";
  EXPECT_EQ(locate_ticks(Scale::log(10), {2, 9}, 4).scale.kind(), Scale::Kind::linear);
  EXPECT_EQ(labels(Scale::log(10), {1, 2}, 6, TickHint::integers), (Labels{"1", "2"}));
}

// Equal steps would stand in the upper quarter of such an axis alone.
TEST(Ticks, OfLessThanTwoPowersAreOneTwoAndFive) {
  EXPECT_EQ(labels(Scale::log(10), {0.07, 0.65}, 4), (Labels{"0.1", "0.2", "0.5"}));
  EXPECT_EQ(labels(Scale::log(10), {0.6, 9.5}, 4), (Labels{"1", "2", "5"}));
  EXPECT_EQ(labels(Scale::log(10), {0.15, 9.5}, 5), (Labels{"0.2", "0.5", "1.0", "2.0", "5.0"}));
  EXPECT_EQ(labels(Scale::log(10), {0.15, 9.5}, 3), (Labels{"0.3", "1.0", "3.0"}))
      << "fewer where room is short";
  EXPECT_EQ(labels(Scale::log(10), {0.48, 6.5}, 2), (Labels{"1", "3"}));
  EXPECT_EQ(labels(Scale::log(10), {1.1, 6}, 2), (Labels{"2", "5"}));
  EXPECT_EQ(labels(Scale::log(10), {1500, 80000}, 8),
            (Labels{"2\u2009000", "5\u2009000", "10\u2009000", "20\u2009000", "50\u2009000"}));
  for (int i = -15; i < 15; ++i) {
    const Range range{1.2 * std::pow(10, i), 9.9 * std::pow(10, i + 1)};
    const TickSet t = locate_ticks(Scale::log(10), range, 6);
    ASSERT_GE(t.count, 5) << i;
    for (int k = 0; k < t.count; ++k) {
      EXPECT_NEAR(parsed(tick_labels(t)[std::size_t(k)]), t.value(k), 1e-15 * t.value(k));
      EXPECT_TRUE(t.value(k) >= range.lo && t.value(k) <= range.hi);
    }
  }
}

// 10^11 and 10^-11 about 10^0 tell nobody how far it is.
TEST(Ticks, LongLogScalesStepAsPeopleCount) {
  EXPECT_EQ(labels(Scale::log(10), {1e-14, 1e14}, 3), (Labels{"$10^{-8}$", "$10^{0}$", "$10^{8}$"}));
  EXPECT_EQ(labels(Scale::log(10), {1, 1e140}, 5),
            (Labels{"$10^{0}$", "$10^{30}$", "$10^{60}$", "$10^{90}$", "$10^{120}$"}));
  const std::set<std::int64_t> counted{1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 80, 100, 150, 200, 300};
  for (int decades = 2; decades < 600; decades += 3)
    for (int target = 2; target < 9; ++target) {
      const TickSet t =
          locate_ticks(Scale::log(10), {std::pow(10, -decades / 2), std::pow(10, decades / 2)}, target);
      EXPECT_TRUE(counted.contains(t.stride)) << t.stride;
      EXPECT_GE(t.count, 3);
    }
}

TEST(Ticks, SymlogIsSymmetric) {
  EXPECT_EQ(labels(Scale::symlog(1e-3), {-10, 10}, 5),
            (Labels{"$-10^{0}$", "$-10^{-2}$", "$0$", "$10^{-2}$", "$10^{0}$"}));
  const TickSet t = locate_ticks(Scale::symlog(1), {-1e6, 1e6}, 7);
  for (int i = 0; i < t.count; ++i) EXPECT_EQ(t.value(i), -t.value(t.count - 1 - i));
}

// A published property of the algorithm when kept inside the range: never fewer than three ticks at a target
// of 5 or 6, never more than nine.
TEST(Ticks, RandomRanges) {
  std::mt19937_64 random(20100901);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-12, 12), relative(-4, 0);
  int fewest = 100, most = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const double size = std::pow(10, exponent(random)), lo = mantissa(random) * size;
    const Range range{lo, lo + size * std::pow(10, relative(random))};
    const TickSet t = locate_ticks({}, range, 5 + trial % 2);
    fewest = std::min(fewest, t.count);
    most = std::max(most, t.count);
    ASSERT_GE(t.count, 3) << range.lo << " to " << range.hi;
    ASSERT_LE(t.count, 9) << range.lo << " to " << range.hi;
    const Labels said = tick_labels(t);
    ASSERT_EQ(int(said.size()), t.count);
    ASSERT_EQ(std::set<std::string>(said.begin(), said.end()).size(), said.size()) << said.front();
    for (int i = 0; i < t.count; ++i) {
      // An end that is a decimal number but for rounding counts as inside: 1e-10 of the range is no pixel
      // anywhere.
      EXPECT_GE(t.value(i), range.lo - 1e-10 * range.length());
      EXPECT_LE(t.value(i), range.hi + 1e-10 * range.length());
      if (i > 0) {
        EXPECT_GT(t.value(i), t.value(i - 1));
      }
      // Both are the same decimal, rounded once or (beyond 10^22) twice: four ulps.
      EXPECT_NEAR(parsed(said[std::size_t(i)]), t.value(i), 1e-15 * std::abs(t.value(i)));
    }
  }
  std::printf("ticks per axis on 10 000 random ranges: %d to %d\n", fewest, most);
}

TEST(Ticks, NothingToShow) {
  EXPECT_EQ(locate_ticks({}, {1, 1}, 5).count, 0);
  EXPECT_EQ(locate_ticks({}, {std::nan(""), 1}, 5).count, 0);
  EXPECT_EQ(locate_ticks({}, {-1e308, 1e308 * 1.5}, 5).count, 0);
  EXPECT_EQ(locate_ticks(Scale::log(), {-1, 10}, 5).count, 0);
  EXPECT_GE(locate_ticks({}, {0, 1}, -3).count, 2);
}

}  // namespace
}  // namespace orrery::figure::ticks_test
