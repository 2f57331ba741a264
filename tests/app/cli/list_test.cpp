#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "tests/app/cli/program.h"
#include "tests/support/source.h"

namespace orrery::cli_test::list_test {
namespace {

using List = orrery::cli_test::Program;
using orrery::cli_test::expect_keys;

TEST_F(List, JsonHasThePromisedShape) {
  const auto result = run({"list", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto studies = result.json();
  ASSERT_TRUE(studies.is_array());
  ASSERT_GE(studies.size(), 5u);
  for (const auto& s : studies) {
    expect_keys(s, {"id", "title", "topic", "summary", "parameters"});
    for (const auto& p : s["parameters"]) {
      SCOPED_TRACE(p.dump());
      auto keys = p;
      keys.erase("only_when");  // stands only where a parameter is not always read
      expect_keys(keys, {"name", "kind", "default", "min", "max", "choices", "unit", "help"});
      const std::string kind = p["kind"];
      const auto& fallback = p["default"];
      const bool right_kind = kind == "integer" ? fallback.is_number_integer()
                              : kind == "real"
                                  ? fallback.is_number() || fallback == "default" || fallback == "off"
                              : kind == "toggle"                     ? fallback.is_boolean()
                              : kind == "vector" || kind == "matrix" ? fallback.is_array()
                                                                     : fallback.is_string();
      EXPECT_TRUE(right_kind);
      EXPECT_EQ(p["choices"].size() >= 2, kind == "choice");
    }
  }
}

TEST_F(List, TextNamesEveryStudyAndOp) {
  const auto text = run({"list"}).out;
  for (const auto& s : run({"list", "--json"}).json())
    EXPECT_NE(text.find(s["id"]), std::string::npos) << s["id"];
  for (const char* op : {"layer_norm", "rms_norm", "rope", "softmax", "scores", "sinusoidal", "activation"}) {
    EXPECT_NE(text.find(op), std::string::npos) << op;
  }
}

TEST_F(List, OpsAsJsonHaveInputsParametersBoundsAndTwins) {
  const auto result = run({"list", "--ops", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto ops = result.json();
  ASSERT_GE(ops.size(), 20u);
  for (const auto& op : ops) {
    SCOPED_TRACE(op["name"]);
    expect_keys(op, {"name", "group", "summary", "formula", "inputs", "parameters", "bounds", "twins"});
    for (const auto& input : op["inputs"]) EXPECT_FALSE(input["shape"].get<std::string>().empty());
    for (const auto& p : op["parameters"]) {
      auto keys = p;
      keys.erase("only_when");
      expect_keys(keys, {"name", "kind", "default", "min", "max", "choices", "unit", "help", "multiple"});
    }
    for (const char* twin : {"cpu", "gpu", "cpu_in_double"})
      expect_keys(op["bounds"][twin], {"abs", "rel", "row", "nmse", "relative_to"});
    EXPECT_EQ(op["twins"][0], "ref");
  }
  const auto named = [](const auto& list, const char* name) {
    return *std::ranges::find_if(list, [&](const auto& each) { return each["name"] == name; });
  };
  const auto rope = named(ops, "rope");
  EXPECT_EQ(named(rope["parameters"], "rotary_dim")["multiple"], 2);
  EXPECT_EQ(named(named(ops, "t5_bias")["inputs"], "table")["needed_when"], "output=bias");
  EXPECT_EQ(named(ops, "unembedding")["bounds"]["cpu"]["relative_to"], "magnitude");
}

TEST_F(List, TheReadmeHasTheTableOfOps) {
  const std::string table = run({"list", "--ops", "--markdown"}).out;
  ASSERT_GT(table.size(), 1000u);
  std::ifstream file(orrery::support::source("README.md"));
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(readme.find(table), std::string::npos)
      << "the README's table is not that of `orrery list --ops --markdown`";
}

TEST_F(List, MarkdownIsOfTheOpsAlone) {
  expect_error(2, {"list", "--markdown"}, {"--markdown", "--ops"});
  const auto both = run({"list", "--ops", "--markdown", "--json"});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.out, "");
  EXPECT_NE(both.err.find("--markdown: found beside --json; allowed: one of the two"), std::string::npos)
      << both.err;
}

TEST_F(List, SaysWhenAParameterIsRead) {
  const auto studies = run({"list", "--json"}).json();
  const auto rotation =
      std::ranges::find_if(studies, [](const auto& s) { return s["id"] == "rope/rotation"; });
  ASSERT_NE(rotation, studies.end());
  const std::map<std::string, std::string> read{{"factor", "frequencies=linear|ntk|yarn|llama3"},
                                                {"trail", "show=all|clocks|plane"},
                                                {"pair", "show=all|clocks|plane"},
                                                {"clocks", "show=all|clocks"},
                                                {"plane", "show=all|plane"}};
  for (const auto& p : (*rotation)["parameters"]) {
    const auto when = read.find(p["name"]);
    EXPECT_EQ(p.value("only_when", ""), when == read.end() ? "" : when->second) << p["name"];
  }
  EXPECT_NE(run({"list"}).out.find("read only when frequencies is linear, ntk, yarn or llama3"),
            std::string::npos);
}

/// What list says is true: every default is accepted, every number just outside its range is refused.
TEST_F(List, RangesAreTheOnesThatRenderKeeps) {
  for (const auto& s : run({"list", "--json"}).json()) {
    for (const auto& p : s["parameters"]) {
      if (p["kind"] != "real" && p["kind"] != "integer") continue;
      if (p["max"].is_null()) continue;
      const std::string name = p["name"];
      const double most = p["max"];
      const std::string above = std::to_string(most + std::abs(most) + 1);
      expect_error(2, {"render", s["id"], "--set", name + "=" + above, "-o", path("x.pdf")},
                   {name, "allowed"});
    }
  }
  EXPECT_FALSE(std::filesystem::exists(path("x.pdf")));
}

}  // namespace
}  // namespace orrery::cli_test::list_test
