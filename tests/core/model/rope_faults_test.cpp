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

/// What was found is shown beside what is allowed, under the key that the file has.
TEST(RopeFaults, ShowWhatWasFound) {
  const auto said = [](const std::string& keys) {
    try {
      parse_rope_config(R"({"head_dim":64,"rope_theta":1e4,)" + keys + "}", "c.json");
    } catch (const Failure& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(said(R"("model_type":"gpt_neox","rotary_pct":0.0)"),
            "c.json: rotary_pct: 0; allowed: a number above 0, up to 1");
  EXPECT_EQ(said(R"("partial_rotary_factor":1.5)"),
            "c.json: partial_rotary_factor: 1.5; allowed: a number above 0, up to 1");
  EXPECT_EQ(said(R"("query_pre_attn_scalar":-2)"),
            "c.json: query_pre_attn_scalar: -2; allowed: a number above 0");
  EXPECT_EQ(said(R"("n_positions":0.5)"), "c.json: n_positions: 0.5; allowed: a number of tokens, 1 or more");
  EXPECT_EQ(said(R"("rope_scaling":"yarn")"),
            "c.json: rope_scaling: \"yarn\" is no object of keys and values");
  EXPECT_EQ(said(R"("rope_scaling":{"type":"mrope","mrope_section":[2.5,3]})"),
            "c.json: rope_scaling.mrope_section: 2.5; allowed: whole numbers of pairs, 0 to 65536");
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
