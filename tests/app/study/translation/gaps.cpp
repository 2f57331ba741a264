#include "tests/app/study/translation/gaps.h"

#include <cctype>
#include <regex>

namespace orrery::study {
namespace {

/// Numbers, and formulas that are nothing else, as places: "position 17" is one of many.
std::string with_places(std::string_view text) {
  static const std::regex number_formula(
      R"(\$[-−0-9., ]*(\\times|\\cdot|\^|\{|\}|\\,|[-−0-9., ])*[0-9][0-9}{.,]*\$)");
  static const std::regex number("[−+-]?[0-9](?:[0-9]|\xE2\x80\x89|[.,](?=[0-9])|[eE][-+]?[0-9])*");
  const std::string formulas = std::regex_replace(std::string(text), number_formula, "{}");
  std::string key, words;
  const auto flush = [&] {
    // A digit inside a name (f32, llama-3) belongs to it.
    std::string kept;
    std::size_t from = 0;
    for (std::sregex_iterator it(words.begin(), words.end(), number), end; it != end; ++it) {
      const auto at = static_cast<std::size_t>(it->position()), behind = at + it->str().size();
      const bool named =
          (at > 0 && (std::isalnum(static_cast<unsigned char>(words[at - 1])) || words[at - 1] == '.')) ||
          (behind < words.size() && std::isalpha(static_cast<unsigned char>(words[behind])));
      kept += words.substr(from, at - from) + (named ? it->str() : "{}");
      from = behind;
    }
    key += kept + words.substr(from);
    words.clear();
  };
  bool math = false;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (formulas[i] == '$' && (i == 0 || formulas[i - 1] != '\\')) {
      if (!math) flush();
      math = !math;
      key += '$';
    } else {
      (math ? key : words) += formulas[i];
    }
  }
  flush();
  for (std::size_t at; (at = key.find("{}{}")) != key.npos;) key.erase(at, 2);
  return key;
}

std::string toml_string(std::string_view text) {
  if (text.find('\\') != text.npos && text.find_first_of("'\n") == text.npos)
    return "'" + std::string(text) + "'";
  std::string toml = "\"";
  for (const char c : text) {
    if (c == '\n') {
      toml += "\\n";
    } else {
      if (c == '"' || c == '\\') toml += '\\';
      toml += c;
    }
  }
  return toml + "\"";
}

}  // namespace

void Gaps::look_at(std::string_view english) {
  for (const std::string& piece : dictionary_.missing(english))
    lines_.try_emplace(with_places(piece), english);
}

std::string Gaps::toml() const {
  std::string text;
  for (const auto& [key, example] : lines_) {
    if (key != example) text += "# " + std::regex_replace(example, std::regex("\n"), "\\n") + "\n";
    text += toml_string(key) + " = \"\"\n";
  }
  return text;
}

}  // namespace orrery::study
