// Everything that the window says has its words in every language: the texts given to say() in the sources, and what
// the registry of actions says. What has none is printed as lines for assets/translations/LANGUAGE/interface.toml.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "app/gui/actions.h"
#include "app/language/dictionary.h"
#include "app/language/language.h"
#include "app/recipe/page_fields.h"
#include "tests/support/source.h"

namespace orrery::gui::words_test {
namespace {

namespace fs = std::filesystem;

/// The character behind a backslash, and how many letters said it.
std::string unescaped(std::string_view source, std::size_t& at) {
  const char c = source[++at];
  if (c == 'n') return "\n";
  if (c != 'u') return std::string(1, c);
  const unsigned code = std::stoul(std::string(source.substr(at + 1, 4)), nullptr, 16);
  at += 4;
  std::string utf8;
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

/// The literals of a call's first argument, those of one text that are written side by side joined.
std::vector<std::string> first_argument(std::string_view source, std::size_t at) {
  std::vector<std::string> texts;
  int depth = 1;
  bool joins = false;  // nothing but space since the last literal
  for (; at < source.size() && depth > 0; ++at) {
    const char c = source[at];
    if (c == '"') {
      if (!joins) texts.emplace_back();
      for (++at; at < source.size() && source[at] != '"'; ++at)
        texts.back() += source[at] == '\\' ? unescaped(source, at) : std::string(1, source[at]);
      joins = true;
      continue;
    }
    if (c != ' ' && c != '\n') joins = false;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 1) break;
  }
  return texts;
}

/// Text → the file that says it.
std::map<std::string, std::string> said_in_sources() {
  std::map<std::string, std::string> said;
  for (const auto& file : fs::directory_iterator(orrery::support::source("app/gui"))) {
    std::ostringstream stream;
    stream << std::ifstream(file.path()).rdbuf();
    const std::string source = stream.str();
    constexpr std::string_view call = "say(";
    for (std::size_t at = source.find(call); at != source.npos; at = source.find(call, at + 1)) {
      const std::size_t line = source.rfind('\n', at) + 1;
      if (source.substr(line, at - line).find("//") != std::string::npos) continue;
      for (const std::string& text : first_argument(source, at + call.size()))
        said.emplace(text, file.path().filename().string());
    }
  }
  return said;
}

class EveryWord : public testing::TestWithParam<language::Named> {
 protected:
  void look_at(std::string_view english, std::string_view where) {
    // As it stands: what only a pattern finds may be found by another one tomorrow.
    if (dictionary().exact(english) || dictionary().missing(english).empty()) return;
    missing_ += "# " + std::string(where) + "\n\"" + std::string(english) + "\" = \"\"\n";
  }
  const language::Dictionary& dictionary() { return language::dictionary(GetParam().language); }
  std::string missing_;
};

TEST_P(EveryWord, OfTheSourcesIsInTheTable) {
  const auto all = said_in_sources();
  EXPECT_GT(all.size(), 80u) << "the test no longer sees the sources";
  EXPECT_TRUE(all.contains("Export"));
  EXPECT_TRUE(all.contains("{} checks hold"));
  for (const auto& [text, file] : all) look_at(text, file);
  EXPECT_TRUE(missing_.empty()) << "these lines are missing:\n" << missing_;
}

TEST_P(EveryWord, OfTheActionsIsInTheTable) {
  for (const Group group : groups) look_at(group_name(group), "the menus");
  for (const Action& action : actions()) look_at(action.label, action.id);
  EXPECT_TRUE(missing_.empty()) << "these lines are missing:\n" << missing_;
}

TEST_P(EveryWord, OfThePageIsInTheTable) {
  for (const recipe::PageField& field : recipe::page_fields()) {
    EXPECT_NE(field.label, "") << field.key;
    look_at(field.label, field.key);
  }
  EXPECT_TRUE(missing_.empty()) << "these lines are missing:\n" << missing_;
}

INSTANTIATE_TEST_SUITE_P(Window, EveryWord,
                         testing::ValuesIn(language::languages().begin() + 1, language::languages().end()),
                         [](const auto& each) { return std::string(each.param.code); });

}  // namespace
}  // namespace orrery::gui::words_test
