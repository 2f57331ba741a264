#include "core/position/rope_identify.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/position/rope_search.h"
#include "core/tensor/error.h"

namespace orrery::position {
namespace {

using tensor::Format;

void require_frequencies(std::span<const double> f) {
  if (f.size() < 2 || f.size() > 4096) {
    throw InvalidArgument(about(words("frequencies"))
                              .found(f.size())
                              .fault(f.size() == 1 ? words("1 number") : words("{} numbers", f.size()))
                              .allowed("{} to {}, one per pair", 2, 4096));
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (!(f[i] >= 0 && f[i] <= 1e6)) {
      throw InvalidArgument(about(words("frequencies"))
                                .found(std::to_string(f[i]))
                                .fault("number {} is {}", i, std::to_string(f[i]))
                                .allowed("radians per token, from {} to {}", 0, "1e6"));
    }
  }
  if (std::ranges::all_of(f, [](double x) { return x == 0; }))
    throw InvalidArgument(
        about(words("frequencies")).fault("all are 0").allowed("at least one pair that turns"));
}

/// Numbers below this are subnormal in the format, and have an absolute error instead of a relative one.
double smallest_step(Format format) {
  return format == Format::f16 ? 0x1p-25 : 0;
}

RopeFit compared(const RopeRule& rule, std::span<const double> f, double tolerance, double step) {
  RopeFit fit;
  fit.rule = rule;
  fit.inv_freq = rope_frequencies(rule).inv_freq;
  fit.fits = true;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double expected = fit.inv_freq[i];
    const double off = expected == 0 ? (f[i] == 0 ? 0 : 1) : (f[i] - expected) / expected;
    fit.residual.push_back(off);
    fit.max_relative_residual = std::max(fit.max_relative_residual, std::abs(off));
    fit.fits = fit.fits && (std::abs(off) <= tolerance || std::abs(f[i] - expected) <= step);
  }
  return fit;
}

bool is_default(const NamedNumber& number) {
  return (number.name == "beta_fast" && number.value == 32) ||
         (number.name == "beta_slow" && number.value == 1) ||
         (number.name == "truncate" && number.value == 1) ||
         (number.name == "low_freq_factor" && number.value == 1) ||
         (number.name == "high_freq_factor" && number.value == 4);
}

/// How much there is to say: fewer and rounder numbers are likelier to be what somebody wrote.
double cost(const RopeFit& fit) {
  double sum = 0;
  switch (fit.rule.type) {
    case RopeType::longrope:
      sum = fits_anything(fit) ? 1e6 : 4;
      break;
    case RopeType::by_parts:
    case RopeType::ntk:
      sum = 0.5;
      break;
    case RopeType::dynamic:
      sum = 1;
      break;
    default:
      break;
  }
  for (const NamedNumber& number : numbers_of(fit.rule))
    if (!is_default(number)) sum += 2 * search::digits(number.value) - 1;
  return sum - (fit.names.empty() ? 0 : 0.5);
}

bool same_numbers(const RopeRule& a, const RopeRule& b) {
  const auto x = numbers_of(a), y = numbers_of(b);
  return a.type == b.type && a.short_factor == b.short_factor && a.long_factor == b.long_factor &&
         std::ranges::equal(
             x, y, [](const auto& p, const auto& q) { return p.name == q.name && p.value == q.value; });
}

}  // namespace

Format narrowest_format(std::span<const double> f) {
  for (const Format format : {Format::bf16, Format::f16, Format::f32}) {
    if (std::ranges::all_of(f, [&](double x) { return tensor::round_to(format, x) == x; })) return format;
  }
  return Format::f64;
}

double identify_tolerance(Format format) {
  switch (format) {
    case Format::bf16:
      return 0x1p-8;
    case Format::f16:
      return 0x1p-10;
    case Format::f32:
      return 5e-6;
    case Format::f64:
      break;
  }
  return 1e-12;
}

std::vector<NamedNumber> numbers_of(const RopeRule& r) {
  std::vector<NamedNumber> n{{"rope_theta", r.base}};
  const auto add = [&](const char* name, double value) { n.push_back({name, value}); };
  const bool stretched = r.type != RopeType::standard && r.type != RopeType::resonance &&
                         r.type != RopeType::longrope && !(r.type == RopeType::proportional && r.factor == 1);
  if (stretched) add("factor", r.factor);
  switch (r.type) {
    case RopeType::yarn:
    case RopeType::by_parts:
      add("original_max_position_embeddings", r.original_length);
      add("beta_fast", r.beta_fast);
      add("beta_slow", r.beta_slow);
      if (r.type == RopeType::yarn && r.reading == RopeReading::code) add("truncate", r.truncate ? 1 : 0);
      break;
    case RopeType::llama3:
      add("original_max_position_embeddings", r.original_length);
      add("low_freq_factor", r.low_freq_factor);
      add("high_freq_factor", r.high_freq_factor);
      break;
    case RopeType::proportional:
      add("partial_rotary_factor", r.partial);
      break;
    case RopeType::dynamic:
      add("max_position_embeddings", r.max_length);
      add("length", std::max(r.length, r.max_length));
      break;
    default:
      break;
  }
  return n;
}

OncePerPair once_per_pair(std::span<const double> f) {
  const std::size_t half = f.size() / 2;
  const auto all = [&](auto equal) {
    for (std::size_t i = 0; i < half; ++i)
      if (!equal(i)) return false;
    return true;
  };
  const bool alike = std::ranges::adjacent_find(f, std::ranges::not_equal_to()) == f.end();
  if (f.size() % 2 == 0 && half >= 2 && !alike) {
    if (all([&](std::size_t i) { return f[i] == f[half + i]; }))
      return {{f.begin(), f.begin() + static_cast<std::ptrdiff_t>(half)}, Repetition::halves};
    if (all([&](std::size_t i) { return f[2 * i] == f[2 * i + 1]; })) {
      OncePerPair once{{}, Repetition::neighbours};
      for (std::size_t i = 0; i < half; ++i) once.inv_freq.push_back(f[2 * i]);
      return once;
    }
  }
  return {{f.begin(), f.end()}, Repetition::none};
}

bool fits_anything(const RopeFit& fit) {
  return fit.rule.type == RopeType::longrope && fit.names.empty();
}

std::vector<RopeFit> identify_rope(std::span<const double> f, std::span<const KnownRule> known) {
  require_frequencies(f);
  const Format format = narrowest_format(f);
  const double tolerance = identify_tolerance(format), step = smallest_step(format);
  std::vector<RopeFit> fits, nearest;  // of those that do not fit, the nearest of each type
  const auto add = [&](const RopeRule& rule, const std::string& name) {
    RopeFit fit;
    try {
      fit = compared(rule, f, tolerance, step);
    } catch (const InvalidArgument&) {
      return;  // a number that no rule takes: the search went too far
    }
    auto& list = fit.fits ? fits : nearest;
    const auto same = std::ranges::find_if(list, [&](const RopeFit& each) {
      return fit.fits ? same_numbers(each.rule, rule) : each.rule.type == rule.type;
    });
    if (!name.empty()) fit.names.push_back(name);
    if (same == list.end()) {
      list.push_back(std::move(fit));
    } else if (!fit.fits && fit.max_relative_residual < same->max_relative_residual) {
      *same = std::move(fit);
    } else if (fit.fits && !name.empty()) {
      same->names.push_back(name);
    }
  };
  for (const KnownRule& each : known) {
    if (each.rule.rotary_dim == static_cast<tensor::Index>(2 * f.size())) add(each.rule, each.name);
  }
  for (const RopeRule& rule : search::candidates(f, tolerance)) add(rule, "");

  std::ranges::stable_sort(fits, {}, cost);
  std::ranges::stable_sort(nearest, {}, &RopeFit::max_relative_residual);
  // One of each kind, the likeliest of it, and every known rule.
  std::vector<RopeFit> best;
  const auto have = [&](RopeType type) {
    return std::ranges::any_of(best, [&](const RopeFit& b) { return b.rule.type == type; });
  };
  const auto add_best = [&](std::vector<RopeFit>& from, bool anything) {
    for (RopeFit& fit : from)
      if (fits_anything(fit) == anything && (!have(fit.rule.type) || !fit.names.empty()))
        best.push_back(std::move(fit));
  };
  const bool known_fit = std::ranges::any_of(fits, [](const RopeFit& fit) { return !fits_anything(fit); });
  add_best(fits, false);
  add_best(nearest, false);
  if (!known_fit) add_best(fits, true);
  for (RopeFit& fit : best) fit.fits = fit.fits && !fits_anything(fit);
  return best;
}

}  // namespace orrery::position
