#include "app/study/kit/worked_exact.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "app/study/kit/pi_monomial.h"

namespace orrery::study::worked {
namespace {

struct NotArithmetic {};

/// Without spaces and what only says how large or how far apart signs are.
std::string without_looks(std::string_view tex) {
  std::string out;
  const auto skip = [&](std::string_view looks) {
    if (!tex.starts_with(looks)) return false;
    const bool longer = std::isalpha(static_cast<unsigned char>(looks.back())) && tex.size() > looks.size() &&
                        std::isalpha(static_cast<unsigned char>(tex[looks.size()]));
    if (!longer) tex.remove_prefix(looks.size());
    return !longer;
  };
  while (!tex.empty()) {
    if (skip(" ") || skip("\\left") || skip("\\right") || skip("\\,") || skip("\\;")) continue;
    out += tex.front();
    tex.remove_prefix(1);
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string tex) : tex_(std::move(tex)) {}

  Amount whole() {
    const PiMonomial all = sum();
    if (!rest_.empty()) throw NotArithmetic{};
    return {all.about, all.pis == 0 || all.exact.is(0) ? all.exact : Fraction()};
  }

 private:
  bool takes(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  PiMonomial enclosed(std::string_view end) {
    const PiMonomial value = sum();
    if (!takes(end)) throw NotArithmetic{};
    return value;
  }
  PiMonomial braced() {
    if (!takes("{")) throw NotArithmetic{};
    return enclosed("}");
  }

  PiMonomial sum() {
    PiMonomial value = takes("-") ? -product() : product();
    for (;;) {
      if (takes("+"))
        value = value + product();
      else if (takes("-"))
        value = value + -product();
      else
        return value;
    }
  }

  PiMonomial product() {
    PiMonomial value = power_of();
    for (;;) {
      if (takes("\\cdot"))
        value = value * factor();
      else if (takes("/"))
        value = value * inverse(factor());
      else if (rest_.starts_with("\\pi") || rest_.starts_with("\\sqrt"))  // 2\pi, 3\sqrt{2}
        value = value * power_of();
      else
        return value;
    }
  }
  PiMonomial factor() { return takes("-") ? -power_of() : power_of(); }

  PiMonomial power_of() {
    const PiMonomial base = atom();
    if (!takes("^")) return base;
    return power(base, braced());
  }

  /// One over the same is 1, whatever it is.
  PiMonomial fraction() {
    const std::string_view from = rest_;
    const PiMonomial over = braced();
    const std::string_view above = from.substr(0, from.size() - rest_.size()), then = rest_;
    const PiMonomial under = braced();
    if (above == then.substr(0, then.size() - rest_.size()) && under.about != 0) return {1, 1};
    return over * inverse(under);
  }

  PiMonomial argument() {
    if (!takes("(")) throw NotArithmetic{};
    return enclosed(")");
  }
  /// A function whose value is a fraction at one place only.
  static PiMonomial only_at(std::int64_t at, std::int64_t is, const PiMonomial& x,
                            double (*function)(double)) {
    return {function(x.about), x.exact.is(at) && x.pis == 0 ? Fraction(is) : Fraction()};
  }

  PiMonomial least_or_largest(bool largest) {
    if (!takes("(")) throw NotArithmetic{};
    PiMonomial value = sum();
    while (takes(",")) value = extreme(value, sum(), largest);
    if (!takes(")")) throw NotArithmetic{};
    return value;
  }

  PiMonomial atom() {
    if (takes("(")) return enclosed(")");
    if (takes("|")) return absolute(enclosed("|"));
    if (takes("\\lfloor")) return floor(enclosed("\\rfloor"));
    if (takes("\\frac")) return fraction();
    if (takes("\\sqrt")) return power(braced(), {0.5, Fraction(1, 2)});
    if (takes("\\pi")) return {std::numbers::pi, 1, 1};
    if (takes("\\cos")) return cosine(argument());
    if (takes("\\sin")) return sine(argument());
    if (takes("\\tanh")) return only_at(0, 0, argument(), std::tanh);
    if (takes("\\ln")) return only_at(1, 0, argument(), std::log);
    if (takes("\\min")) return least_or_largest(false);
    if (takes("\\max")) return least_or_largest(true);
    if (takes("e^")) return only_at(0, 1, braced(), std::exp);
    return number();
  }

  /// 12.50 is 1250 hundredths.
  PiMonomial number() {
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789."), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    PiMonomial value;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value.about);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size())
      throw NotArithmetic{};
    rest_.remove_prefix(end);
    value.exact = 0;
    std::int64_t decimals = 0;
    bool behind_point = false;
    for (const char c : text) {
      if (c == '.') {
        behind_point = true;
        continue;
      }
      value.exact = value.exact * 10 + (c - '0');
      decimals += behind_point ? 1 : 0;
    }
    value.exact = value.exact * power(Fraction(10), -decimals);
    return value;
  }

  std::string tex_;
  std::string_view rest_ = tex_;
};

}  // namespace

Amount amount_of(std::string_view tex) try {
  return Reader(without_looks(tex)).whole();
} catch (const NotArithmetic&) {
  return {std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace orrery::study::worked
