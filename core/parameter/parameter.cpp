#include "core/parameter/parameter.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace orrery::parameter {
namespace {

/// "1e-05" → "1e-5", "1e+20" → "1e20".
std::string without_padding(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t digits = e + 1;
  if (text[digits] == '+') text.erase(digits, 1);
  if (text[digits] == '-') ++digits;
  while (text[digits] == '0' && digits + 1 < text.size()) text.erase(digits, 1);
  return text;
}

template <class... Style>
std::string to_text(double x, Style... style) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, style...).ptr;
  return without_padding({buffer.data(), end});
}

/// For a sentence: 1e9 rather than 1000000000.
std::string brief(double x) {
  const std::string whole = shortest(x);
  const std::string scientific = to_text(x, std::chars_format::scientific);
  return std::abs(x) >= 1e6 && scientific.size() < whole.size() ? scientific : whole;
}

std::string range_text(const Parameter& p) {
  const bool below = std::isfinite(p.min), above = std::isfinite(p.max);
  if (below && above) return " from " + brief(p.min) + " to " + brief(p.max);
  if (below) return " not below " + brief(p.min);
  if (above) return " not above " + brief(p.max);
  return "";
}

/// "3 numbers", or "numbers" where any number of them is allowed.
std::string count_text(int count, const std::string& what) {
  return count > 0 ? std::to_string(count) + " " + what : what;
}

std::string each_text(const Parameter& p) {
  const std::string range = range_text(p);
  return range.empty() ? "" : ", each" + range;
}

std::string joined_with_or(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

std::vector<std::string_view> choices_of(const Parameter& p) {
  std::vector<std::string_view> choices;
  std::string_view rest = p.choices;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    choices.push_back(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
  }
  return choices;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return "integer";
    case Kind::real:
      return "real";
    case Kind::choice:
      return "choice";
    case Kind::toggle:
      return "toggle";
    case Kind::vector:
      return "vector";
    case Kind::file:
      return "file";
    case Kind::text:
      return "text";
    case Kind::matrix:
      return "matrix";
  }
  return "";
}

std::string allowed_text(const Parameter& p) {
  switch (p.kind) {
    case Kind::integer:
      return "a whole number" + range_text(p) +
             (p.multiple > 1 ? ", a multiple of " + std::to_string(p.multiple) : std::string{});
    case Kind::real:
      return "a number" + range_text(p) + (p.word.empty() ? "" : ", or " + std::string(p.word));
    case Kind::choice: {
      const bool counted = p.choices.find(":W") != std::string_view::npos;
      return joined_with_or(choices_of(p)) + (counted ? " (W: a whole number from 1)" : "");
    }
    case Kind::toggle:
      return "on or off";
    case Kind::vector:
      return count_text(p.length, "numbers") + ", separated by commas" + each_text(p);
    case Kind::file:
      return "a path";
    case Kind::text: {
      const std::string range = range_text(p);
      return "a line of text" + (range.empty() ? "" : "," + range + " characters");
    }
    case Kind::matrix:
      return count_text(p.rows, "rows") + ", separated by semicolons, of " + count_text(p.length, "numbers") +
             ", separated by commas" + each_text(p);
  }
  return "";
}

std::string shortest(double x) {
  const bool plainly_whole = std::abs(x) < 1e15 && x == std::trunc(x);
  return plainly_whole ? to_text(x, std::chars_format::fixed) : to_text(x);
}

}  // namespace orrery::parameter
