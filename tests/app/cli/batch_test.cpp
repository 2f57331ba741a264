// orrery batch and animated renders.
#include "tests/app/cli/program.h"

namespace orrery::cli_test::batch_test {
namespace {

using Batch = orrery::cli_test::Program;
using orrery::cli_test::contents;

// Few pixels, and room for all words.
const std::string small_page = "[page]\nsize = \"16cm×13cm\"\ndpi = 30\n";

std::string lecture() {
  return "orrery = 1\n" + small_page +
         "[[figure]]\nname = \"one\"\nstudy = \"rope/rotation\"\n[figure.parameters]\nbase = 10000.0\n"
         "[[figure]]\nname = \"two\"\nstudy = \"activation/functions\"\n"
         "[[figure]]\nname = \"three\"\nstudy = \"norm/compare\"\n";
}

TEST_F(Batch, TheSameBytesOnEveryRunAndAnyNumberOfJobs) {
  const std::string recipes = write("lecture.toml", lecture());
  for (const auto& [directory, jobs] : {std::pair{"a", "1"}, std::pair{"b", "2"}, std::pair{"c", "1"}}) {
    const auto result =
        run({"batch", recipes, "-o", path(directory), "--jobs", jobs, "--format", "pdf,svg,png,tex"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(std::ranges::count(result.out, '\n'), 12) << result.out;
    EXPECT_EQ(result.err, "") << "no progress line where nobody looks";
  }
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(path("a"))) {
    ++files;
    const std::string name = file.path().filename().string(), bytes = contents(file.path());
    EXPECT_GT(bytes.size(), 500u);
    EXPECT_TRUE(bytes == contents(path("b/" + name))) << name << " differs with two jobs";
    EXPECT_TRUE(bytes == contents(path("c/" + name))) << name << " differs on a second run";
  }
  EXPECT_EQ(files, 12);
}

TEST_F(Batch, ThePageIsThatOfAllWhateverTheirRecipesSay) {
  const std::string recipes = write("lecture.toml", lecture());
  ASSERT_EQ(
      run({"batch", recipes, "-o", path("a"), "--format", "svg", "--size", "9cm×7cm", "--theme", "dark",
           "--dpi", "40", "--lang", "zh", "--math-font", "DejaVu Math TeX Gyre", "--title", "--transparent"})
          .code,
      0);
  for (const std::string name : {"one", "two", "three"}) {
    const std::string recipe = run({"inspect", path("a/" + name + ".svg"), "--json"}).json()["recipe"];
    EXPECT_NE(
        recipe.find("[page]\nsize = \"9cm×7cm\"\ntheme = \"dark\"\ntitle = true\ndpi = 40.0\ntransparent = "
                    "true\nlanguage = \"zh\"\nmath_font = \"DejaVu Math TeX Gyre\"\n"),
        recipe.npos)
        << recipe;
  }
  expect_error(2, {"batch", recipes, "-o", path("b"), "--theme", "drak"},
               {"--theme", "'drak'", "did you mean 'dark'"});
  expect_error(2, {"batch", recipes, "-o", path("b"), "--dpi", "4800"}, {"--dpi", "10 to 2400"});
  expect_error(2, {"batch", recipes, "-o", path("b"), "--fps", "9"}, {"--fps", "[animation]"});
}

TEST_F(Batch, MotionsOfAllAreAsAsked) {
  const std::string recipe =
      write("moves.toml", "orrery = 1\nstudy = \"rope/rotation\"\n" + small_page +
                              "[animation]\nparameter = \"position\"\nfrom = 0\nto = 3\n");
  const auto result = run({"batch", recipe, "-o", path("a"), "--format", "webp", "--frames", "3", "--fps",
                           "5", "--loop", "once"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string inside = run({"inspect", path("a/moves.webp"), "--json"}).json()["recipe"];
  EXPECT_NE(inside.find("loop = \"once\"\nframes = 3\nfps = 5.0\n"), inside.npos) << inside;
}

/// Three themes, two languages and families of their own: more font files than Cairo keeps open.
std::string many_fonts() {
  std::string text = "orrery = 1\n";
  int count = 0;
  for (const char* study : {"rope/rotation", "activation/functions", "norm/compare"})
    for (const char* theme : {"print", "light", "dark"})
      for (const char* page : {"language = \"en\"", "language = \"zh\"", "font = \"DejaVu Serif\""})
        text += "[[figure]]\nname = \"n" + std::to_string(count++) + "\"\nstudy = \"" + study +
                "\"\n[figure.page]\ntheme = \"" + theme + "\"\nsize = \"8cm×6cm\"\n" + page + "\n";
  return text;
}

TEST_F(Batch, ManyFontsInManyJobsAtOnce) {
  const std::string recipes = write("fonts.toml", many_fonts());
  ASSERT_EQ(run({"batch", recipes, "-o", path("one"), "--jobs", "1"}).code, 0);
  for (int again = 0; again < 2; ++again) {
    const auto result = run({"batch", recipes, "-o", path("eight"), "--jobs", "8"});
    ASSERT_EQ(result.code, 0) << result.err;
    for (const auto& file : std::filesystem::directory_iterator(path("one"))) {
      const std::string name = file.path().filename().string();
      EXPECT_TRUE(contents(file.path()) == contents(path("eight/" + name))) << name;
    }
  }
}

TEST_F(Batch, SaysWhatRenderWouldOfEachFigure) {
  const std::string norm = write("norm.toml", "orrery = 1\nstudy = \"norm/compare\"\n"),
                    scores = write(
                        "scores.toml",
                        "orrery = 1\nstudy = \"attention/scores\"\n[parameters]\ncontent = \"files\"\n");
  const auto done =
      run({"batch", norm, scores, "-o", path("said"), "--format", "pdf,svg", "--font", "No Such Face"});
  EXPECT_EQ(done.code, 0) << done.err;
  const auto times = [&](std::string_view text) {
    int count = 0;
    for (std::size_t at = 0; (at = done.err.find(text, at)) != done.err.npos; at += text.size()) ++count;
    return count;
  };
  EXPECT_EQ(times("fonts: not installed, replaced by another typeface: No Such Face"), 1) << done.err;
  EXPECT_EQ(times("scores: attention/scores: no file yet: vectors by chance"), 1) << done.err;
  const auto json =
      nlohmann::json::parse(run({"batch", scores, "-o", path("said"), "--format", "csv", "--json"}).out);
  EXPECT_EQ(json[0].at("remarks"),
            nlohmann::json::array({"attention/scores: no file yet: vectors by chance"}));
}

TEST_F(Batch, AFullDiskBehindStdoutEndsEveryJob) {
  const std::string recipes = write("lecture.toml", lecture());
  for (const char* jobs : {"1", "3"}) {
    const std::string command = std::string(ORRERY_PROGRAM) + " batch " + recipes + " -o " + path("out") +
                                " --jobs " + jobs + " >/dev/full 2>" + path("err");
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
    EXPECT_EQ(contents(path("err")), "orrery: stdout: cannot be written\n");
  }
}

TEST_F(Batch, EveryFileIsARecipeOfItself) {
  const std::string recipes = write("lecture.toml", lecture());
  ASSERT_EQ(run({"batch", recipes, "-o", path("a"), "--format", "pdf,svg,png,tex"}).code, 0);
  for (const char* ending : {"pdf", "svg", "png", "tex"}) {
    const std::string file = path(std::string("a/one.") + ending),
                      again = path(std::string("again.") + ending);
    const auto said = run({"inspect", file, "--json"}).json();
    EXPECT_EQ(said["format"], ending);
    EXPECT_NE(said["recipe"].get<std::string>().find("base = 10000.0"), std::string::npos);
    ASSERT_EQ(run({"render", file, "-o", again}).code, 0);
    // The name stands in a .tex: `\input{one}`.
    EXPECT_TRUE(std::string(ending) == "tex" || contents(again) == contents(file)) << ending;
  }
}

TEST_F(Batch, ContinuesPastAFailingOneAndNamesIt) {
  const std::string good = write("good.toml", "orrery = 1\nstudy = \"rope/rotation\"\n" + small_page);
  const std::string bad =
      write("bad.toml", "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbase = -3\n");
  const auto result = run({"batch", bad, good, path("missing.toml"), "-o", path("out"), "--json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(std::filesystem::exists(path("out/good.pdf")));
  EXPECT_NE(result.err.find("bad.toml:4:8: base"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("\"text\":\"2 of 3 could not be made: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("missing.toml"), std::string::npos) << result.err;
  const auto said = result.json();
  ASSERT_EQ(said.size(), 3u);
  EXPECT_TRUE(said[0].contains("error"));
  EXPECT_EQ(said[1]["files"].size(), 1u);
  EXPECT_FALSE(said[1].contains("error"));
}

std::string two_figures(const std::string& first, const std::string& study, const std::string& second,
                        const std::string& other) {
  return "orrery = 1\n" + small_page + "[[figure]]\nname = \"" + first + "\"\nstudy = \"" + study +
         "\"\n[[figure]]\nname = \"" + second + "\"\nstudy = \"" + other + "\"\n";
}

/// A motion that stands above the figures holds for all of them, and one has no such parameter.
TEST_F(Batch, ACommonMotionOfOneThatCannotMoveSoFailsItsFileAlone) {
  const std::string lecture =
                        write("lecture.toml",
                              "orrery = 1\nstudy = \"rope/rotation\"\n[animation]\nparameter = \"base\"\n"
                              "from = 1000.0\nto = 1e6\nframes = 2\n[[figure]]\nname = \"a\"\n"
                              "[[figure]]\nname = \"b\"\nstudy = \"norm/compare\"\n"),
                    good = write("good.toml", "orrery = 1\nstudy = \"norm/compare\"\n");
  const auto result = run({"batch", lecture, good, "-o", path("figures"), "--format", "svg"});
  EXPECT_EQ(result.code, 1) << "a file is to blame, not what was asked";
  EXPECT_NE(result.err.find("lecture.toml:10:"), std::string::npos) << result.err;
  EXPECT_TRUE(fs::exists(path("figures/good.svg")));
}

// What one run would write twice is refused before anything is written: tables too, though only results say what they are
// called.
TEST_F(Batch, NoTableIsWrittenOverAnother) {
  const std::string meet =
      write("meet.toml", two_figures("x.components", "extrapolation/decay", "x", "norm/compare"));
  for (const char* formats : {"csv", "npy", "md", "pdf,csv,npy"})
    expect_error(2, {"batch", meet, "-o", path("t"), "--format", formats},
                 {"RECIPES: two figures would be written to", "x.components."});
  EXPECT_FALSE(std::filesystem::exists(path("t")));
  // Names that only look so: x.components has several tables, x has none that is called 9.
  for (const auto& [name, study] :
       {std::pair("x.components", "norm/compare"), {"x.9", "extrapolation/decay"}}) {
    const auto result = run({"batch", write("apart.toml", two_figures("x", "norm/compare", name, study)),
                             "-o", path("t"), "--format", "csv"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(contents(path("t/x.components.csv")).find("LayerNorm"), std::string::npos);
  }
  EXPECT_EQ(run({"batch", meet, "-o", path("p"), "--format", "pdf"}).code, 0) << "a page has its name alone";
}

// Pictures beside a .tex are known when its page is laid out.
TEST_F(Batch, NoFigureIsWrittenOverAnother) {
  const std::string pictures =
      write("pictures.toml", two_figures("z", "attention/map", "z-panel1", "rope/rotation"));
  for (const char* jobs : {"1", "4"}) {
    const auto of_pictures =
        run({"batch", pictures, "-o", path("p"), "--format", "png,tex", "--json", "--jobs", jobs});
    EXPECT_EQ(of_pictures.code, 1);
    int failed = 0;
    for (const auto& job : of_pictures.json()) {
      if (!job.contains("error")) continue;
      ++failed;
      EXPECT_NE(job["error"].get<std::string>().find("z-panel1.png"), std::string::npos) << job["error"];
      EXPECT_EQ(job["study"], "rope/rotation") << "the later one";
    }
    EXPECT_EQ(failed, 1) << of_pictures.err;
  }
}

/// Pictures turn0, turn1, turn2: the name of a figure has no %, but that of its file may.
std::string turning_recipe() {
  return "orrery = 1\nstudy = \"rope/rotation\"\n" + small_page +
         "[animation]\nparameter = \"position\"\nfrom = 0\nto = 2\nframes = 3\n";
}

TEST_F(Batch, NumberedPicturesAreNamesToo) {
  const std::string turns = write("turn%d.toml", turning_recipe()),
                    other = write("turn1.toml", "orrery = 1\nstudy = \"norm/compare\"\n" + small_page),
                    apart = write("turn3.toml", "orrery = 1\nstudy = \"norm/compare\"\n" + small_page);
  expect_error(2, {"batch", turns, other, "-o", path("out"), "--format", "png"},
               {"RECIPES: two figures would be written to", "turn1.png"});
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  EXPECT_EQ(run({"batch", turns, apart, "-o", path("out"), "--format", "png"}).code, 0);
  expect_error(2, {"batch", turns, apart, "-o", path("more"), "--format", "png", "--frames", "4"},
               {"turn3.png"});
}

TEST_F(Batch, OfNumberedPicturesAllAreNewOrNone) {
  const std::string turns = write("turn%d.toml", turning_recipe());
  for (const char* format : {"png", "tex"}) {
    const auto picture = [&](int frame) { return "out/turn" + std::to_string(frame) + "." + format; };
    std::filesystem::create_directories(path(picture(2)));
    write(picture(0), "old");
    const auto failed = run({"batch", turns, "-o", path("out"), "--format", format});
    EXPECT_EQ(failed.code, 1);
    EXPECT_NE(failed.err.find("turn2"), failed.err.npos) << failed.err;
    EXPECT_EQ(contents(path(picture(0))), "old");
    EXPECT_FALSE(std::filesystem::exists(path(picture(1))));
    std::filesystem::remove(path(picture(2)));
    const auto made = run({"batch", turns, "-o", path("out"), "--format", format});
    EXPECT_EQ(made.code, 0) << made.err;
    for (int frame = 0; frame < 3; ++frame) EXPECT_GT(contents(path(picture(frame))).size(), 500u) << frame;
  }
  for (const auto& file : std::filesystem::directory_iterator(path("out")))
    EXPECT_TRUE(file.path().filename().string().starts_with("turn")) << file.path();
}

TEST_F(Batch, ALinkIsNoOtherFile) {
  const std::string recipes = write("two.toml", two_figures("a", "rope/rotation", "b", "norm/compare"));
  std::filesystem::create_directory(path("out"));
  std::filesystem::create_symlink("b.pdf", path("out/a.pdf"));
  for (const bool there : {false, true}) {
    if (there) write("out/b.pdf", "old");
    expect_error(2, {"batch", recipes, "-o", path("out")}, {"two figures would be written to", "b.pdf"});
    EXPECT_EQ(std::filesystem::exists(path("out/b.pdf")), there);
  }
}

TEST_F(Batch, ForNothingThatCanBeMadeNoFolderIs) {
  EXPECT_EQ(run({"batch", path("nope.toml"), "-o", path("nothing")}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("nothing")));
}

TEST_F(Batch, WrongArguments) {
  const std::string recipe = write("a.toml", "orrery = 1\nstudy = \"rope/rotation\"\n");
  expect_error(2, {"batch", "-o", path("x")}, {"RECIPES", "missing"});
  expect_error(2, {"batch", recipe}, {"-o", "missing", "a directory"});
  expect_error(2, {"batch", recipe, "-o", path("x"), "--jobs", "0"}, {"--jobs", "'0'", "1 to 256"});
  expect_error(2, {"batch", recipe, "-o", path("x"), "--format", "pdf,gif"}, {"--format", "'gif'", "svg"});
  expect_error(2, {"batch", recipe, recipe, "-o", path("x")}, {"a.pdf", "two figures", "name"});
  expect_error(1, {"batch", recipe, "-o", write("file", "in the way")}, {"cannot be made a directory"});
}

using Animate = orrery::cli_test::Program;

const std::vector<std::string> turning{"render",    "rope/rotation",
                                       "--animate", "base=1000:1e6:log",
                                       "--frames",  "3",
                                       "--size",    "6cm×4cm",
                                       "--dpi",     "60",
                                       "--fps",     "10"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Animate, OneFileThatMakesItselfAgain) {
  const std::string film = path("a.webp"), again = path("b.webp");
  const auto result = run(with(turning, {"-o", film}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contents(film).starts_with("RIFF"));
  const std::string recipe = run({"inspect", film, "--json"}).json()["recipe"];
  EXPECT_NE(recipe.find("[animation]\nparameter = \"base\"\nfrom = 1000.0\nto = 1000000.0\nlog = "
                        "true\nframes = 3\nfps = 10.0"),
            std::string::npos)
      << recipe;
  ASSERT_EQ(run({"render", film, "-o", again}).code, 0);
  EXPECT_TRUE(contents(film) == contents(again));
}

TEST_F(Animate, BackAndForth) {
  const auto back = [&](const std::string& frames, const std::string& file) {
    return run({"render", "rope/rotation", "--animate", "base=1000:1e6:log", "--loop", "back-and-forth",
                "--frames", frames, "--size", "6cm×4cm", "--dpi", "60", "-o", path(file)});
  };
  ASSERT_EQ(back("6", "f%d.svg").code, 0);
  // The same picture on the way back, but for the recipe in it, which knows which frame it is.
  const auto picture = [&](int frame) {
    std::string text = contents(path("f" + std::to_string(frame) + ".svg"));
    const std::string line = "frame = " + std::to_string(frame);
    const auto at = text.find(line);
    EXPECT_NE(at, text.npos) << line;
    return text.erase(std::min(at, text.size()), line.size());
  };
  EXPECT_NE(picture(1), picture(2));
  EXPECT_NE(picture(2), picture(3));
  EXPECT_TRUE(picture(4) == picture(2) && picture(5) == picture(1));
  ASSERT_EQ(back("4", "a.webp").code, 0);
  const std::string recipe = run({"inspect", path("a.webp"), "--json"}).json()["recipe"];
  EXPECT_NE(recipe.find("loop = \"back-and-forth\""), std::string::npos) << recipe;
  ASSERT_EQ(run({"render", path("a.webp"), "-o", path("b.webp")}).code, 0);
  EXPECT_TRUE(contents(path("a.webp")) == contents(path("b.webp")));
  ASSERT_EQ(run({"render", path("a.webp"), "--loop", "once", "-o", path("once.webp")}).code, 0);
  EXPECT_FALSE(contents(path("a.webp")) == contents(path("once.webp")));
  expect_error(2, with(turning, {"-o", path("c.webp"), "--loop", "back"}),
               {"--loop", "'back'", "back-and-forth"});
  expect_error(2, {"render", "rope/rotation", "-o", path("a.png"), "--loop", "once"},
               {"--loop", "--animate"});
}

TEST_F(Animate, NumberedPicturesEachWithTheRecipeOfItsFrame) {
  const auto result = run(with(turning, {"-o", path("frames/%03d.png"), "--json"}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.json()["files"].size(), 3u);
  const std::string middle = path("frames/001.png"), again = path("again.png");
  EXPECT_NE(contents(middle), contents(path("frames/002.png")));
  const std::string recipe = run({"inspect", middle, "--json"}).json()["recipe"];
  EXPECT_NE(recipe.find("frame = 1"), std::string::npos) << recipe;
  ASSERT_EQ(run({"render", middle, "-o", again}).code, 0);
  EXPECT_TRUE(contents(middle) == contents(again)) << "its axes are those of the whole animation";
  expect_error(2, {"render", middle, "-o", path("all.webp")}, {"all.webp", "one frame", "--animate"});
  expect_error(2, {"render", "rope/rotation", "-o", path("f%04d.png")},
               {"f%04d.png", "--animate", "another name"});
  EXPECT_FALSE(std::filesystem::exists(path("f%04d.png")));
}

TEST_F(Animate, WrongArguments) {
  expect_error(2, with(turning, {"-o", path("a.png")}), {"-o", "a.png", "%04d"});
  expect_error(2, with(turning, {"-o", path("%s.png")}), {"-o", "%04d"});
  expect_error(2, with(turning, {"-o", path("a.csv")}), {"-o", "a.csv", ".webp"});
  expect_error(2, {"render", "rope/rotation", "-o", path("a.webp")}, {"a.webp", "--animate"});
  expect_error(2, {"render", "rope/rotation", "-o", path("a.png"), "--fps", "9"}, {"--fps", "--animate"});
  expect_error(2, {"render", "rope/rotation", "-o", path("a.webp"), "--animate", "base"},
               {"--animate", "name=from:to"});
  expect_error(
      2, {"render", "rope/rotation", "-o", path("a.webp"), "--animate", "base=1000:2000", "--frames", "1"},
      {"--frames", "2 to 2000"});
  expect_error(2, {"render", "rope/rotation", "-o", path("a.webp"), "--animate", "bsae=1:2"},
               {"bsae", "base"});
}

using Tables = orrery::cli_test::Program;

TEST_F(Tables, OneOfThemByItsName) {
  const auto said = run({"render", "rope/rotation", "-o", path("x.csv"), "--json"}).json();
  ASSERT_GT(said["tables"].size(), 1u);
  const std::string name = said["tables"][1];
  const auto result = run({"render", "rope/rotation", "-o", path("one.csv"), "--table", name});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(contents(path("one.csv")), contents(said["files"][1].get<std::string>()));
  expect_error(2, {"render", "rope/rotation", "-o", path("y.csv"), "--table", "nonsense"},
               {"--table", "nonsense", name});
}

}  // namespace
}  // namespace orrery::cli_test::batch_test
