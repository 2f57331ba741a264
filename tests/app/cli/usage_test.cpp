// What everybody types wrong once: one line, exit code 2, and a hint.
#include "tests/app/cli/program.h"

namespace {

using Usage = orrery::cli_test::Program;

TEST_F(Usage, VersionNamesTheLibraries) {
  const auto result = run({"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out.starts_with("orrery 0.")) << result.out;
  for (const char* library :
       {"Cairo", "Pango", "HarfBuzz", "Eigen", "CLI11", "toml++", "nlohmann-json", "GLFW", "ImGui"}) {
    EXPECT_NE(result.out.find(library), std::string::npos) << library;
  }
  EXPECT_EQ(result.err, "");
}

TEST_F(Usage, HelpListsTheCommands) {
  const auto result = run({"--help"});
  EXPECT_EQ(result.code, 0);
  for (const char* command : {"list", "render", "gallery", "apply", "rope", "inspect"}) {
    EXPECT_NE(result.out.find(command), std::string::npos) << command;
  }
  EXPECT_EQ(run({"render", "--help"}).code, 0);
  EXPECT_NE(run({"render", "--help"}).out.find("orrery render"), std::string::npos);
  EXPECT_NE(run({"render", "--help"}).out.find("--size"), std::string::npos);
}

TEST_F(Usage, WrongWordsAreNamedWithWhatWasMeant) {
  expect_error(2, {"rendr", "x"}, {"'rendr'", "did you mean 'render'", "list, render"});
  expect_error(2, {"nonsense"}, {"'nonsense'", "commands: list"});
  expect_error(2, {"list", "--jsn"}, {"list", "--jsn", "did you mean '--json'"});
  expect_error(2, {"list", "more"}, {"'more'", "one word too many"});
  expect_error(2, {"--colour"}, {"--colour"});
  expect_error(2, {"rope", "a.json", "b.json"}, {"'b.json'"});
  expect_error(2, {"render", "rope/rotation", "-o"}, {"--output"});
  expect_error(2, {"render", "rope/rotation", "--set"}, {"--set"});
  expect_error(2, {"apply", "softmax", "x.npy", "--set", "-o", "y.npy"}, {"--set", "'-o'", "name=value"});
  expect_error(2, {"render", "rope/rotation", "--dpi", "100", "--dpi", "200", "-o", path("a.png")},
               {"--dpi", "2 times", "once"});
  expect_error(2, {"--scale", "huge"}, {"--scale", "'huge'", "0.5"});
  expect_error(2, {"--theme", "drak"}, {"drak", "dark"});
}

TEST_F(Usage, WhatIsMissingIsNamed) {
  expect_error(2, {"render"}, {"STUDY", "missing"});
  expect_error(2, {"render", "rope/rotation"}, {"-o", "missing", ".pdf"});
  expect_error(2, {"gallery"}, {"-o", "missing"});
  expect_error(2, {"apply"}, {"OP", "missing", "rms_norm"});
  expect_error(2, {"apply", "softmax", "x.npy"}, {"-o", "missing"});
  expect_error(2, {"rope"}, {"CONFIG.json", "missing"});
  expect_error(2, {"inspect"}, {"FILE", "missing"});
}

TEST_F(Usage, AnEmptyValueIsNoDefault) {
  expect_error(2, {"render", "rope/rotation", "--size", "", "-o", path("a.pdf")}, {"--size", "''"});
  expect_error(2, {"render", "rope/rotation", "--theme", "", "-o", path("a.pdf")}, {"--theme", "''"});
  expect_error(2, {"rope", "a.json", "--length", ""}, {"--length", "''"});
  expect_error(2, {"--study", ""}, {"--study", "''"});
}

TEST_F(Usage, WithoutADisplayTheWindowSaysSo) {
  expect_error(1, {}, {"display"});
  expect_error(1, {path("nothing.toml")}, {"nothing.toml", "no such file"});
}

TEST_F(Usage, AFileNameWithALineBreakStaysOnOneLine) {
  expect_error(1, {"inspect", path("a\nb.npy")}, {"a b.npy"});
}

TEST_F(Usage, AFullDiskBehindStdoutIsAnError) {
  const std::string command = std::string(ORRERY_PROGRAM) + " list >/dev/full 2>" + path("err");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_EQ(orrery::cli_test::contents(path("err")), "orrery: stdout: cannot be written\n");
}

}  // namespace
