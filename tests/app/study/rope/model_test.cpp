// What a model's file says, in words: every number in one way.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <variant>

#include "tests/app/study/ask.h"

namespace orrery::study::model_test {
namespace {

/// Base, lengths and warnings of one paragraph and the next: five digits and more have their thin spaces everywhere.
TEST(RopeModel, NumbersAreGroupedInEveryParagraph) {
  const auto result = compute("rope/model", {{"model", "internvl2.5-llm-dynamic"}, {"length", "100000"}});
  static const std::regex plain(R"((^|[ (])[0-9]{5,})");
  int paragraphs = 0;
  bool grown = false;
  for (const figure::Panel& panel : result.figure.panels)
    for (const figure::Mark& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark); note && note->paragraph) {
        ++paragraphs;
        EXPECT_FALSE(std::regex_search(note->text, plain)) << note->text;
        grown = grown || note->text.find("base grown to 5\u2009379\u2009029.8") != std::string::npos;
      }
  EXPECT_GT(paragraphs, 2);
  EXPECT_TRUE(grown);
}

}  // namespace
}  // namespace orrery::study::model_test
