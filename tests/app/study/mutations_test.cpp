// The list of ./dev mutate asks every study and every op, with settings that there are.
#include "tests/app/study/mutations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/study/study.h"
#include "core/op/op.h"

namespace orrery::study::mutations_test {
namespace {

TEST(Mutations, EveryStudyIsAsked) {
  const std::vector<Asked> all = asked_by_mutations();
  for (const Study* study : studies())
    EXPECT_TRUE(
        std::ranges::any_of(all, [&](const Asked& a) { return a.study == study->id && !a.falls.empty(); }))
        << study->id << ": no mutation is listed that makes a check of it fall";
}

TEST(Mutations, EveryOpIsAskedByItsTwins) {
  const std::vector<Asked> all = asked_by_mutations();
  for (const op::Op& op : op::table()) {
    const std::string chosen = "op=" + std::string(op.name);
    EXPECT_TRUE(std::ranges::any_of(all,
                                    [&](const Asked& a) {
                                      return a.study == "numerics/twins" &&
                                             std::ranges::find(a.settings, chosen) != a.settings.end();
                                    }))
        << op.name << ": no mutation of its cpu twin is listed";
  }
}

TEST(Mutations, WhatTheyAskIsThere) {
  for (const Asked& asked : asked_by_mutations()) {
    parameter::Settings settings(find(asked.study).parameters);
    for (const std::string& each : asked.settings) {
      const std::size_t equals = each.find('=');
      ASSERT_NE(equals, std::string::npos) << asked.study << " " << each;
      EXPECT_NO_THROW(settings.set(each.substr(0, equals), each.substr(equals + 1)))
          << asked.study << " " << each;
    }
  }
}

}  // namespace
}  // namespace orrery::study::mutations_test
