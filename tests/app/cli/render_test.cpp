#include "tests/app/cli/program.h"

namespace orrery::cli_test::render_test {
namespace {

using Render = orrery::cli_test::Program;
using orrery::cli_test::contents;
using orrery::cli_test::expect_keys;

TEST_F(Render, WritesEveryFormat) {
  for (const auto& [ending, start] :
       {std::pair{"pdf", "%PDF"}, std::pair{"svg", "<"}, std::pair{"png", "\x89PNG"}}) {
    const std::string file = path(std::string("figure.") + ending);
    const auto result = run({"render", "rope/rotation", "-o", file, "--dpi", "50"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(contents(file).starts_with(start)) << ending;
  }
}

TEST_F(Render, EndingsMayBeInCapitals) {
  for (const char* name : {"A.PDF", "B.Svg", "C.NPY"}) {
    const auto result = run({"render", "activation/functions", "--set", "show=functions", "-o", path(name)});
    EXPECT_EQ(result.code, 0) << name << ": " << result.err;
  }
  EXPECT_TRUE(orrery::cli_test::contents(path("A.PDF")).starts_with("%PDF"));
}

TEST_F(Render, JsonHasThePromisedShape) {
  const std::string file = path("figure.svg");
  const auto result = run({"render", "rope/rotation", "--set", "base=10000", "-o", file, "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto said = result.json();
  expect_keys(said, {"file", "study", "seconds", "device", "checks", "worked", "tables"});
  EXPECT_TRUE(said["worked"].get<std::string>().starts_with("\\theta_8 = 10000^{-16/64} = 0.1 \\quad "))
      << said["worked"];
  EXPECT_EQ(said["file"], file);
  EXPECT_EQ(said["study"], "rope/rotation");
  EXPECT_EQ(said["device"], "cpu");
  ASSERT_FALSE(said["checks"].empty());
  for (const auto& check : said["checks"]) {
    expect_keys(check, {"statement", "value", "bound", "holds"});
    EXPECT_EQ(check["holds"], check["value"].get<double>() <= check["bound"].get<double>());
    EXPECT_EQ(check["holds"], true) << check["statement"];
  }
}

TEST_F(Render, SaysTheFormulaWithItsNumbers) {
  const auto result = run({"render", "rope/rotation", "--set", "base=10000", "-o", path("figure.svg")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("\n  θ_8 = 10000^(-16/64) = 0.1\n"), std::string::npos) << result.out;
}

TEST_F(Render, TheSameFigureIsTheSameBytes) {
  for (const char* ending : {".pdf", ".svg", ".png"}) {
    const std::string a = path(std::string("a") + ending), b = path(std::string("b") + ending);
    ASSERT_EQ(run({"render", "rope/rotation", "-o", a, "--dpi", "50"}).code, 0);
    ASSERT_EQ(run({"render", "rope/rotation", "-o", b, "--dpi", "50"}).code, 0);
    EXPECT_EQ(contents(a), contents(b)) << ending;
  }
}

TEST_F(Render, AFigureIsARecipe) {
  const std::string first = path("first.pdf"), again = path("again.pdf");
  ASSERT_EQ(run({"render", "rope/rotation", "--set", "base=12345", "--size", "9cm×7cm", "--theme", "light",
                 "-o", first})
                .code,
            0);
  const auto result = run({"render", first, "-o", again});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(contents(first), contents(again));
  const std::string recipe = run({"inspect", first, "--json"}).json()["recipe"];
  EXPECT_NE(recipe.find("base = 12345"), std::string::npos) << recipe;
  const std::string toml = write("recipe.toml", recipe);
  ASSERT_EQ(run({"render", toml, "-o", again}).code, 0);
  EXPECT_EQ(contents(first), contents(again));
}

TEST_F(Render, TablesAreWrittenWithEveryDigit) {
  const auto result = run({"render", "rope/rotation", "-o", path("numbers.csv"), "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto said = result.json();
  ASSERT_EQ(said["files"].size(), said["tables"].size());
  for (const auto& file : said["files"]) {
    EXPECT_TRUE(file.get<std::string>().ends_with(".csv"));
    EXPECT_GT(contents(file.get<std::string>()).size(), 100u);
  }
  ASSERT_EQ(run({"render", "rope/rotation", "-o", path("numbers.npy")}).code, 0);
}

TEST_F(Render, WordsThatANpyCannotHoldAreNamed) {
  const std::string warned = "numbers stand for the words of ";
  const auto npy = run({"render", "attention/softmax", "-o", path("t.npy")});
  ASSERT_EQ(npy.code, 0) << npy.err;
  EXPECT_NE(npy.err.find("t.npy: " + warned + "masked.way"), std::string::npos) << npy.err;
  EXPECT_EQ(run({"render", "attention/softmax", "-o", path("t.csv")}).err.find(warned), std::string::npos);
  EXPECT_EQ(
      run({"render", "attention/softmax", "--table", "weights", "-o", path("one.npy")}).err.find(warned),
      std::string::npos);
}

TEST_F(Render, TablesAreAllNewOrAllAsTheyWere) {
  const std::string first = write("t.pairs.csv", "old");
  fs::create_directory(path("t.vector.csv"));
  expect_error(1, {"render", "rope/rotation", "-o", path("t.csv")}, {"t.vector.csv", "Is a directory"});
  EXPECT_EQ(contents(first), "old");
  EXPECT_FALSE(fs::exists(path("t.scores.csv")));
}

TEST_F(Render, WhatItReadsIsNotWrittenOver) {
  std::vector<double> numbers;
  for (int i = 0; i < 40; ++i) numbers.push_back(i * 7 % 11 / 11.0);
  const std::string q = write_array("in.scores.npy", {5, 8}, numbers),
                    k = write_array("k.npy", {5, 8}, numbers);
  const std::string before = contents(q);
  const std::vector<std::string> files{"--set", "content=files", "--set", "q_file=" + q,
                                       "--set", "k_file=" + k,   "--set", "head_width=8"};
  const auto with = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<std::string> scores = with({"render", "attention/scores"}, files);
  // A table has a name that nobody typed, and --table one that somebody did.
  expect_error(2, with(scores, {"-o", path("in.npy")}),
               {"-o: ", q + " would be written over", "another name"});
  expect_error(2, with(scores, {"--table", "scores", "-o", q}), {"-o: ", q + " would be written over"});
  // Side A is read as well, and a link leads there.
  fs::create_symlink(q, path("link.scores_a.npy"));
  const std::string a = write("a.toml",
                              "orrery = 1\nstudy = \"attention/scores\"\n[parameters]\ncontent = "
                              "\"files\"\nq_file = \"" +
                                  q + "\"\nk_file = \"" + k + "\"\nhead_width = 8\n");
  expect_error(2, {"render", "attention/scores", "--compare", a, "-o", path("link.npy")},
               {"link.scores_a.npy would be written over"});
  EXPECT_EQ(contents(q), before);
  EXPECT_EQ(run(with(scores, {"-o", path("out.npy")})).code, 0);
}

TEST_F(Render, WhatHasNoEndingAndIsNoStudyIsNamedForWhatItIs) {
  const std::string out = path("x.pdf"), recipe = write("recipe", "study = \"rope/rotation\"\n");
  expect_error(2, {"render", recipe, "-o", out}, {recipe + ": is a file whose name has no ending", ".toml"});
  expect_error(2, {"render", path("."), "-o", out}, {"is a directory; allowed: ", ".toml"});
  expect_error(2, {"render", "/dev/null", "-o", out},
               {"/dev/null: is neither a file nor a directory", ".toml"});
  expect_error(2, {"render", "rope/rotation", "--compare", recipe, "-o", out}, {"has no ending"});
}

TEST_F(Render, WrongArguments) {
  const std::string out = path("x.pdf");
  expect_error(2, {"render", "rope/rotatoin", "-o", out}, {"rope/rotatoin", "rope/rotation"});
  expect_error(2, {"render", "rope/rotation", "-o", path("x.gif")}, {"-o", ".gif", ".pdf"});
  expect_error(2, {"render", "rope/rotation", "-o", path("x")}, {"-o", ".pdf"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "bsae=1"}, {"bsae", "did you mean 'base'"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "base"}, {"--set", "'base'", "name=value"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "base=abc"}, {"base", "'abc'", "a number"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "base=-5"}, {"base", "allowed"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "base=nan"}, {"base", "allowed"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "head_width=63"},
               {"head_width", "multiple of 2"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "pairing=both"},
               {"pairing", "interleaved"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--size", "12"}, {"size", "'12'"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--theme", "pritn"}, {"pritn", "print"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--dpi", "0"}, {"--dpi", "'0'"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--dpi", "many"}, {"--dpi", "'many'"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--device", "tpu"},
               {"--device", "'tpu'", "ref, cpu, gpu"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(Render, SettingsMayHoldCommasAndSigns) {
  const auto result =
      run({"render", "rope/rotation", "--set=vector=0.5,-0.5", "--set", "base=5000", "-o", path("x.svg")});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string recipe = run({"inspect", path("x.svg"), "--json"}).json()["recipe"];
  EXPECT_NE(recipe.find("vector = [0.5, -0.5]"), std::string::npos) << recipe;
}

TEST_F(Render, WhatCannotBeDone) {
  expect_error(1, {"render", "rope/rotation", "-o", path("no/such/place.pdf")}, {"no/such/place.pdf"});
  expect_error(1, {"render", path("missing.toml"), "-o", path("x.pdf")}, {"missing.toml"});
  expect_error(1, {"render", write("broken.toml", "orrery = "), "-o", path("x.pdf")}, {"broken.toml"});
  expect_error(1, {"render", write("empty.pdf", "%PDF-1.4\n"), "-o", path("x.pdf")}, {"empty.pdf"});
  EXPECT_FALSE(std::filesystem::exists(path("x.pdf")));
}

TEST_F(Render, AnExistingFileStaysWholeOnAnyError) {
  const std::string out = write("old.pdf", "the old figure");
  expect_error(2, {"render", "rope/rotation", "-o", out, "--set", "base=abc"}, {"base"});
  expect_error(2, {"render", "rope/rotation", "-o", out, "--dpi", "0"}, {"--dpi"});
  expect_error(1, {"render", path("missing.toml"), "-o", out}, {"missing.toml"});
  EXPECT_EQ(contents(out), "the old figure");
  EXPECT_EQ(run({"render", "rope/rotation", "-o", out}).code, 0);
  EXPECT_TRUE(contents(out).starts_with("%PDF"));
}

TEST_F(Render, TheGalleryIsEveryBuiltInRecipe) {
  const auto result = run({"gallery", "-o", path("gallery")});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto files = std::distance(std::filesystem::directory_iterator(path("gallery")), {});
  EXPECT_GT(files, 0);
  EXPECT_EQ(std::ranges::count(result.out, '\n'), files);
  for (const auto& file : std::filesystem::directory_iterator(path("gallery"))) {
    EXPECT_TRUE(contents(file.path()).starts_with("%PDF")) << file.path();
  }
  expect_error(1, {"gallery", "-o", write("file", "in the way")}, {"cannot be made a directory"});
  expect_error(2, {"gallery", "-o", path("moving"), "--format", "pdf,webp"},
               {"--format", "found 'webp'", "pdf, svg, png"});
  EXPECT_FALSE(fs::exists(path("moving")));
  expect_error(2, {"gallery", "-o", path("gallery"), "--format", "gif"},
               {"--format", "found 'gif'", "pdf, svg, png"});
}

TEST_F(Render, APresetIsSetBeforeWhatIsTyped) {
  const std::string file = path("llama.png");
  ASSERT_EQ(run({"render", "rope/rotation", "--preset", "llama-3.1-8b", "--set", "base=10000", "--dpi", "40",
                 "-o", file})
                .code,
            0);
  const auto said = run({"inspect", file, "--json"}).json();
  const std::string recipe = said["recipe"];
  EXPECT_NE(recipe.find("frequencies = \"llama3\""), std::string::npos) << recipe;
  EXPECT_NE(recipe.find("head_width = 128"), std::string::npos) << recipe;
  EXPECT_NE(recipe.find("base = 10000"), std::string::npos) << recipe;
}

TEST_F(Render, AnUnknownPresetNamesTheNear) {
  expect_error(2, {"render", "rope/rotation", "--preset", "lama-3.1-8b", "-o", path("x.png")},
               {"--preset", "did you mean 'llama-3.1-8b'", "gpt-oss-20b"});
  expect_error(2, {"render", "figure/marks", "--preset", "mine", "-o", path("x.png")},
               {"--preset", "there are none"});
}

TEST_F(Render, ATableIsOfNumbersOnly) {
  expect_error(2, {"render", "norm/compare", "--table", "rows", "-o", path("a.pdf")},
               {"--table: found 'rows' for ", "allowed: with a file of numbers: .csv, .npy, .md or .tex"});
  expect_error(
      2,
      {"render", "norm/compare", "--table", "components", "--animate", "mean=0:1", "-o", path("a%04d.tex")},
      {"--table: found 'components' for "});
  EXPECT_FALSE(std::filesystem::exists(path("a.pdf")));
}

// The figure's own .tex is a figure; asked for a table, it is that table. A person's table speaks the page's language.
TEST_F(Render, ATableForATextHasTheDigitsShown) {
  const std::vector<std::string> words{"render", "norm/compare", "--set", "width=3", "--table", "components"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  ASSERT_EQ(run(with({"-o", path("t.md")})).code, 0);
  EXPECT_TRUE(
      contents(path("t.md"))
          .starts_with("| component | $x$ | LayerNorm | RMSNorm |\n| --: | --: | --: | --: |\n| 0 | "))
      << contents(path("t.md"));
  ASSERT_EQ(run(with({"-o", path("t.tex")})).code, 0);
  EXPECT_NE(contents(path("t.tex")).find("\\toprule\ncomponent & $x$ & LayerNorm & RMSNorm"),
            std::string::npos);
  ASSERT_EQ(run(with({"-o", path("zh.md"), "--lang", "zh"})).code, 0);
  EXPECT_EQ(contents(path("zh.md")).find("component"), std::string::npos);
  EXPECT_NE(contents(path("zh.md")).find("LayerNorm"), std::string::npos);
  const auto said = run({"render", "norm/compare", "-o", path("all.md"), "--json"}).json();
  EXPECT_EQ(said["files"].size(), said["tables"].size());
}

TEST_F(Render, ACaptionSaysTheSentenceTheSettingsAndTheSource) {
  const auto made = run({"render", "norm/compare", "--set", "mean=0", "--caption", "-o", path("f.tex")});
  const std::string caption =
      "Without a common mean LayerNorm and RMSNorm agree (Common mean = 0 deviations). Source: Ba et al. 2016, arXiv "
      "1607.06450; Zhang, Sennrich 2019, arXiv 1910.07467.";
  EXPECT_NE(made.out.find("\n" + caption + "\n"), std::string::npos) << made.out;
  const std::string tex = contents(path("f.tex"));
  EXPECT_NE(tex.find("\\caption{" + caption + "}\n\\end{figure}"), std::string::npos);
  EXPECT_LT(tex.find("\\begin{figure}"), tex.find("\\begin{tikzpicture}"));
  const auto json = run({"render", "norm/compare", "--set", "mean=0", "--caption", "--lang", "zh", "-o",
                         path("g.md"), "--json"})
                        .json();
  EXPECT_EQ(json["caption"], caption) << "JSON is English";
  EXPECT_NE(contents(json["files"][0].get<std::string>()).find("Table: "), std::string::npos);
  EXPECT_EQ(run({"render", "norm/compare", "-o", path("h.tex")}).out.find("Source: Ba"), std::string::npos);
}

// A slide has no caption below it: its title stands on it unless somebody says otherwise, and a recipe says what was done.
TEST_F(Render, ASlideHasItsTitle) {
  const auto title_of = [&](std::vector<std::string> more) {
    const std::string file = path("slide.svg");
    more.insert(more.begin(), {"render", "norm/compare", "-o", file});
    const auto made = run(more);
    EXPECT_EQ(made.code, 0) << made.err;
    const std::string recipe = run({"inspect", file, "--json"}).json()["recipe"];
    return recipe.find("title = true") != std::string::npos;
  };
  EXPECT_TRUE(title_of({"--size", "slide"}));
  EXPECT_FALSE(title_of({"--size", "slide", "--no-title"}));
  EXPECT_FALSE(title_of({"--size", "column"}));
  EXPECT_TRUE(title_of({"--size", "column", "--title"}));
  expect_error(2, {"render", "norm/compare", "--title", "--no-title", "-o", path("x.svg")},
               {"--title", "found beside --no-title", "one of the two"});
}

TEST_F(Render, ATitleMakesTheUsualPageHigher) {
  const auto height = [&](std::vector<std::string> more) {
    const std::string file = path("high.svg");
    more.insert(more.begin(), {"render", "rope/precision", "-o", file});
    const auto made = run(more);
    EXPECT_EQ(made.code, 0);
    EXPECT_EQ(made.err, "") << "nothing is left out for the title";
    const std::string svg = contents(file);
    return std::stod(svg.substr(svg.find("height=\"") + 8));
  };
  const double without = height({}), with = height({"--title"});
  EXPECT_GT(with, without + 10);
  EXPECT_LT(with, without + 60);
}

/// The working folder, until it goes.
struct In {
  explicit In(const fs::path& folder) : before(fs::current_path()) { fs::current_path(folder); }
  ~In() { fs::current_path(before); }
  fs::path before;
};

TEST_F(Render, AFigureFindsItsFilesFromAnotherFolder) {
  std::vector<double> numbers;
  for (int i = 0; i < 40; ++i) numbers.push_back(i * 7 % 11 / 11.0);
  write_array("q.npy", {5, 8}, numbers);
  write_array("k.npy", {5, 8}, numbers);
  {
    const In there(path(""));
    ASSERT_EQ(run({"render", "attention/scores", "--set", "content=files", "--set", "head_width=8", "--set",
                   "q_file=q.npy", "--set", "k_file=k.npy", "--compare", "temperature=2", "-o", "a.svg"})
                  .code,
              0);
  }
  const auto again = run({"render", path("a.svg"), "-o", path("b.svg")});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contents(path("a.svg")) == contents(path("b.svg")));
}

TEST_F(Render, NumbersHaveNoPage) {
  const auto said = [&](const char* option, const char* value, const char* file) {
    std::vector<std::string> words{"render", "rope/rotation", option};
    if (*value) words.emplace_back(value);
    words.insert(words.end(), {"-o", path(file)});
    const auto result = run(words);
    EXPECT_EQ(result.code, 0) << option << result.err;
    return result.err;
  };
  for (const auto& [option, value] : {std::pair("--size", "3cm×3cm"), std::pair("--theme", "dark"),
                                      std::pair("--dpi", "77"), std::pair("--font", "DejaVu Sans")})
    EXPECT_EQ(said(option, value, "x.csv"),
              "orrery: warning: " + std::string(option) + ": changes nothing in .csv\n");
  EXPECT_EQ(said("--title", "", "x.csv"), "orrery: warning: --title: changes nothing in .csv\n");
  EXPECT_EQ(said("--font", "DejaVu Sans", "x.tex"), "orrery: warning: --font: changes nothing in .tex\n");
  EXPECT_EQ(said("--size", "3cm×3cm", "x.svg").find("changes nothing"), std::string::npos);
}

TEST_F(Render, ANameThatIsNoTextGoesIntoNoRecipe) {
  std::vector<double> numbers(40, 0.5);
  const std::string q = write_array("q\xe9.npy", {5, 8}, numbers), k = write_array("k.npy", {5, 8}, numbers);
  const std::vector<std::string> scores{"render", "attention/scores", "--set", "content=files",
                                        "--set",  "head_width=8",     "--set", "q_file=" + q,
                                        "--set",  "k_file=" + k,      "-o"};
  for (const char* name : {"a.pdf", "a.svg", "a.png"}) {
    std::vector<std::string> words = scores;
    words.push_back(path(name));
    expect_error(2, words, {"recipe", "not UTF-8 text"});
  }
}

}  // namespace
}  // namespace orrery::cli_test::render_test
