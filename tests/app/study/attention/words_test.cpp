// Words at the positions of an attention matrix, and vectors that are alike where the words are.
#include <gtest/gtest.h>

#include "app/study/attention/attend.h"
#include "app/study/study.h"
#include "core/tensor/error.h"
#include "tests/app/study/ask.h"

namespace orrery::study::words_test {
namespace {

using attention_scores::attend;
using attention_scores::Attention;
using attention_scores::words_at;
using Words = std::vector<std::string>;

Words words(const char* text) {
  parameter::Settings settings(find("attention/scores").parameters);
  settings.set("text", std::string_view(text));
  return words_at(settings);
}

TEST(AttentionWords, AreDividedBySpacesAndChineseLetterByLetter) {
  EXPECT_EQ(words(" The cat,  sat "), (Words{"The", "cat,", "sat"}));
  EXPECT_EQ(words("猫坐在Mat上"), (Words{"猫", "坐", "在", "Mat", "上"}));
  EXPECT_EQ(words("naïve été"), (Words{"naïve", "été"}));
  EXPECT_THROW((void)words("   "), InvalidArgument);
}

TEST(AttentionWords, OneWordHasOneVectorWhereverItStands) {
  parameter::Settings settings(find("attention/scores").parameters);
  settings.set("text", std::string_view("the cat saw The cat"));
  settings.set("rope", std::string_view("off"));
  const Attention a = attend(settings, {});
  EXPECT_EQ(a.meeting.near.q.row(1), a.meeting.near.q.row(4));
  EXPECT_EQ(a.meeting.near.k.row(0), a.meeting.near.k.row(3)) << "a capital is the same word";
  EXPECT_NE(a.meeting.near.k.row(0), a.meeting.near.k.row(1));
}

// Half of query and key is the same: their product is half the squared length, d, give or take √d; divided by √d, 4 at a
// width of 64. Unlike words have 0 ± 1.
TEST(AttentionWords, FindThemselves) {
  parameter::Settings settings(find("attention/scores").parameters);
  settings.set("text", std::string_view("a b c d e f g h i j k l m n o p a b c d e f g h i j k l m n o p"));
  settings.set("rope", std::string_view("off"));
  settings.set("mask", std::string_view("none"));
  const Attention a = attend(settings, {});
  double same = 0, other = 0;
  for (tensor::Index m = 0; m < 32; ++m)
    for (tensor::Index n = 0; n < 32; ++n) (m % 16 == n % 16 ? same : other) += a.free(m, n);
  EXPECT_NEAR(same / 64, 4, 0.75);  // of 16 words: 1.2 √(1/16) is 0.3, and 2.5 of those
  EXPECT_NEAR(other / 960, 0, 0.2);
}

TEST(AttentionWords, AQueryPastTheLastIsTheLast) {
  const Study& study = find("attention/scores");
  parameter::Settings settings(study.parameters);
  settings.set("text", std::string_view("one two three"));
  settings.set("query", std::string_view("500"));
  const StudyResult result = study.compute(settings, {});
  EXPECT_TRUE(result.figure.title.starts_with("“three” at 2")) << result.figure.title;
}

TEST(AttentionWords, ADollarSignThatWasTypedBeginsNoFormula) {
  for (const char* study : {"attention/scores", "attention/heads", "attention/permutation"}) {
    bool named = false;
    for (const figure::Panel& panel : compute(study, {{"text", "$x$ b c"}}).figure.panels)
      for (const std::string& name : panel.y.names) {
        EXPECT_NE(name, "$x$") << study;
        named = named || name == "\\$x\\$";
      }
    EXPECT_TRUE(named) << study;
  }
}

}  // namespace
}  // namespace orrery::study::words_test
