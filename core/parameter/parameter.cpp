#include "core/parameter/parameter.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "core/parameter/former.h"

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
std::string short_number(double x) {
  const std::string whole = shortest(x);
  const std::string scientific = to_text(x, std::chars_format::scientific);
  return std::abs(x) >= 1e6 && scientific.size() < whole.size() ? scientific : whole;
}

/// The four ways in which a parameter may be bounded, each with its own words.
struct Bounds {
  const Parameter& p;
  bool below = std::isfinite(p.min), above = std::isfinite(p.max);

  Phrase said(const Phrase& free, const Phrase& between, const Phrase& from, const Phrase& to) const {
    return below && above ? between : below ? from : above ? to : free;
  }
  std::string least() const { return short_number(p.min); }
  std::string most() const { return short_number(p.max); }
};

Phrase allowed_integer(const Parameter& p) {
  const Bounds b{p};
  const Phrase whole =
      b.said(words("a whole number"), words("a whole number from {} to {}", b.least(), b.most()),
             words("a whole number not below {}", b.least()), words("a whole number not above {}", b.most()));
  return p.multiple > 1 ? words("{}, a multiple of {}", whole, p.multiple) : whole;
}

Phrase allowed_real(const Parameter& p) {
  const Bounds b{p};
  if (p.word.empty())
    return b.said(words("a number"), words("a number from {} to {}", b.least(), b.most()),
                  words("a number not below {}", b.least()), words("a number not above {}", b.most()));
  return b.said(words("a number, or {}", p.word),
                words("a number from {} to {}, or {}", b.least(), b.most(), p.word),
                words("a number not below {}, or {}", b.least(), p.word),
                words("a number not above {}, or {}", b.most(), p.word));
}

Phrase allowed_vector(const Parameter& p) {
  const Bounds b{p};
  const Phrase numbers = p.length > 0 ? words("{} numbers, separated by commas", p.length)
                                      : words("numbers, separated by commas");
  return b.said(numbers, words("{}, each from {} to {}", numbers, b.least(), b.most()),
                words("{}, each not below {}", numbers, b.least()),
                words("{}, each not above {}", numbers, b.most()));
}

Phrase allowed_text_line(const Parameter& p) {
  const Bounds b{p};
  return b.said(words("a line of text"),
                words("a line of text, from {} to {} characters", b.least(), b.most()),
                words("a line of text, not below {} characters", b.least()),
                words("a line of text, not above {} characters", b.most()));
}

Phrase allowed_matrix(const Parameter& p) {
  return words("{}, separated by semicolons, of {}", p.rows > 0 ? words("{} rows", p.rows) : words("rows"),
               allowed_vector(p));
}

/// "a, b or c"
Phrase either(const std::vector<std::string_view>& names) {
  if (names.size() < 2) return names_phrase(names);
  return words("{}{}{}", names_phrase(std::span(names).first(names.size() - 1)), words(" or "), names.back());
}

}  // namespace

std::vector<std::string_view> choices_of(const Parameter& p) {
  std::vector<std::string_view> choices;
  std::string_view rest = p.choices;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    choices.push_back(todays_name(rest.substr(0, bar)));
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
  return english(allowed_phrase(p));
}

Phrase allowed_phrase(const Parameter& p) {
  switch (p.kind) {
    case Kind::integer:
      return allowed_integer(p);
    case Kind::real:
      return allowed_real(p);
    case Kind::choice: {
      const bool counted = p.choices.find(":W") != std::string_view::npos;
      const Phrase names = either(choices_of(p));
      return counted ? words("{}{}", names, words(" (W: a whole number from 1)")) : names;
    }
    case Kind::toggle:
      return words("on or off");
    case Kind::vector:
      return allowed_vector(p);
    case Kind::file:
      return words("a path");
    case Kind::text:
      return allowed_text_line(p);
    case Kind::matrix:
      return allowed_matrix(p);
  }
  return {};
}

std::string shortest(double x) {
  const bool plainly_whole = std::abs(x) < 1e15 && x == std::trunc(x);
  return plainly_whole ? to_text(x, std::chars_format::fixed) : to_text(x);
}

}  // namespace orrery::parameter
