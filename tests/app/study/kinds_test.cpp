// A study with a parameter of every kind goes through all the doors: --set, recipes, chance, differences, words.
#include <gtest/gtest.h>

#include "app/recipe/command.h"
#include "app/recipe/comparison.h"
#include "app/recipe/recipe.h"
#include "app/recipe/side_text.h"
#include "app/study/changes.h"
#include "app/study/kit.h"
#include "app/study/translate.h"
#include "core/tensor/error.h"
#include "tests/app/study/draw.h"

namespace orrery::study::kinds_test {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    text("sentence", "Sentence", "the cat sat", {1, 40}, "what is read, word by word"),
    matrix("weights", "Weights", "1,0;0,1", {-4, 4}, "rows that turn a vector", {.length = 2}),
    matrix("turn", "Turn", "0,-1;1,0", {-1, 1}, "a square", {.length = 2, .rows = 2}),
    numbers("vector", "Vector", "1,0", {-1, 1}, "what is turned", {.length = 2}),
});

/// Every row of the weights times the vector; how many words there are.
StudyResult compute(const Settings& settings, const Run&) {
  const Matrix weights = matrix_of(settings, "weights");
  const std::vector<double>& v = settings.vector("vector");
  const std::string sentence = settings.text("sentence");
  Series products("products", {"row", "", counted(weights.rows())});
  products.add("product",
               [&](double r) { return weights(Index(r), 0) * v[0] + weights(Index(r), 1) * v[1]; });
  Picture picture("Rows times a vector", "A point for each row.");
  picture.at({0, 0}, "products",
             {.title = sentence, .x = counts("row"), .y = values(), .marks = {products.points("product")}});
  const double words = number(1 + std::ranges::count(sentence, ' '));
  return {std::move(picture).figure(settings, {}), {products.table()}, {{"a text has words", -words, -1}}};
}

constexpr auto tries = std::to_array<Try>({
    {"A longer sentence.", "sentence='the cat sat on the mat'"},
    {"Three rows.", "weights=1,2;3,4;0.5,-1 vector=1,1"},
});

const Study every_kind{.id = "test/kinds",
                       .title = "Kinds",
                       .topic = "Tests",
                       .summary = "a parameter of every kind",
                       .formula = "W v",
                       .about = "For tests.",
                       .source = "none",
                       .parameters = parameters,
                       .tries = tries,
                       .compute = compute};

Settings defaults() {
  return Settings(every_kind.parameters);
}

std::string complaint(std::string_view name, std::string_view text) {
  try {
    defaults().set(name, text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Kinds, AreSetAsTheyAreTyped) {
  Settings settings = defaults();
  EXPECT_EQ(settings.text("weights"), "1,0;0,1");
  settings.set("weights", " 1, 1/2 ; 2^2,-1;0,0 ");
  EXPECT_EQ(settings.text("weights"), "1,0.5;4,-1;0,0");
  EXPECT_EQ(matrix_of(settings, "weights").rows(), 3);
  EXPECT_EQ(matrix_of(settings, "weights")(1, 0), 4);
  settings.set("sentence", "  Grüße, 语  ");
  EXPECT_EQ(settings.text("sentence"), "  Grüße, 语  ");  // kept as it is
  EXPECT_FALSE(settings == defaults());
  EXPECT_NE(settings.hash(), defaults().hash());
}

TEST(Kinds, BadOnesGetOneClearLine) {
  EXPECT_EQ(complaint("weights", "1,0;0"),
            "weights: '1,0;0' has rows of different lengths; allowed: rows, separated by semicolons, of 2 "
            "numbers, separated by commas, each from -4 to 4");
  EXPECT_EQ(
      complaint("turn", "1,0"),
      "turn: '1,0' has 1 row; allowed: 2 rows, separated by semicolons, of 2 numbers, separated by commas, "
      "each from -1 to 1");
  EXPECT_NE(complaint("weights", "1,0;;0,1").find("has an empty row"), std::string::npos);
  EXPECT_NE(complaint("weights", "1;2").find("has 1 column;"), std::string::npos);
  EXPECT_NE(complaint("weights", "1,5").find("is out of range"), std::string::npos);
  EXPECT_NE(complaint("weights", "1,x").find("is not a number"), std::string::npos);
  EXPECT_NE(complaint("turn", "").find("has 0 rows"), std::string::npos);
  EXPECT_EQ(complaint("sentence", ""),
            "sentence: '' has 0 characters; allowed: a line of text, from 1 to 40 characters");
  EXPECT_NE(complaint("sentence", std::string(41, 'a')).find("has 41 characters"), std::string::npos);
  EXPECT_EQ(complaint("sentence", std::string(40, 'a')), "accepted");
  std::string forty;
  for (int i = 0; i < 40; ++i) forty += "语";  // characters are counted, not bytes
  EXPECT_EQ(complaint("sentence", forty), "accepted");
  EXPECT_NE(complaint("sentence", "two\nlines").find("holds control characters"), std::string::npos);
  EXPECT_NE(complaint("sentence", std::string_view("a\0b", 3)).find("holds a zero byte"), std::string::npos);
  // A cut character, one spelled with too many bytes, half of a pair, and one beyond the last.
  for (const char* bytes :
       {"\xE8\xAF", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "a\x80"})
    EXPECT_NE(complaint("sentence", bytes).find("is not UTF-8"), std::string::npos);
}

TEST(Kinds, AreWrittenAndReadInRecipes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Settings settings = drawn(every_kind, seed);
    SCOPED_TRACE(described(settings));
    const std::string toml = recipe::parameters_text(settings, "");
    const recipe::RecipeReader reader(toml, "a.toml");
    Settings read = defaults();
    recipe::read_parameters(reader, *reader.root().get_as<toml::table>("parameters"), read);
    EXPECT_EQ(read, settings) << toml;
  }
  EXPECT_NE(recipe::parameters_text(defaults(), "").find("weights = [[1.0, 0.0], [0.0, 1.0]]\n"),
            std::string::npos)
      << recipe::parameters_text(defaults(), "");
}

TEST(Kinds, RecipesThatAreWrongAreRefused) {
  for (const char* line : {"weights = [1, 2]", "weights = [[1, 2], [3]]", "weights = [[1, 'a']]",
                           "weights = 'x'", "weights = [[]]", "weights = [[9, 9]]", "sentence = 3",
                           "sentence = ['a']", "sentence = \"two\\nlines\""}) {
    SCOPED_TRACE(line);
    const std::string toml = "[parameters]\n" + std::string(line) + "\n";
    const recipe::RecipeReader reader(toml, "a.toml");
    Settings settings = defaults();
    try {
      recipe::read_parameters(reader, *reader.root().get_as<toml::table>("parameters"), settings);
      FAIL() << "read";
    } catch (const Failure& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("a.toml:2:")) << error.what();
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    }
  }
}

TEST(Kinds, AreComputedWithWhateverIsDrawn) {
  std::set<std::string> sentences, weights;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Settings settings = drawn(every_kind, seed);
    SCOPED_TRACE(described(settings));
    const StudyResult result = every_kind.compute(settings, study::Run());
    EXPECT_TRUE(result.checks[0].holds());
    EXPECT_EQ(result.tables[0].columns[0].values.size(), settings.matrix("weights").rows);
    sentences.insert(settings.text("sentence"));
    weights.insert(settings.text("weights"));
  }
  EXPECT_GT(sentences.size(), 30u);
  EXPECT_GT(weights.size(), 30u);
}

TEST(Kinds, AreToldApartInWords) {
  const Settings longer = changed(defaults(), every_kind.tries[0].changes);
  EXPECT_EQ(longer.text("sentence"), "the cat sat on the mat");
  const Settings other = changed(longer, "weights=1,2;3,4;0.5,-1 vector=1,1");
  EXPECT_EQ(recipe::differing(defaults(), other).size(), 3u);
  EXPECT_EQ(recipe::value_text(parameters[0], longer), "the cat sat on the mat");
  EXPECT_EQ(recipe::value_text(parameters[1], other), "3 × 2: 1, 2, 3, 4, …");
  EXPECT_EQ(changed(defaults(), "sentence='a=b c'").text("sentence"), "a=b c");
  EXPECT_EQ(changed(defaults(), "sentence=o'clock").text("sentence"), "o'clock");
}

TEST(Kinds, StandInACommandAsAShellReadsThem) {
  recipe::Recipe recipe;
  recipe.study = &every_kind;
  recipe.settings = changed(defaults(), "sentence='it is' weights=1,2;3,4");
  const std::string line = recipe::command_of(recipe, "a.pdf").line;
  EXPECT_NE(line.find("--set 'sentence=it is' --set 'weights=1,2;3,4'"), std::string::npos) << line;
}

TEST(Kinds, TheirDeclarationsAreSaid) {
  std::set<std::string> said;
  each_declared_text(every_kind, [&](std::string_view text) { said.insert(std::string(text)); });
  for (const char* each : {"Sentence", "what is read, word by word", "Weights", "rows that turn a vector"})
    EXPECT_TRUE(said.contains(each)) << each;
}

}  // namespace
}  // namespace orrery::study::kinds_test
