#include "app/study/rope/worked_frequency.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace orrery::study {
namespace {

using position::RopeReading;
using position::RopeRule;
using position::RopeType;
using tensor::Index;
using worked::power;
using worked::term;
using worked::Term;

double plain_value(const RopeRule& r, Index pair) {
  return std::pow(r.base, -2.0 * static_cast<double>(pair) / static_cast<double>(r.rotary_dim));
}

/// How far a pair is divided: as a formula, and what it comes to before it is kept within 0 … 1.
struct Share {
  Term formula;
  double value;
};

/// Over the turns that a pair makes within L, from `slow` of them on kept, up to `fast` divided.
Share share_by_turns(const RopeRule& r, Index pair, double slow, double fast) {
  const double turns = r.original_length * plain_value(r, pair) / (2 * std::numbers::pi);
  const Term within = worked::frac(term(r.original_length) * plain_frequency(r, pair), worked::two_pi());
  return {1 - worked::frac(within - slow, term(fast) - slow), 1 - (turns - slow) / (fast - slow)};
}

std::optional<Share> share_of(const RopeRule& r, Index pair) {
  switch (r.type) {
    case RopeType::yarn:
      if (r.reading == RopeReading::code) {
        const auto frequencies = rope_frequencies(r);
        const double low = frequencies.ramp_low, high = frequencies.ramp_high, i = static_cast<double>(pair);
        return Share{worked::frac(term(i) - low, term(high) - low), (i - low) / (high - low)};
      }
      [[fallthrough]];
    case RopeType::by_parts:
      return share_by_turns(r, pair, r.beta_slow, r.beta_fast);
    case RopeType::llama3:
      return share_by_turns(r, pair, r.low_freq_factor, r.high_freq_factor);
    default:
      return std::nullopt;
  }
}

/// b s^(R/(R−2)), and the like: a base whose slowest pair is so many times slower.
Term grown(const RopeRule& r, const Term& growth) {
  const auto d = static_cast<double>(r.rotary_dim);
  return term(r.base) * power(growth, term(d) / (d - 2));
}

Term exponent(const RopeRule& r, Index pair) {
  return -term(2.0 * static_cast<double>(pair)) / static_cast<double>(r.rotary_dim);
}

/// Of every rule but those that blend.
Term formula(const RopeRule& r, Index pair) {
  const Term plain = plain_frequency(r, pair);
  switch (r.type) {
    case RopeType::linear:
      return worked::frac(plain, r.factor);
    case RopeType::ntk:
      return power(grown(r, r.factor), exponent(r, pair));
    case RopeType::dynamic: {
      if (r.length <= r.max_length) return plain;
      const Term longer = term(r.length) / r.max_length;
      return power(
          grown(r, r.reading == RopeReading::paper ? longer : term(r.factor) * longer - (term(r.factor) - 1)),
          exponent(r, pair));
    }
    case RopeType::longrope: {
      const auto& divisors = r.length > r.original_length ? r.long_factor : r.short_factor;
      return worked::frac(plain, divisors.at(static_cast<std::size_t>(pair)));
    }
    case RopeType::proportional: {
      const bool live =
          static_cast<double>(pair) < std::floor(r.partial * static_cast<double>(r.rotary_dim) / 2);
      if (!live) return 0 * plain;
      return r.factor == 1 ? plain : worked::frac(plain, r.factor);
    }
    case RopeType::resonance:
      return worked::frac(worked::two_pi(), std::round(2 * std::numbers::pi / plain_value(r, pair)));
    default:
      return plain;
  }
}

}  // namespace

Term plain_frequency(const RopeRule& r, Index pair) {
  return power(r.base, exponent(r, pair));
}

void add_frequency(Worked& worked, std::string_view letter, const RopeRule& r, Index pair) {
  const auto i = static_cast<double>(pair);
  const double value = rope_frequencies(r).inv_freq.at(static_cast<std::size_t>(pair));
  const std::string name = worked::subscripted(letter, i);
  const auto share = share_of(r, pair);
  if (!share) {
    worked.add(name, formula(r, pair), value);
    return;
  }
  const Term plain = plain_frequency(r, pair);
  if (share->value <= 0 || r.factor == 1) {
    worked.add(name, plain, value);
  } else if (share->value >= 1) {
    worked.add(name, worked::frac(plain, r.factor), value);
  } else {
    worked.add(worked::subscripted("g", i), share->formula, share->value);
    worked.add(name, (term(1) - share->value) * plain + term(share->value) * worked::frac(plain, r.factor),
               value);
  }
}

void add_attention_factor(Worked& worked, const RopeRule& r) {
  if (r.attention_factor || r.factor <= 1) return;
  const double a = rope_frequencies(r).attention_factor;
  const auto mscale = [&](double k) { return term(0.1) * term(k) * worked::ln(r.factor) + 1; };
  if (r.type == RopeType::longrope)
    worked.add("a", worked::sqrt(term(1) + worked::frac(worked::ln(r.factor), worked::ln(r.original_length))),
               a);
  else if (r.type == RopeType::yarn && r.mscale.value_or(0) != 0 && r.mscale_all_dim.value_or(0) != 0)
    worked.add("a", worked::frac(mscale(*r.mscale), mscale(*r.mscale_all_dim)), a);
  else if (r.type == RopeType::yarn)
    worked.add("a", term(0.1) * worked::ln(r.factor) + 1, a);
}

Index worked_pair(const RopeRule& r) {
  const std::vector<double> theta = rope_frequencies(r).inv_freq;
  std::vector<Index> between;
  Index slowest = 0;
  for (Index i = 0; i < std::ssize(theta); ++i) {
    const double now = theta[static_cast<std::size_t>(i)];
    if (now > 0) slowest = i;
    const auto share = share_of(r, i);
    if (share && share->value > 0 && share->value < 1 && r.factor != 1) between.push_back(i);
  }
  return between.empty() ? slowest : between[between.size() / 2];
}

}  // namespace orrery::study
