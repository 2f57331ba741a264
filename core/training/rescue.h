// A model with RoPE that was trained at L tokens, and what can be done for it at more: its frequencies changed by a rule, its
// scores made larger, or only the last L tokens read; at once, and after a short training at twice the length.
//
//   s = max(1, T/L)          the factor of a rule, T the tokens that are read and said, L = 62 (copy) or 64 (chains)
//   rules                    PI, NTK, by-parts (1 to 4 turns within L), YaRN over the pairs as all code has it, YaRN over turns
//                            as its paper has it, down to 4 or to 32 turns; log-n never below 1; a window of L
//   at once                  each length with the s that it needs
//   after 0, 50, 150 steps   s = 2 whatever is read; AdamW anew with a rate of 5e-4 after a warm-up of 50 steps, words
//                            of 4 to 60 tokens, or 8 chains of 128
//
// With L = 64 a pair turns 10.2 times within L at most: a ramp over turns that begins at 32 leaves no pair as it was.
// Sources: Chen et al., arXiv 2306.15595 (PI); Peng et al., arXiv 2309.00071 (NTK, by-parts, YaRN); Su, kexue.fm/archives/8823
// (log-n).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/position/rope_frequencies.h"
#include "core/training/length_trial.h"

namespace orrery::training {

struct Treatment {
  std::string_view key;  ///< as files have it
  std::string_view name;
  position::RopeType rule = position::RopeType::standard;
  position::RopeReading reading = position::RopeReading::code;
  double beta_fast = 32;
  bool log_n = false, window = false;
};
/// None first.
std::span<const Treatment> treatments();

/// Words of so many tokens are copied at once.
inline constexpr std::array<Index, 7> rescue_words{8, 30, 36, 44, 60, 90, 120};
/// Chains of so many tokens are read at once: twice, four and eight times L.
inline constexpr std::array<Index, 3> rescue_chains{128, 256, 512};
inline constexpr std::array<std::int64_t, 3> tuning_steps{0, 50, 150};

double trained_tokens(Task);
/// What a rule is asked for a text of so many times L.
position::RopeRule rule_of(const Treatment&, Task, const transformer::Config&, double factor);
/// The model with the treatment.
transformer::Config treated(const Treatment&, Task, transformer::Config, double factor);

struct RescueResult {
  std::string_view key;
  std::uint64_t seed = 0;
  /// copy: the share of each word of rescue_words; chains: above the floor, the last eighth of each of rescue_chains.
  std::vector<double> at_once;
  /// Of chains: above the floor, each part of the longest (place_edges).
  std::vector<double> by_part;
  /// After tuning_steps: at the trained length and at twice it. copy: words of 30 and 60; chains: the last quarter of 64, the
  /// last eighth of 128.
  std::array<std::array<double, 2>, tuning_steps.size()> tuned{};
};

/// Trains a model, or finds it in the folder, and treats it in every way.
std::vector<RescueResult> rescue(Task, Index steps, std::uint64_t seed, const std::filesystem::path& folder,
                                 const Between& between);

}  // namespace orrery::training
