#include "app/language/dictionary.h"

#include <algorithm>
#include <utility>

namespace orrery::language {
namespace {

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool inside_a_word(char c) {
  return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '/' || c == '.' || c == '\'';
}

/// Two letters in a row: fewer are a symbol.
bool spelled(std::string_view word) {
  return std::adjacent_find(word.begin(), word.end(),
                            [](char a, char b) { return letter(a) && letter(b); }) != word.end();
}

/// The words of a text outside its mathematics: "llama-3.1-8b" is one.
std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  bool math = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '$') {
      math = !math;
    } else if (!math && inside_a_word(text[i])) {
      const std::size_t start = i;
      while (i < text.size() && inside_a_word(text[i])) ++i;
      std::string_view word = text.substr(start, i - start);
      while (!word.empty() && (word.back() == '.' || word.back() == '\'')) word.remove_suffix(1);
      if (spelled(word)) found.push_back(word);
      --i;
    }
  }
  return found;
}

template <class Use>
void each_line(std::string_view text, const Use& use) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    use(text.substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

Dictionary::Dictionary(std::vector<Entry> entries) : entries_(std::move(entries)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    by_key_.emplace(entries_[i].english, i);
    Pattern pattern(entries_[i].english);
    // A place alone would find itself in its own part, for ever.
    if (!pattern.places().empty() && pattern.weight() > 0 && !entries_[i].whole)
      patterns_.push_back({std::move(pattern), Pattern(entries_[i].said), i});
  }
  std::stable_sort(patterns_.begin(), patterns_.end(), [&](const Known& a, const Known& b) {
    return std::pair(b.english.weight(), entries_[a.entry].english) <
           std::pair(a.english.weight(), entries_[b.entry].english);
  });
}

const std::string* Dictionary::exact(std::string_view english) const {
  const auto found = by_key_.find(english);
  return found == by_key_.end() ? nullptr : &entries_[found->second].said;
}

std::optional<Dictionary::Match> Dictionary::match(std::string_view english) const {
  std::optional<Match> first;
  for (const Known& known : patterns_) {
    if (first && !known.english.heading()) continue;
    auto parts = known.english.match(english);
    if (!parts) continue;
    // A heading goes before what would take it for a part of its own: "A: the length is kept" is not "{} kept".
    if (first || !known.english.begins_with_place()) return Match{&known, std::move(*parts)};
    first = Match{&known, std::move(*parts)};
  }
  return first;
}

std::optional<std::string> Dictionary::find(std::string_view english) const {
  if (const std::string* said = exact(english)) return *said;
  if (const auto found = match(english)) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < found->parts.size(); ++i) {
      const Pattern::Place& place = found->pattern->english.places()[i];
      parts.push_back(!place.is_said() ? std::string(found->parts[i])
                      : place.valued   ? in_context(found->parts[i - 1], found->parts[i])
                                       : translate(found->parts[i]));
    }
    return found->pattern->said.fill(parts);
  }
  if (english.find('\n') == std::string_view::npos) return std::nullopt;
  std::string text;
  each_line(english, [&](std::string_view line) { text += (text.empty() ? "" : "\n") + translate(line); });
  return text;
}

std::string Dictionary::translate(std::string_view english) const {
  return find(english).value_or(std::string(english));
}

std::string Dictionary::in_context(std::string_view context, std::string_view word) const {
  const std::string* own = exact(std::string(context) + ": " + std::string(word));
  return own ? *own : translate(word);
}

bool Dictionary::needs_words(std::string_view english) const {
  const auto all = words(english);
  return std::any_of(all.begin(), all.end(), [&](std::string_view word) {
    const std::string* said = exact(word);
    return !said || *said != word;
  });
}

std::vector<std::string> Dictionary::missing(std::string_view english) const {
  std::vector<std::string> all;
  const auto add = [&](std::string_view piece) {
    for (std::string& text : missing(piece)) all.push_back(std::move(text));
  };
  if (!needs_words(english) || exact(english)) return all;
  if (const auto found = match(english)) {
    for (std::size_t i = 0; i < found->parts.size(); ++i)
      if (found->pattern->english.places()[i].is_said()) add(found->parts[i]);
  } else if (english.find('\n') != std::string_view::npos) {
    each_line(english, add);
  } else {
    all.emplace_back(english);
  }
  return all;
}

}  // namespace orrery::language
