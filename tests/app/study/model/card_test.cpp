// What model/card says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/weights.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/source.h"

namespace orrery::study {
namespace {

TEST(ModelCard, CountsAreThosePublished) {
  const auto result = compute("model/card", {});
  const auto& totals = table(result, "parameters").columns[1].values;
  EXPECT_EQ(totals, (std::vector<double>{124439808, 8030261248, 671026419200}));
  EXPECT_TRUE(all_hold(result));
}

TEST(ModelCard, TheWorkedExampleIsGpt2) {
  const std::string worked = compute("model/card", {}).worked;
  // 12 (4 · 768² + 4 · 768), and what the parts come to.
  EXPECT_NE(worked.find("= 28348416 "), std::string::npos) << worked;
  EXPECT_TRUE(worked.ends_with("= 124439808")) << worked;
}

TEST(ModelCard, AFileOfOnesOwnIsRead) {
  const std::string file = support::source("assets/cards/bert-base.json");
  const auto result =
      compute("model/card", {{"config", file.c_str()}, {"second", "none"}, {"third", "none"}});
  EXPECT_EQ(result.figure.title, "your file: 109\u2009482\u2009240 parameters");
  EXPECT_TRUE(all_hold(result));
}

/// What is published of others says nothing of one's own.
TEST(ModelCard, KnownAnswersAreNotShownForAFileOfOnesOwn) {
  const auto known = [](const StudyResult& result) {
    return std::ranges::count_if(result.checks, &Check::known);
  };
  const std::string file = support::source("assets/cards/bert-base.json");
  EXPECT_EQ(known(compute("model/card", {})), 1);
  EXPECT_EQ(known(compute("model/card", {{"config", file.c_str()}})), 0);
}

/// An encoder keeps no cache: of it alone the check would say 0 of nothing.
TEST(ModelCard, TheCacheIsCheckedWhereOneIsKept) {
  const auto checks_the_cache = [](const char* model) {
    const StudyResult result =
        compute("model/card", {{"model", model}, {"second", "none"}, {"third", "none"}});
    EXPECT_FALSE(result.checks.empty()) << model;
    return std::ranges::any_of(result.checks, [](const Check& check) {
      return check.statement == "a token leaves in the cache what the matrices of keys and values give";
    });
  };
  EXPECT_TRUE(checks_the_cache("gpt2"));
  EXPECT_FALSE(checks_the_cache("bert-base"));
}

TEST(ModelCard, RowsHaveTheModelsNames) {
  const auto result = compute("model/card", {});
  for (const char* name : {"facts", "parameters", "cost"})
    EXPECT_EQ(table(result, name).columns[0].words,
              (std::vector<std::string>{"GPT-2", "Llama 3.1 8B", "DeepSeek V3"}));
  const auto survey = table(compute("model/card", {{"show", "survey"}}), "survey");
  for (const auto& column : survey.columns) EXPECT_EQ(column.words.size(), 25u) << column.name;
}

/// Of a figure's notes.
bool says(const StudyResult& result, std::string_view text) {
  for (const auto& panel : result.figure.panels)
    for (const auto& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark); note != nullptr && note->text == text)
        return true;
  return false;
}

TEST(ModelCard, TheTableNamesExpertsAndTextsThatAreTooLong) {
  const auto result = compute("model/card", {{"second", "llama-4-scout"}, {"third", "none"}});
  EXPECT_TRUE(says(result, "experts"));
  EXPECT_TRUE(says(result, "1 of 16, 1 shared"));
  EXPECT_TRUE(says(result, "1024 < 4096"));
  EXPECT_FALSE(says(compute("model/card", {{"length", "1024"}}), "longest text"));
}

TEST(ModelCard, EveryNameHasACardAndATitle) {
  for (const std::string_view name : card_names()) {
    SCOPED_TRACE(name);
    const model::Card card = published_card(name);
    EXPECT_TRUE(card.countable());
    EXPECT_TRUE(card.warnings.empty()) << card.warnings.front().field;
    EXPECT_NE(model_title(name), name);
    EXPECT_FALSE(card.source.ends_with(".json"));
  }
}

namespace model_card_title {

/// What they are made of says no number; the count of one alone is the table's.
bool names_or_count(const titles::Said& said) {
  if (const auto count = said.as("{}: {} parameters"))
    return titles::number_of((*count)[1]) == said.column("parameters", "total").front();
  const bool several = said.column("facts", "model").size() > 1;
  return (several && (said.as("What {} and {} are made of") ||
                      said.is("Which model uses which norm, positions and activation"))) ||
         said.is("Which model uses which norm, positions and activation") ||
         said.is("The file does not say all that counting needs");
}

const titles::Entries entries{{"model/card", names_or_count}};

}  // namespace model_card_title

}  // namespace
}  // namespace orrery::study
