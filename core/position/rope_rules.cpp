#include "core/position/rope_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "core/tensor/error.h"

namespace orrery::position::rules {

std::string text(double x) {
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

void require(std::string_view field, double found, double least, double most) {
  if (found >= least && found <= most) return;
  throw InvalidArgument(about(field)
                            .found(text(found))
                            .fault("{}", text(found))
                            .allowed("a number from {} to {}", text(least), text(most)));
}

void require_length(std::string_view field, double found) {
  require(field, found, 1, 1e12);
}
void require_factor(std::string_view field, double found) {
  require(field, found, 1e-6, 1e9);
}

namespace {

void require_ramp(const RopeRule& r) {
  require_factor("factor", r.factor);
  require_length("original_max_position_embeddings", r.original_length);
  require("beta_fast", r.beta_fast, 1e-6, 1e9);
  require("beta_slow", r.beta_slow, 1e-6, 1e9);
}

/// YaRN's ramp as every implementation has it: over the pair index.
void ramp_over_pairs(const RopeRule& r, RopeFrequencies& out) {
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
  if (r.beta_fast < r.beta_slow) {
    out.warnings.push_back({"beta_fast", text(r.beta_fast) + " is below beta_slow, " + text(r.beta_slow) +
                                             ": the ramp runs backwards, and fast pairs are divided"});
  }
  if (high > d / 2 - 1) {
    out.warnings.push_back({"beta_slow", "the ramp ends at pair " + text(high) + ", but the last pair is " +
                                             text(d / 2 - 1) +
                                             ": even the slowest pairs are not fully divided"});
  }
}

}  // namespace

void by_parts(const RopeRule& r, RopeFrequencies& out) {
  require_ramp(r);
  if (!(r.beta_slow < r.beta_fast)) {
    throw InvalidArgument(about("beta_slow")
                              .found(text(r.beta_slow))
                              .fault("{}", text(r.beta_slow))
                              .allowed("below beta_fast, {}", text(r.beta_fast)));
  }
  for (double& w : out.inv_freq) {
    const double turns = r.original_length * w / (2 * std::numbers::pi);
    const double t = std::clamp((turns - r.beta_slow) / (r.beta_fast - r.beta_slow), 0.0, 1.0);
    w = (1 - t) * w / r.factor + t * w;
  }
}

void yarn(const RopeRule& r, RopeFrequencies& out) {
  if (r.reading == RopeReading::paper) {
    by_parts(r, out);
  } else {
    require_ramp(r);
    ramp_over_pairs(r, out);
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
      throw InvalidArgument(
          about(field)
              .found(list->size())
              .fault(list->size() == 1 ? words("1 number") : words("{} numbers", list->size()))
              .allowed("one per pair, {} for a rotary width of {}", out.inv_freq.size(), r.rotary_dim));
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
    throw InvalidArgument(about("high_freq_factor")
                              .found(text(r.high_freq_factor))
                              .fault("{}", text(r.high_freq_factor))
                              .allowed("at least low_freq_factor, {}", text(r.low_freq_factor)));
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

}  // namespace orrery::position::rules
