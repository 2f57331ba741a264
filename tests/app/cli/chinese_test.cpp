// Each command in Chinese: what a person reads has no English sentence left in it, what a program reads is English to the byte.
#include <regex>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/language/characters.h"
#include "tests/app/cli/program.h"
#include "tests/core/model/faults.h"
#include "tests/support/source.h"

namespace orrery::cli_test::chinese_test {
namespace {

using Chinese = orrery::cli_test::Program;
using Words = std::vector<std::string>;

std::string model(const std::string& name) {
  return orrery::support::source("assets/models/") + name + ".json";
}

/// Names of several words that stand in sentences as they are.
constexpr const char* names =
    "The Annotated Transformer|Hugging Face transformers|Latin Modern Math|MIT License|[Oo]rrery list|"
    "The cat sat on the mat|orrery man \\| man -l -|cap tanh\\(x/cap\\)";

/// What is left of English: three words of letters with nothing but spaces between them, outside of quotation marks, of lists
/// that are typed (a, b, c), of what has digits or signs in it, and of names.
std::string english_left(std::string_view said) {
  static const std::regex named(std::string("'[^']*'|\"[^\"]*\"|`[^`]*`|") + names);
  static const std::regex sentence("[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}[,;:]? [A-Za-z]{2,}");
  static const std::regex list("[A-Za-z0-9_.#-]+(, [A-Za-z0-9_.#-]+)+");
  std::string left = std::regex_replace(std::string(said), named, "1");
  left = std::regex_replace(left, list, "1");
  std::smatch found;
  return std::regex_search(left, found, sentence) ? found.str() : std::string();
}

bool is_chinese(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (language::ideographic(language::first_character(text.substr(i)))) return true;
  return false;
}

Words in_chinese(Words command) {
  command.insert(command.end(), {"--lang", "zh"});
  return command;
}

class EveryCommand : public Chinese {
 protected:
  /// All that print something, each with what it needs.
  std::vector<Words> commands() const {
    const std::string x = write_array("x.npy", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 9}),
                      f = write_array("f.npy", {4}, {1, 0.1, 0.01, 0.001}, tensor::Format::f64),
                      twice = write_array("twice.npy", {8}, {1, 0.1, 0.01, 0.001, 1, 0.1, 0.01, 0.001});
    return {{"list"},
            {"list", "--ops"},
            {"render", "norm/compare", "-o", path("a.svg")},
            {"render", "norm/compare", "--size", "3cm×3cm", "-o", path("small.svg")},
            {"render", "norm/compare", "--compare", "mean=2", "--compare-mode", "difference", "-o",
             path("b.svg")},
            {"apply", "rms_norm", x, "storage=bf16", "-o", path("y.npy")},
            {"rope", model("llama-3.1-8b")},
            {"rope", model("qwen2.5-7b-yarn4"), "--length", "40000"},
            {"rope", model("gemma-3-4b-v5")},
            {"rope", model("phi-4-mini")},
            {"rope", model("deepseek-v3")},
            {"rope", model("qwen2-vl-7b")},
            {"rope", model("llama-4-scout")},
            {"identify", f},
            {"identify", twice},
            {"inspect", x},
            {"inspect", path("a.svg")},
            {"inspect", model("smollm2-135m")},
            {"man"}};
  }
};

TEST_F(EveryCommand, IsUnderstoodWithoutEnglish) {
  for (const Words& command : commands()) {
    SCOPED_TRACE(command.front() + " " + (command.size() > 1 ? command[1] : ""));
    const auto said = run(in_chinese(command));
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(is_chinese(said.out)) << said.out;
    // A recipe is a program's, and so are the options and lines to copy of the manual page.
    if (command[0] == "inspect" && command[1].ends_with(".svg")) continue;
    std::istringstream lines(said.out + said.err);
    const auto is_typed = [](std::string_view line) {
      return line.starts_with("orrery ") || line.starts_with("\\fB") || line.starts_with("source ");
    };
    // "      second=the dog ran   …": a default may be words, in any language.
    const auto without_default = [](const std::string& line) {
      const std::size_t equals = line.find('='), end = line.find("  ", equals);
      return line.starts_with("      ") && equals != line.npos && end != line.npos ? line.substr(end) : line;
    };
    for (std::string line; std::getline(lines, line);)
      EXPECT_EQ(is_typed(line) ? "" : english_left(without_default(line)), "") << line;
  }
}

TEST_F(EveryCommand, ExplainsItsOptionsInChinese) {
  for (const char* command : {"", "list", "render", "batch", "gallery", "apply", "rope", "identify",
                              "inspect", "bench", "completions", "man"}) {
    Words words{"--help"};
    if (*command != '\0') words.insert(words.begin(), command);
    const auto said = run(in_chinese(words));
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(is_chinese(said.out)) << command;
    EXPECT_EQ(said.out.find("Usage"), std::string::npos) << said.out;
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_EQ(english_left(line), "") << command << ": " << line;
  }
}

TEST_F(EveryCommand, SpeaksEnglishToPrograms) {
  const std::string x = write_array("x.npy", {2, 2}, {1, 2, 3, 4}),
                    f = write_array("f.npy", {4}, {1, 0.1, 0.01, 0.001}, tensor::Format::f64);
  for (const Words& command : {Words{"list", "--json"},
                               {"list", "--ops", "--json"},
                               {"list", "--ops", "--markdown"},
                               {"rope", model("deepseek-v3"), "--json"},
                               {"identify", f, "--json"},
                               {"inspect", x, "--json"},
                               {"inspect", model("gemma-3-4b-v5"), "--json"}}) {
    SCOPED_TRACE(command[0] + " " + command[1]);
    const auto english = run(command), chinese = run(in_chinese(command));
    EXPECT_EQ(english.code, 0) << english.err;
    EXPECT_FALSE(english.out.empty());
    EXPECT_EQ(chinese.out, english.out);
    EXPECT_EQ(chinese.err, english.err);
  }
  // Those that say how long it took.
  for (const Words& command : {Words{"apply", "softmax", x, "-o", path("y.npy"), "--json"},
                               {"render", "norm/compare", "-o", path("a.svg"), "--json"}}) {
    auto english = run(command).json(), chinese = run(in_chinese(command)).json();
    for (auto* json : {&english, &chinese}) EXPECT_EQ(json->erase("seconds"), 1u);
    EXPECT_EQ(chinese, english);
  }
}

TEST_F(EveryCommand, SaysWhatIsWrongInChinese) {
  const std::string x = write_array("x.npy", {2, 2}, {1, 2, 3, 4});
  const std::vector<Words> wrong{{"rope"},
                                 {"rope", "none.json"},
                                 {"rope", model("phi-4-mini"), "--length", "much"},
                                 {"rope", "a.json", "b.json"},
                                 {"identify"},
                                 {"identify", x},
                                 {"inspect"},
                                 {"inspect", "none.npy"},
                                 {"bench", "--samples", "0", "softmax"},
                                 {"bench", "--device", "ref"},
                                 {"bench", "nothing"},
                                 {"apply"},
                                 {"apply", "softmax", x},
                                 {"apply", "softmax", "-o", "y.npy"},
                                 {"apply", "softmax", x, "temperature=-1", "-o", "y.npy"},
                                 {"apply", "softmax", x, "temperture=1", "-o", "y.npy"},
                                 {"apply", "softmx", x, "-o", "y.npy"},
                                 {"apply", "softmax", x, "--set", "temperature", "-o", "y.npy"},
                                 {"render"},
                                 {"render", "rope/rotation"},
                                 {"render", "rope/rotation", "-o", "a.doc"},
                                 {"render", "rope/rotation", "--frames", "3", "-o", "a.webp"},
                                 {"render", "rope/rotatoin", "-o", "a.svg"},
                                 {"batch"},
                                 {"batch", "none.toml", "-o", path("out")},
                                 {"gallery"},
                                 {"gallery", "--format", "doc", "-o", path("out")},
                                 {"completions"},
                                 {"list", "--jsn"},
                                 {"list", "more"},
                                 {"rendr"}};
  for (const Words& command : wrong) {
    SCOPED_TRACE(command[0] + " " + (command.size() > 1 ? command[1] : ""));
    const auto said = run(in_chinese(command));
    EXPECT_NE(said.code, 0);
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(said.err.starts_with("orrery: ")) << said.err;
    EXPECT_TRUE(is_chinese(said.err)) << said.err;
    EXPECT_EQ(english_left(said.err), "") << said.err;
  }
}

TEST_F(Chinese, ErrorsForProgramsAreEnglish) {
  const Words command{"rope", "none.json", "--json"};
  const auto said = run(in_chinese(command));
  EXPECT_EQ(said.err, run(command).err);
  EXPECT_NE(said.err.find("\"error\""), std::string::npos) << said.err;
}

TEST_F(Chinese, AValueThatIsMissingIsSaidInIt) {
  for (Words words : {Words{"render", "rope/rotation", "-o"}, Words{"render", "--set"},
                      Words{"batch", "--jobs"}, Words{"render", "--json=nope", "rope/rotation"}}) {
    words.insert(words.begin(), {"--lang", "zh"});
    const auto result = run(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(english_left(result.err), "") << result.err;
    EXPECT_EQ(result.err.find("Could not"), result.err.npos) << result.err;
  }
}

TEST_F(Chinese, TheLanguageMayStandBeforeTheCommand) {
  const Words file{model("llama-3.1-8b")};
  const auto behind = run({"rope", file[0], "--lang", "zh"});
  EXPECT_EQ(run({"--lang", "zh", "rope", file[0]}).out, behind.out);
  EXPECT_EQ(run({"--lang=zh", "rope", file[0]}).out, behind.out);
  EXPECT_EQ(run({"rope", "--lang", "zh", file[0]}).out, behind.out);
  const std::string before = path("before.svg"), after = path("after.svg");
  ASSERT_EQ(run({"--lang", "zh", "render", "norm/compare", "-o", before}).code, 0);
  ASSERT_EQ(run({"render", "norm/compare", "--lang", "zh", "-o", after}).code, 0);
  EXPECT_EQ(orrery::cli_test::contents(before), orrery::cli_test::contents(after));
  EXPECT_TRUE(is_chinese(run({"--lang", "zh", "--help"}).out));
  for (const Words& command : {Words{"rope", file[0]}, {"identify", "x.npy"}, {"man"}, {"bench"}})
    expect_error(2,
                 [&] {
                   Words all = command;
                   all.insert(all.end(), {"--lang", "xx"});
                   return all;
                 }(),
                 {"--lang: found 'xx'; allowed: en, zh"});
}

TEST_F(Chinese, EnglishStaysAsItWas) {
  const auto english = run({"rope", model("deepseek-v3")}),
             named = run({"rope", model("deepseek-v3"), "--lang", "en"});
  EXPECT_EQ(english.out, named.out);
  EXPECT_FALSE(is_chinese(english.out));
}

TEST(TextTables, StandInColumnsThoughIdeographsAreWide) {
  orrery::cli::TextTable table("", {2});
  table.row({"底数", "a", "1"});
  table.row({"head", "维", "20"});
  table.row({"x", "b", "3"});
  EXPECT_EQ(table.text(),
            "底数  a    1\n"
            "head  维  20\n"
            "x     b    3\n");
}

}  // namespace
}  // namespace orrery::cli_test::chinese_test
