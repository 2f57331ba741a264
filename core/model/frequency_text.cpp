#include "core/model/frequency_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using Strings = std::vector<std::string_view>;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // Excel's "CSV UTF-8" begins with one

bool is_separator(char c) {
  return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

Strings words_of(std::string_view line) {
  Strings words;
  while (!line.empty()) {
    const auto from = std::ranges::find_if_not(line, is_separator);
    const auto to = std::find_if(from, line.end(), is_separator);
    if (from == to) break;
    words.push_back(
        line.substr(static_cast<std::size_t>(from - line.begin()), static_cast<std::size_t>(to - from)));
    line.remove_prefix(static_cast<std::size_t>(to - line.begin()));
  }
  return words;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool read_number(std::string_view word, double& number) {
  // std::from_chars knows no plus.
  if (word.size() > 1 && word[0] == '+' && (is_digit(word[1]) || word[1] == '.')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size();
}

bool is_number(std::string_view word) {
  double number = 0;
  return read_number(word, number);
}

/// inv_freq, "inv_freq", # inv_freq, ω: what a digit begins, or a sign or a quote before it, is a number that went wrong, and
/// so is any that is written in another alphabet.
bool is_name(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("\"'"), word.size()));
  if (word.empty()) return false;
  const auto first = static_cast<unsigned char>(word.front());
  if (first >= 0x80) return std::ranges::none_of(word, is_digit);
  return std::isalpha(first) != 0 || first == '_' || first == '#';
}

bool are_names(const Strings& words) {
  return !words.empty() && is_name(words.front()) && std::ranges::none_of(words, is_number);
}

/// Of several columns the named one, else the last.
std::size_t column_of(const Strings& names) {
  std::size_t column = names.size() - 1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].find("inv_freq") != std::string_view::npos ||
        names[i].find("frequency") != std::string_view::npos)
      column = i;
  }
  return column;
}

}  // namespace

std::vector<double> frequencies_in_text(std::string_view text, std::string_view origin) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<double> numbers;
  std::size_t column = 0, columns = 0;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Strings words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (numbers.empty() && are_names(words)) {
      column = column_of(words);
      columns = words.size();
      continue;
    }
    const bool table = columns > 1 && words.size() == columns;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (table && i != column) continue;
      double number = 0;
      if (!read_number(words[i], number)) {
        const std::string found(words[i].substr(0, 40));
        const Complaint no_number =
            Complaint().found(found).fault("line {}: {} is no number", line, in_apostrophes(found));
        throw Failure(no_number.within(in_file(origin)));
      }
      numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace orrery::model
