// The frequencies of rotary positions, as published rules give them for long context.
//
//   w_i = b^(−2i/R), λ_i = 2π/w_i, i = 0 … R/2 − 1
//   L = original length, M = longest length, s = factor, n = current length
//
//   default       θ_i = w_i
//   linear        θ_i = w_i / s                                       position interpolation
//   ntk           θ_i = b'^(−2i/R), b' = b s^(R/(R−2))
//   dynamic       the same with b' = b (s n/M − (s − 1))^(R/(R−2)), n = max(n, M)      Hugging Face's
//                 reading `paper`: b' = b max(1, n/M)^(R/(R−2)); s is not used
//   by_parts      θ_i = (1 − t_i) w_i/s + t_i w_i, t_i = clamp((L/λ_i − β_slow)/(β_fast − β_slow), 0, 1):
//                 NTK-by-parts, whose ramp runs over the turns L/λ_i that a pair makes within L
//   yarn          θ_i = w_i (1 − g_i) + (w_i/s) g_i, g_i = clamp((i − low)/(high − low), 0, 1)
//                 low = c(β_fast), high = c(β_slow), c(r) = R ln(L/(2πr)) / (2 ln b); floor and ceil when
//                 `truncate`; both kept within 0 … R − 1 (not R/2 − 1: as all reference code has it);
//                 high + 0.001 when they are equal. The ramp runs over the pair index, as in every
//                 implementation; with reading `paper` it is that of by_parts.
//   longrope      θ_i = w_i / e_i, e the long list when n > L, else the short one
//   llama3        θ_i = w_i where λ_i < L/high, w_i/s where λ_i > L/low, and between them
//                 (1 − t) w_i/s + t w_i with t = (L/λ_i − low)/(high − low)
//   proportional  θ_i = w_i / s for i < ⌊p R / 2⌋, 0 for the others; R is the whole head (p-RoPE)
//   resonance     θ_i = 2π / round(λ_i): every pair comes back to where it was after whole tokens
//
// Attention  The factor a multiplies cos and sin, so that scores are multiplied by a²; 1 unless said:
//            yarn      given; else m(s, mscale)/m(s, mscale_all_dim) when both are given and not 0; else
//                      m(s, 1), with m(s, k) = 0.1 k ln s + 1, and 1 for s ≤ 1
//            longrope  given; else √(1 + ln s / ln L), and 1 for s ≤ 1
// Formats    double throughout.
// Edges      odd or negative R, R < 4 for a changed base, numbers that are no numbers: InvalidArgument.
//            R = 0: no pairs.
// Source     Su et al., arXiv 2104.09864 (default); Chen et al., arXiv 2306.15595 (linear); Peng et al.,
//            arXiv 2309.00071 (ntk, dynamic, by_parts: definition 2, yarn); Ding et al., arXiv 2402.13753
//            (longrope); Llama 3.1's published code (llama3); Barbero et al., arXiv 2410.06205
//            (proportional); Wang et al., arXiv 2403.00071 (resonance); Hugging Face's
//            modeling_rope_utils for the rules as they are used.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::position {

enum class RopeType {
  standard,
  linear,
  ntk,
  dynamic,
  yarn,
  longrope,
  llama3,
  proportional,
  by_parts,
  resonance
};

/// Where the paper and everyone's code differ: the ramp of yarn, the growth of dynamic.
enum class RopeReading { code, paper };

/// "default", "linear", "ntk", …: as configuration files write them.
std::string_view name(RopeType);
/// Nothing for a name that is none of them.
std::optional<RopeType> rope_type_from_name(std::string_view);

/// One rule with all that any of them asks for; each type reads its own fields.
struct RopeRule {
  RopeType type = RopeType::standard;
  tensor::Index rotary_dim = 0;  ///< R
  double base = 10000;           ///< b
  double factor = 1;             ///< s
  RopeReading reading = RopeReading::code;
  double original_length = 0;  ///< L, tokens: by_parts, yarn, longrope, llama3
  double max_length = 0;       ///< M, tokens: dynamic
  double length = 0;           ///< n, tokens: dynamic, longrope; 0: a short text

  std::optional<double> attention_factor = {};              ///< yarn, longrope
  double beta_fast = 32, beta_slow = 1;                     ///< by_parts, yarn: turns within L
  bool truncate = true;                                     ///< yarn
  std::optional<double> mscale = {}, mscale_all_dim = {};   ///< yarn
  double low_freq_factor = 1, high_freq_factor = 4;         ///< llama3
  double partial = 1;                                       ///< proportional: p
  std::vector<double> short_factor = {}, long_factor = {};  ///< longrope: R/2 divisors each
};

/// Something in the rule that surprises people, and the parameter that it is about.
struct RopeWarning {
  std::string field, message;
  bool operator==(const RopeWarning&) const = default;
};

struct RopeFrequencies {
  std::vector<double> inv_freq;        ///< θ_i, radians per token
  double attention_factor = 1;         ///< a
  double base = 10000;                 ///< b' where the rule changes the base, else b
  double ramp_low = 0, ramp_high = 0;  ///< yarn: where the ramp over the pairs runs
  std::vector<RopeWarning> warnings;
};

RopeFrequencies rope_frequencies(const RopeRule&);

/// m(s, k) of YaRN's attention factor. DeepSeek multiplies its softmax scale by m(s, mscale_all_dim)²
/// besides.
double yarn_mscale(double factor, double k);

/// What became of the pairs against w_i: as they were, divided by s, something else, or not turning at all.
struct PairCounts {
  int kept = 0, blended = 0, divided = 0, still = 0;
  bool operator==(const PairCounts&) const = default;
};
PairCounts count_pairs(const RopeRule&, const RopeFrequencies&);

}  // namespace orrery::position
