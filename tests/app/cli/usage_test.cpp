// What everybody types wrong once: one line, exit code 2, and a hint.
#include <regex>

#include "tests/app/cli/program.h"

namespace orrery::cli_test::usage_test {
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

TEST_F(Usage, VerboseSaysWhatAReportOfAFaultShouldHold) {
  set_environment("XDG_STATE_HOME=" + path("state"));
  const auto result = run({"--version", "--verbose", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json said = result.json();
  EXPECT_EQ("orrery " + said["version"].get<std::string>() + "\n", run({"--version"}).out.substr(0, 13));
  // A commit of git's, or none at all.
  const std::string commit = said["commit"].is_null() ? "" : said["commit"].get<std::string>();
  EXPECT_TRUE(std::regex_match(commit, std::regex("|[0-9a-f]{12,}"))) << commit;
  EXPECT_GE(said["threads"], 1);
  EXPECT_NE(said["vectors"], "");
  EXPECT_EQ(said["fonts"].size(), 4u);
  for (const auto& font : said["fonts"]) EXPECT_TRUE(fs::exists(font["file"].get<std::string>())) << font;
  EXPECT_EQ(said["places"]["session"], path("state/orrery/session.toml"));
  EXPECT_EQ(said["libraries"].size(), 15u);

  const std::string text = run({"--version", "--verbose"}).out;
  for (const auto& [name, version] : said["libraries"].items())
    EXPECT_TRUE(
        std::regex_search(text, std::regex("\n  " + name.substr(0, 3) + ".* " + version.get<std::string>())))
        << name << version;
  for (const char* key : {"compiler", "system", "processor", "vectors"})
    EXPECT_NE(text.find(said[key].get<std::string>()), std::string::npos) << key;
}

TEST_F(Usage, VerboseKnowsAMachineWithoutGraphics) {
  set_environment("ORRERY_NO_GPU=1");
  const auto said = run({"--version", "--verbose", "--json"}).json();
  EXPECT_TRUE(said["graphics"].contains("missing")) << said["graphics"];
  EXPECT_EQ(said["variables"]["ORRERY_NO_GPU"], "1");
}

TEST_F(Usage, WhatGoesWithTheVersionStandsNotAlone) {
  expect_error(2, {"--verbose"}, {"--verbose", "goes with '--version'"});
  const auto refused = run({"--json"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("\"--json: goes with '--version'\""), std::string::npos) << refused.err;
  EXPECT_EQ(run({"--version", "--json"}).json().size(), 2u);
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
  expect_error(1, {"inspect", path("a\nb.npy")}, {"a\\nb.npy"});
}

TEST_F(Usage, TheWindowsWordsDoNotStandBeforeACommand) {
  expect_error(2, {"--theme", "nosuch", "--scale", "99", "list"}, {"--", "before the command list"});
  expect_error(2, {"nofile.pdf", "list"}, {"'nofile.pdf'", "before the command list"});
  expect_error(2, {"--version", "list"}, {"--version", "before the command list"});
}

TEST_F(Usage, LongNonsenseIsShownShort) {
  const std::string much(900'000, 'A');
  const auto refused = [&](const std::string& line) {
    const auto result = run({"render", write("long.toml", "orrery = 1\n" + line), "-o", path("a.pdf")});
    EXPECT_LT(result.err.size(), 2000u);
    return result;
  };
  const auto study = refused("study = \"" + much + "\"\n");
  EXPECT_NE(study.code, 0);
  EXPECT_NE(study.err.find("AAA… (900000 bytes)"), std::string::npos) << study.err;
  const auto font = refused("study = \"rope/rotation\"\n[page]\nfont = \"" + much + "\"\n");
  EXPECT_NE(font.err.find("AAA… (900000 bytes)"), std::string::npos) << font.err;
  EXPECT_NE(refused("study = \"rope/rotation\"\n[page]\ntheme = \"" + much + "\"\n").code, 0);
  EXPECT_NE(refused("study = \"rope/rotation\"\n[parameters]\n" + much + " = 1\n").code, 0);
  EXPECT_NE(refused("study = \"rope/rotation\"\n[parameters]\nlayout = \"" + much + "\"\n").code, 0);
}

TEST_F(Usage, WhatIsPrintedCommandsNoTerminal) {
  const auto result = run({"render", "rope/rotation", "-o", path("a\x1b[31m\n\u202Eb.csv")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
  EXPECT_NE(result.out.find("a\\u001B[31m\\n\\u202Eb."), std::string::npos) << result.out;
  const auto missing = run({"inspect", path("a\x1b[31m\u202Eb.npy")});
  EXPECT_NE(missing.err.find("a\\u001B[31m\\u202Eb.npy"), std::string::npos) << missing.err;
}

TEST_F(Usage, NamesOfFiguresAreHarmless) {
  for (const std::string name : {"-rf", "a\\u202Efdp", "a\\u001Bb", "a\\u009Bb"}) {
    const std::string recipe =
        write("named.toml", "orrery = 1\n[[figure]]\nname = \"" + name + "\"\nstudy = \"rope/rotation\"\n");
    const auto result = run({"batch", recipe, "-o", path("out")});
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.err.find("no dot or dash first"), std::string::npos) << result.err;
  }
}

class Surroundings : public Usage {
 protected:
  /// By a shell that sets limits first.
  orrery::cli_test::Result under(const std::string& limits, const std::string& words) const {
    const std::string command = "exec >'" + path("out") + "' 2>'" + path("err") + "'; " + limits + " '" +
                                ORRERY_PROGRAM + "' " + words;
    orrery::cli_test::Result result;
    const int status = std::system(command.c_str());
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.out = orrery::cli_test::contents(path("out"));
    result.err = orrery::cli_test::contents(path("err"));
    return result;
  }
  void expect_line(const orrery::cli_test::Result& result, int code, const std::string& word) const {
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
  }
};

TEST_F(Surroundings, WhatWouldEndInACrashIsNamed) {
  const std::string render = "render rope/rotation -o '" + path("a.pdf") + "'";
  expect_line(under("OMP_NUM_THREADS=100000", render), 2, "OMP_NUM_THREADS");
#ifndef __SANITIZE_ADDRESS__  // which needs more stack, and files of its own when it ends
  expect_line(under("ulimit -s 128;", "list"), 1, "ulimit -s");
  // Whoever runs the tests may leave file 3 open; the loader needs it for the libraries.
  expect_line(under("exec 3>&-; ulimit -n 4;", render), 1, "ulimit -n");
  expect_line(under("ulimit -d 20000;", render), 1, "ulimit -d");
#endif
  EXPECT_FALSE(std::filesystem::exists(path("a.pdf")));
}

TEST_F(Surroundings, ThreadsAreCountedInWholeNumbers) {
  for (const char* count : {"abc", "0", "-1", "2x", "1.5", "'4,0'", "'4,'"}) {
    // OpenMP's own library warns of some of them before the program begins.
    const auto result = under("OMP_NUM_THREADS=" + std::string(count), "list");
    EXPECT_EQ(result.code, 2) << count;
    EXPECT_NE(result.err.find("orrery: OMP_NUM_THREADS: found '"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("allowed: 1 to 4096"), std::string::npos) << result.err;
  }
  for (const char* count : {"''", "2", "'4,2'", "' 2 '"})
    EXPECT_EQ(under("OMP_NUM_THREADS=" + std::string(count), "list").code, 0) << count;
}

TEST_F(Surroundings, VariablesOfPangoDoNotCount) {
  EXPECT_EQ(under("PANGOCAIRO_BACKEND=nonsense", "render rope/rotation -o '" + path("a.pdf") + "'").code, 0);
  EXPECT_EQ(under("", "render rope/rotation -o '" + path("b.pdf") + "'").code, 0);
  EXPECT_TRUE(orrery::cli_test::contents(path("a.pdf")) == orrery::cli_test::contents(path("b.pdf")));
}

TEST_F(Surroundings, WithoutAnyFontThereAreNumbersAndNoFigure) {
  const std::string fonts = "FONTCONFIG_FILE='" +
                            write("fonts.conf",
                                  "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM "
                                  "\"fonts.dtd\">\n<fontconfig/>\n") +
                            "'";
  for (const char* ending : {"pdf", "png", "svg"}) {
    const std::string file = path(std::string("a.") + ending);
    expect_line(under(fonts, "render rope/rotation -o '" + file + "'"), 1, "fonts: none is installed");
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  EXPECT_EQ(under(fonts, "render rope/rotation -o '" + path("a.tex") + "'").code, 1);
  EXPECT_EQ(under(fonts, "render rope/rotation -o '" + path("a.csv") + "'").code, 0);
}

TEST_F(Surroundings, AFileLargerThanAllowedIsAnErrorAndNoSignal) {
  write("a.pdf", "old");
  const auto result = under("ulimit -f 4;", "render rope/rotation -o '" + path("a.pdf") + "'");
  expect_line(result, 1, "File too large");
  EXPECT_EQ(orrery::cli_test::contents(path("a.pdf")), "old");
}

TEST_F(Surroundings, WithoutStandardStreamsNothingIsPrintedIntoAFile) {
  const std::string words = "render rope/rotation -o '" + path("a.svg") + "'";
  ASSERT_EQ(under("", words).code, 0);
  const std::string whole = orrery::cli_test::contents(path("a.svg"));
  expect_line(under("", words + " >&-"), 1, "stdout: cannot be written");
  EXPECT_TRUE(orrery::cli_test::contents(path("a.svg")) == whole);
  EXPECT_EQ(under("", words + " >&- <&- 3>&2 2>&-").code, 1);
  EXPECT_TRUE(orrery::cli_test::contents(path("a.svg")) == whole);
}

TEST_F(Usage, WholeNumbersHaveNoFractions) {
  const std::string allowed = "a whole number from ";
  expect_error(2, {"bench", "softmax", "--samples", "1.5"}, {"--samples", "'1.5'", allowed});
  expect_error(2, {"model", "gpt2", "--length", "4096.9"}, {"--length", "'4096.9'", allowed});
  expect_error(2, {"rope", "any.json", "--length", "0.5e0"}, {"--length", "'0.5e0'", allowed});
  expect_error(2, {"batch", write("a.toml", ""), "-o", path("out"), "--jobs", "2.5"},
               {"--jobs", "'2.5'", allowed});
  expect_error(
      2, {"render", "rope/rotation", "--animate", "base=1000:2000", "--frames", "2.5", "-o", path("a.webp")},
      {"--frames", "'2.5'", allowed});
  EXPECT_EQ(run({"model", "gpt2", "--length", "1e5"}).code, 0);
}

TEST_F(Usage, WhatWouldHaveNoEffectIsRefused) {
  expect_error(2, {"render", "rope/rotation", "--transparent", "-o", path("a.csv")},
               {"--transparent", "found for .csv", "for .pdf, .svg, .png"});
  expect_error(2, {"render", "rope/rotation", "--svg-text", "-o", path("a.pdf")},
               {"--svg-text", "found for .pdf", "for .svg"});
  const std::string recipe = write("a.toml", "orrery = 1\nstudy = \"rope/rotation\"\n");
  expect_error(2, {"batch", recipe, "--svg-text", "--format", "pdf,png", "-o", path("out")},
               {"--svg-text", "found for .pdf, .png"});
  EXPECT_EQ(run({"batch", recipe, "--svg-text", "--format", "svg,csv", "-o", path("out")}).code, 0);
  const auto both = run({"train", "--print-settings", "--json"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("--json: found beside --print-settings; allowed: one of the two"),
            std::string::npos)
      << both.err;
  expect_error(2, {"train", "--markdown", "--print-settings"}, {"--print-settings", "--markdown"});
}

TEST_F(Usage, HelpNamesEveryFormat) {
  for (const char* format : {"pdf", "svg", "png", "tex", "csv", "npy", "md"})
    for (const char* command : {"batch", "gallery"})
      EXPECT_NE(run({command, "--help"}).out.find(std::string(format) + ", "), std::string::npos)
          << command << format;
}

TEST_F(Usage, AParameterIsGivenOnce) {
  const std::string out = path("a.csv");
  expect_error(2, {"render", "rope/rotation", "--set", "base=1000", "--set", "base=2000", "-o", out},
               {"--set", "base", "given 2 times"});
  expect_error(2, {"render", "rope/rotation", "--compare", "base=1000 base=2000", "-o", out},
               {"--compare", "base", "given 2 times"});
  const auto x = write_array("x.npy", {1, 2}, {1, 2}), weight = "weight=" + write_array("w.npy", {2}, {1, 2});
  expect_error(2, {"apply", "rms_norm", x, weight, weight, "-o", path("y.npy")}, {"weight", "given 2 times"});
  expect_error(2, {"apply", "rms_norm", x, "eps=0", "--set", "eps=1", "-o", path("y.npy")},
               {"eps", "given 2 times"});
  EXPECT_EQ(
      run({"render", "rope/rotation", "--preset", "llama-3.1-8b", "--set", "base=1000", "-o", out}).code, 0);
}

TEST_F(Usage, AFullDiskBehindStdoutIsAnError) {
  const std::string command = std::string(ORRERY_PROGRAM) + " list >/dev/full 2>" + path("err");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_EQ(orrery::cli_test::contents(path("err")), "orrery: stdout: cannot be written\n");
}

}  // namespace
}  // namespace orrery::cli_test::usage_test
