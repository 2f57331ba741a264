#include "core/position/rope_search.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

namespace orrery::position::search {
namespace {

using Numbers = std::vector<double>;
constexpr double turn = 2 * std::numbers::pi;

double rounded(double x, int significant) {
  std::array<char, 40> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific, significant - 1)
          .ptr;
  double y = x;
  std::from_chars(text.data(), end, y);
  return y;
}

void add_once(Numbers& list, double x) {
  if (std::ranges::find(list, x) == list.end()) list.push_back(x);
}

/// x itself, and what a person may have written for it.
Numbers readings(double x) {
  Numbers list;
  for (const int significant : {1, 2, 3}) add_once(list, rounded(x, significant));
  add_once(list, x);
  return list;
}

/// The same of more digits: where the vector holds only a few of them, it says no more than the first of these that fits.
Numbers longer_readings(double x) {
  Numbers list;
  for (int significant = 4; significant <= 9; ++significant) add_once(list, rounded(x, significant));
  return list;
}

/// Slope of ln f over the pairs first … last, by least squares; through the first of them when `anchored`.
double slope(std::span<const double> logs, std::size_t first, std::size_t last, bool anchored) {
  double x0 = static_cast<double>(first), y0 = logs[first];
  if (!anchored) {
    double x = 0, y = 0;
    for (std::size_t i = first; i <= last; ++i) x += static_cast<double>(i), y += logs[i];
    const double count = static_cast<double>(last - first + 1);
    x0 = x / count, y0 = y / count;
  }
  double xy = 0, xx = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const double x = static_cast<double>(i) - x0;
    xy += x * (logs[i] - y0);
    xx += x * x;
  }
  return xy / xx;
}

/// The last pair up to which the logarithms lie on one line through the first, within the slack of both ends.
std::size_t straight_until(std::span<const double> logs, double slack) {
  for (std::size_t last = logs.size() - 1; last > 1; --last) {
    const double m = slope(logs, 0, last, true);
    bool straight = true;
    for (std::size_t i = 0; straight && i <= last; ++i)
      straight = std::abs(logs[i] - logs[0] - m * static_cast<double>(i)) <= 2 * slack;
    if (straight) return last;
  }
  return 1;
}

class Search {
 public:
  Search(std::span<const double> f, double slack) : f_(f), slack_(slack) {
    pairs_ = f.size();
    live_ = pairs_;
    while (live_ > 0 && f[live_ - 1] == 0) --live_;
    for (std::size_t i = 0; i < live_; ++i) logs_.push_back(std::log(std::max(f[i], 1e-300)));
  }

  std::vector<RopeRule> found() {
    if (live_ < 2) {
      add_plain(10000);  // one turning pair says nothing of its base
      return std::move(rules_);
    }
    add_plain(10000);  // so that there is an answer, whatever the numbers are
    for (const double base : bases()) {
      add_plain(base);
      if (live_ == pairs_) add_ramps(base);
      if (digits(base) > 9)
        for (const double each : longer_readings(base)) add_plain(each);
    }
    if (live_ == pairs_) add_grown_bases();
    if (live_ == pairs_) add_resonance();
    if (live_ == pairs_) add_divisors();
    return std::move(rules_);
  }

 private:
  RopeRule rule(RopeType type, double base, double factor = 1) const {
    RopeRule r;
    r.type = type;
    r.rotary_dim = static_cast<tensor::Index>(2 * pairs_);
    r.base = base;
    r.factor = factor;
    return r;
  }
  double width() const { return 2 * static_cast<double>(pairs_); }
  double base_of(double slope) const { return std::exp(-slope * width() / 2); }
  static bool possible(double base) { return base > 1.001 && base < 1e17; }

  /// From the fastest pairs, which nearly every rule keeps, and from the slowest, which are divided alike.
  Numbers bases() const {
    const std::size_t last = straight_until(logs_, slack_);
    Numbers raw;
    for (const std::size_t to : {last, last - 1, 3 * last / 4, last / 2})
      if (to >= 1) raw.push_back(base_of(slope(logs_, 0, to, true)));
    for (const std::size_t part : {std::size_t{4}, std::size_t{8}})
      if (live_ / part >= 2) raw.push_back(base_of(slope(logs_, live_ - live_ / part, live_ - 1, false)));
    Numbers list;
    for (const double base : raw) {
      if (!possible(base)) continue;
      for (const double each : readings(base))
        if (possible(each)) add_once(list, each);
    }
    return list;
  }

  /// Every pair alike: default, linear, proportional.
  void add_plain(double base) {
    const double factor = f_[0] > 0 ? 1 / f_[0] : 1;
    const bool still = live_ < pairs_;
    for (const double s : readings(factor)) {
      RopeRule r = rule(still    ? RopeType::proportional
                        : s == 1 ? RopeType::standard
                                 : RopeType::linear,
                        base, s);
      // ⌊pR/2⌋ pairs turn: the middle of the p that give as many, unless the plain quotient does.
      r.partial = static_cast<double>(live_) / static_cast<double>(pairs_);
      if (still && std::floor(r.partial * width() / 2) != static_cast<double>(live_))
        r.partial = (static_cast<double>(live_) + 0.5) / static_cast<double>(pairs_);
      rules_.push_back(r);
    }
  }

  /// NTK and dynamic: a plain vector whose base a rule has made from a rounder one.
  void add_grown_bases() {
    if (pairs_ < 2) return;
    const double grown = base_of(slope(logs_, 0, live_ - 1, true));
    if (!possible(grown)) return;
    // The bases that models are trained with.
    for (const double base : {1e4, 5e4, 1e5, 1.5e5, 2.5e5, 5e5, 1e6, 5e6, 1e7}) {
      const double growth = std::pow(grown / base, (width() - 2) / width());
      const double whole = std::round(growth);
      if (!(whole >= 2 && whole < 1024) || std::abs(growth / whole - 1) > 0.02) continue;
      rules_.push_back(rule(RopeType::ntk, base, whole));
      for (const double factor : {1.0, 2.0, 4.0, 8.0}) {
        const double stretch = (whole + factor - 1) / factor;  // s n/M − (s − 1)
        if (stretch != std::round(stretch) || stretch < 2) continue;
        RopeRule r = rule(RopeType::dynamic, base, factor);
        r.max_length = 4096;  // only the quotient of the lengths counts
        r.length = 4096 * stretch;
        rules_.push_back(r);
      }
    }
  }

  /// Fast pairs kept, slow ones divided, a ramp between: YaRN's over the pairs, the others' over the turns.
  void add_ramps(double base) {
    const RopeRule plain = rule(RopeType::standard, base);
    const Numbers w = rope_frequencies(plain).inv_freq;
    const double last = w.back() / f_.back();
    if (!(last > 1 + 4 * slack_)) return;
    Numbers factors = readings(last);
    add_once(factors, std::exp2(std::round(std::log2(last))));
    for (const double s : {2.0, 4.0, 8.0, 10.0, 16.0, 32.0, 40.0, 64.0})
      if (s > last) add_once(factors, s);  // a ramp that ends beyond the last pair
    for (const double s : factors) {
      if (!(s > 1 && s < 1e6)) continue;
      Numbers pair, turns, share;  // of blended pairs: index, turns per token, how much is kept
      for (std::size_t i = 0; i < pairs_; ++i) {
        const double kept = (f_[i] / w[i] - 1 / s) / (1 - 1 / s);
        if (kept < 0.01 || kept > 0.99) continue;
        pair.push_back(static_cast<double>(i));
        turns.push_back(w[i] / turn);
        share.push_back(kept);
      }
      add_by_turns(base, s, turns, share);
      add_by_pairs(base, s, pair, share);
    }
  }

  struct Straight {
    double slope, at_zero;
  };
  static std::optional<Straight> fit(const Numbers& x, const Numbers& y) {
    if (x.size() < 2) return {};
    double mx = 0, my = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mx += x[i], my += y[i];
    mx /= static_cast<double>(x.size()), my /= static_cast<double>(x.size());
    double xy = 0, xx = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      xy += (x[i] - mx) * (y[i] - my), xx += (x[i] - mx) * (x[i] - mx);
    const double m = xy / xx;
    return Straight{m, my - m * mx};
  }

  /// The powers of two about a length.
  static Numbers lengths_about(double length) {
    Numbers list;
    if (!(length > 1 && length < 1e12)) return list;
    const double middle = std::round(std::log2(length));
    for (const double k : {middle, middle - 1, middle + 1})
      list.push_back(std::exp2(std::clamp(k, 4.0, 39.0)));
    return list;
  }

  void add_turn_rules(double base, double s, double length, double low, double high) {
    RopeRule r = rule(RopeType::llama3, base, s);
    r.original_length = length;
    r.low_freq_factor = low;
    r.high_freq_factor = high;
    if (high < low) return;
    rules_.push_back(r);
    if (high == low) return;
    r.type = RopeType::by_parts;
    r.beta_slow = low;
    r.beta_fast = high;
    rules_.push_back(r);
  }

  /// kept = (L x − low)/(high − low): only L/low and L/high can be seen, so low is taken to be 1.
  void add_by_turns(double base, double s, const Numbers& turns, const Numbers& share) {
    const auto line = fit(turns, share);
    if (line && line->at_zero < 0 && line->slope > 0) {
      const double high = 1 - 1 / line->at_zero, length = -line->slope / line->at_zero;
      Numbers highs{std::max(1.0, std::round(high))};
      add_once(highs, rounded(high, 2));
      add_once(highs, high);
      for (const double h : highs) {
        for (const double l : lengths_about(length)) add_turn_rules(base, s, l, 1, h);
        add_turn_rules(base, s, std::round(length), 1, h);
      }
      return;
    }
    // A step: the first pair that is divided makes less than one turn within the length.
    for (double length = 256; length <= 1 << 24; length *= 2)
      for (const double high : {1.0, 4.0}) add_turn_rules(base, s, length, 1, high);
  }

  /// kept = 1 − (i − low)/(high − low), low and high from the turns 32 and 1 unless that does not meet them.
  void add_by_pairs(double base, double s, const Numbers& pair, const Numbers& share) {
    const auto line = fit(pair, share);
    if (!line || !(line->slope < 0)) return;
    const double low = (1 - line->at_zero) / line->slope, high = -line->at_zero / line->slope;
    const auto turns_at = [&](double length, double i) {
      return length / (turn * std::pow(base, 2 * i / width()));
    };
    for (const double end :
         {high, std::round(high) - 0.5}) {  // as it is, or the middle of what was rounded up
      for (const double length : lengths_about(turn * std::pow(base, 2 * end / width()))) {
        Numbers fast{32};
        const double seen = turns_at(length, low);
        if (seen > 0.5 && seen < 1e5) {
          add_once(fast, std::exp2(std::round(std::log2(seen))));
          add_once(fast, std::max(1.0, std::round(turns_at(length, low + 0.5))));
        }
        for (const double beta : fast) {
          for (const bool truncate : {true, false}) {
            RopeRule r = rule(RopeType::yarn, base, s);
            r.original_length = length;
            r.beta_fast = beta;
            r.truncate = truncate;
            rules_.push_back(r);
          }
        }
      }
    }
  }

  /// Wavelengths that are whole numbers of tokens.
  void add_resonance() {
    for (const double f : f_) {
      const double wavelength = turn / f;
      if (wavelength * slack_ > 0.1) break;  // too coarse to tell
      if (std::abs(wavelength - std::round(wavelength)) > 2 * slack_ * wavelength + 1e-9) return;
    }
    const double base = std::pow(turn / f_.back() / turn, width() / (width() - 2));
    if (!possible(base)) return;
    for (const double b : readings(base))
      if (possible(b)) rules_.push_back(rule(RopeType::resonance, b));
    if (live_ >= 8) {
      const double b = base_of(slope(logs_, live_ / 2, live_ - 1, false));
      for (const double each : readings(b))
        if (possible(each)) rules_.push_back(rule(RopeType::resonance, each));
    }
  }

  /// LongRoPE divides every pair by a number of its own: any vector is one, with the base that most models have.
  void add_divisors() {
    RopeRule r = rule(RopeType::longrope, 10000);
    const Numbers w = rope_frequencies(rule(RopeType::standard, r.base)).inv_freq;
    for (std::size_t i = 0; i < pairs_; ++i) {
      const double divisor = w[i] / f_[i];
      if (!(divisor > 1e-6 && divisor < 1e9)) return;
      r.short_factor.push_back(divisor);
    }
    r.long_factor = r.short_factor;
    r.original_length = 4096;
    rules_.push_back(r);
  }

  std::span<const double> f_;
  double slack_;
  std::size_t pairs_ = 0, live_ = 0;
  Numbers logs_;
  std::vector<RopeRule> rules_;
};

}  // namespace

int digits(double x) {
  int exponent = 0;
  if (x > 0 && std::frexp(x, &exponent) == 0.5) return 1;
  std::array<char, 40> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), std::abs(x), std::chars_format::scientific).ptr;
  const std::string_view s(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::string_view mantissa = s.substr(0, s.find('e'));
  return static_cast<int>(mantissa.size()) - (mantissa.find('.') != std::string_view::npos ? 1 : 0);
}

std::vector<RopeRule> candidates(std::span<const double> inv_freq, double slack) {
  return Search(inv_freq, slack).found();
}

}  // namespace orrery::position::search
