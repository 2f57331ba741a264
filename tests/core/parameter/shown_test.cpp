// What a message shows of what somebody wrote.
#include "core/parameter/shown.h"

#include <gtest/gtest.h>

#include "core/parameter/spelling.h"

namespace orrery::parameter::shown_test {
namespace {

TEST(Shown, WhatIsLongIsItsBeginningAndItsLength) {
  EXPECT_EQ(brief("short"), "short");
  EXPECT_EQ(brief(std::string(80, 'a')), std::string(80, 'a'));
  EXPECT_EQ(brief(std::string(900000, 'A')), std::string(80, 'A') + "… (900000 bytes)");
  EXPECT_EQ(brief("aθθ", 2), "a… (5 bytes)") << "no half of a letter";
}

TEST(Shown, NothingCommandsATerminalOrTurnsALine) {
  EXPECT_EQ(visible("a\x1b[31mb\x7f"), "a\\u001B[31mb\\u007F");
  EXPECT_EQ(visible("\u202Efdp.\u2066\u061C\u009b"), "\\u202Efdp.\\u2066\\u061C\\u009B");
  EXPECT_EQ(visible("a\nb\tc\r"), "a\\nb\\tc\\u000D");
  EXPECT_EQ(visible("a\nb\tc\r", true), "a\nb\tc\\u000D");
  EXPECT_EQ(visible("a\r\nb", true), "a\r\nb");
  for (const std::string text :
       {"θ 旋转 × ½ ’ – \u2028 ؜", "plain", "\xE2", "\xE2\x80", "\xC2", "\xFF\xFE", ""})
    EXPECT_EQ(harmless(text), visible(text) == text) << text;
  EXPECT_TRUE(harmless("θ 旋转 – é"));
  EXPECT_TRUE(harmless("\xE2\x80"));
  EXPECT_FALSE(harmless("a\u202Eb"));
  EXPECT_FALSE(harmless("a\x1b"));
}

TEST(Shown, TheNearestNameOfALongNonsenseIsNone) {
  const std::vector<std::string_view> known{"base", "head_width"};
  EXPECT_EQ(did_you_mean(std::string(10'000'000, 'b'), known), "");
  EXPECT_EQ(did_you_mean("bsae", known), " (did you mean 'base'?)");
}

}  // namespace
}  // namespace orrery::parameter::shown_test
