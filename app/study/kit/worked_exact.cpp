#include "app/study/kit/worked_exact.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>

namespace orrery::study::worked {
namespace {

using Wide = __int128;

constexpr Wide least = static_cast<Wide>(1) << 127;  // it has no opposite

/// Nothing where it needs more bits.
std::optional<Wide> wide_product(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result == least) return std::nullopt;
  return result;
}
std::optional<Wide> wide_sum(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_add_overflow(a, b, &result) || result == least) return std::nullopt;
  return result;
}

Wide common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// n ≥ 0 times itself so often; nothing where it grows too long.
std::optional<Wide> multiplied(Wide n, Wide times) {
  if (n <= 1) return times == 0 ? 1 : n;
  std::optional<Wide> result = 1;
  for (Wide i = 0; i < times && result; ++i) result = wide_product(*result, n);
  return result;
}

/// The whole root of n ≥ 0, where there is one.
std::optional<Wide> whole_root(Wide n, Wide degree) {
  if (n <= 1 || degree == 1) return n;
  const long double near =
      std::round(std::pow(static_cast<long double>(n), 1 / static_cast<long double>(degree)));
  for (Wide root = static_cast<Wide>(near) - 1; root <= static_cast<Wide>(near) + 1; ++root)
    if (root > 1 && multiplied(root, degree) == n) return root;
  return std::nullopt;
}

}  // namespace

Exact Exact::reduced(Wide n, Wide d) {
  if (d == 0) return {};
  if (d < 0) n = -n, d = -d;
  const Wide divisor = common_divisor(n, d);
  Exact e;
  e.n_ = n / divisor;
  e.d_ = d / divisor;
  return e;
}

Exact operator+(const Exact& a, const Exact& b) {
  if (!a.known() || !b.known()) return {};
  const Wide shared = common_divisor(a.d_, b.d_), of_a = b.d_ / shared, of_b = a.d_ / shared;
  const auto left = wide_product(a.n_, of_a), right = wide_product(b.n_, of_b),
             under = wide_product(a.d_, of_a);
  const auto over = left && right ? wide_sum(*left, *right) : std::nullopt;
  return over && under ? Exact::reduced(*over, *under) : Exact();
}

Exact operator*(const Exact& a, const Exact& b) {
  if (a.is(0) || b.is(0)) return 0;  // whatever the other is
  if (!a.known() || !b.known()) return {};
  const Exact first = Exact::reduced(a.n_, b.d_), second = Exact::reduced(b.n_, a.d_);
  const auto over = wide_product(first.n_, second.n_), under = wide_product(first.d_, second.d_);
  return over && under ? Exact::reduced(*over, *under) : Exact();
}

Exact operator-(const Exact& x) {
  return x.known() ? Exact::reduced(-x.n_, x.d_) : Exact();
}

Exact inverse(const Exact& x) {
  return x.known() ? Exact::reduced(x.d_, x.n_) : Exact();
}

bool equal(const Exact& a, const Exact& b) {
  return a.known() && b.known() && a.n_ == b.n_ && a.d_ == b.d_;
}

Exact Exact::whole_power(const Exact& base, Wide exponent) {
  const Wide times = exponent < 0 ? -exponent : exponent;
  const auto over = multiplied(base.n_ < 0 ? -base.n_ : base.n_, times), under = multiplied(base.d_, times);
  if (!over || !under) return {};
  const Exact result = reduced(base.n_ < 0 && times % 2 != 0 ? -*over : *over, *under);
  return exponent < 0 ? inverse(result) : result;
}

Exact power(const Exact& base, const Exact& exponent) {
  if (exponent.is(0) || base.is(1)) return 1;
  if (!base.known() || !exponent.known()) return {};
  if (exponent.d_ == 1) return Exact::whole_power(base, exponent.n_);
  if (base.n_ < 0) return {};
  const auto over = whole_root(base.n_, exponent.d_), under = whole_root(base.d_, exponent.d_);
  return over && under ? Exact::whole_power(Exact::reduced(*over, *under), exponent.n_) : Exact();
}

namespace {

struct NotArithmetic {};

/// On the way: a fraction times a power of π, so that 2π over 2π is 1 and the cosine of π is −1.
struct Part {
  double about = 0;
  Exact exact{};
  int pis = 0;
};

Part operator+(const Part& a, const Part& b) {
  const double about = a.about + b.about;
  if (b.exact.is(0)) return {about, a.exact, a.pis};
  if (a.exact.is(0)) return {about, b.exact, b.pis};
  return {about, a.pis == b.pis ? a.exact + b.exact : Exact(), a.pis};
}
Part operator-(const Part& x) {
  return {-x.about, -x.exact, x.pis};
}
Part operator*(const Part& a, const Part& b) {
  return {a.about * b.about, a.exact * b.exact, a.pis + b.pis};
}
Part inverse(const Part& x) {
  return {1 / x.about, inverse(x.exact), -x.pis};
}

Part power(const Part& base, const Part& exponent) {
  const bool plain = base.pis == 0 && exponent.pis == 0;
  return {std::pow(base.about, exponent.about), plain ? power(base.exact, exponent.exact) : Exact()};
}

/// Farther from each other than doubles are off.
bool clearly_apart(double a, double b) {
  return std::abs(a - b) > 1e-9 * (1 + std::abs(a) + std::abs(b));
}

/// The least or the largest of two that are clearly apart, or the same.
Part extreme(const Part& a, const Part& b, bool largest) {
  Part one = (a.about > b.about) == largest ? a : b;
  if (!clearly_apart(a.about, b.about) && !(a.pis == b.pis && equal(a.exact, b.exact))) one.exact = {};
  return one;
}

Part floor(const Part& x) {
  constexpr double longest = 1e15;
  if (x.exact.whole() && x.pis == 0) return x;
  const double down = std::floor(x.about);
  const bool sure = clearly_apart(x.about, std::round(x.about)) && std::abs(x.about) < longest;
  return {down, sure ? Exact(static_cast<std::int64_t>(down)) : Exact()};
}

/// A fraction for multiples of π/2 and of π/3.
Part cosine(const Part& x) {
  constexpr double longest = 1e9;
  const double value = std::cos(x.about), turns = x.about / std::numbers::pi;
  if (x.exact.is(0)) return {value, 1};
  if (x.pis != 1 || std::abs(turns) > longest) return {value};
  if ((x.exact * Exact(2)).whole()) return {value, std::llround(value)};
  return {value, (x.exact * Exact(3)).whole() ? Exact(value > 0 ? 1 : -1) * inverse(Exact(2)) : Exact()};
}
Part sine(const Part& x) {
  if (x.exact.is(0)) return {0, 0};
  const Part quarter{-std::numbers::pi / 2, -inverse(Exact(2)), 1};
  Part result = x.pis == 1 ? cosine(x + quarter) : Part{};
  result.about = std::sin(x.about);
  return result;
}

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
    const Part all = sum();
    if (!rest_.empty()) throw NotArithmetic{};
    return {all.about, all.pis == 0 || all.exact.is(0) ? all.exact : Exact()};
  }

 private:
  bool takes(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  Part enclosed(std::string_view end) {
    const Part value = sum();
    if (!takes(end)) throw NotArithmetic{};
    return value;
  }
  Part braced() {
    if (!takes("{")) throw NotArithmetic{};
    return enclosed("}");
  }

  Part sum() {
    Part value = takes("-") ? -product() : product();
    for (;;) {
      if (takes("+"))
        value = value + product();
      else if (takes("-"))
        value = value + -product();
      else
        return value;
    }
  }

  Part product() {
    Part value = power_of();
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
  Part factor() { return takes("-") ? -power_of() : power_of(); }

  Part power_of() {
    const Part base = atom();
    if (!takes("^")) return base;
    return power(base, braced());
  }

  /// One over the same is 1, whatever it is.
  Part fraction() {
    const std::string_view from = rest_;
    const Part over = braced();
    const std::string_view above = from.substr(0, from.size() - rest_.size()), then = rest_;
    const Part under = braced();
    if (above == then.substr(0, then.size() - rest_.size()) && under.about != 0) return {1, 1};
    return over * inverse(under);
  }

  Part argument() {
    if (!takes("(")) throw NotArithmetic{};
    return enclosed(")");
  }
  /// A function whose value is a fraction at one place only.
  static Part only_at(std::int64_t at, std::int64_t is, const Part& x, double (*function)(double)) {
    return {function(x.about), x.exact.is(at) && x.pis == 0 ? Exact(is) : Exact()};
  }

  Part least_or_largest(bool largest) {
    if (!takes("(")) throw NotArithmetic{};
    Part value = sum();
    while (takes(",")) value = extreme(value, sum(), largest);
    if (!takes(")")) throw NotArithmetic{};
    return value;
  }

  Part atom() {
    if (takes("(")) return enclosed(")");
    if (takes("|")) {
      Part x = enclosed("|");
      if (!x.exact.is(0) && !clearly_apart(x.about, 0)) x.exact = {};
      return x.about < 0 ? -x : x;
    }
    if (takes("\\lfloor")) return floor(enclosed("\\rfloor"));
    if (takes("\\frac")) return fraction();
    if (takes("\\sqrt")) return power(braced(), {0.5, inverse(Exact(2))});
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
  Part number() {
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789."), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    Part value;
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
      value.exact = value.exact * Exact(10) + Exact(c - '0');
      decimals += behind_point ? 1 : 0;
    }
    value.exact = value.exact * power(Exact(10), Exact(-decimals));
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
