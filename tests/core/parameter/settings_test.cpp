#include "core/parameter/settings.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "core/tensor/error.h"

namespace orrery::parameter::settings_test {
namespace {

constexpr std::array<Parameter, 7> declared{{
    {.name = "base", .label = "Base", .kind = Kind::real, .fallback = "10000", .min = 1, .max = 1e9},
    {.name = "position",
     .label = "Position",
     .kind = Kind::integer,
     .fallback = "0",
     .min = -100,
     .max = 1e7},
    {.name = "rotary_dim",
     .label = "Width",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 2,
     .max = 512,
     .multiple = 2},
    {.name = "mask",
     .label = "Mask",
     .kind = Kind::choice,
     .fallback = "none",
     .choices = "none|causal|sliding:W"},
    {.name = "grid", .label = "Grid", .kind = Kind::toggle, .fallback = "on"},
    {.name = "x",
     .label = "x",
     .kind = Kind::vector,
     .fallback = "1,0.5,-2",
     .min = -10,
     .max = 10,
     .length = 3},
    {.name = "config", .label = "Config", .kind = Kind::file, .fallback = ""},
}};

/// The message of the InvalidArgument that setting `name` to `text` throws; "accepted" when there is none.
std::string error_of(std::string_view name, std::string_view text) {
  Settings settings(declared);
  const Settings before = settings;
  try {
    settings.set(name, text);
  } catch (const InvalidArgument& e) {
    EXPECT_EQ(settings, before) << "a refused value must leave the settings as they were";
    return e.what();
  }
  return "accepted";
}

TEST(Settings, StartsWithTheDefaults) {
  const Settings s(declared);
  EXPECT_EQ(s.real("base"), 10000);
  EXPECT_EQ(s.integer("position"), 0);
  EXPECT_EQ(s.choice("mask"), "none");
  EXPECT_TRUE(s.toggle("grid"));
  EXPECT_EQ(s.vector("x"), (std::vector<double>{1, 0.5, -2}));
  EXPECT_EQ(s.file("config"), "");
  for (const Parameter& p : declared) EXPECT_TRUE(s.is_default(p.name)) << p.name;
}

TEST(Settings, AcceptsTheWaysPeopleWrite) {
  Settings s(declared);
  s.set("base", " 5e5 ");
  EXPECT_EQ(s.real("base"), 500000);
  EXPECT_FALSE(s.is_default("base"));
  s.set("position", "1e6");
  EXPECT_EQ(s.integer("position"), 1000000);
  s.set("position", "-3.0");
  EXPECT_EQ(s.integer("position"), -3);
  s.set("mask", "sliding:128");
  EXPECT_EQ(s.choice("mask"), "sliding:128");
  for (const char* no : {"off", "0", "false", "no"}) {
    s.set("grid", "on");
    s.set("grid", no);
    EXPECT_FALSE(s.toggle("grid")) << no;
  }
  for (const char* yes : {"on", "1", "true", "yes"}) {
    s.set("grid", "off");
    s.set("grid", yes);
    EXPECT_TRUE(s.toggle("grid")) << yes;
  }
  s.set("x", "1, 2 ,-3e-1");
  EXPECT_EQ(s.vector("x"), (std::vector<double>{1, 2, -0.3}));
  s.set("config", "a b.json");
  EXPECT_EQ(s.file("config"), "a b.json");
}

TEST(Settings, AUnitMayStandBehindANumber) {
  Parameter length{.name = "length", .kind = Kind::integer, .fallback = "1", .unit = "tokens"};
  EXPECT_EQ(std::get<std::int64_t>(parse(length, "37 tokens")), 37);
  EXPECT_EQ(std::get<std::int64_t>(parse(length, "2^16tokens")), 65536);
  EXPECT_THROW(parse(length, "tokens"), InvalidArgument);
  EXPECT_THROW(parse(length, "37 rad"), InvalidArgument);
  length.kind = Kind::vector;
  EXPECT_EQ(std::get<std::vector<double>>(parse(length, "1 tokens, 2, 3 tokens")),
            (std::vector<double>{1, 2, 3}));
}

TEST(Settings, LimitsThemselvesAreAllowed) {
  EXPECT_EQ(error_of("base", "1"), "accepted");
  EXPECT_EQ(error_of("base", "1e9"), "accepted");
  EXPECT_EQ(error_of("rotary_dim", "512"), "accepted");
  EXPECT_EQ(error_of("x", "-10,10,0"), "accepted");
}

TEST(Settings, EveryKindOfBadValueIsExplainedInOneLine) {
  constexpr auto base_allowed = "; allowed: a number from 1 to 1e9";
  EXPECT_EQ(error_of("base", "abc"), std::string("base: 'abc' is not a number") + base_allowed);
  EXPECT_EQ(error_of("base", ""), std::string("base: '' is not a number") + base_allowed);
  EXPECT_EQ(error_of("base", "1e4x"), std::string("base: '1e4x' is not a number") + base_allowed);
  EXPECT_EQ(error_of("base", "1,5"), std::string("base: '1,5' is not a number") + base_allowed);
  EXPECT_EQ(error_of("base", "nan"), std::string("base: 'nan' is not a finite number") + base_allowed);
  EXPECT_EQ(error_of("base", "inf"), std::string("base: 'inf' is not a finite number") + base_allowed);
  EXPECT_EQ(error_of("base", "1e999"), std::string("base: '1e999' is not a number") + base_allowed);
  EXPECT_EQ(error_of("base", "0.999"), std::string("base: '0.999' is out of range") + base_allowed);
  EXPECT_EQ(error_of("base", "2e9"), std::string("base: '2000000000' is out of range") + base_allowed);

  constexpr auto position_allowed = "; allowed: a whole number from -100 to 1e7";
  EXPECT_EQ(error_of("position", "2.5"),
            std::string("position: '2.5' is not a whole number") + position_allowed);
  EXPECT_EQ(error_of("position", "nan"),
            std::string("position: 'nan' is not a whole number") + position_allowed);
  EXPECT_EQ(error_of("position", "1e300"),
            std::string("position: '1e300' is out of range") + position_allowed);
  EXPECT_EQ(error_of("position", "99999999999999999999"),
            std::string("position: '99999999999999999999' is out of range") + position_allowed);

  constexpr auto width_allowed = "; allowed: a whole number from 2 to 512, a multiple of 2";
  EXPECT_EQ(error_of("rotary_dim", "63"),
            std::string("rotary_dim: '63' is not a multiple of 2") + width_allowed);
  EXPECT_EQ(error_of("rotary_dim", "0"), std::string("rotary_dim: '0' is out of range") + width_allowed);

  constexpr auto mask_allowed = "; allowed: none, causal or sliding:W (W: a whole number from 1)";
  EXPECT_EQ(error_of("mask", "casual"),
            std::string("mask: 'casual' is none of its choices (did you mean 'causal'?)") + mask_allowed);
  for (const char* bad :
       {"sliding", "sliding:", "sliding:0", "sliding:W", "sliding:-1", "sliding:07", "sliding:1x"}) {
    EXPECT_TRUE(error_of("mask", bad).ends_with(mask_allowed)) << bad;
  }

  // Of a long slip the beginning, cut between letters: two bytes each, after one of one byte.
  std::string long_text = "x", beginning = "x";
  for (int i = 0; i < 1000; ++i) long_text += "é";
  for (int i = 0; i < 39; ++i) beginning += "é";
  EXPECT_EQ(error_of("grid", long_text),
            "grid: '" + beginning + "… (2001 bytes)' is neither on nor off; allowed: on or off");

  EXPECT_EQ(error_of("grid", "maybe"), "grid: 'maybe' is neither on nor off; allowed: on or off");

  constexpr auto x_allowed = "; allowed: 3 numbers, separated by commas, each from -10 to 10";
  EXPECT_EQ(error_of("x", "1,2"), std::string("x: '1,2' has 2 components") + x_allowed);
  EXPECT_EQ(error_of("x", "1"), std::string("x: '1' has 1 component") + x_allowed);
  EXPECT_EQ(error_of("x", ""), std::string("x: '' has 0 components") + x_allowed);
  EXPECT_EQ(error_of("x", "1,,2"), std::string("x: '1,,2' has an empty component") + x_allowed);
  EXPECT_EQ(error_of("x", "1,2,"), std::string("x: '1,2,' has an empty component") + x_allowed);
  EXPECT_EQ(error_of("x", "1,two,3"), std::string("x: '1,two,3' is not a number") + x_allowed);
  EXPECT_EQ(error_of("x", "1,2,nan"), std::string("x: '1,2,nan' is not a finite number") + x_allowed);
  EXPECT_EQ(error_of("x", "1,2,11"), std::string("x: '1,2,11' is out of range") + x_allowed);

  EXPECT_EQ(error_of("config", std::string_view("a\0b", 3)),
            "config: 'a' holds a zero byte; allowed: a path");
}

TEST(Settings, UnknownNamesListTheKnown) {
  constexpr auto known = "known: base, position, rotary_dim, mask, grid, x, config";
  EXPECT_EQ(error_of("bse", "1"), std::string("bse: no such parameter (did you mean 'base'?); ") + known);
  EXPECT_EQ(error_of("temperature", "1"), std::string("temperature: no such parameter; ") + known);
  EXPECT_THROW(Settings(declared).value("nothing"), InvalidArgument);
  EXPECT_THROW(Settings().set("base", "1"), InvalidArgument);
}

TEST(Settings, ValuesOfTheWrongKindAreRefused) {
  Settings s(declared);
  EXPECT_THROW(s.set("base", Value{std::int64_t{3}}), InvalidArgument);
  EXPECT_THROW(s.set("base", Value{std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
  EXPECT_THROW(s.set("position", Value{3.0}), InvalidArgument);
  EXPECT_THROW(s.set("mask", Value{true}), InvalidArgument);
  EXPECT_THROW(s.set("x", Value{std::string("1,2,3")}), InvalidArgument);
  EXPECT_EQ(s, Settings(declared));
  s.set("base", Value{500.0});
  EXPECT_EQ(s.text("base"), "500");
}

TEST(Settings, AMatrixHoldsAsManyNumbersAsItSays) {
  const Parameter p{.name = "m", .kind = Kind::matrix};
  EXPECT_THROW(validate(p, Value{Matrix{2, 2, {1, 2, 3}}}), InvalidArgument);
  EXPECT_THROW(validate(p, Value{Matrix{0, 2, {}}}), InvalidArgument);
  EXPECT_THROW(validate(p, Value{std::vector<double>{1, 2}}), InvalidArgument);
  EXPECT_THROW(validate({.name = "v", .kind = Kind::vector}, Value{Matrix{1, 1, {1}}}), InvalidArgument);
  EXPECT_NO_THROW(validate(p, Value{Matrix{2, 2, {1, 2, 3, 4}}}));
}

TEST(Settings, FormatAndParseAreInverse) {
  const auto round_trip = [](const Parameter& p, const Value& v) {
    EXPECT_EQ(parse(p, format(v)), v) << format(v);
  };
  for (const double x : {1.0, 0.1, 1e-5, 1e15, 123456789.123, 5e-324, 1.7976931348623157e308, -0.0}) {
    round_trip({.name = "r", .kind = Kind::real}, x);
    round_trip({.name = "v", .kind = Kind::vector}, std::vector<double>{x, -x, 1 / 3.0});
  }
  round_trip({.name = "v", .kind = Kind::vector}, std::vector<double>{});
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-7}, std::numeric_limits<std::int64_t>::max(),
                               std::numeric_limits<std::int64_t>::min()}) {
    round_trip({.name = "n", .kind = Kind::integer}, n);
  }
  round_trip({.name = "t", .kind = Kind::toggle}, true);
  round_trip({.name = "t", .kind = Kind::toggle}, false);
  round_trip({.name = "f", .kind = Kind::file}, std::string(" spaces kept "));
  round_trip({.name = "w", .kind = Kind::text}, std::string(" spaces; and, signs = kept "));
  round_trip({.name = "m", .kind = Kind::matrix}, Matrix{});
  round_trip({.name = "m", .kind = Kind::matrix}, Matrix{2, 3, {1, -0.0, 1 / 3.0, 5e-324, 1e300, 0.1}});
  round_trip(declared[3], std::string("sliding:4096"));
}

TEST(Settings, ARealMayHaveAWordThatIsNoNumber) {
  constexpr std::array<Parameter, 1> scale{
      {{.name = "scale", .fallback = "default", .max = 9, .word = "default"}}};
  Settings s(scale);
  EXPECT_EQ(s.number("scale"), std::nullopt);
  EXPECT_EQ(s.text("scale"), "default");
  s.set("scale", "0");
  EXPECT_EQ(s.number("scale"), 0.0);
  EXPECT_FALSE(s.is_default("scale"));
  s.set("scale", " default ");
  EXPECT_TRUE(s.is_default("scale"));
  EXPECT_EQ(parse(scale[0], format(s.value("scale"))), s.value("scale"));
  for (const auto& [text, complaint] :
       {std::pair("10", "is out of range"), std::pair("defaults", "is not a number")}) {
    try {
      s.set("scale", text);
      FAIL() << text;
    } catch (const InvalidArgument& e) {
      EXPECT_EQ(e.what(), "scale: '" + std::string(text) + "' " + complaint +
                              "; allowed: a number not above 9, or default");
    }
  }
}

TEST(Settings, AreComparedAndHashedAsValues) {
  Settings a(declared), b(declared);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.hash(), b.hash());
  a.set("base", "500");
  EXPECT_NE(a, b);
  EXPECT_NE(a.hash(), b.hash());
  b.set("base", "5e2");
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.hash(), b.hash());
}

}  // namespace
}  // namespace orrery::parameter::settings_test
