// What orrery render says beside the figure: warnings, and what --json has of them.
#include "tests/app/cli/program.h"

namespace orrery::cli_test::render_says_test {
namespace {

using RenderSays = orrery::cli_test::Program;

TEST_F(RenderSays, SaysWhatStandsInForAFile) {
  const std::vector<std::string> words{"render", "attention/map", "--set", "content=projections",
                                       "-o",     path("a.svg")};
  EXPECT_NE(run(words).err.find("attention/map: no file yet: vectors by chance"), std::string::npos);
  EXPECT_EQ(run({"render", "attention/map", "-o", path("a.svg")}).err.find("no file"), std::string::npos);
  const auto json = nlohmann::json::parse(
      run({"render", "attention/map", "--set", "content=files", "-o", path("a.svg"), "--json"}).out);
  EXPECT_EQ(json.at("remarks"), nlohmann::json::array({"attention/map: no file yet: vectors by chance"}));
  const std::string other =
      write("other.toml", "orrery = 1\nstudy = \"attention/scores\"\n[parameters]\ncontent = \"files\"\n");
  const auto beside = run({"render", "norm/compare", "--compare", other, "-o", path("a.svg")});
  EXPECT_NE(beside.err.find("warning: attention/scores: no file yet"), std::string::npos) << beside.err;
}

TEST_F(RenderSays, SaysOfTypefacesAndCharactersWhatIsDrawn) {
  const std::string odd =
      write("odd.toml", "orrery = 1\nstudy = \"norm/compare\"\n[page]\ntitle = \"own \U0010FFFB\"\n");
  EXPECT_NE(run({"render", odd, "-o", path("a.svg")}).err.find("no font here has"), std::string::npos);
  for (const char* name : {"a.tex", "a.csv"}) {
    const std::string said = run({"render", odd, "--font", "No Such Face", "-o", path(name)}).err;
    EXPECT_EQ(said.find("fonts:"), std::string::npos) << said;
  }
}

TEST_F(RenderSays, SaysWhichSettingNothingReads) {
  const std::string file = path("a.svg");
  const auto without = run({"render", "rope/rotation", "--set", "factor=4", "-o", file});
  EXPECT_EQ(without.code, 0);
  EXPECT_NE(without.err.find("factor: changes nothing here, for it is read only when"), without.err.npos)
      << without.err;
  const auto forgotten = run({"render", "attention/scores", "--set", "q_file=none.npy", "-o", file});
  EXPECT_NE(forgotten.err.find("q_file: changes nothing here"), forgotten.err.npos) << forgotten.err;
  const auto moved = run({"render", "rope/rotation", "--animate", "factor=1:64", "--frames", "2", "-o",
                          path("a.webp"), "--dpi", "30"});
  EXPECT_NE(moved.err.find("factor: changes nothing here"), moved.err.npos) << moved.err;
  const auto twice = run({"render", "rope/rotation", "--set", "position=3", "--animate", "position=0:8",
                          "--frames", "2", "-o", path("a.webp"), "--dpi", "30"});
  EXPECT_NE(twice.err.find("position: changes nothing here, for it moves"), twice.err.npos) << twice.err;
  const auto beside = run({"render", "rope/rotation", "--set", "position=3", "--animate", "position=0:8",
                           "--frames", "2", "--compare", "base=10000", "-o", path("a.webp"), "--dpi", "30"});
  EXPECT_EQ(beside.err.find("changes nothing"), beside.err.npos) << "side A stands there: " << beside.err;
  const auto side = run({"render", "rope/rotation", "--compare", "factor=4", "-o", file});
  EXPECT_NE(side.err.find("factor: changes nothing here"), side.err.npos) << "two equal sides: " << side.err;
  const auto read =
      run({"render", "rope/rotation", "--set", "factor=4", "--compare", "frequencies=llama3", "-o", file});
  EXPECT_EQ(read.err.find("changes nothing"), read.err.npos) << "side A reads it: " << read.err;
}
}  // namespace
}  // namespace orrery::cli_test::render_says_test
