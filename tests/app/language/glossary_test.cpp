// One word for one thing: what the glossary of a language refuses stands in none of its tables. The glossary is the comment at
// the head of LANGUAGE/common.toml; behind ✗ it names what is refused, and in （“…”除外） what may hold it anyway.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "app/language/dictionary.h"
#include "app/language/language.h"
#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::language::glossary_test {
namespace {

struct Refused {
  std::string word, but;  ///< but: a word that holds it, and is allowed
};

std::vector<Refused> refused_in(const std::string& comment) {
  static const std::regex entry("✗([^ （\n]+)(（“([^”]+)”除外）)?");
  std::vector<Refused> all;
  for (std::sregex_iterator it(comment.begin(), comment.end(), entry), end; it != end; ++it) {
    const std::string words = (*it)[1], but = (*it)[3], between = "、";
    for (std::size_t from = 0; from < words.size();) {
      const std::size_t at = std::min(words.find(between, from), words.size());
      const std::string word = words.substr(from, at - from);
      all.push_back({word, but.find(word) == but.npos ? "" : but});
      from = at + between.size();
    }
  }
  return all;
}

std::vector<Refused> glossary() {
  const std::string table = support::contents(support::source("assets/translations/zh/common.toml"));
  return refused_in(table.substr(0, table.find("\n\n")));
}

bool says(std::string text, const Refused& refused) {
  for (std::size_t at; !refused.but.empty() && (at = text.find(refused.but)) != text.npos;)
    text.erase(at, refused.but.size());
  return text.find(refused.word) != text.npos;
}

TEST(Glossary, IsReadAsItIsWritten) {
  const auto all = refused_in("#   twin 实现 ✗孪生 · compare 对比 ✗比较、对照（“实现对照”除外） · op 算子\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].word, "孪生");
  EXPECT_EQ(all[1].word, "比较");
  EXPECT_EQ(all[1].but, "");
  EXPECT_EQ(all[2].word, "对照");
  EXPECT_EQ(all[2].but, "实现对照");
  EXPECT_FALSE(says("实现对照", all[2]));
  EXPECT_TRUE(says("实现对照，再对照", all[2]));
}

TEST(Glossary, WhatItRefusesIsNotSaid) {
  const std::vector<Refused> all = glossary();
  EXPECT_GE(all.size(), 11u) << "the glossary is no longer where this test looks for it";
  for (const Entry& e : dictionary(Language::zh).entries())
    for (const Refused& refused : all)
      EXPECT_FALSE(says(e.said, refused)) << e.origin << ": " << refused.word << " in \"" << e.said << "\"";
}

/// The slope of a line is 斜率; that of a function, as a student of calculus knows it, is 导数.
TEST(Glossary, TheSlopeOfAnActivationIsItsDerivative) {
  for (const Entry& e : dictionary(Language::zh).entries()) {
    if (!e.origin.starts_with("zh/activation.toml")) continue;
    EXPECT_EQ(e.said.find("斜率"), e.said.npos) << e.origin << ": " << e.said;
  }
}

}  // namespace
}  // namespace orrery::language::glossary_test
