#include "tests/app/cli/program.h"

namespace orrery::cli_test::language_test {
namespace {

using Languages = orrery::cli_test::Program;
using orrery::cli_test::contents;

TEST_F(Languages, AFigureSpeaksWhatIsAskedFor) {
  const std::string file = path("figure.svg");
  const auto result = run({"render", "rope/rotation", "--lang", "zh", "-o", file});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(contents(file).find("\u4F4D\u7F6E"), std::string::npos) << "position";
  EXPECT_NE(contents(file).find("language = &quot;zh&quot;"), std::string::npos)
      << "the recipe inside says it";
  // What the figure carries makes the same figure again.
  const std::string again = path("again.svg");
  ASSERT_EQ(run({"render", file, "-o", again}).code, 0);
  EXPECT_EQ(contents(again), contents(file));
}

TEST_F(Languages, NumbersKeepTheirEnglishNames) {
  const std::string english = path("english.csv"), chinese = path("chinese.csv");
  ASSERT_EQ(run({"render", "rope/wavelengths", "--table", "pairs", "-o", english}).code, 0);
  ASSERT_EQ(run({"render", "rope/wavelengths", "--table", "pairs", "--lang", "zh", "-o", chinese}).code, 0);
  EXPECT_FALSE(contents(english).empty());
  EXPECT_EQ(contents(chinese), contents(english));
}

TEST_F(Languages, TheListIsTranslatedAndItsNamesAreNot) {
  const auto result = run({"list", "--lang", "zh"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("  rope/rotation  \u6BCF\u4E2A\u7EF4\u5EA6\u5BF9"), std::string::npos)
      << "each pair of dimensions";
  EXPECT_NE(result.out.find("\n      model=own"), std::string::npos);
  EXPECT_NE(result.out.find("\n  rms_norm  "), std::string::npos);
}

TEST_F(Languages, AnUnknownOneIsRefusedInOneLine) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"render", "rope/rotation", "--lang", "xx", "-o", path("x.pdf")},
        {"gallery", "--lang", "xx", "-o", path("g")},
        {"list", "--lang", "xx"}}) {
    const auto result = run(command);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find("--lang: found 'xx'; allowed: en, zh\n"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace orrery::cli_test::language_test
