#include "tests/support/tex_arithmetic.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

namespace orrery::support {
namespace {

struct NotArithmetic {};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Spaces, and what only says how large or how far apart signs are. Digits that stand apart are no number: a # parts them.
std::string without_looks(std::string_view tex) {
  std::string out;
  bool apart = false;
  const auto put = [&](char c) {
    if (apart && !out.empty() && is_digit(out.back()) && is_digit(c)) out += '#';
    apart = false;
    out += c;
  };
  for (std::size_t at = 0; at < tex.size();) {
    const auto skip = [&](std::string_view looks) {
      const bool here =
          tex.substr(at).starts_with(looks) &&
          !(std::isalpha(static_cast<unsigned char>(looks.back())) && at + looks.size() < tex.size() &&
            std::isalpha(static_cast<unsigned char>(tex[at + looks.size()])));
      if (here) at += looks.size(), apart = true;
      return here;
    };
    if (skip(" ") || skip("\\left") || skip("\\right") || skip("\\,") || skip("\\;") || skip("\\!") ||
        skip("\\:"))
      continue;
    if (tex.substr(at).starts_with("\\{") || tex.substr(at).starts_with("\\}")) {
      put(tex[at + 1] == '{' ? '(' : ')');
      at += 2;
    } else if (tex[at] == '\\') {  // a command is parted from letters behind it
      put(tex[at++]);
      while (at < tex.size() && std::isalpha(static_cast<unsigned char>(tex[at]))) put(tex[at++]);
      put(' ');
    } else {
      put(tex[at++]);
    }
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string tex) : tex_(std::move(tex)) {}

  double whole() {
    const double value = sum();
    if (at_ != tex_.size()) throw NotArithmetic{};
    return value;
  }

 private:
  std::string_view rest() const { return std::string_view(tex_).substr(at_); }
  bool takes(std::string_view sign) {
    if (!rest().starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void needs(std::string_view sign) {
    if (!takes(sign)) throw NotArithmetic{};
  }

  double sum() {
    double value = takes("-") ? -product() : (takes("+"), product());
    for (;;) {
      if (takes("+"))
        value += product();
      else if (takes("-"))
        value -= product();
      else
        return value;
    }
  }

  double product() {
    double value = power();
    for (;;) {
      if (takes("\\cdot ") || takes("\\times "))
        value *= signed_power();
      else if (takes("/"))
        value /= signed_power();
      else if (begins_factor())
        value *= power();
      else
        return value;
    }
  }

  /// 2\pi, 3(1 + 2), 2\cos(1): a product without its sign. No number stands so behind another.
  bool begins_factor() const {
    for (const std::string_view sign :
         {"(", "\\pi ", "\\frac ", "\\sqrt ", "\\cos ", "\\sin ", "\\tanh ", "\\ln ", "\\exp ", "e^"})
      if (rest().starts_with(sign)) return true;
    return false;
  }

  double signed_power() { return takes("-") ? -power() : power(); }

  double power() {
    const double base = atom();
    return takes("^") ? std::pow(base, argument()) : base;
  }

  /// {…}, or the one digit or letter that stands there.
  double argument() {
    if (takes("{")) {
      const double value = sum();
      needs("}");
      return value;
    }
    if (!is_digit(rest().empty() ? ' ' : rest()[0])) return atom();
    return rest_digit();
  }
  double rest_digit() { return tex_[at_++] - '0'; }

  double enclosed(std::string_view close) {
    const double value = sum();
    needs(close);
    return value;
  }

  /// \cos(…), \cos 2, \cos^2(…) is not read.
  double of(double (*function)(double)) { return function(takes("(") ? enclosed(")") : power()); }

  double extreme(bool largest) {
    needs("(");
    double value = sum();
    while (takes(",")) value = largest ? std::max(value, sum()) : std::min(value, sum());
    needs(")");
    return value;
  }

  double atom() {
    if (takes("(")) return enclosed(")");
    if (takes("|")) return std::abs(enclosed("|"));
    if (takes("\\lfloor ")) return std::floor(enclosed("\\rfloor "));
    if (takes("\\lceil ")) return std::ceil(enclosed("\\rceil "));
    if (takes("{")) return enclosed("}");
    if (takes("\\frac ") || takes("\\tfrac ") || takes("\\dfrac ")) {
      const double over = argument();
      return over / argument();
    }
    if (takes("\\sqrt ")) return std::sqrt(argument());
    if (takes("\\pi ")) return std::numbers::pi;
    if (takes("\\cos ")) return of(std::cos);
    if (takes("\\sin ")) return of(std::sin);
    if (takes("\\tan ")) return of(std::tan);
    if (takes("\\tanh ")) return of(std::tanh);
    if (takes("\\sinh ")) return of(std::sinh);
    if (takes("\\cosh ")) return of(std::cosh);
    if (takes("\\exp ")) return of(std::exp);
    if (takes("\\ln ")) return of(std::log);
    if (takes("\\log ")) {
      if (takes("_2")) return of(std::log2);
      if (takes("_{2}")) return of(std::log2);
      if (takes("_{10}")) return of(std::log10);
      return of(std::log);
    }
    if (takes("\\min ")) return extreme(false);
    if (takes("\\max ")) return extreme(true);
    if (takes("e")) return std::numbers::e;
    return number();
  }

  double number() {
    std::size_t end = at_;
    while (end < tex_.size() && (is_digit(tex_[end]) || tex_[end] == '.')) ++end;
    double value = 0;
    const auto read = std::from_chars(tex_.data() + at_, tex_.data() + end, value);
    if (end == at_ || read.ec != std::errc{} || read.ptr != tex_.data() + end) throw NotArithmetic{};
    at_ = end;
    return value;
  }

  std::string tex_;
  std::size_t at_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Where `sign` stands outside of braces, parentheses that are closed, and bars.
std::vector<std::size_t> outside(std::string_view tex, std::string_view sign) {
  std::vector<std::size_t> places;
  int depth = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    if (tex[at] == '{' || tex[at] == '(') ++depth;
    if (tex[at] == '}' || tex[at] == ')') --depth;
    if (depth == 0 && tex.substr(at).starts_with(sign)) places.push_back(at);
  }
  return places;
}

Statement statement_of(std::string_view tex) {
  struct Sign {
    std::size_t at, length;
    bool equal;
  };
  std::vector<Sign> signs;
  for (const std::size_t at : outside(tex, "=")) signs.push_back({at, 1, true});
  for (const std::size_t at : outside(tex, "\\approx")) signs.push_back({at, 7, false});
  std::ranges::sort(signs, {}, &Sign::at);
  Statement s;
  if (signs.empty()) {
    s.name = trimmed(tex);
    return s;
  }
  s.name = trimmed(tex.substr(0, signs.front().at));
  for (std::size_t i = 0; i + 1 < signs.size(); ++i) {
    const std::size_t from = signs[i].at + signs[i].length;
    s.expressions.emplace_back(trimmed(tex.substr(from, signs[i + 1].at - from)));
  }
  s.result = trimmed(tex.substr(signs.back().at + signs.back().length));
  s.exact = signs.back().equal;
  return s;
}

/// The largest number that is written in it: what rounding is beside.
double largest_number(std::string_view tex) {
  double most = 1;
  for (std::size_t at = 0; at < tex.size();) {
    if (!is_digit(tex[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < tex.size() && (is_digit(tex[end]) || tex[end] == '.')) ++end;
    double value = 0;
    std::from_chars(tex.data() + at, tex.data() + end, value);
    most = std::max(most, value);
    at = end;
  }
  return most;
}

}  // namespace

std::optional<double> tex_value(std::string_view tex) try {
  return Reader(without_looks(tex)).whole();
} catch (const NotArithmetic&) {
  return std::nullopt;
}

std::optional<TexNumber> tex_number(std::string_view tex) {
  const std::string text = without_looks(tex);
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative) rest.remove_prefix(1);
  std::size_t end = 0, point = std::string_view::npos;
  while (end < rest.size() && (is_digit(rest[end]) || rest[end] == '.')) {
    if (rest[end] == '.') point = end;
    ++end;
  }
  TexNumber number;
  if (end > 0) {
    const auto read = std::from_chars(rest.data(), rest.data() + end, number.value);
    if (read.ec != std::errc{} || read.ptr != rest.data() + end) return std::nullopt;
    if (point != std::string_view::npos) number.unit = std::pow(10, -static_cast<double>(end - point - 1));
    rest.remove_prefix(end);
  }
  if (!rest.empty()) {  // \cdot 10^{…}, or 10^{…} alone
    constexpr std::string_view times = "\\cdot 10^{";
    int exponent = 0;
    if (rest.starts_with("^{") && number.value == 10) {
      number.value = 1;
      rest.remove_prefix(2);
    } else if (rest.starts_with(times)) {
      rest.remove_prefix(times.size());
    } else {
      return std::nullopt;
    }
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    if (read.ec != std::errc{} || std::string_view(read.ptr, text.data() + text.size() - read.ptr) != "}")
      return std::nullopt;
    number.value *= std::pow(10, exponent);
    number.unit *= std::pow(10, exponent);
  } else if (end == 0) {
    return std::nullopt;
  }
  if (negative) number.value = -number.value;
  return number;
}

std::vector<Statement> statements(std::string_view worked) {
  constexpr std::string_view between = "\\quad";
  std::vector<Statement> all;
  std::size_t from = 0;
  for (const std::size_t at : outside(worked, between)) {
    all.push_back(statement_of(trimmed(worked.substr(from, at - from))));
    from = at + between.size();
  }
  all.push_back(statement_of(trimmed(worked.substr(from))));
  return all;
}

std::string faults(std::string_view worked) {
  std::string all;
  for (const Statement& s : statements(worked)) {
    const auto say = [&](const std::string& what) { all += s.name + ": " + what + "\n"; };
    const bool named =
        !tex_value(s.name) && std::ranges::any_of(s.name, [](unsigned char c) { return std::isalpha(c); });
    if (!named) say("no name");
    if (s.expressions.empty()) say("no numbers put in");
    const auto result = tex_number(s.result);
    if (!result) {
      say("no number: " + s.result);
      continue;
    }
    for (const std::string& expression : s.expressions) {
      const auto value = tex_value(expression);
      if (!value) {
        say("no arithmetic: " + expression);
        continue;
      }
      // Half of the last digit's unit, as rounding takes; and what doubles lose of the largest number that they add up. A 0
      // has no last digit.
      const double size = largest_number(expression), rounding = 1e-12 * size;
      const double allowed = s.exact              ? 1e-9 * std::abs(result->value) + rounding
                             : result->value == 0 ? 1e-9 * size
                                                  : 0.5 * result->unit * (1 + 1e-9) + rounding;
      if (!(std::abs(*value - result->value) <= allowed))
        say(expression + " is " + std::to_string(*value) + ", not " + s.result);
    }
  }
  return all;
}

}  // namespace orrery::support
