// A recipe as a line for a terminal: typed again, it makes the same figure.
#include "app/recipe/command.h"

#include "app/study/changes.h"
#include "tests/app/cli/program.h"

namespace orrery::cli_test::command_test {
namespace {

using Command = orrery::cli_test::Program;
using namespace orrery;

recipe::Recipe plain(const char* id) {
  recipe::Recipe recipe;
  recipe.study = &study::find(id);
  recipe.settings = parameter::Settings(recipe.study->parameters);
  return recipe;
}

/// As a POSIX shell splits it; quotes are all it knows.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\'')
      quoted = !quoted;
    else if (line[i] == '\\' && !quoted)
      words.back() += line[++i];
    else if (line[i] == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += line[i];
  }
  return words;
}

TEST_F(Command, SaysOnlyWhatDiffers) {
  recipe::Recipe recipe = plain("rope/rotation");
  EXPECT_EQ(recipe::command_of(recipe, "f.pdf").line, "orrery render rope/rotation -o f.pdf");
  recipe.settings.set("base", "10000");
  recipe.settings.set("vector", "0.8,-0.4");
  recipe.theme = "dark";
  EXPECT_EQ(
      recipe::command_of(recipe, "my figure.pdf").line,
      "orrery render rope/rotation --set base=10000 --set vector=0.8,-0.4 --theme dark -o 'my figure.pdf'");
  recipe.view.panels.resize(1);
  recipe.view.panels[0].x = figure::Range{0, 1};
  EXPECT_EQ(recipe::command_of(recipe, "f.pdf").left_out, std::vector<std::string>{"the view"});
}

TEST_F(Command, QuotesForAShell) {
  EXPECT_EQ(recipe::shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(recipe::shell_word(""), "''");
  EXPECT_EQ(recipe::shell_word("12cm\u00D78cm"), "12cm\u00D78cm");
}

TEST_F(Command, TypedAgainItIsTheSameRecipe) {
  recipe::Recipe recipe = plain("rope/rotation");
  recipe.settings = study::changed(recipe.settings, "base=12345 vector=0.5,-0.25 pairing=half show=clocks");
  recipe.device = study::DeviceChoice::ref;
  recipe.theme = "light";
  recipe.size = {300, 200};
  recipe.title = true;
  recipe.compare.emplace();
  recipe.compare->study = recipe.study;
  recipe.compare->settings = study::changed(recipe.settings, "base=777 position=3");
  recipe.compare->device = study::DeviceChoice::cpu;
  recipe.compare->mode = figure::CompareMode::overlay;
  const recipe::Command command = recipe::command_of(recipe, path("f.svg"));
  EXPECT_TRUE(command.left_out.empty());
  std::vector<std::string> words = split(command.line);
  words.erase(words.begin());
  const auto made = run(words);
  ASSERT_EQ(made.code, 0) << command.line << '\n' << made.err;
  const recipe::Recipe again = recipe::recipe_from_toml(run({"inspect", path("f.svg")}).out, "f.svg");
  EXPECT_EQ(recipe::to_toml(again), recipe::to_toml(recipe));
}

}  // namespace
}  // namespace orrery::cli_test::command_test
