#include "app/language/error.h"

#include <gtest/gtest.h>

namespace orrery::language::error_test {
namespace {

std::string zh(const Complaint& complaint) {
  return say_error(Language::zh, complaint);
}

TEST(SayError, SaysEachPartByItsPattern) {
  EXPECT_EQ(zh(about("base")
                   .found("0")
                   .fault("{} is out of range", "'0'")
                   .allowed("a number from {} to {}", "1.5", "1e9")),
            "base：'0' 超出范围；允许：1.5 到 1e9 的数");
  EXPECT_EQ(zh(about(words("softmax temperature")).found(-1).led_by(", allowed: ").allowed("above {}", 0)),
            "softmax 温度：实际为 -1；允许：大于 0");
  EXPECT_EQ(zh(about("r1").allowed("a value for each head, above 0 and up to {}", 9)),
            "r1：允许：每个头一个值，大于 0、不超过 9");
}

TEST(SayError, SaysPartsInTheOrderOfTheLanguage) {
  EXPECT_EQ(zh(about("rotary_dim")
                   .found(2)
                   .allowed("{} or more for rope_type {}, whose exponent is R/(R − 2)", 4, "ntk")),
            "rotary_dim：实际为 2；允许：rope_type 为 ntk 时须不小于 4，其指数为 R/(R − 2)");
}

TEST(SayError, LeavesNamesAsTheyAreTyped) {
  // Each of these words has another one in the tables, and each would be taken for a separator.
  EXPECT_EQ(zh(about("position").fault("{} is not a whole number", "'linear'")),
            "position：'linear' 不是整数");
  EXPECT_EQ(zh(about("scale").found("none; allowed: linear")), "scale：实际为 none; allowed: linear");
  EXPECT_EQ(zh(about("rule").found("x").near({"linear"}).allowed(name_phrase("none, linear"))),
            "rule：实际为 x（是否想输入 'linear'？）；允许：none, linear");
}

TEST(SayError, KnowsWhatTheSystemSaysOfAFile) {
  EXPECT_EQ(zh(wrong("cannot be opened: {}", foreign("Permission denied")).within(in_file("a: b/c.json"))),
            "a: b/c.json：无法打开：没有权限");
  EXPECT_EQ(zh(wrong("is empty").allowed("a NumPy .npy file").within(in_file("/a b/c.npy"))),
            "/a b/c.npy：是空文件；允许：NumPy 的 .npy 文件");
  EXPECT_EQ(zh(wrong("not JSON: {}", foreign("while parsing object - unexpected end of input"))
                   .within(in_file("c.json", 1, 2))),
            "c.json:1:2：不是 JSON：解析对象时：意外的结尾");
}

TEST(SayError, TranslatesTheLabelOfWhatIsRefused) {
  EXPECT_EQ(zh(about(Phrase{"Undo"}).fault(name_phrase("something new"))), "撤销：something new");
}

TEST(SayError, LeavesEnglishAlone) {
  const Complaint c = about("base").found("0").allowed("a number from {} to {}", 1, 2);
  EXPECT_EQ(say_error(Language::en, c), english(c));
  EXPECT_EQ(zh(Complaint()), "");
}

TEST(SayError, LeavesWhatNoTableHas) {
  EXPECT_EQ(
      zh(Complaint().fault(Phrase{"a phrase of tomorrow: {}", Phrase::Kind::words, {name_phrase("x")}})),
      "a phrase of tomorrow: x");
}

}  // namespace
}  // namespace orrery::language::error_test
