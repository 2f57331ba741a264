// One value of one parameter: from text, to text, and whether it is allowed.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "core/parameter/expression.h"
#include "core/parameter/former.h"
#include "core/parameter/settings.h"
#include "core/parameter/shown.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::parameter {
namespace {

/// What was found, as a fault shows it.
std::string shown(std::string_view found) {
  return in_apostrophes(brief(found));
}

[[noreturn]] void refuse(const Parameter& p, std::string_view found, Phrase fault,
                         std::vector<std::string> nearest = {}) {
  throw InvalidArgument(about(p.name)
                            .found(brief(found))
                            .fault(std::move(fault))
                            .near(std::move(nearest))
                            .allowed(allowed_phrase(p)));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// "37 tokens" is 37 where the unit is tokens.
std::string_view without_unit(const Parameter& p, std::string_view text) {
  if (p.unit.empty() || !text.ends_with(p.unit)) return text;
  return trimmed(text.substr(0, text.size() - p.unit.size()));
}

template <class T>
std::optional<T> whole_text_as(std::string_view text) {
  T x{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return x;
}

/// A number as it is written, or the value of an expression: 2^16.
std::optional<double> number_of(std::string_view text) {
  const auto x = whole_text_as<double>(text);
  return x ? x : evaluate(text);
}

std::int64_t parse_integer(const Parameter& p, std::string_view text) {
  if (const auto n = whole_text_as<std::int64_t>(text)) return *n;
  // 1e6, 4096.0 and 2^16 are whole numbers too, as long as a double holds them exactly.
  const auto x = number_of(text);
  if (!x || !std::isfinite(*x)) refuse(p, text, words("{} is not a whole number", shown(text)));
  if (*x != std::trunc(*x)) refuse(p, text, words("{} is not a whole number", shown(text)));
  if (std::abs(*x) > 0x1p53) refuse(p, text, words("{} is out of range", shown(text)));
  return static_cast<std::int64_t>(*x);
}

double parse_real(const Parameter& p, std::string_view text, std::string_view whole) {
  const auto x = number_of(text);
  if (!x) refuse(p, whole, words("{} is not a number", shown(whole)));
  if (!std::isfinite(*x)) refuse(p, whole, words("{} is not a finite number", shown(whole)));
  return *x;
}

bool parse_toggle(const Parameter& p, std::string_view text) {
  for (const std::string_view yes : {"on", "1", "true", "yes"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"off", "0", "false", "no"}) {
    if (text == no) return false;
  }
  refuse(p, text, words("{} is neither on nor off", shown(text)));
}

std::vector<double> parse_vector(const Parameter& p, std::string_view text) {
  std::vector<double> components;
  if (text.empty()) return components;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view component = without_unit(p, trimmed(rest.substr(0, comma)));
    if (component.empty()) refuse(p, text, words("{} has an empty component", shown(text)));
    components.push_back(parse_real(p, component, text));
    if (comma == std::string_view::npos) return components;
    rest = rest.substr(comma + 1);
  }
}

/// Rows of one length, which semicolons separate; of no text none.
Matrix parse_matrix(const Parameter& p, std::string_view text) {
  Matrix m;
  if (text.empty()) return m;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find(';');
    const std::string_view row_text = trimmed(rest.substr(0, end));
    if (row_text.empty()) refuse(p, text, words("{} has an empty row", shown(text)));
    const std::vector<double> row = parse_vector(p, row_text);
    if (m.rows == 0) m.columns = row.size();
    if (row.size() != m.columns) refuse(p, text, words("{} has rows of different lengths", shown(text)));
    m.values.insert(m.values.end(), row.begin(), row.end());
    ++m.rows;
    if (end == std::string_view::npos) return m;
    rest = rest.substr(end + 1);
  }
}

/// How many characters of UTF-8 stand in a text; nothing where it is not UTF-8.
std::optional<std::size_t> character_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const unsigned first = byte(i);
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (bytes == 0 || first > 0xF4) return std::nullopt;
    // Of three bytes and of four the second is bounded, so that each character has one spelling and is no surrogate.
    const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (bytes > 1 && (byte(i + 1) < low || byte(i + 1) > high)) return std::nullopt;
    for (std::size_t k = 2; k < bytes; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return std::nullopt;
    i += bytes;
  }
  return count;
}

/// `sliding:W` is met by sliding:1, sliding:128 …; any other choice by itself.
bool meets(std::string_view choice, std::string_view text) {
  if (!choice.ends_with(":W")) return choice == text;
  const std::string_view stem = choice.substr(0, choice.size() - 1);
  if (!text.starts_with(stem)) return false;
  const std::string_view digits = text.substr(stem.size());
  return whole_text_as<std::int64_t>(digits).value_or(0) >= 1 && digits.front() != '0';
}

void check_range(const Parameter& p, double x, const std::string& found) {
  if (!std::isfinite(x)) refuse(p, found, words("{} is not a finite number", shown(found)));
  if (x < p.min || x > p.max) refuse(p, found, words("{} is out of range", shown(found)));
}

std::string joined(std::span<const double> components) {
  std::string text;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (i > 0) text += ',';
    text += shortest(components[i]);
  }
  return text;
}

std::string joined(const Matrix& m) {
  std::string text;
  for (std::size_t r = 0; r < m.rows; ++r)
    text += (r > 0 ? ";" : "") + joined(std::span(m.values).subspan(r * m.columns, m.columns));
  return text;
}

struct Validate {
  const Parameter& p;

  void wants(Kind kind, const std::string& found) const {
    if (p.kind != kind) refuse(p, found, words("{} is not of kind {}", shown(found), kind_name(p.kind)));
  }
  void operator()(std::int64_t n) const {
    wants(Kind::integer, std::to_string(n));
    check_range(p, static_cast<double>(n), std::to_string(n));
    if (n % p.multiple != 0)
      refuse(p, std::to_string(n), words("{} is not a multiple of {}", shown(std::to_string(n)), p.multiple));
  }
  void operator()(double x) const {
    wants(Kind::real, shortest(x));
    check_range(p, x, shortest(x));
  }
  void operator()(const std::string& s) const {
    if (p.kind == Kind::real && !p.word.empty() && s == p.word) return;
    if (p.kind == Kind::file) {
      if (s.find('\0') != std::string::npos)
        refuse(p, s.c_str(), words("{} holds a zero byte", shown(s.c_str())));
      return;
    }
    if (p.kind == Kind::text) return check_text(s);
    wants(Kind::choice, s);
    const auto choices = choices_of(p);
    for (const std::string_view choice : choices) {
      if (meets(choice, s)) return;
    }
    refuse(p, s, words("{} is none of its choices", shown(s)), nearest(s, choices));
  }
  void check_text(const std::string& s) const {
    if (s.find('\0') != std::string::npos)
      refuse(p, s.c_str(), words("{} holds a zero byte", shown(s.c_str())));
    const auto characters = character_count(s);
    if (!characters) refuse(p, visible(s), words("{} is not UTF-8", shown(visible(s))));
    if (visible(s) != s) refuse(p, visible(s), words("{} holds control characters", shown(visible(s))));
    const auto n = static_cast<double>(*characters);
    if (n < p.min || n > p.max)
      refuse(p, s,
             *characters == 1 ? words("{} has {} character", shown(s), 1)
                              : words("{} has {} characters", shown(s), *characters));
  }
  void operator()(bool b) const { wants(Kind::toggle, b ? "on" : "off"); }
  void operator()(const std::vector<double>& v) const {
    const std::string found = joined(v);
    wants(Kind::vector, found);
    for (const double x : v) check_range(p, x, found);
    if (p.length > 0 && std::ssize(v) != p.length) {
      refuse(p, found,
             v.size() == 1 ? words("{} has {} component", shown(found), 1)
                           : words("{} has {} components", shown(found), v.size()));
    }
  }
  void operator()(const Matrix& m) const {
    if (m.values.size() != m.rows * m.columns || (m.rows == 0) != (m.columns == 0))
      throw InvalidArgument(about(p.name).fault("a matrix of {} × {} does not hold {} numbers", m.rows,
                                                m.columns, m.values.size()));
    const std::string found = joined(m);
    wants(Kind::matrix, found);
    for (const double x : m.values) check_range(p, x, found);
    if (p.rows > 0 && m.rows != static_cast<std::size_t>(p.rows))
      refuse(p, found,
             m.rows == 1 ? words("{} has {} row", shown(found), 1)
                         : words("{} has {} rows", shown(found), m.rows));
    if (p.length > 0 && m.columns != static_cast<std::size_t>(p.length))
      refuse(p, found,
             m.columns == 1 ? words("{} has {} column", shown(found), 1)
                            : words("{} has {} columns", shown(found), m.columns));
  }
};

Value read(const Parameter& p, std::string_view text) {
  switch (p.kind) {
    case Kind::integer:
      return parse_integer(p, without_unit(p, trimmed(text)));
    case Kind::real:
      if (!p.word.empty() && trimmed(text) == p.word) return std::string(p.word);
      return parse_real(p, without_unit(p, trimmed(text)), trimmed(text));
    case Kind::toggle:
      return parse_toggle(p, trimmed(text));
    case Kind::vector:
      return parse_vector(p, trimmed(text));
    case Kind::matrix:
      return parse_matrix(p, trimmed(text));
    case Kind::choice:
      return std::string(todays_choice(p, trimmed(text)));
    case Kind::file:
    case Kind::text:
      break;
  }
  return std::string(text);
}

struct Format {
  std::string operator()(std::int64_t n) const { return std::to_string(n); }
  std::string operator()(double x) const { return shortest(x); }
  std::string operator()(const std::string& s) const { return s; }
  std::string operator()(bool b) const { return b ? "on" : "off"; }
  std::string operator()(const std::vector<double>& v) const { return joined(v); }
  std::string operator()(const Matrix& m) const { return joined(m); }
};

}  // namespace

Value parse(const Parameter& p, std::string_view text) {
  Value v = read(p, text);
  validate(p, v);
  return v;
}

std::string format(const Value& v) {
  return std::visit(Format{}, v);
}

void validate(const Parameter& p, const Value& v) {
  std::visit(Validate{p}, v);
}

}  // namespace orrery::parameter
