#include "core/parameter/parameter.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>

#include "core/parameter/spelling.h"
#include "core/tensor/random.h"

namespace orrery::parameter::parameter_test {
namespace {

TEST(Shortest, WholeNumbersStayWhole) {
  EXPECT_EQ(shortest(0), "0");
  EXPECT_EQ(shortest(10000), "10000");
  EXPECT_EQ(shortest(-500000), "-500000");
  EXPECT_EQ(shortest(999999999999999), "999999999999999");
  EXPECT_EQ(shortest(1e15), "1e15");
  EXPECT_EQ(shortest(-0.0), "-0");
}

TEST(Shortest, FractionsHaveNoPadding) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e-5), "1e-5");
  EXPECT_EQ(shortest(1.5e-7), "1.5e-7");
  EXPECT_EQ(shortest(1e100), "1e100");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_EQ(shortest(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Shortest, ReadsBackExactly) {
  const tensor::Random random(5);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double x = std::ldexp(random.normal(i), static_cast<int>(i % 2000) - 1000);
    const std::string text = shortest(x);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(x, back) << text;
    ASSERT_LE(text.size(), 24u) << text;  // -d.dddddddddddddddde-ddd
  }
}

TEST(Parameter, ChoicesAreSplitAtBars) {
  const Parameter p{
      .name = "layout", .label = "", .kind = Kind::choice, .choices = "paper|tensor2tensor|fairseq"};
  EXPECT_EQ(choices_of(p), (std::vector<std::string_view>{"paper", "tensor2tensor", "fairseq"}));
  EXPECT_TRUE(choices_of(Parameter{}).empty());
}

TEST(Parameter, SaysInWordsWhatIsAllowed) {
  EXPECT_EQ(allowed_text({.kind = Kind::integer, .min = 2, .max = 512, .multiple = 2}),
            "a whole number from 2 to 512, a multiple of 2");
  EXPECT_EQ(allowed_text({.kind = Kind::integer}), "a whole number");
  EXPECT_EQ(allowed_text({.kind = Kind::real, .min = 1, .max = 1e9}), "a number from 1 to 1e9");
  EXPECT_EQ(allowed_text({.kind = Kind::real, .min = 0}), "a number not below 0");
  EXPECT_EQ(allowed_text({.kind = Kind::real, .max = 0.5}), "a number not above 0.5");
  EXPECT_EQ(allowed_text({.kind = Kind::choice, .choices = "a|b|c"}), "a, b or c");
  EXPECT_EQ(allowed_text({.kind = Kind::choice, .choices = "none|causal|sliding:W"}),
            "none, causal or sliding:W (W: a whole number from 1)");
  EXPECT_EQ(allowed_text({.kind = Kind::toggle}), "on or off");
  EXPECT_EQ(allowed_text({.kind = Kind::vector, .min = -1, .max = 1, .length = 3}),
            "3 numbers, separated by commas, each from -1 to 1");
  EXPECT_EQ(allowed_text({.kind = Kind::file}), "a path");
  EXPECT_EQ(allowed_text({.kind = Kind::text}), "a line of text");
  EXPECT_EQ(allowed_text({.kind = Kind::text, .min = 1, .max = 80}),
            "a line of text, from 1 to 80 characters");
  EXPECT_EQ(allowed_text({.kind = Kind::matrix}),
            "rows, separated by semicolons, of numbers, separated by commas");
  EXPECT_EQ(allowed_text({.kind = Kind::matrix, .min = -1, .max = 1, .length = 2, .rows = 3}),
            "3 rows, separated by semicolons, of 2 numbers, separated by commas, each from -1 to 1");
}

TEST(Parameter, KindsHaveNames) {
  EXPECT_EQ(kind_name(Kind::integer), "integer");
  EXPECT_EQ(kind_name(Kind::real), "real");
  EXPECT_EQ(kind_name(Kind::choice), "choice");
  EXPECT_EQ(kind_name(Kind::toggle), "toggle");
  EXPECT_EQ(kind_name(Kind::vector), "vector");
  EXPECT_EQ(kind_name(Kind::file), "file");
  EXPECT_EQ(kind_name(Kind::text), "text");
  EXPECT_EQ(kind_name(Kind::matrix), "matrix");
}

TEST(Spelling, DistanceCountsSlips) {
  EXPECT_EQ(edit_distance("base", "base"), 0);
  EXPECT_EQ(edit_distance("bse", "base"), 1);    // left out
  EXPECT_EQ(edit_distance("baase", "base"), 1);  // typed twice
  EXPECT_EQ(edit_distance("baze", "base"), 1);   // the wrong key
  EXPECT_EQ(edit_distance("bsae", "base"), 1);   // two swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "base"), 4);
  EXPECT_EQ(edit_distance("base", ""), 4);
}

TEST(Spelling, SuggestsOnlyWhatIsNear) {
  const std::string_view known[] = {"base", "position", "layout"};
  EXPECT_EQ(did_you_mean("bse", known), " (did you mean 'base'?)");
  EXPECT_EQ(did_you_mean("postion", known), " (did you mean 'position'?)");
  EXPECT_EQ(did_you_mean("temperature", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  constexpr std::string_view models[] = {"llama-13b", "llama-3.1-405b", "llama-3.1-8b", "llama-3.2-1b"};
  EXPECT_EQ(did_you_mean("llama-3.1", models), " (did you mean 'llama-3.1-8b'?)")
      << "the shortest that begins so";
  EXPECT_EQ(did_you_mean("llama-12b", models), " (did you mean 'llama-13b'?)");
}

TEST(Unknown, SaysWhatWasTypedWhatIsNearAndWhatThereIs) {
  constexpr std::string_view known[] = {"base", "position"};
  const Complaint slip = unknown(about_argument("--x"), "bsae", known);
  EXPECT_EQ(english(slip), "--x: found 'bsae' (did you mean 'base'?); allowed: base, position");
  EXPECT_EQ(slip.found(), "bsae");
  EXPECT_EQ(slip.nearest(), std::vector<std::string>{"base"});
  const Complaint far = unknown(about_argument("x"), "temperature", known);
  EXPECT_EQ(english(far), "x: found 'temperature'; allowed: base, position");
  EXPECT_TRUE(far.nearest().empty());
  // What is very long is shown by its beginning.
  EXPECT_LT(english(unknown(about("x"), std::string(1'000'000, 'a'), known)).size(), 300u);
}

}  // namespace
}  // namespace orrery::parameter::parameter_test
