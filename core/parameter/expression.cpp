#include "core/parameter/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>

namespace orrery::parameter {
namespace {

// Far more than anybody types, far less than the stack holds.
constexpr int deepest = 64;

struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array constants{Constant{"pi", std::numbers::pi}, Constant{"\u03C0", std::numbers::pi},
                               Constant{"e", std::numbers::e}};

struct Function {
  std::string_view name;
  double (*of)(double);
};
constexpr std::array functions{Function{"sqrt", [](double x) { return std::sqrt(x); }},
                               Function{"exp", [](double x) { return std::exp(x); }},
                               Function{"ln", [](double x) { return std::log(x); }},
                               Function{"log2", [](double x) { return std::log2(x); }},
                               Function{"log10", [](double x) { return std::log10(x); }}};

struct Suffix {
  std::string_view name;
  double factor;
};
constexpr std::array suffixes{Suffix{"Ki", 0x1p10}, Suffix{"Mi", 0x1p20}, Suffix{"k", 1e3}, Suffix{"K", 1e3},
                              Suffix{"M", 1e6}};

/// Between groups of digits: a comma, a blank, and the blanks that printed numbers have.
constexpr std::array<std::string_view, 5> group_marks{",", " ", "\u2009", "\u202F", "\u00A0"};

/// What a name is made of; beyond ASCII any letter, such as π.
bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

bool ends_here(std::string_view rest) {
  return rest.empty() || !(in_name(rest.front()) || (rest.front() >= 'A' && rest.front() <= 'Z'));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digit_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

/// The digits of a number that begins in groups of three, one sort of mark between them, and how far they reach: of
/// "1 000.5" 1000 and 5. None where it has no groups.
struct Digits {
  std::string digits;
  std::size_t length = 0;
};
Digits grouped_digits(std::string_view text) {
  const std::size_t first = digit_count(text);
  if (first < 1 || first > 3 || text.front() == '0') return {};
  for (const std::string_view mark : group_marks) {
    Digits out{std::string(text.substr(0, first)), first};
    while (text.substr(out.length).starts_with(mark) &&
           digit_count(text.substr(out.length + mark.size())) == 3) {
      out.digits += text.substr(out.length + mark.size(), 3);
      out.length += mark.size() + 3;
    }
    if (out.length > first) return out;
  }
  return {};
}

/// Recursive descent, one function for each level of binding; each takes what it reads off the front.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<double> whole() {
    const auto x = sum();
    skip_blanks();
    return rest_.empty() ? x : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  bool take(std::string_view symbol) {
    skip_blanks();
    if (!rest_.starts_with(symbol)) return false;
    rest_.remove_prefix(symbol.size());
    return true;
  }

  std::optional<double> sum() {
    auto x = product();
    while (x) {
      const bool plus = take("+");
      if (!plus && !take("-")) break;
      const auto y = product();
      if (!y) return std::nullopt;
      x = plus ? *x + *y : *x - *y;
    }
    return x;
  }

  std::optional<double> product() {
    auto x = signed_power();
    while (x) {
      const bool times = take("*");
      if (!times && !take("/")) break;
      const auto y = signed_power();
      if (!y) return std::nullopt;
      x = times ? *x * *y : *x / *y;
    }
    return x;
  }

  // Every way to nest leads through here, so the depth is counted here.
  std::optional<double> signed_power() {
    if (depth_ >= deepest) return std::nullopt;
    ++depth_;
    const auto x = sign_and_power();
    --depth_;
    return x;
  }

  std::optional<double> sign_and_power() {
    if (take("+")) return signed_power();
    if (take("-")) {
      const auto x = signed_power();
      return x ? std::optional(-*x) : std::nullopt;
    }
    const auto base = atom();
    if (!base || (!take("^") && !take("**"))) return base;
    const auto exponent = signed_power();
    return exponent ? std::optional(std::pow(*base, *exponent)) : std::nullopt;
  }

  std::optional<double> atom() {
    if (take("(")) return closed(sum());
    skip_blanks();
    if (rest_.empty()) return std::nullopt;
    const char first = rest_.front();
    return (first >= '0' && first <= '9') || first == '.' ? number() : named();
  }

  std::optional<double> closed(std::optional<double> inside) {
    return inside && take(")") ? inside : std::nullopt;
  }

  std::optional<double> number() {
    const auto x = plain_number();
    if (!x) return x;
    for (const Suffix& suffix : suffixes)
      if (rest_.starts_with(suffix.name) && ends_here(rest_.substr(suffix.name.size()))) {
        rest_.remove_prefix(suffix.name.size());
        return *x * suffix.factor;
      }
    return x;
  }

  std::optional<double> plain_number() {
    constexpr std::size_t longest = 40;  // of what may follow groups of digits: a fraction, a power of ten
    const auto [digits, length] = grouped_digits(rest_);
    const std::string joined =
        length > 0 ? digits + std::string(rest_.substr(length, longest)) : std::string();
    const std::string_view text = length > 0 ? std::string_view(joined) : rest_;
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - text.data()) - digits.size() + length);
    return x;
  }

  std::optional<double> named() {
    std::size_t length = 0;
    while (length < rest_.size() && in_name(rest_[length])) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    for (const Constant& constant : constants)
      if (constant.name == name) return constant.value;
    for (const Function& function : functions) {
      if (function.name != name) continue;
      const auto x = take("(") ? closed(sum()) : std::nullopt;
      return x ? std::optional(function.of(*x)) : std::nullopt;
    }
    return std::nullopt;
  }

  std::string_view rest_;
  int depth_ = 0;
};

}  // namespace

std::optional<double> evaluate(std::string_view text) {
  return Reader(text).whole();
}

}  // namespace orrery::parameter
