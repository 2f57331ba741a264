// A parameter that says it is not read changes nothing.
#include "core/parameter/only_when.h"

#include <gtest/gtest.h>

#include "tests/app/study/draw.h"
#include "tests/app/study/name_in_tests.h"

namespace orrery::study::only_when_test {
namespace {

using parameter::Parameter;
using parameter::Settings;

const Parameter* declared(const Study& study, std::string_view name) {
  const auto found = std::ranges::find(study.parameters, name, &Parameter::name);
  return found == study.parameters.end() ? nullptr : &*found;
}

/// Alternatives of a parameter that others depend on, as texts.
std::vector<std::string> alternatives(const Parameter& p) {
  if (p.measures) return {"off"};
  if (p.kind == parameter::Kind::toggle) return {"on", "off"};
  std::vector<std::string> all;
  for (const std::string_view choice : parameter::choices_of(p)) all.emplace_back(choice);
  return all;
}

/// A setting under which a condition does not hold, and all the parameters that are then not read.
struct Unread {
  std::string name, value;
  std::vector<const Parameter*> parameters;
};

/// Every condition of a study once, however many parameters share it. What a file decides is left out: no file is at hand
/// that every study would take.
std::vector<Unread> unread_of(const Study& study) {
  std::vector<Unread> all;
  for (const Parameter& p : study.parameters) {
    if (p.measures) continue;  // tests measure nothing: it stays off
    for (const parameter::Condition& condition : parameter::conditions_of(p)) {
      const Parameter& other = *declared(study, condition.name);
      if (other.kind == parameter::Kind::file) continue;
      const auto texts = alternatives(other);
      const auto unmet = std::ranges::find_if(texts, [&](const std::string& text) {
        return std::ranges::find(condition.values, text) == condition.values.end();
      });
      if (unmet == texts.end()) {
        ADD_FAILURE() << study.id << " " << p.name << ": no value of " << other.name << " makes it unread";
        continue;
      }
      auto same_condition = std::ranges::find_if(
          all, [&](const Unread& u) { return u.name == condition.name && u.value == *unmet; });
      if (same_condition == all.end())
        same_condition = all.insert(all.end(), {std::string(condition.name), *unmet, {}});
      same_condition->parameters.push_back(&p);
    }
  }
  return all;
}

void set_otherwise(Settings& settings, const Parameter& p) {
  // A file that is not read need not even be there.
  if (p.kind == parameter::Kind::file) return settings.set(p.name, "nowhere.npy");
  const tensor::Random random(7);
  const Settings before = settings;
  for (std::uint64_t counter = 0; settings == before;) settings.set(p.name, drawn(p, random, counter));
}

std::vector<double> numbers_of(const Study& study, const Settings& settings) {
  return numbers(study.compute(settings, Run()));
}

class OnlyWhenOf : public testing::TestWithParam<const Study*> {};

TEST(OnlyWhen, ConditionsNameWhatTheStudyDeclares) {
  for (const Study* study : studies())
    for (const Parameter& p : study->parameters)
      for (const parameter::Condition& condition : parameter::conditions_of(p)) {
        SCOPED_TRACE(std::string(study->id) + " " + std::string(p.name) + ": " + std::string(condition.name));
        const Parameter* other = declared(*study, condition.name);
        ASSERT_TRUE(other);
        EXPECT_NE(other, &p);
        // As Settings writes it, or it would never be met.
        for (const std::string_view value : condition.values)
          EXPECT_EQ(parameter::format(parameter::parse(*other, value)), value);
      }
}

TEST_P(OnlyWhenOf, WhatIsNotReadChangesNothing) {
  const Study& study = *GetParam();
  for (const Unread& unread : unread_of(study)) {
    Settings before(study.parameters);
    before.set(unread.name, unread.value);
    Settings after = before;
    for (const Parameter* p : unread.parameters) set_otherwise(after, *p);
    SCOPED_TRACE(std::string(study.id) + " " + described(after));
    const std::vector<double> expected = numbers_of(study, before);
    if (same(expected, numbers_of(study, after))) continue;
    // Which one it was.
    for (const Parameter* p : unread.parameters) {
      Settings alone = before;
      set_otherwise(alone, *p);
      EXPECT_TRUE(same(expected, numbers_of(study, alone))) << p->name;
    }
    ADD_FAILURE();
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, OnlyWhenOf, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

TEST(OnlyWhen, ManyParametersAreAtTimesNotRead) {
  std::size_t parameters = 0;
  for (const Study* study : studies())
    for (const Unread& unread : unread_of(*study)) parameters += unread.parameters.size();
  EXPECT_GE(parameters, 20u);
}

}  // namespace
}  // namespace orrery::study::only_when_test
