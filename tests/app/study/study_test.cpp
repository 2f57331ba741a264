// What every study must do, whatever it shows: run over its defaults, over random settings and over its own
// suggestions.
#include "app/study/study.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/figure/mark_facts.h"
#include "app/figure/reading.h"
#include "app/recipe/runner.h"
#include "app/study/changes.h"
#include "core/gpu/device.h"
#include "core/tensor/error.h"
#include "tests/app/study/chance.h"
#include "tests/app/study/mutations.h"
#include "tests/app/study/name_in_tests.h"

namespace orrery::study::study_test {
namespace {

StudyResult on(DeviceChoice device, const Study& study, const parameter::Settings& settings) {
  study::Run run;
  run.device = device;
  return study.compute(settings, run);
}

void expect_sound(const StudyResult& result) {
  EXPECT_FALSE(result.figure.title.empty());
  EXPECT_FALSE(result.figure.description.empty());
  EXPECT_FALSE(result.figure.panels.empty());
  std::set<std::string> names;
  for (const auto& table : result.tables) {
    EXPECT_TRUE(names.insert(table.name).second) << table.name << " twice";
    EXPECT_EQ(table.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"), std::string::npos)
        << table.name;
    ASSERT_FALSE(table.columns.empty()) << table.name;
    for (const auto& column : table.columns) {
      EXPECT_EQ(column.values.size(), table.columns[0].values.size()) << table.name << " " << column.name;
      if (column.of_words()) {
        EXPECT_EQ(column.words.size(), column.values.size()) << table.name << " " << column.name;
      }
      for (const double x : column.values) ASSERT_TRUE(std::isfinite(x)) << table.name << " " << column.name;
    }
  }
  EXPECT_FALSE(result.checks.empty());
  for (const auto& check : result.checks)
    EXPECT_TRUE(check.holds()) << check.statement << ": " << check.value << " > " << check.bound;
  for (const auto& panel : result.figure.panels) {
    const auto rows = static_cast<int>(result.figure.row_weights.size());
    const auto cols = static_cast<int>(result.figure.col_weights.size());
    EXPECT_LE(panel.cell.row + panel.cell.rows, rows);
    EXPECT_LE(panel.cell.col + panel.cell.cols, cols);
  }
}

class EveryStudy : public testing::TestWithParam<const Study*> {};

TEST_P(EveryStudy, DescribesItself) {
  const Study& study = *GetParam();
  EXPECT_NE(study.id.find('/'), std::string_view::npos);
  for (const auto text : {study.title, study.topic, study.summary, study.formula, study.about, study.source})
    EXPECT_FALSE(text.empty());
  EXPECT_GE(study.tries.size(), 3u);
  for (const auto& p : study.parameters) EXPECT_FALSE(p.help.empty()) << p.name;
}

TEST_P(EveryStudy, IsSoundOverDefaults) {
  for (const auto device : {DeviceChoice::ref, DeviceChoice::cpu}) {
    const Study& study = *GetParam();
    expect_sound(on(device, study, parameter::Settings(study.parameters)));
  }
}

TEST_P(EveryStudy, IsSoundOverRandomSettings) {
  constexpr auto ref = DeviceChoice::ref, cpu = DeviceChoice::cpu;
  at_settings_of_chance(*GetParam(), 0, {ref, cpu, cpu, cpu},
                        [](const auto&, const StudyResult& result) { expect_sound(result); });
}

TEST_P(EveryStudy, IsPure) {
  const Study& study = *GetParam();
  for (std::uint64_t seed = 100; seed < 105; ++seed) {
    const auto settings = drawn(study, seed);
    SCOPED_TRACE(described(settings));
    const auto first = on(DeviceChoice::cpu, study, settings),
               second = on(DeviceChoice::cpu, study, settings);
    EXPECT_TRUE(same(numbers(first), numbers(second)));
    EXPECT_FALSE(numbers(first).empty());
  }
}

TEST_P(EveryStudy, ItsSuggestionsWork) {
  const Study& study = *GetParam();
  for (const Try& suggestion : study.tries) {
    SCOPED_TRACE(suggestion.changes);
    const parameter::Settings defaults(study.parameters), settings = changed(defaults, suggestion.changes);
    EXPECT_FALSE(settings == defaults) << "changes nothing";
    expect_sound(on(DeviceChoice::cpu, study, settings));
  }
}

/// What a reader tells the marks of one kind apart by.
std::string look_of(const figure::Mark& mark) {
  const figure::MarkFacts own = figure::facts(mark);
  figure::Ink ink = own.ink ? *own.ink : figure::Ink{};
  if (const auto* shape = std::get_if<figure::Shape>(&mark); shape && shape->fill) ink = *shape->fill;
  int form = 0;
  if (const auto* line = std::get_if<figure::Line>(&mark)) form = static_cast<int>(line->dash);
  if (const auto* points = std::get_if<figure::Points>(&mark)) form = static_cast<int>(points->symbol);
  return std::to_string(mark.index()) + ' ' + std::to_string(static_cast<int>(ink.role)) + ' ' +
         std::to_string(ink.index) + ' ' + std::to_string(ink.alpha) + ' ' + std::to_string(form);
}

/// What a study shows at first, and what it proposes.
std::vector<parameter::Settings> proposed(const Study& study) {
  std::vector<parameter::Settings> all{parameter::Settings(study.parameters)};
  for (const Try& suggestion : study.tries) all.push_back(changed(all.front(), suggestion.changes));
  return all;
}

TEST_P(EveryStudy, ItsKeysAreToldApart) {
  const Study& study = *GetParam();
  for (const parameter::Settings& settings : proposed(study))
    for (const auto& panel : on(DeviceChoice::cpu, study, settings).figure.panels) {
      std::map<std::string, std::string> keys;  // what each look is called
      for (const auto& mark : panel.marks) {
        const std::string* label = figure::label_of(mark);
        if (!label || label->empty()) continue;
        const auto [at, is_new] = keys.emplace(look_of(mark), *label);
        EXPECT_EQ(at->second, *label) << "drawn alike in " << panel.title << ", with " << described(settings);
      }
    }
}

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
  return text;
}

/// A value that is the same whatever is set, and not 0, says nothing of what is set: it is a known answer, and says so.
/// Exactly 0 may be right, where nothing differs: but then a line is listed that makes it fall when it is broken (./dev
/// mutate).
TEST_P(EveryStudy, ItsChecksMoveOrAreKnownAnswers) {
  const Study& study = *GetParam();
  struct Met {
    std::set<double> values;
    int times = 0;
    bool known = false;
  };
  std::map<std::string, Met> met;
  const auto meet = [&](const StudyResult& result) {
    for (const Check& check : result.checks) {
      Met& own = met[without_digits(check.statement)];
      own.values.insert(check.value);
      ++own.times;
      own.known = check.known;
    }
  };
  for (const parameter::Settings& settings : proposed(study))
    if (const auto result = within(quick, DeviceChoice::ref, study, settings)) meet(*result);
  at_settings_of_chance(study, 200, {DeviceChoice::ref},
                        [&](const auto&, const StudyResult& result) { meet(result); });
  std::set<std::string> can_fall;
  for (const Asked& asked : asked_by_mutations())
    for (const std::string& statement : asked.falls)
      if (asked.study == study.id) can_fall.insert(without_digits(statement));
  for (const auto& [statement, own] : met) {
    const bool never_moves = own.times >= 8 && own.values.size() == 1 && !own.known;
    const bool may_stay = *own.values.begin() == 0 && can_fall.contains(statement);
    EXPECT_TRUE(!never_moves || may_stay) << statement << ": always " << *own.values.begin()
                                          << ", and no mutation in tests/mutations.toml makes it fall";
    EXPECT_FALSE(own.known && own.values.size() > 1) << statement << " depends on what is set";
  }
}

// A sentence is a claim: what a suggestion promises is so, by the tables.
TEST_P(EveryStudy, ItsSuggestionsKeepWhatTheyPromise) {
  const Study& study = *GetParam();
  const parameter::Settings defaults(study.parameters);
  for (const auto device : {DeviceChoice::ref, DeviceChoice::cpu}) {
    const StudyResult before = on(device, study, defaults);
    for (const Try& suggestion : study.tries) {
      ASSERT_TRUE(suggestion.expects) << "nobody looks up what it promises: " << suggestion.text;
      EXPECT_TRUE(suggestion.expects(on(device, study, changed(defaults, suggestion.changes)), before))
          << "not so, by the tables: " << suggestion.text;
    }
  }
}

TEST_P(EveryStudy, HandlesNameItsParameters) {
  const Study& study = *GetParam();
  const auto result = on(DeviceChoice::cpu, study, parameter::Settings(study.parameters));
  for (const auto& panel : result.figure.panels)
    for (const auto& handle : panel.handles)
      EXPECT_NE(std::ranges::find(study.parameters, std::string_view(handle.parameter),
                                  &parameter::Parameter::name),
                study.parameters.end());
}

TEST_P(EveryStudy, StopsWhenAskedTo) {
  const Study& study = *GetParam();
  std::stop_source source;
  source.request_stop();
  study::Run run;
  run.stop = source.get_token();
  EXPECT_THROW(study.compute(parameter::Settings(study.parameters), run), Cancelled);
}

TEST_P(EveryStudy, EqualsItsReferenceOnTheGpuGlTest) {
  try {
    gpu::Device::of_this_thread();
  } catch (const Failure& none) {
    GTEST_SKIP() << none.what();
  }
  const Study& study = *GetParam();
  expect_sound(on(DeviceChoice::gpu, study, parameter::Settings(study.parameters)));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto settings = drawn(study, seed);
    SCOPED_TRACE(described(settings));
    expect_sound(on(DeviceChoice::gpu, study, settings));
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudy, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

TEST(Registry, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const Study* study : studies()) {
    EXPECT_TRUE(ids.insert(study->id).second);
    EXPECT_EQ(&find(study->id), study);
  }
}

/// The window lists them in this order under their topics' names, each of which stands there once.
TEST(Registry, StudiesOfATopicStandTogether) {
  std::set<std::string_view> ended;
  std::string_view topic;
  for (const Study* study : studies()) {
    if (study->topic == topic) continue;
    ended.insert(topic);
    topic = study->topic;
    EXPECT_FALSE(ended.contains(topic)) << topic << " comes again with " << study->id;
  }
}

TEST(Registry, UnknownIdsNameTheNearest) {
  try {
    find("rope/rotatoin");
    FAIL() << "found";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("'rope/rotatoin' is not known; nearest: rope/rotation,"),
              std::string::npos)
        << error.what();
  }
  try {
    find("sinusoidal");
    FAIL() << "found";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("nearest: position/sinusoidal"), std::string::npos)
        << error.what();
  }
}

TEST(Descriptions, SayWhatIsThereAtOtherSettingsToo) {
  const auto says = [](const char* id, const char* changes) {
    const Study& study = find(id);
    return study.compute(changed(parameter::Settings(study.parameters), changes), study::Run{})
        .figure.description;
  };
  EXPECT_NE(says("attention/cache", "colour=distance").find("distance is off"), std::string::npos);
  EXPECT_EQ(says("norm/gradient", "norm=RMSNorm").find("less the ones"), std::string::npos);
  EXPECT_EQ(says("attention/map", "outlier=off length=64").find("a ring about an outlier."),
            std::string::npos);
  EXPECT_EQ(says("output/head", "logits=typed").find("hidden state to the next"), std::string::npos);
}

}  // namespace
}  // namespace orrery::study::study_test
