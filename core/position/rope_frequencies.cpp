#include "core/position/rope_frequencies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/position/rope_rules.h"
#include "core/tensor/error.h"

namespace orrery::position {
namespace {

using rules::require;
using rules::require_factor;
using rules::require_length;
using tensor::Index;

constexpr std::array<std::pair<RopeType, std::string_view>, 10> names{{
    {RopeType::standard, "default"},
    {RopeType::linear, "linear"},
    {RopeType::ntk, "ntk"},
    {RopeType::dynamic, "dynamic"},
    {RopeType::yarn, "yarn"},
    {RopeType::longrope, "longrope"},
    {RopeType::llama3, "llama3"},
    {RopeType::proportional, "proportional"},
    {RopeType::by_parts, "by_parts"},
    {RopeType::resonance, "resonance"},
}};

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
    throw InvalidArgument(
        about("rotary_dim")
            .found(r.rotary_dim)
            .fault("{}", r.rotary_dim)
            .allowed("{} or more for rope_type {}, whose exponent is R/(R − 2)", 4, name(r.type)));
  }
  const auto d = static_cast<double>(r.rotary_dim);
  return r.base * std::pow(growth, d / (d - 2));
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
  const double stretch = r.length / r.max_length;
  // Hugging Face's factor 2 at twice the length grows the base by 3, where the paper's rule grows it by 2.
  out.base = grown_base(r, r.reading == RopeReading::paper ? stretch : r.factor * stretch - (r.factor - 1));
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
    throw InvalidArgument(about("rotary_dim")
                              .found(r.rotary_dim)
                              .fault("{}", r.rotary_dim)
                              .allowed("an even number from {} to {}", 0, 65536));
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
      rules::yarn(r, out);
      break;
    case RopeType::longrope:
      rules::longrope(r, out);
      break;
    case RopeType::llama3:
      rules::llama3(r, out);
      break;
    case RopeType::proportional:
      proportional(r, out);
      break;
    case RopeType::by_parts:
      rules::by_parts(r, out);
      break;
    case RopeType::resonance:
      for (double& w : out.inv_freq) {
        w = 2 * std::numbers::pi / std::round(2 * std::numbers::pi / w);
      }
      break;
  }
  return out;
}

PairCounts count_pairs(const RopeRule& r, const RopeFrequencies& f) {
  const std::vector<double> w = powers(r.base, r.rotary_dim);
  // A few roundings.
  const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
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
