// Every planted fault is named; and what a file leaves out, or says twice, is named where it stands.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/model/rope_config.h"
#include "core/tensor/error.h"
#include "tests/core/model/faults.h"

namespace orrery::model::rope_faults_test {
namespace {

/// As a word of its own: "factor" is not named by "attention_factor".
bool names(std::string_view text, std::string_view field) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (auto at = text.find(field); at != std::string_view::npos; at = text.find(field, at + 1)) {
    if ((at == 0 || !letter(at - 1)) && !letter(at + field.size())) return true;
  }
  return false;
}

class RopeFault : public testing::TestWithParam<model_test::Fault> {};

TEST_P(RopeFault, IsNamed) {
  const model_test::Fault& fault = GetParam();
  SCOPED_TRACE(fault.name);
  try {
    const RopeConfig config = parse_rope_config(fault.json, "config.json");
    EXPECT_FALSE(fault.refused) << "accepted";
    EXPECT_TRUE(std::ranges::any_of(config.warnings, [&](const auto& w) { return w.field == fault.field; }))
        << [&] {
             std::string said;
             for (const auto& w : config.warnings) said += w.field + ": " + w.message + "\n";
             return said.empty() ? std::string("no warning") : said;
           }();
  } catch (const Failure& e) {
    EXPECT_TRUE(fault.refused) << e.what();
    EXPECT_TRUE(names(e.what(), fault.field)) << e.what();
    EXPECT_EQ(std::string_view(e.what()).find('\n'), std::string_view::npos) << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RopeFault, testing::ValuesIn(model_test::faults), [](const auto& fault) {
  std::string name = fault.param.name;
  std::erase_if(name, [](unsigned char c) { return c != ' ' && !std::isalnum(c); });
  std::ranges::replace(name, ' ', '_');
  return name;
});

TEST(RopeFaults, AreManyAndDiffer) {
  std::set<std::string_view> names;
  for (const auto& fault : model_test::faults) EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
  EXPECT_GE(names.size(), 20u);
}

/// The library's releases say this in words of their own each.
TEST(RopeFaults, OfAFileWithNothingInItIsSaidInOurWords) {
  const auto said = [](std::string_view text) {
    try {
      parse_rope_config(text, "c.json");
    } catch (const Failure& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(said(""), "c.json:1:1: not JSON: there is nothing in it");
  EXPECT_EQ(said(" \r\n\t"), "c.json:1:1: not JSON: there is nothing in it");
  EXPECT_EQ(said(std::string(3, '\0')), "c.json:1:1: not JSON: begins with a zero byte");
  EXPECT_EQ(said(std::string("\n \0{}", 5)), "c.json:2:2: not JSON: begins with a zero byte");
  // What is wrong further in is in the library's words, without its own name for the place.
  EXPECT_TRUE(said("{]").starts_with("c.json:1:2: not JSON: while parsing object key - ")) << said("{]");
}

}  // namespace
}  // namespace orrery::model::rope_faults_test
