// What embedding/tying says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

TEST(EmbeddingTying, SharesAreThoseOfThePublishedCounts) {
  const auto share = [](const char* model, std::size_t column) {
    return table(compute("embedding/tying", {{"model", model}}), "chosen").columns[column].values.front();
  };
  // V D over the published count; GPT-2's count has one table.
  EXPECT_NEAR(share("gpt2", 4), 100 * 38597376.0 / 124439808, 1e-9);
  EXPECT_NEAR(share("gpt2", 3), 100 * 38597376.0 / 163037184, 1e-9);
  EXPECT_NEAR(share("llama-7b", 3), 100 * 131072000.0 / 6738415616, 1e-9);
  EXPECT_NEAR(share("llama-3.1-8b", 3), 6.54, 0.005);
  EXPECT_TRUE(all_hold(compute("embedding/tying", {})));
}

TEST(EmbeddingTying, EveryModelIsAPoint) {
  const auto result = compute("embedding/tying", {});
  const auto& models = table(result, "models");
  EXPECT_GE(models.columns[0].words.size(), 50u);
  EXPECT_EQ(models.columns[0].words[0], "T5 small");  // the least of them
  EXPECT_NEAR(at(result, "models", "one table", "GPT-2"), 38597376, 0);
}

namespace embedding_tying_title {

bool numbers_of_the_chosen(const titles::Said& said) {
  const bool tied = said.column("chosen", "tied").front() == 1;
  for (const auto& [words, column] : {std::pair{"untied model", "share of the untied model"},
                                      std::pair{"published model", "share of the published model"}}) {
    const auto parts = said.as((tied ? "{}: tying saves {} parameters, {} % of the "
                                     : "{}: tying would save {} parameters, {} % of the ") +
                               std::string(words));
    if (!parts) continue;
    const double number = titles::number_of((*parts)[1]);
    return number == said.column("chosen", "one table").front() &&
           titles::says((*parts)[2], said.column("chosen", column).front(), 3);
  }
  return false;
}

/// "GPT-2, with two tables and with one"
bool heading_is_plain(const titles::Said& said) {
  return said.text.ends_with(", with two tables and with one") || said.is("One table's share of every model");
}

const titles::Entries entries{{"embedding/tying", numbers_of_the_chosen, heading_is_plain}};

}  // namespace embedding_tying_title

}  // namespace
}  // namespace orrery::study
