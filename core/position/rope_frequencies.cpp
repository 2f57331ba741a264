#include "core/position/rope_frequencies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "core/tensor/error.h"

namespace orrery::position {
namespace {

using tensor::Index;

constexpr std::array<std::pair<RopeType, std::string_view>, 8> names{{
    {RopeType::standard, "default"},
    {RopeType::linear, "linear"},
    {RopeType::ntk, "ntk"},
    {RopeType::dynamic, "dynamic"},
    {RopeType::yarn, "yarn"},
    {RopeType::longrope, "longrope"},
    {RopeType::llama3, "llama3"},
    {RopeType::proportional, "proportional"},
}};

std::string text(double x) {
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

/// Ranges are wide of everything published and narrow enough that no rule overflows.
void require(std::string_view field, double found, double least, double most) {
  if (found >= least && found <= most) return;
  throw InvalidArgument(std::string(field) + ": " + text(found) + "; allowed: a number from " + text(least) +
                        " to " + text(most));
}

void require_length(std::string_view field, double found) {
  require(field, found, 1, 1e12);
}
void require_factor(std::string_view field, double found) {
  require(field, found, 1e-6, 1e9);
}

double frequency(double base, Index i, Index rotary_dim) {
  return std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(rotary_dim));
}

std::vector<double> powers(double base, Index rotary_dim) {
  std::vector<double> w(static_cast<std::size_t>(rotary_dim / 2));
  for (Index i = 0; i < rotary_dim / 2; ++i) w[static_cast<std::size_t>(i)] = frequency(base, i, rotary_dim);
  return w;
}

/// The base whose slowest pair is `growth` times slower, the fastest unchanged.
double grown_base(const RopeRule& r, double growth) {
  if (r.rotary_dim < 4) {
    throw InvalidArgument("rotary_dim: " + std::to_string(r.rotary_dim) +
                          "; allowed: 4 or more for rope_type " + std::string(name(r.type)) +
                          ", whose exponent is R/(R − 2)");
  }
  const auto d = static_cast<double>(r.rotary_dim);
  return r.base * std::pow(growth, d / (d - 2));
}

void yarn(const RopeRule& r, RopeFrequencies& out) {
  require_factor("factor", r.factor);
  require_length("original_max_position_embeddings", r.original_length);
  require("beta_fast", r.beta_fast, 1e-6, 1e9);
  require("beta_slow", r.beta_slow, 1e-6, 1e9);
  const auto d = static_cast<double>(r.rotary_dim);
  // The pair that makes `turns` turns within the original length; a real number.
  const auto pair_with = [&](double turns) {
    return d * std::log(r.original_length / (2 * std::numbers::pi * turns)) / (2 * std::log(r.base));
  };
  double low = pair_with(r.beta_fast), high = pair_with(r.beta_slow);
  if (r.truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0);
  high = std::min(high, d - 1);
  if (low == high) high += 0.001;
  out.ramp_low = low;
  out.ramp_high = high;
  for (std::size_t i = 0; i < out.inv_freq.size(); ++i) {
    const double g = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    const double w = out.inv_freq[i];
    out.inv_freq[i] = w * (1 - g) + w / r.factor * g;
  }
  if (high > d / 2 - 1) {
    out.warnings.push_back({"beta_slow", "the ramp ends at pair " + text(high) + ", but the last pair is " +
                                             text(d / 2 - 1) +
                                             ": even the slowest pairs are not fully divided"});
  }
  if (r.attention_factor) {
    out.attention_factor = *r.attention_factor;
  } else if (r.mscale.value_or(0) != 0 && r.mscale_all_dim.value_or(0) != 0) {
    out.attention_factor = yarn_mscale(r.factor, *r.mscale) / yarn_mscale(r.factor, *r.mscale_all_dim);
  } else {
    out.attention_factor = yarn_mscale(r.factor, 1);
  }
}

void longrope(const RopeRule& r, RopeFrequencies& out) {
  require_factor("factor", r.factor);
  require("original_max_position_embeddings", r.original_length, 2, 1e12);
  const bool use_long = r.length > r.original_length;
  for (const auto& [field, list] :
       {std::pair{"short_factor", &r.short_factor}, std::pair{"long_factor", &r.long_factor}}) {
    if (list->size() != out.inv_freq.size()) {
      throw InvalidArgument(std::string(field) + ": " + std::to_string(list->size()) +
                            " numbers; allowed: one per pair, " + std::to_string(out.inv_freq.size()) +
                            " for a rotary width of " + std::to_string(r.rotary_dim));
    }
    for (const double e : *list) require_factor(field, e);
  }
  const auto& divisors = use_long ? r.long_factor : r.short_factor;
  for (std::size_t i = 0; i < divisors.size(); ++i) out.inv_freq[i] /= divisors[i];
  if (r.attention_factor) {
    out.attention_factor = *r.attention_factor;
  } else if (r.factor > 1) {
    out.attention_factor = std::sqrt(1 + std::log(r.factor) / std::log(r.original_length));
  }
}

void llama3(const RopeRule& r, RopeFrequencies& out) {
  require_factor("factor", r.factor);
  require_length("original_max_position_embeddings", r.original_length);
  require_factor("low_freq_factor", r.low_freq_factor);
  require_factor("high_freq_factor", r.high_freq_factor);
  if (r.high_freq_factor < r.low_freq_factor) {
    throw InvalidArgument("high_freq_factor: " + text(r.high_freq_factor) +
                          "; allowed: at least low_freq_factor, " + text(r.low_freq_factor));
  }
  for (double& w : out.inv_freq) {
    const double wavelength = 2 * std::numbers::pi / w;
    if (wavelength < r.original_length / r.high_freq_factor) continue;
    if (wavelength > r.original_length / r.low_freq_factor || r.high_freq_factor == r.low_freq_factor) {
      w /= r.factor;
      continue;
    }
    const double t =
        (r.original_length / wavelength - r.low_freq_factor) / (r.high_freq_factor - r.low_freq_factor);
    w = (1 - t) * w / r.factor + t * w;
  }
  if (r.high_freq_factor == r.low_freq_factor) {
    out.warnings.push_back({"high_freq_factor",
                            "equals low_freq_factor: the blend would divide by zero, so no pair is "
                            "blended; pairs are either kept or divided"});
  }
}

void proportional(const RopeRule& r, RopeFrequencies& out) {
  require_factor("factor", r.factor);
  require("partial_rotary_factor", r.partial, 0, 1);
  const auto live = static_cast<std::size_t>(std::floor(r.partial * static_cast<double>(r.rotary_dim) / 2));
  for (std::size_t i = 0; i < out.inv_freq.size(); ++i)
    out.inv_freq[i] = i < live ? out.inv_freq[i] / r.factor : 0;
}

void dynamic(const RopeRule& r, RopeFrequencies& out) {
  require_length("max_position_embeddings", r.max_length);
  require("factor", r.factor, 1, 1e9);  // below 1 the base would shrink to nothing as the text grows
  if (r.length <= r.max_length) return;
  out.base = grown_base(r, r.factor * r.length / r.max_length - (r.factor - 1));
  out.inv_freq = powers(out.base, r.rotary_dim);
}

}  // namespace

std::string_view name(RopeType type) {
  return std::ranges::find(names, type, &std::pair<RopeType, std::string_view>::first)->second;
}

std::optional<RopeType> rope_type_from_name(std::string_view text) {
  const auto* const found = std::ranges::find(names, text, &std::pair<RopeType, std::string_view>::second);
  return found == names.end() ? std::nullopt : std::optional(found->first);
}

double yarn_mscale(double factor, double k) {
  return factor <= 1 ? 1 : 0.1 * k * std::log(factor) + 1;
}

RopeFrequencies rope_frequencies(const RopeRule& r) {
  if (r.rotary_dim < 0 || r.rotary_dim % 2 != 0 || r.rotary_dim > 65536) {
    throw InvalidArgument("rotary_dim: " + std::to_string(r.rotary_dim) +
                          "; allowed: an even number from 0 to 65536");
  }
  require("rope_theta", r.base, 1.0001, 1e18);
  if (r.length != 0) require_length("length", r.length);
  if (r.attention_factor) require("attention_factor", *r.attention_factor, 1e-6, 1e6);
  for (const auto& [field, m] :
       {std::pair{"mscale", r.mscale}, std::pair{"mscale_all_dim", r.mscale_all_dim}}) {
    if (m) require(field, *m, 0, 1e6);
  }

  RopeFrequencies out;
  out.base = r.base;
  out.inv_freq = powers(r.base, r.rotary_dim);
  switch (r.type) {
    case RopeType::standard:
      break;
    case RopeType::linear:
      require_factor("factor", r.factor);
      for (double& w : out.inv_freq) w /= r.factor;
      break;
    case RopeType::ntk:
      require_factor("factor", r.factor);
      out.base = grown_base(r, r.factor);
      out.inv_freq = powers(out.base, r.rotary_dim);
      break;
    case RopeType::dynamic:
      dynamic(r, out);
      break;
    case RopeType::yarn:
      yarn(r, out);
      break;
    case RopeType::longrope:
      longrope(r, out);
      break;
    case RopeType::llama3:
      llama3(r, out);
      break;
    case RopeType::proportional:
      proportional(r, out);
      break;
  }
  return out;
}

PairCounts count_pairs(const RopeRule& r, const RopeFrequencies& f) {
  const std::vector<double> w = powers(r.base, r.rotary_dim);
  const auto same = [](double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::abs(b);
  };  // a few roundings
  PairCounts counts;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double now = f.inv_freq[i];
    ++(now == 0                     ? counts.still
       : same(now, w[i])            ? counts.kept
       : same(now, w[i] / r.factor) ? counts.divided
                                    : counts.blended);
  }
  return counts;
}

}  // namespace orrery::position
