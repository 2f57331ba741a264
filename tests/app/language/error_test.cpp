#include "app/language/error.h"

#include <gtest/gtest.h>

namespace orrery::language {
namespace {

std::string zh(std::string_view error) {
  return say_error(Language::zh, error);
}

TEST(SayError, IsTakenApartAtItsColonsAndWhatIsAllowed) {
  EXPECT_EQ(zh("base: '0' is out of range; allowed: a number from 1.5 to 1e9"),
            "base：'0' 超出范围；允许：1.5 到 1e9 的数");
  EXPECT_EQ(zh("softmax temperature: found -1, allowed: above 0"), "softmax 温度：实际为 -1；允许：大于 0");
  EXPECT_EQ(zh("r1: allowed: a value for each head, above 0 and up to 9"),
            "r1：允许：每个头一个值，大于 0、不超过 9");
}

TEST(SayError, LeavesNamesAsTheyAreTyped) {
  // Each of these words has another one in the table.
  EXPECT_EQ(zh("position: 'linear' is not a whole number"), "position：'linear' 不是整数");
  EXPECT_EQ(zh("rule: 'x' is none of its choices; allowed: none, linear or default"),
            "rule：'x' 不在可选项之中；允许：none, linear 或 default");
  EXPECT_EQ(zh("base: '' is not a number; allowed: scale"), "base：'' 不是数；允许：scale");
}

TEST(SayError, KnowsAPathWithSpaces) {
  EXPECT_EQ(zh("/a b/config.json: cannot be opened: Permission denied"),
            "/a b/config.json：无法打开：没有权限");
  EXPECT_EQ(zh("/a b/c.npy: is empty; allowed: a NumPy .npy file"),
            "/a b/c.npy：是空文件；允许：NumPy 的 .npy 文件");
}

TEST(SayError, TranslatesTheLabelOfWhatIsRefused) {
  EXPECT_EQ(zh("Undo: something new"), "撤销：something new");
}

TEST(SayError, LeavesEnglishAlone) {
  const std::string error = "base: '0' is out of range; allowed: a number from 1.5 to 1e9";
  EXPECT_EQ(say_error(Language::en, error), error);
  EXPECT_EQ(zh(""), "");
}

}  // namespace
}  // namespace orrery::language
