#include "core/parameter/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/parameter/settings.h"
#include "core/tensor/error.h"

namespace orrery::parameter::expression_test {
namespace {

// Whole numbers, quotients that a double holds, and single operations on constants: exact, so compared exactly.
TEST(ExpressionTest, IsWhatAPocketCalculatorSays) {
  const struct {
    const char* text;
    double value;
  } cases[] = {{"2^16", 65536},
               {"2**16", 65536},
               {"131072/4", 32768},
               {"1e6", 1e6},
               {"1e6/1e3", 1000},
               {".5", 0.5},
               {"5.", 5},
               {"pi/4", std::numbers::pi / 4},
               {"\u03C0/4", std::numbers::pi / 4},
               {"e", std::numbers::e},
               {"2*pi", 2 * std::numbers::pi},
               {"1+2*3", 7},
               {"(1+2)*3", 9},
               {"10-4-3", 3},   // from the left
               {"64/4/2", 8},   // from the left
               {"2^3^2", 512},  // from the right
               {"-2^2", -4},    // a power binds tighter than a sign
               {"(-2)^2", 4},
               {"2^-1", 0.5},
               {"2*-3", -6},
               {"--3", 3},
               {"+7", 7},
               {"2 * ( 3 + 4 )", 14},
               {"sqrt(64)", 8},
               {"log2(4096)", 12},
               {"log10(1000)", 3},
               {"exp(0)", 1},
               {"ln(1)", 0},
               {"128*sqrt(4)+2", 258},
               {"500 000", 500000},  // as the window writes it
               {"500\u2009000", 500000},
               {"1,000", 1000},
               {"1 048 576/4", 262144},
               {"1 000.5", 1000.5},
               {"8k", 8000},
               {"0.5M", 500000},
               {"128Ki", 131072},
               {"2*1Mi", 2097152}};
  for (const auto& [text, value] : cases) {
    const auto x = evaluate(text);
    ASSERT_TRUE(x) << text;
    EXPECT_EQ(*x, value) << text;
  }
}

TEST(ExpressionTest, MayOverflow) {
  EXPECT_TRUE(std::isinf(evaluate("1/0").value()));
  EXPECT_TRUE(std::isnan(evaluate("0/0").value()));
  EXPECT_TRUE(std::isinf(evaluate("10^400").value()));
}

TEST(ExpressionTest, RefusesWhatIsNone) {
  for (const char* text :
       {"",      " ",      "2^",        "^2",  "2^^3", "(1",  "1)",    "()", "2pi", "2 3",  "abc",  "sqrt",
        "sqrt4", "pi()",   "sqrt(4,1)", "1,2", "0x10", "2e",  "1e999", "1+", "*2",  "1 /",  "2*/3", "0,125",
        "12 34", "1,0000", "8kk",       "2km", "inf",  "nan", "PI",    "e5", "1;2", "1\n2", "\xCF", "2^\xFF"})
    EXPECT_FALSE(evaluate(text)) << "'" << text << "'";
}

// Far deeper than the stack would bear if every level cost a few calls.
TEST(ExpressionTest, DeepNestingIsRefusedAndNotACrash) {
  const std::size_t many = 1'000'000;
  std::string powers = "1";
  for (std::size_t i = 0; i < many; ++i) powers += "^1";
  for (const std::string& text : {std::string(many, '('), std::string(many, '-') + "1", powers,
                                  std::string(many, '(') + "1" + std::string(many, ')')})
    EXPECT_FALSE(evaluate(text));
  std::string sums = "1";
  for (int i = 1; i < 1000; ++i) sums += "+1";
  EXPECT_EQ(evaluate(sums), 1000);  // long is not deep
}

TEST(ExpressionTest, SettingsTakeThem) {
  static const std::vector<Parameter> declared{
      {.name = "base", .fallback = "10000", .min = 1, .max = 1e9},
      {.name = "length", .kind = Kind::integer, .fallback = "16", .min = 2, .max = 1048576, .multiple = 2},
      {.name = "places", .kind = Kind::vector, .fallback = "0,1"},
      {.name = "softmax", .fallback = "default", .word = "default"}};
  Settings s(declared);
  s.set("base", "2^16");
  EXPECT_EQ(s.real("base"), 65536);
  EXPECT_EQ(s.text("base"), "65536");
  s.set("length", "131072/4");
  EXPECT_EQ(s.integer("length"), 32768);
  s.set("places", "pi/4, 2^3,-1");
  EXPECT_EQ(s.vector("places"), (std::vector{std::numbers::pi / 4, 8.0, -1.0}));
  s.set("softmax", "1/sqrt(64)");
  EXPECT_EQ(s.real("softmax"), 0.125);

  const auto refusal = [&](const char* name, const char* text) {
    try {
      s.set(name, text);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refusal("base", "1/0"), "base: '1/0' is not a finite number; allowed: a number from 1 to 1e9");
  EXPECT_EQ(refusal("base", "2^"), "base: '2^' is not a number; allowed: a number from 1 to 1e9");
  EXPECT_NE(refusal("base", "2^40").find("is out of range"), std::string::npos);
  EXPECT_NE(refusal("length", "7/2").find("is not a whole number"), std::string::npos);
  EXPECT_NE(refusal("length", "2^2+1").find("is not a multiple of 2"), std::string::npos);
  EXPECT_EQ(s.real("base"), 65536);
}

}  // namespace
}  // namespace orrery::parameter::expression_test
