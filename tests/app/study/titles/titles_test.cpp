// Every title is true: held against the study's tables at its defaults, at every suggestion and at random settings, by
// entries that know nothing of the code which made it. So are headings of panels that have a number in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/language/dictionary.h"
#include "app/language/language.h"
#include "app/study/changes.h"
#include "tests/app/study/chance.h"
#include "tests/app/study/name_in_tests.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study::titles_test {
namespace {

using titles::Claims;
using titles::Said;

/// A number by itself, outside mathematics; those of a name ("Llama 3", "f16") are none.
bool has_number(const std::string& heading) {
  static const std::regex names_and_formulas(R"(\$[^$]*\$|Llama 3)"), number(R"((^|[ (−])[0-9])");
  return std::regex_search(std::regex_replace(heading, names_and_formulas, ""), number);
}

class Titles : public testing::TestWithParam<const Study*> {
 protected:
  void expect_true(const parameter::Settings& settings, const StudyResult& result) {
    const std::vector<Claims>& all = titles::all_claims();
    const auto claims = std::ranges::find(all, GetParam()->id, &Claims::study);
    ASSERT_NE(claims, all.end())
        << "nobody looks up what this study's title says: see tests/app/study/titles";
    const Said title{*GetParam(), settings, result, result.figure.title};
    EXPECT_TRUE(claims->title(title)) << "not so, by the tables: " << title.text;
    expect_words(title.text);
    for (const figure::Panel& panel : result.figure.panels) {
      expect_words(panel.title);
      if (!has_number(panel.title)) continue;
      const Said heading{*GetParam(), settings, result, panel.title};
      EXPECT_TRUE(claims->heading && claims->heading(heading)) << "not so, by the tables: " << heading.text;
    }
  }

  void expect_words(const std::string& text) {
    if (text.empty()) return;
    for (const language::Named& each : language::languages().subspan(1))
      EXPECT_TRUE(language::dictionary(each.language).missing(text).empty())
          << text << ": has no words in " << each.own_name;
  }
};

TEST_P(Titles, AreTrueByDefaultAndWhenTried) {
  const Study& study = *GetParam();
  const parameter::Settings defaults(study.parameters);
  std::vector<parameter::Settings> all{defaults};
  for (const Try& suggestion : study.tries) all.push_back(changed(defaults, suggestion.changes));
  for (const parameter::Settings& settings : all) {
    SCOPED_TRACE(described(settings));
    expect_true(settings, study.compute(settings, study::Run{}));
  }
}

TEST_P(Titles, AreTrueAtRandomSettings) {
  at_settings_of_chance(
      *GetParam(), 200, {DeviceChoice::cpu},
      [&](const auto& settings, const StudyResult& result) { expect_true(settings, result); });
}

/// Settings at which a title has words that neither a suggestion nor the random settings above make it say.
TEST_P(Titles, AreTrueWhereTheirWordsAreRare) {
  const Study& study = *GetParam();
  const support::TemporaryFolder folder;
  const auto file = [&](const char* name, const std::string& text, const char* parameter = "config") {
    support::put(folder.path() / name, text);
    return std::string(parameter) + "=" + (folder.path() / name).string();
  };
  const std::string sweep = "variant,trained,seed,cell,length,sequences,loss,accuracy,floor\n";
  const std::vector<std::pair<std::string_view, std::string>> rare{
      {"position/sinusoidal", "show=table"},
      {"position/compare", "show=table"},
      {"rope/precision", "position_format=f16 first=65519 length=2"},  // from 65520 on f16 has infinity
      {"rope/precision", "position_format=f16 first=1048576 length=2"},
      {"rope/layout", "keys=100,100,100,100"},
      {"norm/compare", "components=typed vector=0.001,0.001 eps=1"},
      {"norm/precision", "size=1e-9 storage=f16"},
      {"rope/layout", "keys=100,100,100,100 show=half"},
      {"norm/geometry", "gain=2,-2,0"},
      {"norm/geometry", "gain=0,1,0"},
      {"norm/geometry", "gain=0,0,0"},
      {"norm/gradient", "scale=0.003"},
      {"norm/gradient", "scale=0.003 norm=RMSNorm"},
      {"attention/online", "length=64 head_width=512 memory=4096"},
      {"attention/online", "length=64 head_width=512 memory=16"},
      {"attention/online", "length=128 head_width=512 memory=4096"},
      {"attention/online", "length=4096 head_width=256 memory=16"},
      {"rope/steps", "vector=0,0"},
      {"attention/permutation", "text='a a a a' order=shifted"},
      {"attention/permutation", "text=word"},
      {"output/head", "words=a logits=typed typed=50 smoothing=0.9"},
      {"rope/wavelengths", "model=own base=10000 head_width=8 trained_length=1024"},
      {"norm/compare", "mean=1"},
      {"extrapolation/scores", "reach=1"},
      {"extrapolation/coverage", "base=10000 head_width=8 trained_length=1024"},
      {"rope/model", file("bert.json", R"({"model_type":"bert"})")},
      {"rope/model", file("nobody.json", R"({"model_type":"nobody_knows"})")},
      {"rope/model", file("llama.json", R"({"model_type":"llama"})")},
      {"training/sweep",
       file("near.csv", sweep + "a,8,1,x,16,4,2.05,1,\na,8,2,x,16,4,2.1,1,\nb,8,1,y,16,4,2.0764,1,\n",
            "table")},
      {"training/sweep",
       file("one.csv", sweep + "a,8,1,x,16,4,2.0832,1,\nb,8,1,y,16,4,2.0846,1,\n", "table")},
      {"training/sweep",
       file("equal.csv", sweep + "a,8,1,x,16,4,2,1,\nb,8,1,y,16,4,3,1,\n", "table") + " measure=accuracy"},
  };
  for (const auto& [id, changes] : rare) {
    if (id != study.id) continue;
    SCOPED_TRACE(changes);
    const parameter::Settings settings = changed(parameter::Settings(study.parameters), changes);
    expect_true(settings, study.compute(settings, study::Run{}));
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, Titles, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

TEST(TitleNumbers, AreReadAsTheyAreWritten) {
  using titles::number_of;
  using titles::says;
  EXPECT_EQ(number_of("26\u2009960"), 26960);
  EXPECT_EQ(number_of("\u22120.170"), -0.17);
  EXPECT_EQ(number_of("$4 \\times 10^{-6}$"), 4e-6);
  EXPECT_EQ(number_of("$10^{-6}$"), 1e-6);
  EXPECT_EQ(number_of("$-10^{7}$"), -1e7);
  EXPECT_TRUE(std::isnan(number_of("many")));
  EXPECT_TRUE(std::isnan(number_of("3 of 4")));
  EXPECT_TRUE(says("0.71", 0.7099, 2));
  EXPECT_FALSE(says("0.72", 0.7099, 2));
  EXPECT_TRUE(says("0", -0.0, 2));
  EXPECT_FALSE(says("\u22120", -0.0, 2));
  EXPECT_TRUE(says("26\u2009960", 26958, 4));
  EXPECT_FALSE(says("26\u2009960", 26954, 4));
  EXPECT_TRUE(says("$4 \\times 10^{-6}$", 4.3e-6, 2));
  EXPECT_FALSE(says("$4 \\times 10^{-6}$", 4.6e-6, 2));
  EXPECT_FALSE(says("0", 1e-9, 2));
}

TEST(TitleEntries, AreOneForEachStudy) {
  const std::vector<Claims>& all = titles::all_claims();
  EXPECT_EQ(all.size(), studies().size());
  for (const Claims& each : all) EXPECT_NO_THROW(find(each.study)) << each.study;
}

}  // namespace
}  // namespace orrery::study::titles_test
