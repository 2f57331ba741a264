#include "app/study/position/sum_text.h"

#include <cstdint>

#include "app/study/kit/words.h"

namespace orrery::study {
namespace {

constexpr std::uint32_t typed_ids = 10000;  // `words` may name those below

/// Of the letters alone: "The" is "the". FNV-1a, folded to the ids above those that are typed.
double id_of(const std::string& word) {
  std::uint32_t hash = 2166136261U;
  for (const char c : uncapitalised(word)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return number(typed_ids + hash % (UINT32_MAX - 2 * typed_ids));
}

/// As it is typed in every language: letters as upright mathematics, which no dictionary looks up ("on" is a word of the
/// window too). Of other words a dollar sign begins no formula.
std::string shown(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (std::ranges::all_of(word, is_plain)) return "$\\mathrm{" + word + "}$";
  std::string text;
  for (const char c : word) text += c == '$' ? std::string("\\$") : std::string(1, c);
  return text;
}

}  // namespace

SentenceOfWords sentence_of(const Settings& settings, double deviation) {
  SentenceOfWords text;
  for (const double wanted : settings.vector("words")) {
    if (text.ids.size() == most_words) break;
    text.ids.push_back(std::round(wanted));
    text.words.push_back(parameter::shortest(text.ids.back()));
  }
  if (text.ids.empty()) {
    for (const std::string& word : words_in(settings.text("text"))) {
      if (text.ids.size() == most_words) break;
      text.ids.push_back(id_of(word));
      text.words.push_back(shown(word));
    }
  }
  if (text.ids.empty()) text.ids = {0}, text.words = {"0"};
  std::vector<double> known;
  for (const double id : text.ids) {
    const auto at = std::ranges::find(known, id);
    text.rows.push_back(at - known.begin());
    if (at == known.end()) known.push_back(id);
  }
  const Index width = settings.integer("width");
  text.table.resize(std::ssize(known), width);
  for (Index v = 0; v < std::ssize(known); ++v)  // a word's stream is its id: the same vector in every text
    text.table.row(v) =
        tensor::Random(seed_of(settings), static_cast<std::uint32_t>(known[static_cast<std::size_t>(v)]))
            .normals(1, width);
  text.table = twin::rounded(text.table * deviation);
  return text;
}

Matrix other_words(const Settings& settings, double deviation, Index count) {
  return tensor::Random(seed_of(settings), UINT32_MAX).normals(count, 2) * deviation;
}

}  // namespace orrery::study
