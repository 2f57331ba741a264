// How products are written out; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/study/translate.h"
#include "tests/app/study/ask.h"

namespace orrery::study {
namespace {

/// How many texts of the figure begin with this.
std::ptrdiff_t notes(const StudyResult& result, std::string_view begin) {
  std::ptrdiff_t count = 0;
  for (const figure::Panel& panel : result.figure.panels)
    count += std::ranges::count_if(panel.marks, [&](const figure::Mark& mark) {
      const auto* note = std::get_if<figure::Note>(&mark);
      return note && note->text.starts_with(begin);
    });
  return count;
}

// Three products stand side by side as long as they have room; numbers with many digits, as other studies send them, have a
// line for each key.
TEST(AttentionSteps, LongProductsHaveALineEach) {
  const StudyResult usual = compute("attention/steps", {});
  EXPECT_EQ(notes(usual, "$q \\cdot k_n$"), 1);
  EXPECT_EQ(notes(usual, "$q \\cdot k_1$"), 0);
  const StudyResult sent =
      compute("attention/steps", {{"q", "1.946,0.1289;-1.297,-1.926;-1.688,-2.93"},
                                  {"k", "-0.00661,2.6;0.2865,-0.3995;1.67853,-0.957834"}});
  EXPECT_EQ(notes(sent, "$q \\cdot k_n$"), 0);
  for (const char* key : {"$q \\cdot k_1$", "$q \\cdot k_2$", "$q \\cdot k_3$"})
    EXPECT_EQ(notes(sent, key), 1);
}

// "on" and "all" are words of the window too.
TEST(AttentionSteps, TypedWordsAreTheSameInEveryLanguage) {
  const StudyResult english = compute("attention/steps", {{"words", "on all $x$"}});
  const StudyResult chinese = translated(english, language::Language::zh);
  for (const StudyResult* said : {&english, &chinese})
    for (const char* word : {"on", "all", "\\$x\\$"}) EXPECT_EQ(notes(*said, word), 1) << word;
}

}  // namespace
}  // namespace orrery::study
