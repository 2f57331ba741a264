// The table of commands, and what is made of it: help, the manual page, completion. What one of them says of an option, all
// say.
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/offers.h"
#include "app/cli/parse.h"
#include "app/language/dictionary.h"
#include "app/language/language.h"
#include "core/op/op.h"
#include "tests/app/cli/program.h"

namespace orrery::cli_test::table_test {
namespace {

using namespace orrery::cli;
using Table = orrery::cli_test::Program;

Asked parsed(const Command& window, std::span<const Command> all, std::vector<std::string> words) {
  std::vector<const char*> argv{"orrery"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return parse(window, all, static_cast<int>(argv.size()), argv.data());
}

/// As roff shows it again; enough for words.
std::string shown(std::string text) {
  for (const auto& [roff, word] : {std::pair("\\-", "-"), std::pair("\\(aq", "'"), std::pair("\\(ga", "`"),
                                   std::pair("\\(ha", "^"), std::pair("\\(ti", "~"), std::pair("\\fB", ""),
                                   std::pair("\\fI", ""), std::pair("\\fR", ""), std::pair("\\&", "")})
    for (std::size_t at = 0; (at = text.find(roff, at)) != text.npos;)
      text.replace(at, std::string_view(roff).size(), word);
  return text;
}

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

TEST_F(Table, HelpAndTheManualSayEveryOption) {
  const std::string manual = shown(run({"man"}).out);
  int options = 0;
  for (const Command& command : commands({})) {
    const std::string help = run({command.name, "--help"}).out;
    EXPECT_NE(manual.find("\norrery " + command.name), manual.npos) << command.name;
    for (const Argument& argument : command.arguments) {
      ++options;
      EXPECT_NE(help.find(argument.names), help.npos) << command.name << " " << argument.names;
      // Its second line is indented there.
      EXPECT_NE(help.find(argument.help.substr(0, argument.help.find('\n'))), help.npos)
          << command.name << " " << argument.names;
      EXPECT_NE(manual.find("\n" + on_one_line(argument.help) + "\n"), manual.npos) << argument.help;
      for (const std::string_view spelling : argument.spellings())
        EXPECT_NE(manual.find(spelling), manual.npos) << spelling;
    }
  }
  EXPECT_GT(options, 50);
}

/// As they are typed, or as languages call themselves: it needs no words.
bool is_list_of_names(const std::string& text) {
  static const std::regex names("[a-z0-9_-]*(, [a-z0-9_-]+)*");
  return std::regex_match(text, names) || ": " + text == language_names();
}

/// All that --help, the manual page and `orrery list` say of commands and ops.
std::vector<std::string> texts_of_help() {
  std::vector<std::string> all;
  std::vector<Command> every = commands({});
  every.push_back(window_command({}));
  for (const Command& command : every) {
    all.push_back(command.help);
    for (const Argument& argument : command.arguments) all.insert(all.end(), {argument.help, argument.group});
    for (const Example& example : command.examples) all.emplace_back(example.what);
  }
  for (const orrery::op::Op& op : orrery::op::table()) {
    all.emplace_back(op.summary);
    for (const auto& input : op.inputs) all.emplace_back(input.help);
    for (const auto& p : op.parameters) all.insert(all.end(), {std::string(p.help), std::string(p.unit)});
  }
  std::erase_if(all, is_list_of_names);
  return all;
}

TEST(CommandWords, AreThereInEveryLanguage) {
  const std::vector<std::string> texts = texts_of_help();
  EXPECT_GT(texts.size(), 200u);
  for (const auto& named : orrery::language::languages().subspan(1)) {
    std::set<std::string> missing;
    for (const std::string& text : texts)
      for (std::string& piece : orrery::language::dictionary(named.language).missing(text))
        if (!is_list_of_names(piece)) missing.insert(std::move(piece));
    for (const std::string& piece : missing)
      ADD_FAILURE() << named.code << " lacks:\n\"" << piece << "\" = \"\"";
  }
}

TEST_F(Table, ExamplesAreReadAsTheyStand) {
  const Command window = window_command({});
  int examples = 0;
  const auto try_all = [&](const Command& of) {
    for (const Example& example : of.examples) {
      SCOPED_TRACE(example.line);
      ++examples;
      std::string line(example.line);
      if (const auto inner = line.find("<("); inner != line.npos)
        line = line.substr(inner + 2, line.size() - inner - 3);
      line = line.substr(0, line.find_first_of(">|"));
      std::istringstream in(line);
      std::vector<std::string> words;
      for (std::string word; in >> word;) words.push_back(word);
      ASSERT_EQ(words.front(), "orrery");
      words.erase(words.begin());
      const std::vector<Command> all = commands({});
      EXPECT_EQ(parsed(window, all, words).command->name, of.name);
    }
  };
  try_all(window);
  for (const Command& command : commands({})) {
    EXPECT_FALSE(command.examples.empty()) << command.name;
    try_all(command);
  }
  EXPECT_GT(examples, 12);
}

TEST_F(Table, TheManualIsRoffWithoutAComplaint) {
  // ./dev test installs it (groff-base); other systems may not have it, and nothing else reads roff and complains.
  if (!support::have("groff")) GTEST_SKIP() << "groff is not installed";
  const std::string page = write("orrery.1", run({"man"}).out);
  EXPECT_EQ(std::system(("groff -man -Kutf8 -Tutf8 -ww -z '" + page + "' 2>'" + path("said") + "'").c_str()),
            0);
  EXPECT_EQ(orrery::cli_test::contents(path("said")), "");
}

class Completion : public Table {
 protected:
  std::vector<std::string> words(std::vector<std::string> typed) const {
    std::vector<std::string> texts;
    for (const Offered::Word& word : offered(window_, all_, typed).words) texts.push_back(word.text);
    return texts;
  }
  Offered all_of(std::vector<std::string> typed) const { return offered(window_, all_, typed); }

  /// What bash would put on the line, by the script itself. It parts words at = and : too.
  std::string in_bash(const std::string& line) const {
    std::string parts, word;
    const auto end = [&] {
      if (!word.empty()) parts += " '" + word + "'";
      word.clear();
    };
    bool kept = false;  // behind a backslash
    for (const char c : line) {
      if (std::exchange(kept, c == '\\' && !kept) || (c != ' ' && c != '=' && c != ':')) {
        word += c;
        continue;
      }
      end();
      if (c != ' ') parts += std::string(" '") + c + "'";
    }
    if (line.ends_with(' ') && !line.ends_with("\\ ")) parts += " ''";
    end();
    const std::string script =
        write("try.bash", run({"completions", "bash"}).out + "COMP_LINE='" + line +
                              "' COMP_POINT=" + std::to_string(line.size()) + " COMP_WORDS=(" + parts +
                              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_orrery '" + ORRERY_PROGRAM +
                              "'\necho \"${COMPREPLY[*]}\"\n");
    const int status =
        std::system(("cd '" + path("") + "' && bash '" + script + "' >'" + path(".said") + "' 2>&1").c_str());
    EXPECT_EQ(status, 0) << line;
    std::string said = orrery::cli_test::contents(path(".said"));
    if (said.ends_with('\n')) said.pop_back();
    return said;
  }

 private:
  Command window_ = window_command({});
  std::vector<Command> all_ = commands({});
};

using Words = std::vector<std::string>;

TEST_F(Completion, OffersWhatMayStandThere) {
  EXPECT_EQ(words({"re"}), Words{"render"});
  EXPECT_EQ(words({"render", "rope/rot"}), Words{"rope/rotation"});
  EXPECT_EQ(words({"render", "rope/rotation", "--theme", ""}), (Words{"print", "light", "dark"}));
  EXPECT_EQ(words({"render", "rope/rotation", "--theme=p"}), Words{"--theme=print"});
  EXPECT_EQ(words({"render", "rope/rotation", "--set", "pairi"}), Words{"pairing="});
  EXPECT_EQ(words({"render", "rope/rotation", "--set", "pairing="}),
            (Words{"pairing=interleaved", "pairing=half"}));
  EXPECT_EQ(words({"render", "--compare-m"}), Words{"--compare-mode"});
  EXPECT_EQ(words({"batch", "a.toml", "--format", "pdf,sv"}), Words{"pdf,svg"});
  EXPECT_EQ(words({"apply", "rms_norm", "x.npy", "eps_place="}),
            (Words{"eps_place=inside", "eps_place=outside"}));
  EXPECT_EQ(words({"render", "rope/rotation", "--preset", "llama-3.1-8"}), Words{"llama-3.1-8b"});
  EXPECT_EQ(words({"bench", "softmax", "unem"}), Words{"unembedding"});
  EXPECT_TRUE(all_of({"batch", "a.toml", "-o", ""}).folder);
  EXPECT_EQ(all_of({"identify", ""}).files, (Words{".npy", ".safetensors", ".json", ".csv"}));
  EXPECT_EQ(all_of({"apply", "rms_norm", "x.npy", "weight="}).files, (Words{".npy", ".safetensors"}));
  EXPECT_TRUE(all_of({"render", "rope/model", "--set", "config="}).files);
}

TEST_F(Completion, AnOptionIsOfferedOnce) {
  EXPECT_TRUE(words({"render", "--json", "--js"}).empty());
  EXPECT_EQ(words({"render", "--set", "a=b", "--se"}), Words{"--set"}) << "but for one that may be repeated";
  EXPECT_TRUE(words({"render", "--", "--js"}).empty());
  EXPECT_TRUE(words({"--theme", "dark", "list", "--mark"}) == Words{"--markdown"});
}

TEST_F(Completion, ARecipeSaysItsStudy) {
  const std::string recipe = write("a.toml", "orrery = 1\nstudy = \"rope/rotation\"\n");
  EXPECT_EQ(words({"render", recipe, "--set", "pairi"}), Words{"pairing="});
  EXPECT_TRUE(words({"render", write("b.toml", "nonsense"), "--set", "pairi"}).empty());
}

TEST_F(Completion, NothingThatIsTypedMakesItFail) {
  for (const Words& typed :
       {Words{}, Words{""}, Words{"--"}, Words{"-"}, Words{"="}, Words{"--=", "="}, Words{"nonsense", ""},
        Words{"render", "--set", "="}, Words{"render", "--nosuch=", "x"}, Words{"man", "x", "y"}}) {
    Words arguments{"__complete"};
    arguments.insert(arguments.end(), typed.begin(), typed.end());
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(Completion, ANameThatBreaksALineIsNotOffered) {
  set_environment("XDG_DATA_HOME=" + path("data"));
  fs::create_directories(path("data/orrery/presets/rope/rotation"));
  for (const char* name : {"mine", "bro\nken", "ta\tb"})
    write("data/orrery/presets/rope/rotation/" + std::string(name) + ".toml",
          "orrery = 1\nstudy = \"rope/rotation\"\n");
  std::istringstream said(run({"__complete", "render", "rope/rotation", "--preset", ""}).out);
  std::set<std::string> names;
  for (std::string line; std::getline(said, line);) {
    EXPECT_NE(line.find('\t'), std::string::npos) << line;
    names.insert(line.substr(0, line.find('\t')));
  }
  EXPECT_TRUE(names.contains("mine"));
  for (const char* half : {"bro", "ken", "ta"}) EXPECT_FALSE(names.contains(half)) << half;
}

TEST_F(Completion, InBash) {
  write("a.toml", "");
  write("b.txt", "");
  std::filesystem::create_directory(path("figures"));
  EXPECT_EQ(in_bash("orrery re"), "render");
  EXPECT_EQ(in_bash("orrery render rope/rot"), "rope/rotation");
  EXPECT_EQ(in_bash("orrery render x --theme="), "print light dark");
  EXPECT_EQ(in_bash("orrery render rope/rotation --set pairing=h"), "half");
  EXPECT_EQ(in_bash("orrery render x --animate "), "");
  EXPECT_EQ(in_bash("orrery batch a"), "a.toml");
  EXPECT_EQ(in_bash("orrery batch b"), "") << "no recipe";
  EXPECT_EQ(in_bash("orrery batch a.toml --output=f"), "figures");
  write("w.npy", "");
  EXPECT_EQ(in_bash("orrery apply rms_norm x.npy weight=w"), "w.npy");
  EXPECT_EQ(in_bash("orrery batch a.toml --format svg,p"), "svg,pdf svg,png");
  EXPECT_EQ(in_bash("orrery render rope/rotation --animate bas"), "base=");
  EXPECT_EQ(in_bash("orrery render rope/rotation --animate base="), "");
}

TEST_F(Completion, BashLeadsBehindTheTildeAndKeepsBlanksInNames) {
  fs::create_directories(path("home/notes"));
  fs::create_directories(path("data/orrery/presets/rope/rotation"));
  write("data/orrery/presets/rope/rotation/my base (small).toml", "orrery = 1\nstudy = \"rope/rotation\"\n");
  const char* const home = std::getenv("HOME");
  const std::string before = home ? home : "";
  ::setenv("HOME", path("home").c_str(), 1);
  ::setenv("XDG_DATA_HOME", path("data").c_str(), 1);
  EXPECT_EQ(in_bash("orrery batch ~/n"), "~/notes") << "a folder, whatever ending files need";
  EXPECT_EQ(in_bash("orrery render rope/rotation --preset my"), "my\\ base\\ \\(small\\)");
  EXPECT_EQ(in_bash("orrery render rope/rotation --preset my\\ b"), "my\\ base\\ \\(small\\)");
  EXPECT_EQ(in_bash("orrery render rope/rotation --preset my\\ base\\ "), "my\\ base\\ \\(small\\)");
  const std::string recipe = write("recipe.toml", "orrery = 1\nstudy = \"rope/rotation\"\n");
  EXPECT_EQ(words({"render", recipe, "--preset", "my"}), Words{"my base (small)"});
  ::setenv("HOME", before.c_str(), 1);
  ::unsetenv("XDG_DATA_HOME");
}

/// *(.toml) is all files with the attributes ".toml", which is an error.
TEST_F(Completion, ZshTakesNoEndingForAttributes) {
  const std::string script = run({"completions", "zsh"}).out;
  EXPECT_EQ(script.find("\"*("), script.npos) << script;
}

TEST_F(Completion, EveryShellCanReadItsScript) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const auto script = run({"completions", shell});
    ASSERT_EQ(script.code, 0);
    if (!support::have(shell)) {
      std::printf("%s is not installed: its script was not read\n", shell.c_str());
      continue;
    }
    EXPECT_EQ(std::system((shell + " -n '" + write(shell, script.out) + "'").c_str()), 0) << shell;
  }
  expect_error(2, {"completions", "bsh"}, {"SHELL", "'bsh'", "did you mean 'bash'", "fish"});
  expect_error(2, {"completions"}, {"SHELL", "missing"});
}

}  // namespace
}  // namespace orrery::cli_test::table_test
