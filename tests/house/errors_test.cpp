// Errors are data: every pattern that the sources make one of is said in every language, none of them is a leftover, and no
// sentence is taken apart again.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::house::errors_test {
namespace {

namespace fs = std::filesystem;
const fs::path root = orrery::support::source();

using orrery::support::contents;

/// Every source of core/ and app/, by its path from the root.
const std::map<std::string, std::string>& sources() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found;
    for (const char* top : {"core", "app"})
      for (const auto& entry : fs::recursive_directory_iterator(root / top))
        if (const fs::path& file = entry.path(); file.extension() == ".h" || file.extension() == ".cpp")
          found.emplace(fs::relative(file, root).string(), contents(file));
    return found;
  }();
  return all;
}

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void skip_blanks(std::string_view text, std::size_t& at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
}

/// The text of the literals that stand there, one behind the other; nothing where there is none.
std::optional<std::string> literal_at(std::string_view text, std::size_t at) {
  std::optional<std::string> said;
  for (skip_blanks(text, at); at < text.size() && text[at] == '"'; skip_blanks(text, at)) {
    if (!said) said.emplace();
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\') ++at;
      *said += text[at];
    }
    ++at;
  }
  return said;
}

/// The literals behind `call(`, in the code and not in its comments.
void collect(std::string_view text, std::string_view call, std::set<std::string>& all) {
  for (std::size_t at = 0; (at = text.find(call, at)) != text.npos; ++at) {
    const std::string_view line = text.substr(text.rfind('\n', at) + 1);
    if (line.substr(line.find_first_not_of(" \t")).starts_with("//")) continue;
    if (in_name(call[0]) && at > 0 && in_name(text[at - 1])) continue;  // the end of a longer name
    if (const auto said = literal_at(text, at + call.size())) all.insert(*said);
  }
}

/// Two letters in a row: less is a sign, and needs no words.
bool has_words(const std::string& pattern) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return std::ranges::adjacent_find(pattern, [&](char a, char b) { return letter(a) && letter(b); }) !=
         pattern.end();
}

/// What complaints are made of, and what the commands print.
std::set<std::string> patterns() {
  std::set<std::string> all;
  for (const auto& [file, text] : sources()) {
    if (file.starts_with("app/export/math/")) continue;  // a parser with words of its own
    for (const char* call : {"words(", "wrong(", ".fault(", ".allowed(", ".led_by("})
      collect(text, call, all);
    if (file.starts_with("app/cli/")) collect(text, "say(", all);
  }
  std::erase_if(all, [](const std::string& pattern) { return !has_words(pattern); });
  return all;
}

std::set<std::string> keys(const fs::path& table) {
  std::set<std::string> all;
  for (const auto& [key, said] : toml::parse_file(table.string())) all.emplace(key.str());
  return all;
}

TEST(Errors, AreSaidInEveryLanguage) {
  const std::set<std::string> needed = patterns();
  EXPECT_GT(needed.size(), 400u) << "the test no longer sees the sources";
  int languages = 0;
  for (const auto& language : fs::directory_iterator(root / "assets/translations")) {
    if (!language.is_directory()) continue;
    ++languages;
    std::set<std::string> said;
    for (const auto& table : fs::directory_iterator(language)) said.merge(keys(table.path()));
    for (const std::string& pattern : needed)
      EXPECT_TRUE(said.contains(pattern))
          << language.path().filename() << " lacks:\n\"" << pattern << "\" = \"\"";
  }
  EXPECT_GT(languages, 0);
}

/// Why a comparison shows another figure than was asked for: no errors, but remarks, which are said like them.
TEST(Errors, RemarksOfAComparisonAreSaid) {
  std::set<std::string> remarks;
  for (const auto& [file, text] : sources()) {
    if (!file.starts_with("app/figure/compare") && !file.ends_with("difference.cpp")) continue;
    for (const char* call :
         {"{{}, ", "std::move(out), ", "remarks.push_back(", "done = ", "reason = ", "? ", "? \"\" : "})
      collect(text, call, remarks);
  }
  std::erase_if(remarks, [](const std::string& text) { return text.find("A and B ") == text.npos; });
  EXPECT_GE(remarks.size(), 12u) << "the test no longer sees the sources";
  for (const auto& language : fs::directory_iterator(root / "assets/translations")) {
    if (!language.is_directory()) continue;
    const std::set<std::string> said = keys(language.path() / "compare.toml");
    // "{}, so A and B stand side by side" says what was to be shown; why is a part of it.
    for (const std::string& remark : remarks)
      EXPECT_TRUE(said.contains(remark.substr(0, remark.find(", so A and B stand"))))
          << language.path().filename() << " lacks:\n\"" << remark << "\" = \"\"";
  }
}

TEST(Errors, LeaveNoPhraseBehind) {
  std::set<std::string> literals = patterns();
  // What a key of a recipe takes is a literal among others.
  for (const char* reader : {"app/recipe/recipe.cpp", "app/recipe/page_text.cpp", "app/recipe/side_text.cpp",
                             "app/recipe/page_fields.cpp"})
    for (std::string_view text = sources().at(reader); const char* call : {", ", "= ", "? "})
      collect(text, call, literals);
  for (const auto& language : fs::directory_iterator(root / "assets/translations")) {
    if (!language.is_directory()) continue;
    for (const char* table : {"errors.toml", "commands.toml"})
      for (const std::string& key : keys(language.path() / table))
        EXPECT_TRUE(literals.contains(key) || !has_words(key)) << table << ": nobody says \"" << key << "\"";
  }
}

TEST(Errors, AreMadeOfParts) {
  for (const auto& [file, text] : sources()) {
    if (file == "core/tensor/error.h") continue;
    for (const std::string_view thrown : {"InvalidArgument(", "Failure(", "Declined(", "TooDeep("})
      for (std::size_t at = 0; (at = text.find(thrown, at)) != text.npos; ++at) {
        std::size_t behind = at + thrown.size();
        skip_blanks(text, behind);
        const std::string_view rest = std::string_view(text).substr(behind);
        EXPECT_FALSE(rest.starts_with('"') || rest.starts_with("std::string") ||
                     rest.starts_with("std::to_string"))
            << file << ": a sentence: " << rest.substr(0, 60);
      }
  }
}

TEST(Errors, AreNotTakenApart) {
  // Who reads what(), and why: a library's own words have no parts, and these show a line as it is.
  const std::map<std::string, std::string> readers{
      {"core/tensor/error.h", "it is what() itself"},
      {"core/tensor/complaint.cpp", "of an exception that is none of ours"},
      {"core/file/json.cpp", "the parser's words"},
      {"core/model/json.cpp", "the parser's words, without their code"},
      {"app/cli/parse.cpp", "the parser's words"},
      {"app/export/pdf.cpp", "the words of the library that reads it"},
      {"app/study/gpu_report.cpp", "shown whole"},
      {"app/gui/session_toml.cpp", "shown whole"},
      {"app/gui/clipboard.cpp", "shown whole"}};
  for (const auto& [file, text] : sources()) {
    for (std::size_t at = 0; (at = text.find("what()", at)) != text.npos; ++at) {
      if (at > 0 && in_name(text[at - 1])) continue;  // undo_what()
      EXPECT_TRUE(readers.contains(file)) << file << ": complaint_of(error) has the parts";
    }
  }
}

}  // namespace
}  // namespace orrery::house::errors_test
