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

/// What a notice may say: literals and values that + joins, each value as a place that holds a number.
std::vector<std::string> second_argument(std::string_view source, std::size_t at) {
  constexpr std::string_view value = "7";
  std::vector<std::string> texts(1);
  bool words = false, in_value = false;
  const auto next = [&] {
    if (!words) texts.back().clear();
    if (words) texts.emplace_back();
    words = in_value = false;
  };
  int depth = 0;
  for (; at < source.size() && depth >= 0; ++at) {
    const char c = source[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const bool quotes = c == '"';
    std::string literal;
    if (quotes)
      for (++at; at < source.size() && source[at] != '"'; ++at)
        literal += source[at] == '\\' ? unescaped(source, at) : std::string(1, source[at]);
    if (depth < 0 || (depth == 0 && c == ',')) break;
    if (c == ' ' || c == '\n') continue;
    if (c == ':' && source.substr(at, 2) == "::") {
      ++at;
    } else if (depth == 0 && (c == '?' || c == ':')) {
      next();
    } else if (depth == 0 && c == '+') {
      in_value = false;
    } else if (depth == 0 && quotes) {
      texts.back() += literal;
      words = true;
    } else if (!in_value) {
      texts.back() += value;
      in_value = true;
    }
  }
  next();
  texts.pop_back();
  return texts;
}

/// Those of a function's body, which begins with the next brace; none where it is only declared here.
std::vector<std::string> all_literals(std::string_view source, std::size_t at) {
  at = source.find_first_of("{;", at);
  std::vector<std::string> texts;
  if (at == source.npos || source[at] == ';') return texts;
  int depth = 0;
  for (; at < source.size(); ++at) {
    const char c = source[at];
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) break;
    if (c != '"') continue;
    texts.emplace_back();
    for (++at; at < source.size() && source[at] != '"'; ++at)
      texts.back() += source[at] == '\\' ? unescaped(source, at) : std::string(1, source[at]);
  }
  std::erase(texts, "");
  return texts;
}

/// The texts of each call, and of each notice, in the files of the window, and which file has them.
template <class Texts>
std::map<std::string, std::string> found_in_sources(std::string_view call, const Texts& texts) {
  std::map<std::string, std::string> said;
  for (const auto& file : fs::directory_iterator(orrery::support::source("app/gui"))) {
    std::ostringstream stream;
    stream << std::ifstream(file.path()).rdbuf();
    const std::string source = stream.str();
    for (std::size_t at = source.find(call); at != source.npos; at = source.find(call, at + 1)) {
      const std::size_t line = source.rfind('\n', at) + 1;
      if (source.substr(line, at - line).find("//") != std::string::npos) continue;
      for (const std::string& text : texts(source, at + call.size()))
        said.emplace(text, file.path().filename().string());
    }
  }
  return said;
}

std::map<std::string, std::string> said_in_sources() {
  return found_in_sources("say(", first_argument);
}

/// "opened: 7, 7 figures": behind the kind of a notice.
std::map<std::string, std::string> notices_in_sources() {
  return found_in_sources("Notice::Kind::", [](std::string_view source, std::size_t at) {
    const std::size_t end = source.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at);
    const bool followed = end != source.npos && source[end] == ',';
    return followed ? second_argument(source, end + 1) : std::vector<std::string>{};
  });
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

TEST_P(EveryWord, OfTheNoticesIsInTheTable) {
  const auto all = notices_in_sources();
  EXPECT_GT(all.size(), 20u) << "the test no longer sees the sources";
  EXPECT_TRUE(all.contains("it stands still now; Space lets it run on"));
  EXPECT_TRUE(all.contains("restored: 7"));
  EXPECT_TRUE(all.contains("stopped: there is no figure yet")) << "one of several";
  for (const auto& [text, file] : all) look_at(text, file);
  EXPECT_TRUE(missing_.empty()) << "these lines are missing, with 7 for {}:\n" << missing_;
}

/// Why an action cannot be done: what its hindrance may return.
TEST_P(EveryWord, OfWhatHindersIsInTheTable) {
  std::map<std::string, std::string> all = found_in_sources("std::string_view needs_", all_literals);
  all.merge(found_in_sources(".hindrance = [", all_literals));
  EXPECT_TRUE(all.contains("nothing is left to undo"));
  EXPECT_TRUE(all.contains("this figure has no table"));
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
