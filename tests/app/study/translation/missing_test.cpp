// Every text of every study has its words in every language. What has none is printed as lines for
// assets/translations/LANGUAGE/*.toml; with ORRERY_MISSING_DIR they are also written there, a file for each study.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/study/changes.h"
#include "app/study/translate.h"
#include "core/tensor/error.h"
#include "tests/app/study/translation/gaps.h"

namespace orrery::language {

/// In messages of tests: "zh".
void PrintTo(const Named& named, std::ostream* out) {
  *out << named.code;
}

}  // namespace orrery::language

namespace orrery::study {

/// In messages of tests.
void PrintTo(const Study* study, std::ostream* out) {
  *out << study->id;
}

}  // namespace orrery::study

namespace orrery::study::missing_test {

namespace {

using language::Language;
using parameter::Settings;

/// Prints and writes what is missing, and is the test's message.
std::string report(const Gaps& gaps, const Study& study, std::string_view part) {
  if (const char* folder = std::getenv("ORRERY_MISSING_DIR"); folder && *folder) {
    std::string name(study.id);
    std::replace(name.begin(), name.end(), '/', '-');
    const auto file = std::filesystem::path(folder) / (name + "." + std::string(part) + ".toml");
    std::filesystem::create_directories(folder);
    std::ofstream(file) << gaps.toml();
  }
  return std::string(study.id) + ", " + std::string(part) + ": these lines are missing:\n" + gaps.toml();
}

class EveryStudy : public testing::TestWithParam<std::tuple<language::Named, const Study*>> {
 protected:
  const language::Dictionary& dictionary() { return language::dictionary(std::get<0>(GetParam()).language); }
  const Study& study() { return *std::get<1>(GetParam()); }
};

TEST_P(EveryStudy, IsDeclaredInEveryLanguage) {
  Gaps gaps(dictionary());
  each_declared_text(study(), [&](std::string_view text) { gaps.look_at(text); });
  EXPECT_TRUE(gaps.empty()) << report(gaps, study(), "declared");
}

/// The window says each choice in words; one that takes a number is typed.
TEST_P(EveryStudy, SaysItsChoicesInEveryLanguage) {
  Gaps gaps(dictionary());
  for (const parameter::Parameter& p : study().parameters)
    for (const std::string_view choice : parameter::choices_of(p))
      if (!choice.ends_with(":W")) gaps.look_at(choice);
  EXPECT_TRUE(gaps.empty()) << report(gaps, study(), "choices");
}

/// The defaults, each suggestion, and each choice and toggle on its own.
std::vector<Settings> settings_of(const Study& study) {
  const Settings defaults(study.parameters);
  std::vector<Settings> all{defaults};
  for (const Try& suggestion : study.tries) all.push_back(changed(defaults, suggestion.changes));
  for (const parameter::Parameter& p : study.parameters) {
    if (p.measures) continue;
    std::vector<std::string_view> values;
    if (p.kind == parameter::Kind::choice) values = parameter::choices_of(p);
    if (p.kind == parameter::Kind::toggle) values = {"off", "on"};
    for (const std::string_view value : values) {
      if (value.ends_with(":W")) continue;
      Settings settings = defaults;
      settings.set(p.name, value);
      all.push_back(settings);
    }
  }
  return all;
}

/// What a person typed is said as it is.
bool is_typed(std::string_view text, const Settings& settings) {
  return std::ranges::any_of(settings.declared(), [&](const parameter::Parameter& p) {
    return p.kind == parameter::Kind::text && settings.text(p.name).find(text) != std::string::npos;
  });
}

TEST_P(EveryStudy, SpeaksEveryLanguage) {
  Gaps gaps(dictionary());
  int texts = 0;
  for (const Settings& settings : settings_of(study())) {
    try {
      const StudyResult result = study().compute(settings, study::Run{});
      each_text(result, [&](std::string_view text) {
        if (!is_typed(text, settings)) gaps.look_at(text);
        ++texts;
      });
      std::set<std::string> tables;  // a person picks one by its name
      for (const figure::Table& table : result.tables)
        EXPECT_TRUE(tables.insert(dictionary().translate(table_words(table.name))).second)
            << table.name << " has the name of another table";
      // Of two sides that are compared, each says what it checked: the same words behind its letter.
      for (const Check& check : result.checks)
        EXPECT_EQ(dictionary().translate("A: " + check.statement),
                  language::say(std::get<0>(GetParam()).language, "A: {}",
                                dictionary().translate(check.statement)));
    } catch (const InvalidArgument&) {  // a choice that does not go with the other defaults
    }
  }
  EXPECT_GT(texts, 10);
  EXPECT_TRUE(gaps.empty()) << report(gaps, study(), "computed");
}

std::string name_of(const testing::TestParamInfo<EveryStudy::ParamType>& info) {
  std::string name(std::get<0>(info.param).code);
  for (const char c : '_' + std::string(std::get<1>(info.param)->id)) name += std::isalnum(c) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Words, EveryStudy,
                         testing::Combine(testing::ValuesIn(language::languages().subspan(1).begin(),
                                                            language::languages().end()),
                                          testing::ValuesIn(studies().begin(), studies().end())),
                         name_of);

}  // namespace
}  // namespace orrery::study::missing_test
