#include "app/study/kit/words.h"

#include <algorithm>

#include "core/tensor/error.h"
#include "core/tensor/hash.h"

namespace orrery::study {

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool open = false;  // the last word goes on
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const std::string letter(text.substr(at, bytes));
    at += bytes;
    const bool space = letter == " " || (letter >= "\t" && letter <= "\r") || letter == "\u3000";
    const bool ideograph = bytes >= 3 && lead >= 0xe3;  // from U+3000 on
    if (!space && open && !ideograph)
      words.back() += letter;
    else if (!space)
      words.push_back(letter);
    open = !space && !ideograph;
  }
  return words;
}

std::vector<std::string> words_in(const parameter::Settings& settings, std::string_view name,
                                  std::size_t most) {
  std::vector<std::string> words = words_in(settings.text(name));
  if (words.empty() || words.size() > most)
    throw InvalidArgument(about(Subject::Kind::parameter, std::string(name))
                              .found(std::to_string(words.size()))
                              .fault("it has {} words", std::to_string(words.size()))
                              .allowed("{} to {}", 1, most));
  return words;
}

std::string uncapitalised(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::string as_typed(std::string_view word) {
  std::string typed;
  for (const char c : word) typed += c == '$' ? std::string("\\$") : std::string(1, c);
  return typed;
}

std::vector<std::string> as_typed(std::vector<std::string> words) {
  for (std::string& word : words) word = as_typed(word);
  return words;
}

std::string in_quotes(const std::string& words) {
  return "“" + words + "”";
}

std::uint64_t number_of_word(std::string_view word) {
  return tensor::Hash().add(uncapitalised(word)).value();
}

}  // namespace orrery::study
