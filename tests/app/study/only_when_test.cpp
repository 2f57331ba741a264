// A parameter that says it is not read changes nothing.
#include "core/parameter/only_when.h"

#include <gtest/gtest.h>

#include "tests/app/study/draw.h"

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

StudyResult result_of(const Study& study, const Settings& settings) {
  return study.compute(settings, Run());
}

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

TEST(OnlyWhen, WhatIsNotReadChangesNothing) {
  int tried = 0;
  for (const Study* study : studies())
    for (const Parameter& p : study->parameters)
      for (const parameter::Condition& condition : parameter::conditions_of(p)) {
        const Parameter& other = *declared(*study, condition.name);
        if (other.kind == parameter::Kind::file) continue;  // no file is at hand that every study would take
        const auto all = alternatives(other);
        const auto unmet = std::ranges::find_if(all, [&](const std::string& text) {
          return std::ranges::find(condition.values, text) == condition.values.end();
        });
        ASSERT_NE(unmet, all.end()) << p.name;
        Settings before(study->parameters);
        before.set(other.name, *unmet);
        Settings after = before;
        const tensor::Random random(7);
        // A file that is not read need not even be there.
        if (p.kind == parameter::Kind::file) after.set(p.name, "nowhere.npy");
        for (std::uint64_t counter = 0; after == before;) after.set(p.name, drawn(p, random, counter));
        SCOPED_TRACE(std::string(study->id) + " " + described(after));
        EXPECT_TRUE(same(numbers(result_of(*study, before)), numbers(result_of(*study, after))));
        ++tried;
      }
  EXPECT_GE(tried, 20);
}

}  // namespace
}  // namespace orrery::study::only_when_test
