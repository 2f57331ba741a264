#include "app/gui/fuzzy.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace orrery::gui {
namespace {

// One word of what was typed is worth so much where it is found so; a letter that is passed over costs one.
constexpr int at_a_beginning = 300, somewhere = 200, scattered = 100;
constexpr int whole_word = 30, letter_at_a_beginning = 8, letters_together = 4;

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The first byte of a word; every character of a script without letters is one.
bool begins_word(std::string_view text, std::size_t at) {
  const auto letter = [&](std::size_t i) { return std::isalnum(static_cast<unsigned char>(text[i])) != 0; };
  if ((text[at] & 0x80) != 0) return (text[at] & 0xC0) != 0x80;
  return at == 0 || !letter(at - 1);
}

void mark(FuzzyMatch& match, std::size_t from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) match.where.push_back(from + i);
}

bool as_it_is(std::string_view word, std::string_view text, FuzzyMatch& match) {
  std::size_t best = text.npos;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    if (best == text.npos) best = at;
    if (!begins_word(text, at)) continue;
    best = at;
    break;
  }
  if (best == text.npos) return false;
  const std::size_t end = best + word.size();
  const bool beginning = begins_word(text, best);
  match.score += beginning ? at_a_beginning : somewhere;
  if (beginning && (end == text.size() || begins_word(text, end) || text[end] == ' '))
    match.score += whole_word;
  match.score -= static_cast<int>(std::min<std::size_t>(best, 50));
  mark(match, best, word.size());
  return true;
}

bool letter_by_letter(std::string_view word, std::string_view text, FuzzyMatch& match) {
  std::size_t at = 0, last = text.npos;
  int score = scattered;
  std::vector<std::size_t> where;
  for (const char letter : word) {
    // The beginning of a later word rather than the next best place within this one.
    std::size_t next = text.find(letter, at);
    if (next == text.npos) return false;
    for (std::size_t i = next; i < text.size(); ++i)
      if (text[i] == letter && (begins_word(text, i) || (last != text.npos && i == last + 1))) {
        // Only if the rest of the word still finds its letters behind it.
        std::size_t rest = i + 1;
        bool all = true;
        for (const char later : word.substr(where.size() + 1)) {
          rest = text.find(later, rest);
          if (rest == text.npos) {
            all = false;
            break;
          }
          ++rest;
        }
        if (all) next = i;
        break;
      }
    if (begins_word(text, next)) score += letter_at_a_beginning;
    if (last != text.npos && next == last + 1) score += letters_together;
    score -= static_cast<int>(std::min<std::size_t>(next - at, 20));
    where.push_back(next);
    last = next;
    at = next + 1;
  }
  match.score += score;
  match.where.insert(match.where.end(), where.begin(), where.end());
  return true;
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text) {
  std::string low(text), words(typed);
  std::transform(low.begin(), low.end(), low.begin(), small);
  std::transform(words.begin(), words.end(), words.begin(), small);
  FuzzyMatch match;
  for (std::size_t at = words.find_first_not_of(' '); at < words.size();
       at = words.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = std::string_view(words).substr(at, end - at);
    if (!as_it_is(word, low, match) && !letter_by_letter(word, low, match)) return std::nullopt;
    at = end;
  }
  std::sort(match.where.begin(), match.where.end());
  match.where.erase(std::unique(match.where.begin(), match.where.end()), match.where.end());
  return match;
}

}  // namespace orrery::gui
