// Which published rule, and with which numbers, gives a vector of frequencies.
//
// Every rule keeps w_i = b^(−2i/R) up to some pair, or divides all of it; so a base is found from the fastest pairs and
// rounded to the nearest number that a person would have written, and the rest from the ratios θ_i/w_i: the plateau at the
// end is 1/s, and what lies between follows the ramp of a rule. Each candidate is generated in full by rope_frequencies()
// and compared with the vector: a fit is what the rule gives, never what the search hoped for.
//
//   residual      max_i |θ_i − θ'_i| / θ'_i; a pair that stands still must stand still in both
//   tolerance     by what the numbers can hold: 1e-12 for f64, 5e-6 for f32 (a running product in float, as llama.cpp has
//                 it, is off by 2e-6), 2^-10 for f16, 2^-8 for bf16 (half of that when rounded once)
//   order         what fits first; among those, what has the rounder and fewer numbers; then by residual. A rule with a
//                 divisor of its own for every pair gives any numbers, and so says nothing: it comes last, only where
//                 no other fits, and is not said to fit
//
// Rules that give one vector cannot be told apart by it: NTK and dynamic are a default with another base; YaRN's paper and
// Llama 3 are NTK-by-parts. Each is reported, with the same residual; the first is the one with the roundest numbers.
//
// Recovered  base: exact when it was written with 3 digits or fewer, else to 1e-9 (f64), 1e-4 (f32), 1e-2 (f16, bf16);
//            factor: likewise; lengths: exact when they were powers of two, or the numbers of a given known rule.
// Formats    double throughout.
// Edges      fewer than 2 numbers, more than 4096, NaN, infinities, negative numbers: InvalidArgument.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/position/rope_frequencies.h"
#include "core/tensor/format.h"

namespace orrery::position {

/// A rule to try besides those that are found: a published model's.
struct KnownRule {
  std::string name;
  RopeRule rule;
};

struct RopeFit {
  RopeRule rule;
  std::vector<std::string> names;  ///< of the known rules that are this one
  std::vector<double> inv_freq;    ///< what the rule gives
  std::vector<double> residual;    ///< (θ_i − θ'_i)/θ'_i by pair
  double max_relative_residual = 0;
  bool fits = false;
};

/// The narrowest format that holds every number exactly: what the vector was once rounded to.
tensor::Format narrowest_format(std::span<const double> inv_freq);
double identify_tolerance(tensor::Format);

/// It has as many numbers as it explains: a divisor for every pair, and no published model has these.
bool fits_anything(const RopeFit&);

/// A row as wide as a head holds each frequency twice: Hugging Face's cat(freqs, freqs), or repeat_interleave(freqs, 2).
enum class Repetition { none, halves, neighbours };
struct OncePerPair {
  std::vector<double> inv_freq;
  Repetition repetition = Repetition::none;
};
/// Numbers that are all alike are taken as they are.
OncePerPair once_per_pair(std::span<const double> inv_freq);

/// Best first; never empty: when nothing fits, the nearest. One number for each pair, see once_per_pair.
std::vector<RopeFit> identify_rope(std::span<const double> inv_freq, std::span<const KnownRule> known = {});

/// A parameter that this rule's type reads, by the name that configuration files have for it.
struct NamedNumber {
  std::string name;
  double value;
};
std::vector<NamedNumber> numbers_of(const RopeRule&);

}  // namespace orrery::position
