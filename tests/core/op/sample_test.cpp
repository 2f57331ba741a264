// What samples are made of: every letter of the table has a length, heads that share keys are among them, and an op is never
// asked without an array that it needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/tensor/error.h"
#include "tests/core/op/sample_calls.h"

namespace orrery::op::sample_test {
namespace {

using Shape = std::vector<Index>;

std::vector<Call> calls_of(const Op& op, Index width) {
  return sample_calls(op, support::input_sets().back(), width);
}

TEST(Samples, ALetterWithoutALengthIsRefused) {
  Sizes sizes;
  try {
    sizes['Q'];
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_STREQ(e.what(), "axis: found 'Q', a letter without a size; allowed: T, S, D, d, F, H, V, N, M");
  }
}

TEST(Samples, AreAcceptedByTheirOpAndTellTheirWidth) {
  for (const Op& op : table()) {
    for (const Index width : {op.sampling.least, Index{7}, Index{8}}) {
      for (const Call& call : calls_of(op, width)) {
        EXPECT_NO_THROW(op.ref(call)) << op.name;
        if (op.inputs.empty()) continue;
        const bool has_width = std::ranges::any_of(call.inputs, [&](const auto& input) {
          const Shape& shape = input.second.shape;
          return std::ranges::any_of(shape, [&](Index n) { return n == width || n == 2 * width; });
        });
        const bool bare = call.inputs.empty();  // what is told by settings alone
        EXPECT_TRUE(has_width || bare) << op.name << " " << width;
      }
    }
  }
}

// Two heads of keys for four of queries: each pair of neighbours shares them.
TEST(Samples, HeadsShareKeysWhereTheyMay) {
  std::set<Shape> queries, keys;
  for (const Call& call : calls_of(find("attention"), 8)) {
    queries.insert(call.input("q").shape);
    keys.insert(call.input("k").shape);
    EXPECT_EQ(call.input("v").shape, call.input("k").shape);
  }
  EXPECT_TRUE(queries.contains(Shape{4, 3, 8}));
  EXPECT_TRUE(keys.contains(Shape{2, 5, 8}));
}

TEST(Samples, EveryChoiceIsTriedThatTheRowLetsVary) {
  std::set<std::string> masks, layouts, rules;
  for (const Call& call : calls_of(find("attention"), 8)) masks.insert(call.settings.choice("mask"));
  EXPECT_EQ(masks, (std::set<std::string>{"none", "causal", "sliding:2", "prefix:2", "chunked:2"}));
  for (const Call& call : calls_of(find("rope"), 8)) {
    layouts.insert(call.settings.choice("layout"));
    rules.insert(call.settings.choice("rope_type"));
  }
  EXPECT_EQ(layouts.size(), 2u);
  EXPECT_EQ(rules.size(), 1u);  // they have tests of their own
}

// Prime widths apart, and some of the groups have columns enough for vectors.
TEST(Samples, GroupsAreRealOnes) {
  std::set<std::int64_t> groups;
  for (const Index width : {8, 33, 255, 256, 1000, 4096})
    for (const Call& call : calls_of(find("group_norm"), width)) {
      groups.insert(call.settings.integer("groups"));
      EXPECT_EQ(width % call.settings.integer("groups"), 0);
    }
  EXPECT_EQ(groups, (std::set<std::int64_t>{4, 11, 17, 25, 32}));
}

TEST(Samples, WhatAnOpNeedsAtItsSettingsIsGiven) {
  int without = 0;
  for (const Call& call : calls_of(find("t5_bias"), 8)) {
    if (call.find("table") != nullptr) continue;
    EXPECT_EQ(call.settings.choice("output"), "buckets");
    ++without;
  }
  EXPECT_GT(without, 0);
}

TEST(Samples, ValuesAreWhatTheInputHolds) {
  const Sizes sizes{.groups = 3, .T = 20, .S = 9, .d = 4, .V = 5};
  const Op& op = find("attention");
  const Call call = sample(op, sample_settings(op, sizes), sizes, random_values(1), Named::all);
  for (const double flag : call.input("padding").values) EXPECT_TRUE(flag == 0 || flag == 1);
  for (const double count : call.input("lengths").values) EXPECT_TRUE(count >= 0 && count <= 9);
  const Op& lookup = find("embedding");
  const Call words = sample(lookup, sample_settings(lookup, sizes), sizes, random_values(1), Named::needed);
  const auto [least, most] = std::ranges::minmax(words.input("ids").values);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 4);
}

}  // namespace
}  // namespace orrery::op::sample_test
