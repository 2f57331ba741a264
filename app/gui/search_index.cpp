#include "app/gui/search_index.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/tensor/text_stream.h"

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

/// What a question is made of besides what it asks for.
constexpr std::array<std::string_view, 18> small_words{"a",  "an", "the", "is",   "are",  "of",
                                                       "to", "in", "how", "what", "does", "do",
                                                       "i",  "my", "by",  "for",  "and",  "why"};

constexpr std::string_view ellipsis = "\u2026";  // behind what asks for more: "Export…"

// One word is worth so much where it is found so.
struct Worth {
  int whole, beginning, inside;
};
constexpr Worth in_title{1000, 800, 400}, in_names{900, 650, 300}, in_parameters{600, 450, 200},
    in_words{350, 250, 100};
constexpr int letters_of_one_word = 50;

bool letter_at(std::string_view text, std::size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}
bool script_at(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0x80) != 0;
}

/// The best that a word is worth in a text; 0: it is not there.
int worth_in(std::string_view text, std::string_view word, const Worth& worth) {
  int best = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !letter_at(text, at - 1) || script_at(text, at);
    const std::size_t end = at + word.size();
    const bool ends = !letter_at(text, end) || script_at(text, end - 1);
    best = std::max(best, begins && ends ? worth.whole : begins ? worth.beginning : worth.inside);
    if (best == worth.whole) break;
  }
  return best;
}

/// The letters in their order within one word of the text, from its first letter on.
bool scattered_in_a_word(std::string_view text, std::string_view word) {
  if (word.size() < 3) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != word[0] || (at > 0 && letter_at(text, at - 1))) continue;
    std::size_t next = 0;
    for (std::size_t i = at; letter_at(text, i) && next < word.size(); ++i)
      if (text[i] == word[next]) ++next;
    if (next == word.size()) return true;
  }
  return false;
}

/// One word in one thing, at the best place that has it.
std::optional<IndexMatch> match(const Indexed& thing, std::string_view word) {
  IndexMatch best;
  const auto offer = [&](int score, Found found) {
    if (score > best.score) best = {score, found};
  };
  offer(worth_in(thing.title, word, in_title), Found::in_name);
  offer(worth_in(thing.names, word, in_names), Found::in_name);
  if (best.score == 0) offer(worth_in(thing.parameters, word, in_parameters), Found::in_parameters);
  if (best.score == 0) offer(worth_in(thing.words, word, in_words), Found::in_words);
  if (best.score == 0 && scattered_in_a_word(thing.title, word)) offer(letters_of_one_word, Found::in_name);
  if (best.score > 0) return best;
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Whether the words are one of its names, or begin one.
void name(IndexMatch& found, const Indexed& thing, const std::vector<std::string>& words) {
  const std::string typed = joined(words), names = thing.title + '\n' + thing.called;
  if (typed.empty()) return;
  for (std::size_t start = 0; start < names.size();) {
    const std::size_t end = std::min(names.find('\n', start), names.size());
    const std::string own = joined(words_typed(names.substr(start, end - start)));
    start = end + 1;
    if (!own.starts_with(typed)) continue;
    const IndexMatch here{.named = own == typed ? NameMatch::wholly : NameMatch::from_its_beginning,
                          .letters = own.size()};
    if (!here.named_before(found)) continue;
    found.named = here.named;
    found.letters = here.letters;
  }
}

}  // namespace

std::string fold(std::string_view text) {
  std::string folded(text);
  for (char& c : folded)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (std::ranges::none_of(folded, [](char c) { return (static_cast<unsigned char>(c) & 0xFE) == 0xCE; }))
    return folded;
  for (const auto& [letter, tex] : greek)
    for (std::size_t at = folded.find(letter); at != folded.npos; at = folded.find(letter, at + tex.size()))
      folded.replace(at, letter.size(), tex);
  return folded;
}

std::vector<std::string> words_typed(std::string_view typed) {
  std::vector<std::string> words;
  tensor::TextReader stream(fold(typed));
  for (std::string word; stream >> word;) {
    while (word.size() > 1 && (word.back() == '?' || word.back() == '!')) word.pop_back();
    if (word.size() > ellipsis.size() && word.ends_with(ellipsis)) word.resize(word.size() - ellipsis.size());
    words.push_back(word);
  }
  std::vector<std::string> that_count = words;
  std::erase_if(that_count, [](const std::string& word) {
    return std::ranges::find(small_words, std::string_view(word)) != small_words.end();
  });
  return that_count.empty() ? words : that_count;
}

std::optional<IndexMatch> match(const Indexed& thing, const std::vector<std::string>& words) {
  IndexMatch all;
  for (const std::string& word : words) {
    std::optional<IndexMatch> found = match(thing, std::string_view(word));
    if (!found && word.size() > 3 && word.ends_with('s'))  // several of what is called one
      found = match(thing, std::string_view(word).substr(0, word.size() - 1));
    if (!found) return std::nullopt;
    all.score += found->score;
    all.found = std::min(all.found, found->found);
  }
  if (!words.empty()) all.score /= static_cast<int>(words.size());
  name(all, thing, words);
  return all;
}

}  // namespace orrery::gui
