// Small models that learn to copy words of 4 to 30 tokens, one for each way to tell positions apart, and how much of longer
// words they copy: train short, test long.
//
//   a decoder of two layers (four without positions, which two cannot do), 64 wide, four heads, RMSNorm before each part, GELU,
//   no biases, logits of a table of their own; matrices N(0, 1/inputs), rows of tokens N(0, 1); rows of positions N(0, 0.3²),
//   so that those which no training reaches are short beside the tokens, and T5's biases 0
//   AdamW (0.9, 0.98), decay 0.01, rate 2e-3 after a warm-up of 100 steps, a cosine down to 0, gradients clipped to 1
//   tested by force: every token of the copy from the true ones before it; the share that is met
//
// A model with RoPE is tested as it is, and with its frequencies made slower by three rules, s = (2n + 2)/62, never below 1.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "core/position/rope_frequencies.h"
#include "core/training/task.h"
#include "core/training/trainer.h"

namespace orrery::training {

/// Words of so many tokens are tested; the longest that is trained has 30.
inline constexpr std::array<Index, 8> race_lengths{8, 30, 36, 44, 60, 90, 120, 240};

struct Runner {
  std::string_view key;  ///< as files have it
  std::string_view name;
  transformer::Positions positions;
  position::RopeType rule = position::RopeType::standard;  ///< of a RoPE that was trained without one
};
/// Those with a rule stand behind the one that is trained.
std::span<const Runner> runners();
/// How many of them are trained.
int trained_runners();

TrainerSettings race_settings(const Runner&, double steps, std::uint64_t seed);
/// The model with a rule's frequencies and its factor on the scores.
transformer::Config turned_by(const position::RopeRule&, transformer::Config);
/// A model that was trained at L = `trained` tokens, as its runner's rule has it for a text of `tokens`: s = max(1, tokens/L).
transformer::Config stretched(const Runner&, transformer::Config, double tokens, double trained);
/// The runners that a trained model is tested as: itself, and behind a RoPE without a rule those with one.
std::vector<Runner> tested_as(const Runner&);

struct RaceResult {
  std::string_view key;
  std::uint64_t seed = 0;
  std::array<double, race_lengths.size()> accuracy{};
};

/// Trains one model, or finds it in the folder, and tests it: a result for it, and for a RoPE those of the rules. `between` is
/// called with the share that is done at least every 100 ms, and may throw.
std::vector<RaceResult> race(const Runner&, Index steps, std::uint64_t seed,
                             const std::filesystem::path& folder, const std::function<void(double)>& between);

}  // namespace orrery::training
