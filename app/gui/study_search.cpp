#include "app/gui/study_search.h"

#include <algorithm>
#include <map>
#include <string>

#include "app/study/choice_words.h"
#include "core/tensor/remembered.h"

namespace orrery::gui {
namespace {

using language::Language;

/// In English, and in the words of the window.
std::string said(Language language, std::string_view text) {
  std::string both = fold(text);
  if (language != Language::en && !text.empty()) both += '\n' + fold(language::translate(language, text));
  return both + '\n';
}

std::string names_of(const study::Study& study, Language language) {
  return fold(study.id) + '\n' + fold(study.title) + '\n' + said(language, study.topic) +
         fold(synonyms(study.id));
}

/// By its name, its label, and the choices that it has.
std::string said_of(const study::Study& study, const parameter::Parameter& p, Language language) {
  std::string text = fold(p.name) + '\n' + said(language, p.label) + fold(p.choices) + '\n';
  if (language != Language::en)
    for (const std::string_view choice : parameter::choices_of(p))
      text += fold(study::choice_words(language, study, p, choice)) + '\n';
  return text;
}

std::string parameters_of(const study::Study& study, Language language) {
  std::string text;
  for (const parameter::Parameter& p : study.parameters) text += said_of(study, p, language);
  return text;
}

std::string words_of(const study::Study& study, Language language) {
  return said(language, study.summary) + fold(study.formula) + '\n' + said(language, study.about) +
         fold(study.source);
}

/// The label of the parameter that has one of the words.
std::string parameter_that_says(const study::Study& study, const std::vector<std::string>& words,
                                Language language) {
  for (const parameter::Parameter& p : study.parameters) {
    const std::string text = said_of(study, p, language);
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
    std::size_t from = lit.front() > before ? lit.front() - before : 0;
    if (from > 0) {
      // Chinese has no blanks to begin behind: it begins with any of its characters.
      const std::size_t blank = text.find(' ', from);
      if (blank < lit.front()) from = blank + 1;
      while (from < lit.front() && (text[from] & 0xC0) == 0x80) ++from;
    }
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
  for (const std::string& word : words_typed(typed))
    if (const std::size_t at = where.find(word); at != where.npos)
      for (std::size_t i = 0; i < word.size(); ++i) lit.push_back(at + i);
  std::sort(lit.begin(), lit.end());
  lit.erase(std::unique(lit.begin(), lit.end()), lit.end());
  return lit;
}

const Indexed& indexed(const study::Study& study, Language language) {
  static std::map<std::pair<const study::Study*, Language>, Indexed> all;
  return tensor::remembered(all, {&study, language}, [&] {
    return Indexed{fold(language::translate(language, study.title)), names_of(study, language),
                   parameters_of(study, language), words_of(study, language),
                   fold(study.title) + '\n' + fold(study.id)};
  });
}

std::optional<SearchHit> search(const study::Study& study, std::string_view typed, Language language) {
  const std::vector<std::string> words = words_typed(typed);
  const std::optional<IndexMatch> found = match(indexed(study, language), words);
  if (!found) return std::nullopt;
  SearchHit hit{&study, found->found, {}, *found};
  if (hit.found == Found::in_parameters) hit.said = parameter_that_says(study, words, language);
  if (hit.found == Found::in_words) hit.said = piece_that_says(study, typed, language);
  return hit;
}

bool matches(const study::Study& study, std::string_view typed) {
  return search(study, typed).has_value();
}

std::vector<SearchHit> search_all(std::string_view typed, Language language) {
  std::vector<SearchHit> hits;
  for (const study::Study* study : study::studies())
    if (auto hit = search(*study, typed, language)) hits.push_back(std::move(*hit));
  std::stable_sort(hits.begin(), hits.end(), [](const SearchHit& a, const SearchHit& b) {
    if (a.found != b.found) return a.found > b.found;
    if (a.match.named != b.match.named) return a.match.named > b.match.named;
    return a.match.score > b.match.score;
  });
  return hits;
}

}  // namespace orrery::gui
