// The tables of every language, each line of them.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "app/language/characters.h"
#include "app/language/dictionary.h"
#include "app/language/language.h"

namespace orrery::language::tables_test {
namespace {

class Tables : public testing::TestWithParam<Named> {
 protected:
  const std::vector<Entry>& entries() { return dictionary(GetParam().language).entries(); }
};

TEST_P(Tables, SayEveryTextOnce) {
  std::map<std::string, std::string> seen;
  for (const Entry& e : entries()) {
    const auto [first, fresh] = seen.emplace(e.english, e.origin);
    EXPECT_TRUE(fresh) << e.origin << ": \"" << e.english << "\" already stands in " << first->second;
  }
  EXPECT_GT(seen.size(), 5u);
}

TEST_P(Tables, LeaveNothingEmpty) {
  for (const Entry& e : entries()) {
    EXPECT_NE(e.english.find_first_not_of(" \n"), std::string::npos) << e.origin;
    EXPECT_NE(e.said.find_first_not_of(" \n"), std::string::npos) << e.origin << ": " << e.english;
  }
}

TEST_P(Tables, KeepThePlacesForWhatVaries) {
  for (const Entry& e : entries()) {
    const Pattern english(e.english), said(e.said);
    const std::string where = e.origin + ": \"" + e.english + "\" = \"" + e.said + "\"";
    EXPECT_FALSE(english.numbered()) << where << ": a key has {} alone";
    EXPECT_FALSE(english.ambiguous()) << where << ": nothing between two places";
    EXPECT_TRUE(english.places().empty() || english.weight() > 0) << where << ": matches every text";
    EXPECT_FALSE(said.mixed()) << where << ": {} or {1}, not both";
    ASSERT_EQ(english.places().size(), said.places().size()) << where;
    std::set<int> parts;
    for (const Pattern::Place& place : said.places()) {
      ASSERT_LT(place.part, static_cast<int>(english.places().size())) << where;
      parts.insert(place.part);
      EXPECT_EQ(place.in_math, english.places()[static_cast<std::size_t>(place.part)].in_math)
          << where << ": between dollar signs in one, outside in the other";
    }
    EXPECT_EQ(parts.size(), said.places().size()) << where << ": a part is said twice";
  }
}

TEST_P(Tables, KeepFormulasWhole) {
  for (const Entry& e : entries()) EXPECT_EQ(count_dollars(e.english) % 2, 0) << e.origin;
  for (const Entry& e : entries())
    EXPECT_EQ(count_dollars(e.said), count_dollars(e.english)) << e.origin << ": " << e.said;
}

INSTANTIATE_TEST_SUITE_P(Every, Tables, testing::ValuesIn(languages().begin() + 1, languages().end()),
                         [](const auto& each) { return std::string(each.param.code); });

}  // namespace
}  // namespace orrery::language::tables_test
