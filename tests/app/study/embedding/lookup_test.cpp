// From ids to rows: ids in the order of letters, fillings, and the place of a word in the product.
#include <gtest/gtest.h>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace embedding_lookup_test {
namespace {

std::vector<double> ids(Changes changes) {
  return table(compute("embedding/lookup", changes), "tokens").columns[2].values;
}

TEST(EmbeddingLookup, IdsFollowTheOrderOfLettersAndPaddingIsZero) {
  // [PAD] cat dog mat on ran sat the
  EXPECT_EQ(ids({}), (std::vector<double>{7, 1, 6, 4, 7, 3, 7, 2, 5, 0, 0, 0}));
  EXPECT_EQ(ids({{"text", "b a"}, {"second", "c b a d"}}), (std::vector<double>{2, 1, 0, 0, 3, 2, 1, 4}));
}

TEST(EmbeddingLookup, AnEmptySentenceIsOneFilling) {
  EXPECT_EQ(ids({{"text", ""}, {"second", ""}}), (std::vector<double>{0, 0}));
}

TEST(EmbeddingLookup, ThePickedRowIsTheTablesRow) {
  const auto result = compute("embedding/lookup", {{"show", "matrices"}, {"width", "4"}}, DeviceChoice::cpu);
  const auto grid = [&](std::size_t panel) {
    return std::get<figure::Heatmap>(result.figure.panels.at(panel).marks[0]).grid->values;
  };
  const auto all = grid(1), picked = grid(2);
  ASSERT_EQ(all.size(), 8u * 4);
  ASSERT_EQ(picked.size(), 6u * 4);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(picked[1 * 4 + j], all[1 * 4 + j]);  // cat
    EXPECT_EQ(picked[0 * 4 + j], all[7 * 4 + j]);  // the
    EXPECT_EQ(all[j], 0);                          // [PAD]
  }
  EXPECT_TRUE(all_hold(result));
}

/// "Picking 6 rows copies 48 numbers; the product would take 384 multiplications".
bool says_the_costs(const titles::Said& said) {
  const std::string& text = said.text;
  const auto after = [&](std::string_view word) { return text.substr(text.find(word) + word.size()); };
  const auto until_space = [](const std::string& rest) { return rest.substr(0, rest.find(' ')); };
  if (!text.starts_with("Picking ")) return false;
  const auto cost = [&](const char* column) { return said.column("costs", column).front(); };
  return titles::says(until_space(after("Picking ")), cost("tokens")) &&
         titles::says(until_space(after(" copies ")), cost("copies")) &&
         titles::says(until_space(after(" take ")), cost("multiply-adds"));
}

/// Headings have the shapes: rows and columns of the maps below them.
bool says_the_shape(const titles::Said& said) {
  const auto cost = [&](const char* column) { return said.column("costs", column).front(); };
  const auto is = [&](const char* name, double rows, double cols) {
    const auto part = said.as(std::string(name) + ", {} × {}");
    return part && titles::says((*part)[0], rows) && titles::says((*part)[1], cols);
  };
  const auto ids = said.as("Ids, [B, T] = [2, {}]");
  return (ids && titles::says((*ids)[0], cost("tokens"))) || is("One-hot", cost("tokens"), cost("words")) ||
         is("Table", cost("words"), cost("width")) || is("Product", cost("tokens"), cost("width"));
}

const titles::Entries entries{{"embedding/lookup", says_the_costs, says_the_shape}};

}  // namespace
}  // namespace embedding_lookup_test
}  // namespace orrery::study
