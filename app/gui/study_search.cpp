#include "app/gui/study_search.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

namespace orrery::gui {
namespace {

struct Letter {
  std::string_view letter, tex;
};
constexpr std::array greek{
    Letter{"\u03B1", "\\alpha"},  Letter{"\u03B2", "\\beta"},    Letter{"\u03B3", "\\gamma"},
    Letter{"\u03B4", "\\delta"},  Letter{"\u03B5", "\\epsilon"}, Letter{"\u03B6", "\\zeta"},
    Letter{"\u03B7", "\\eta"},    Letter{"\u03B8", "\\theta"},   Letter{"\u03B9", "\\iota"},
    Letter{"\u03BA", "\\kappa"},  Letter{"\u03BB", "\\lambda"},  Letter{"\u03BC", "\\mu"},
    Letter{"\u03BD", "\\nu"},     Letter{"\u03BE", "\\xi"},      Letter{"\u03C0", "\\pi"},
    Letter{"\u03C1", "\\rho"},    Letter{"\u03C3", "\\sigma"},   Letter{"\u03C4", "\\tau"},
    Letter{"\u03C6", "\\varphi"}, Letter{"\u03C7", "\\chi"},     Letter{"\u03C8", "\\psi"},
    Letter{"\u03C9", "\\omega"},  Letter{"\u03A6", "\\phi"},     Letter{"\u03A3", "\\sum"}};

/// In small letters, Greek ones by their names in TeX: what is typed and what is searched meet here.
std::string plain(std::string_view text) {
  std::string folded(text);
  for (char& c : folded)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const auto& [letter, tex] : greek)
    for (std::size_t at = folded.find(letter); at != folded.npos; at = folded.find(letter, at + tex.size()))
      folded.replace(at, letter.size(), tex);
  return folded;
}

using language::Language;

/// In English, and in the words of the window.
std::string said(Language language, std::string_view text) {
  std::string both = plain(text);
  if (language != Language::en && !text.empty()) both += '\n' + plain(language::translate(language, text));
  return both + '\n';
}

std::string names_of(const study::Study& study, Language language) {
  return plain(study.id) + '\n' + said(language, study.title) + said(language, study.topic);
}

std::string parameters_of(const study::Study& study, Language language) {
  std::string text;
  for (const parameter::Parameter& p : study.parameters)
    text += plain(p.name) + '\n' + said(language, p.label) + said(language, p.choices);
  return text;
}

std::string words_of(const study::Study& study, Language language) {
  return said(language, study.summary) + plain(study.formula) + '\n' + said(language, study.about) +
         plain(study.source);
}

std::vector<std::string> words_typed(std::string_view typed) {
  std::vector<std::string> words;
  std::istringstream stream(plain(typed));
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The label of the parameter that has one of the words.
std::string parameter_that_says(const study::Study& study, const std::vector<std::string>& words,
                                Language language) {
  for (const parameter::Parameter& p : study.parameters) {
    const std::string text = plain(p.name) + '\n' + said(language, p.label) + said(language, p.choices);
    for (const std::string& word : words)
      if (text.find(word) != text.npos) return language::translate(language, p.label);
  }
  return {};
}

/// A few words around the place, without formulas; empty where it is in one.
std::string piece_that_says(const study::Study& study, std::string_view typed, Language language) {
  constexpr std::size_t before = 18, after = 60;
  for (const std::string_view part : {study.summary, study.about, study.source}) {
    const std::string text = language::translate(language, part);
    const std::vector<std::size_t> lit = typed_in(text, typed);
    if (lit.empty()) continue;
    std::size_t from = lit.front() > before ? text.find(' ', lit.front() - before) + 1 : 0;
    if (from > lit.front()) from = lit.front();
    std::size_t end = std::min(from + after, text.size());
    while (end < text.size() && (text[end] & 0xC0) == 0x80) --end;  // no half character
    std::string piece = (from > 0 ? "\u2026" : "") + text.substr(from, end - from);
    if (piece.find('$') == piece.npos) return piece;
  }
  return {};
}

}  // namespace

std::vector<std::size_t> typed_in(std::string_view text, std::string_view typed) {
  const auto small = [](std::string_view letters) {
    std::string folded(letters);
    for (char& c : folded)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return folded;
  };
  const std::string where = small(text);
  std::vector<std::size_t> lit;
  std::istringstream stream(small(typed));
  for (std::string word; stream >> word;)
    if (const std::size_t at = where.find(word); at != where.npos)
      for (std::size_t i = 0; i < word.size(); ++i) lit.push_back(at + i);
  std::sort(lit.begin(), lit.end());
  lit.erase(std::unique(lit.begin(), lit.end()), lit.end());
  return lit;
}

std::optional<SearchHit> search(const study::Study& study, std::string_view typed, Language language) {
  const std::vector<std::string> words = words_typed(typed);
  const std::string names = names_of(study, language), parameters = parameters_of(study, language),
                    rest = words_of(study, language);
  Found worst = Found::in_name;
  for (const std::string& word : words) {
    Found found = Found::in_name;
    if (names.find(word) == names.npos) found = Found::in_parameters;
    if (found == Found::in_parameters && parameters.find(word) == parameters.npos) found = Found::in_words;
    if (found == Found::in_words && rest.find(word) == rest.npos) return std::nullopt;
    worst = std::min(worst, found);
  }
  SearchHit hit{&study, worst, {}};
  if (worst == Found::in_parameters) hit.said = parameter_that_says(study, words, language);
  if (worst == Found::in_words) hit.said = piece_that_says(study, typed, language);
  return hit;
}

bool matches(const study::Study& study, std::string_view typed) {
  return search(study, typed).has_value();
}

std::vector<SearchHit> search_all(std::string_view typed, Language language) {
  std::vector<SearchHit> hits;
  for (const study::Study* study : study::studies())
    if (auto hit = search(*study, typed, language)) hits.push_back(std::move(*hit));
  std::stable_sort(hits.begin(), hits.end(),
                   [](const SearchHit& a, const SearchHit& b) { return a.found > b.found; });
  return hits;
}

}  // namespace orrery::gui
