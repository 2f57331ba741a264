// With --json an error is its parts, in one line on stderr.
#include <algorithm>

#include "tests/app/cli/program.h"

namespace orrery::cli_test::error_json_test {
namespace {

using nlohmann::json;

class ErrorJson : public orrery::cli_test::Program {
 protected:
  json error_of(int code, std::vector<std::string> words) const {
    words.emplace_back("--json");
    const auto result = run(std::move(words));
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    const json all = json::parse(result.err, nullptr, false);
    EXPECT_TRUE(all.is_object() && all.contains("error")) << result.err;
    return all.value("error", json::object());
  }
};

TEST_F(ErrorJson, OfAValueNamesItsParameterAndOption) {
  const json e = error_of(2, {"render", "rope/rotation", "--set", "base=0", "-o", path("a.pdf")});
  EXPECT_EQ(e.at("subject"), (json{{"option", "--set"}, {"parameter", "base"}}));
  EXPECT_EQ(e.at("found"), "0");
  EXPECT_EQ(e.at("fault"), "'0' is out of range");
  EXPECT_TRUE(e.at("allowed").get<std::string>().starts_with("a number from ")) << e;
  EXPECT_EQ(e.at("nearest"), json::array());
  EXPECT_TRUE(e.at("text").get<std::string>().starts_with("--set base: '0' is out of range; allowed: ")) << e;
}

TEST_F(ErrorJson, OfAMistypedNameTellsWhatIsNear) {
  const json parameter = error_of(2, {"render", "rope/rotation", "--set", "bse=3", "-o", path("a.pdf")});
  EXPECT_EQ(parameter.at("subject"), (json{{"option", "--set"}, {"parameter", "bse"}}));
  EXPECT_EQ(parameter.at("fault"), "no such parameter");
  EXPECT_EQ(parameter.at("nearest"), json{"base"});
  const json option = error_of(2, {"list", "--makrdown"});
  EXPECT_EQ(option.at("subject"), (json{{"command", "list"}, {"option", "--makrdown"}}));
  EXPECT_EQ(option.at("nearest"), json{"--markdown"});
  const json study = error_of(2, {"render", "rope/rotatoin", "-o", path("a.pdf")});
  EXPECT_EQ(study.at("subject"), (json{{"key", "study"}}));
  EXPECT_EQ(study.at("found"), "rope/rotatoin");
  EXPECT_EQ(study.at("nearest").size(), 3u);
  EXPECT_EQ(study.at("allowed"), nullptr);
}

TEST_F(ErrorJson, OfARecipeHasItsPlace) {
  const std::string file =
      write("r.toml", "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbase = -3\n");
  const json e = error_of(1, {"render", file, "-o", path("a.pdf")});
  EXPECT_EQ(e.at("subject"), (json{{"file", file}, {"line", 4}, {"column", 8}, {"parameter", "base"}}));
  EXPECT_EQ(e.at("found"), "-3");
}

TEST_F(ErrorJson, OfAFileThatCannotBeWrittenNamesTheFile) {
  const std::string target = path("no/such/folder.npy");
  const std::string x = write_array("x.npy", {2}, {1, 2});
  const json e = error_of(1, {"apply", "softmax", x, "-o", target});
  EXPECT_EQ(e.at("subject").at("file"), target);
  EXPECT_EQ(e.at("fault"), "No such file or directory");
}

TEST_F(ErrorJson, WithoutIsALineOfWords) {
  const auto result = run({"render", "rope/rotation", "--set", "base=0", "-o", path("a.pdf")});
  EXPECT_TRUE(result.err.starts_with("orrery: --set base: '0' is out of range; allowed: ")) << result.err;
}

}  // namespace
}  // namespace orrery::cli_test::error_json_test
