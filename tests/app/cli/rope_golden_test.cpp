// What orrery rope prints for the published configurations, against 40-digit arithmetic (tests/reference/configs.json,
// values.json) and published numbers.
#include <fstream>

#include "tests/app/cli/program.h"
#include "tests/support/source.h"

namespace orrery::cli_test::rope_golden_test {
namespace {

using RopeGolden = orrery::cli_test::Program;
using nlohmann::json;

json reference(const char* name) {
  return json::parse(std::ifstream(orrery::support::source("tests/reference/") + name));
}

/// Double arithmetic is off by a few 1e-15; 1e-12 is what is promised.
void expect_equal(const json& found, const json& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double e = expected[i].get<double>();
    EXPECT_NEAR(found[i].get<double>(), e, 1e-12 * e) << "pair " << i;
  }
}

TEST_F(RopeGolden, AllFifteenModels) {
  const json golden = reference("configs.json");
  EXPECT_EQ(golden.size(), 15u);
  for (const auto& [model, layers] : golden.items()) {
    SCOPED_TRACE(model);
    const auto result = run({"rope", orrery::support::source("assets/models/") + model + ".json", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json said = result.json()["layers"];
    ASSERT_EQ(said.size(), layers.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      EXPECT_EQ(said[i]["name"], layers[i]["name"]);
      expect_equal(said[i]["inv_freq"], layers[i]["inv_freq"]);
      for (const char* factor : {"attention_factor", "softmax_factor"})
        EXPECT_NEAR(said[i][factor].get<double>(), layers[i][factor].get<double>(), 2e-12) << factor;
    }
  }
}

TEST_F(RopeGolden, VectorsThatWereMadeFromTheModelsOwnCode) {
  const json values = reference("values.json");
  const auto all = [&](const char* model) {
    return run({"rope", orrery::support::source("assets/models/") + model + ".json", "--json"})
        .json()["layers"][0]["inv_freq"];
  };
  expect_equal(all("llama-3.1-8b"), values["llama3"]["llama3.1_d128_factor8"]);
  expect_equal(all("llama-3.2-1b"), values["llama3"]["llama3.2_1B_d64_factor32"]);
  for (const auto& [model, key] :
       {std::pair{"qwen2.5-7b-yarn4", "qwen2.5_s4"}, std::pair{"deepseek-v3", "deepseek_v3_s40"},
        std::pair{"gpt-oss-20b", "gpt_oss_s32_truncate_false"}}) {
    SCOPED_TRACE(model);
    expect_equal(all(model), values["yarn"][key]["inv_freq_code"]);
  }
}

}  // namespace
}  // namespace orrery::cli_test::rope_golden_test
