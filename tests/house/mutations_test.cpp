// The list of ./dev mutate cannot rot: every line that it breaks stands in the sources, once.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::house::mutations_test {
namespace {

namespace fs = std::filesystem;

int times(std::string_view text, std::string_view part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

std::string text_of(const toml::table& mutation, std::string_view key) {
  return mutation[key].value_or(std::string());
}

TEST(Mutations, EachStandsOnceInItsFile) {
  const toml::table list = toml::parse_file(support::source("tests/mutations.toml"));
  ASSERT_GE(list["mutation"].as_array()->size(), 60u);
  for (const toml::node& each : *list["mutation"].as_array()) {
    const toml::table& mutation = *each.as_table();
    const std::string file = text_of(mutation, "file"), expression = text_of(mutation, "expression"),
                      line = mutation["line"].value_or(expression);
    SCOPED_TRACE(file + ": " + expression);
    const fs::path path = support::source(file);
    ASSERT_TRUE(fs::is_regular_file(path));
    ASSERT_FALSE(expression.empty());
    EXPECT_EQ(times(support::contents(path), line), 1);
    EXPECT_EQ(times(line, expression), 1);
    EXPECT_NE(text_of(mutation, "becomes"), expression);
    EXPECT_FALSE(mutation["falls"].as_table()->empty()) << "nobody is asked";
  }
}

}  // namespace
}  // namespace orrery::house::mutations_test
