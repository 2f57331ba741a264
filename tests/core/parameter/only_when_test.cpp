#include "core/parameter/only_when.h"

#include <gtest/gtest.h>

#include <array>

namespace orrery::parameter::only_when_test {
namespace {

constexpr auto declared = std::to_array<Parameter>({
    {.name = "rule", .kind = Kind::choice, .fallback = "none", .choices = "none|linear|yarn"},
    {.name = "file", .kind = Kind::file},
    {.name = "causal", .kind = Kind::toggle, .fallback = "off"},
    {.name = "always", .fallback = "1"},
    {.name = "factor", .fallback = "8", .only_when = "rule=linear|yarn"},
    {.name = "window", .fallback = "8", .only_when = "file= causal=on"},
});

TEST(OnlyWhen, OneOfTheValuesIsEnough) {
  Settings settings(declared);
  const Parameter& factor = declared[4];
  const auto missing = unmet(factor, settings);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->name, "rule");
  settings.set("rule", "yarn");
  EXPECT_FALSE(unmet(factor, settings));
  settings.set("rule", "linear");
  EXPECT_FALSE(unmet(factor, settings));
}

TEST(OnlyWhen, EveryConditionMustHold) {
  Settings settings(declared);
  const Parameter& window = declared[5];
  EXPECT_EQ(unmet(window, settings)->name, "causal");
  settings.set("causal", "yes");
  EXPECT_FALSE(unmet(window, settings));
  settings.set("file", "/some/file");
  EXPECT_EQ(unmet(window, settings)->name, "file");
}

TEST(OnlyWhen, WhatIsNotMetCanBeMet) {
  for (const Parameter& p : declared) {
    Settings settings(declared);
    meet_conditions(p, settings);
    EXPECT_FALSE(unmet(p, settings)) << p.name;
    const Settings met = settings;
    meet_conditions(p, settings);
    EXPECT_TRUE(settings == met) << "what is met stays as it is";
  }
}

TEST(OnlyWhen, NothingSaidIsAlways) {
  EXPECT_FALSE(unmet(declared[3], Settings(declared)));
}

}  // namespace
}  // namespace orrery::parameter::only_when_test
