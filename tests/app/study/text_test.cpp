// Numbers inside sentences and labels.
#include "app/study/text.h"

#include <gtest/gtest.h>

namespace orrery::study::text_test {
namespace {

TEST(Text, WholeNumbersStandInGroupsWithEveryDigit) {
  EXPECT_EQ(grouped(8192), "8192");
  EXPECT_EQ(grouped(131072), "131\u2009072");
  EXPECT_EQ(grouped(-500000), "\u2212500\u2009000");
  EXPECT_EQ(grouped(123456789), "123\u2009456\u2009789");
}

TEST(Text, WhatMovesHasSixDigits) {
  EXPECT_EQ(grouped(99999.99999999997), "100\u2009000");
  EXPECT_EQ(grouped(1778.2794100389228), "1778.28");
  EXPECT_EQ(grouped(1234567.89), "1\u2009234\u2009568");
  EXPECT_EQ(grouped(-0.1234567), "\u22120.123457");
  EXPECT_EQ(grouped(0.5), "0.5");
  EXPECT_EQ(grouped(0.15625), "0.15625");
}

TEST(ShortText, HasFewDigitsAndNoExponentInLetters) {
  EXPECT_EQ(short_text(0.70999, 2), "0.71");
  EXPECT_EQ(short_text(-0.1, 2), "−0.1");
  EXPECT_EQ(short_text(123.4, 2), "120");
  EXPECT_EQ(short_text(26958, 4), "26\u2009960");
  EXPECT_EQ(short_text(99.7, 2), "100");
  EXPECT_EQ(short_text(0, 2), "0");
  EXPECT_EQ(short_text(-0.0, 2), "0");
  EXPECT_EQ(short_text(4.3e-6, 2), "$4.3 \\times 10^{-6}$");
  EXPECT_EQ(short_text(4.3e-6, 1), "$4 \\times 10^{-6}$");
  EXPECT_EQ(short_text(9.97e-6, 2), "$10^{-5}$");
  EXPECT_EQ(short_text(3e8, 3), "$3 \\times 10^{8}$");
}

TEST(RoundedText, HasNoExponentInLetters) {
  EXPECT_EQ(rounded_text(-0.1704, 2), "−0.17");
  EXPECT_EQ(rounded_text(0.0006, 3), "0.0006");
  EXPECT_EQ(rounded_text(6e-5, 3), "$6 \\times 10^{-5}$");
  EXPECT_EQ(rounded_text(123456, 6), "123456");
  EXPECT_EQ(rounded_text(123456, 3), "$1.23 \\times 10^{5}$");
  EXPECT_EQ(rounded_text(99.6, 2), "100");
  EXPECT_EQ(rounded_text(0, 3), "0");
  EXPECT_EQ(rounded_text(-0.0, 3), "0");
}

TEST(ScientificText, NumbersNearOneStandAsTheyAre) {
  EXPECT_EQ(scientific_text(0.0999), "0.1");
  EXPECT_EQ(scientific_text(-99.6, 3), "−100");
  EXPECT_EQ(scientific_text(100), "$10^{2}$");
  EXPECT_EQ(scientific_text(0.00999), "$10^{-2}$");
}

TEST(Amount, HasTheNounOfItsNumber) {
  EXPECT_EQ(amount(1, "pair", "pairs"), "1 pair");
  EXPECT_EQ(amount(0, "pair", "pairs"), "0 pairs");
  EXPECT_EQ(amount(12345, "pair", "pairs"), "12\u2009345 pairs");
}

}  // namespace
}  // namespace orrery::study::text_test
