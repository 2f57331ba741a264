#include "core/parameter/expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

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

/// What a name is made of; beyond ASCII any letter, such as π.
bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
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
    double x = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), x);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
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
