// The same series in the figures of two settings.
#include "app/figure/counterparts.h"

#include <gtest/gtest.h>

namespace orrery::figure::counterparts_test {
namespace {

using Marks = std::set<std::pair<int, int>>;

Line named(int ink, const char* label, const char* role = "") {
  return {.x = {0, 1}, .y = {0, 1}, .ink = series(ink), .label = label, .reading = {.role = role}};
}

TEST(Counterparts, ARoleSaysMoreThanWords) {
  Panel a, b;
  a.marks = {named(0, "base 10 000", "paper"), named(1, "base 500 000", "chosen")};
  b.marks = {named(0, "base 10 000", "chosen")};
  EXPECT_EQ(counterparts(a, b, true), (std::vector<int>{1}));
  EXPECT_EQ(counterparts(b, a, true), (std::vector<int>{-1, 0}));
}

TEST(Counterparts, NamesBeforeWordsBeforeOrder) {
  Panel a, b;
  a.marks = {named(0, "ALiBi"), named(1, "slopes of 8 heads"), Points{.x = {1}, .y = {1}}, named(2, "T5")};
  b.marks = {named(1, "slopes of 12 heads"), named(0, "T5"), named(1, "ALiBi"), Points{.x = {2}, .y = {1}}};
  EXPECT_EQ(counterparts(a, b, false), (std::vector<int>{1, 3, 0, -1}));
  EXPECT_EQ(counterparts(a, b, true), (std::vector<int>{1, 3, 0, 2}));
}

TEST(Carried, WhatWasHiddenStaysHiddenWhereverItStands) {
  Figure from, to;
  from.panels.resize(1);
  to.panels.resize(1);
  from.panels[0].marks = {named(0, "ReLU"), named(1, "GELU"), named(2, "SiLU"), Points{.ink = series(2)}};
  to.panels[0].marks = {named(1, "GELU"), Points{.ink = series(2)}, named(2, "SiLU"), named(3, "Mish")};
  EXPECT_EQ(carried({{0, 2}, {0, 3}}, from, to), (Marks{{0, 1}, {0, 2}}));
  EXPECT_EQ(carried({{0, 0}}, from, to), Marks{});
  EXPECT_EQ(carried({}, from, to), Marks{});
}

TEST(Carried, NoPanelIsLeftEmpty) {
  Figure from, to;
  from.panels.resize(1);
  to.panels.resize(1);
  from.panels[0].marks = {named(0, "ReLU"), named(1, "GELU"), named(2, "SiLU")};
  to.panels[0].marks = {named(0, "ReLU"), named(1, "GELU")};  // and what was alone is gone
  EXPECT_EQ(carried({{0, 0}, {0, 1}}, from, to), Marks{});
}

}  // namespace
}  // namespace orrery::figure::counterparts_test
