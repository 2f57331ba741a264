#include "app/language/dictionary.h"

#include <vector>

#include <gtest/gtest.h>

#include "app/language/language.h"
#include "app/language/read_table.h"
#include "core/tensor/error.h"

namespace orrery::language::dictionary_test {
namespace {

Dictionary sample() {
  return Dictionary(read_table(R"~(
"position" = "位置"
"position {}" = "位置 {}"
"position {}, unscaled" = "位置 {}（未缩放）"
"{} at {}" = "{2} 处的{1}"
"query" = "查询"
"angle $\\theta$" = "角 $\\theta$"
"{}: {}" = "{}：{}"
"RoPE" = "RoPE"
)~",
                               "sample"));
}

// A person's own words may be words of the table too.
TEST(Dictionary, AHeadingGoesBeforeWhatBeginsWithAPlace) {
  const Dictionary d(
      read_table("\"A: {}\" = \"A：{}\"\n\"{} kept\" = \"{} 个保留\"\n\"the length is kept\" = \"模长不变\"\n"
                 "\"{}: {} equals it\" = \"{}：{} 与之一致\"\n\"A: {} (software)\" = \"A：{}（软件）\"\n",
                 "sample"));
  EXPECT_EQ(d.translate("A: the length is kept"), "A：模长不变");
  EXPECT_EQ(d.translate("29 kept"), "29 个保留");
  EXPECT_EQ(d.translate("A: x: y equals it"), "A：x：y 与之一致");
  EXPECT_EQ(d.translate("x: y equals it"), "x：y 与之一致");
  EXPECT_EQ(d.translate("A: y (software)"), "A：y（软件）") << "the pattern that says more";
}

TEST(Dictionary, AWordHasItsOwnLineInWhatItStandsIn) {
  const Dictionary d(
      read_table("\"left\" = \"剩余\"\n\"Filled\" = \"填充位置\"\n\"Filled: left\" = \"左侧\"\n"
                 "\"Kept\" = \"保留\"\n\"{} = {}\" = \"{} = {}\"\n\"{}, {} = {}\" = \"{}，{} = {}\"\n"
                 "\"A ({}): {}\" = \"A（{}）：{}\"\n",
                 "sample"));
  EXPECT_EQ(d.in_context("Filled", "left"), "左侧");
  EXPECT_EQ(d.in_context("Kept", "left"), "剩余");
  EXPECT_EQ(d.in_context("Filled", "7"), "7");
  EXPECT_EQ(d.translate("left"), "剩余");
  EXPECT_EQ(d.translate("Filled = left"), "填充位置 = 左侧");
  EXPECT_EQ(d.translate("A (Kept = left, Filled = left): left"), "A（保留 = 剩余，填充位置 = 左侧）：剩余");
}

TEST(Dictionary, LeavesQuotedWordsAlone) {
  const Dictionary d(read_table("\"on\" = \"开\"\n\"“{}” is {}\" = \"“{1}”：{2}\"\n", "sample"));
  EXPECT_EQ(d.translate("“on” is on"), "“on”：开");
  EXPECT_TRUE(d.missing("“the cat” is on").empty());
  EXPECT_EQ(d.missing("“on” is off"), std::vector<std::string>{"off"});
}

TEST(Dictionary, SaysWhatItsTableSays) {
  const Dictionary d = sample();
  EXPECT_EQ(d.translate("query"), "查询");
  EXPECT_EQ(d.translate("angle $\\theta$"), "角 $\\theta$");
  EXPECT_EQ(d.translate("unheard of"), "unheard of");
  EXPECT_FALSE(d.find("unheard of"));
}

TEST(Dictionary, ThePatternThatSaysMostWins) {
  EXPECT_EQ(sample().translate("position 3, unscaled"), "位置 3（未缩放）");
  EXPECT_EQ(sample().translate("position 3"), "位置 3");
}

TEST(Dictionary, WhatStandsAtAPlaceIsTranslatedToo) {
  EXPECT_EQ(sample().translate("query at position 3"), "位置 3 处的查询");
  EXPECT_EQ(sample().translate("query: $x: y$"), "查询：$x: y$");
}

TEST(Dictionary, SaysSeveralLinesOneByOne) {
  EXPECT_EQ(sample().translate("query\nposition 4\nx"), "查询\n位置 4\nx");
}

TEST(Dictionary, TellsWhatATranslatorHasToSay) {
  const Dictionary d = sample();
  using Texts = std::vector<std::string>;
  EXPECT_EQ(d.missing("query at position 3"), Texts{});
  EXPECT_EQ(d.missing("key at position 3"), Texts{"key"});
  EXPECT_EQ(d.missing("query\nkeys\n$keys$"), Texts{"keys"});
  EXPECT_EQ(d.missing("unheard of"), Texts{"unheard of"});
  // Numbers, formulas, symbols and names need no words.
  for (const char* text : {"", "10 000", "$\\mathrm{base}$", "q", "RoPE", "RoPE, 8 × RoPE", "−0.5 m"})
    EXPECT_EQ(d.missing(text), Texts{}) << text;
  EXPECT_EQ(d.missing("RoPE-like"), Texts{"RoPE-like"});  // one word, and not the name
}

TEST(ReadTable, SaysWhereALineIsWrong) {
  const auto complaint = [](const char* text) {
    try {
      read_table(text, "zh/x.toml");
    } catch (const Failure& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint("\n\"{}\" = \"{} 个\"\n"),
            "zh/x.toml:2: '{}' has places and no words: every text would be one");
  EXPECT_EQ(complaint("\n\"{} of {}\" = \"{2} {2} {1}\"\n"),
            "zh/x.toml:2: '{2} {2} {1}' says a part more than once");
  EXPECT_EQ(complaint("\n\"a\" = 3\n"), "zh/x.toml:2: 'a' is not a line \"English text\" = \"translation\"");
  EXPECT_TRUE(complaint("\"a\" = \"b\"\n\"a\" = \"c\"\n").starts_with("zh/x.toml:2: ")) << "given twice";
}

TEST(Language, IsKnownByItsCode) {
  EXPECT_EQ(language_of("zh"), Language::zh);
  EXPECT_EQ(own_name(Language::zh), "中文");
  for (const Named& named : languages()) EXPECT_EQ(code(named.language), named.code);
  try {
    language_of("xx");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "language: 'xx' is not spoken here; allowed: en, zh");
  }
}

TEST(Language, PutsPartsWhereTheLanguageWantsThem) {
  EXPECT_EQ(say(Language::en, "{} of {} checks hold", 3, "14"), "3 of 14 checks hold");
  EXPECT_EQ(say(Language::zh, "{} of {} checks hold", 3, "14"), "3 / 14 项检验成立");
  EXPECT_EQ(say(Language::zh, "Export"), "导出");
  EXPECT_EQ(say(Language::en, "Export"), "Export");
}

TEST(ReadTable, ADeepNameIsRefusedBeforeItIsBuilt) {
  std::string deep = "\"a\" = \"b\"\n";
  for (int i = 0; i < 200000; ++i) deep += "a.";
  try {
    read_table(deep + "b = 1\n", "zh/x.toml");
    ADD_FAILURE() << "it was read";
  } catch (const Failure& refusal) {
    EXPECT_STREQ(refusal.what(), "zh/x.toml:2: a name of more than 17 parts");
  }
}

}  // namespace
}  // namespace orrery::language::dictionary_test
