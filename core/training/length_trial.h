// Two tasks that can be longer than what was trained, and how models that were trained on short ones do on long ones.
//
//   copy     words of up to 30 tokens, L = 62 read and said        the share of tokens copied, by the length of the word
//   markov   chains of L = 64 (or 512) tokens                      −ln p of the next state, by its place
//
// The models, AdamW and the rate are those of length_race.h. Of chains a batch has 4096 tokens; a model without positions has
// four layers there too, and batches and steps of its own, 2048 and five sixths.
//
// A loss by place is told beside the best that can be known (task.h). Chains differ from each other by far more than models
// do, so what is averaged over few of them is the loss above the floor of the same chains, and to it is added the floor of
// many: the same mean, with less chance in it.
// Source: Edelman et al. 2024, arXiv 2402.11004.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/training/kept_training.h"
#include "core/training/length_race.h"

namespace orrery::training {

enum class Task : std::uint8_t { copy, markov };

/// What a trial trains on: L of `markov` is 64 or 512, of `copy` always 62.
struct Trial {
  Task task = Task::copy;
  Index length = 62;

  bool operator==(const Trial&) const = default;
};
inline constexpr Trial copy_trial{Task::copy, 62}, markov_trial{Task::markov, 64},
    long_trial{Task::markov, 512};

TrainerSettings trial_settings(const Trial&, const Runner&, Index steps, std::uint64_t seed);
/// Of so many steps in all: a model without positions takes fewer on chains.
Plan trial_plan(const Trial&, const Runner&, Index steps, std::uint64_t seed);
/// After so many of N steps its weights are kept: at 0, N and ten times between, closer together at the beginning.
std::vector<std::int64_t> growth_looks(std::int64_t steps);

/// Losses are told of places from one of these to the next: tokens read, the one itself included, are edge + 1 and more.
inline constexpr std::array<Index, 25> place_edges{0,   1,   2,   4,   8,   16,  24,  32,  48,
                                                   64,  80,  96,  112, 128, 160, 192, 224, 256,
                                                   320, 384, 448, 512, 640, 768, 1024};
/// How many of the parts lie within so many tokens.
std::size_t parts_within(Index tokens);
/// The first of the parts that begins at this edge.
std::size_t part_from(Index edge);

/// Where the first so many parts stand on a log axis: √(first place · last place).
std::vector<double> part_middles(std::size_t parts);

/// −ln p of the best that can be known, as it expects it, for each part within so many tokens: over 4096 chains of 512 (1024 of
/// 1024).
std::vector<double> floor_by_part(Index tokens, const std::function<void()>& between);
/// How far a model's loss lies above the floor of the same 256 chains (64 of 1024), for each part.
std::vector<double> above_floor(const transformer::Config&, std::span<const float> values, Index tokens,
                                const std::function<void()>& between);
/// A model on chains, or one of its rules (length_race.h): how far its loss lies above the floor, for each part.
struct ChainResult {
  std::string_view key;  ///< of the runner
  std::vector<double> above;
};
/// Trains a model on chains, or finds it in the folder, and tests it in chains of tested_tokens(), for which rules are asked.
std::vector<ChainResult> chain_race(const Trial&, const Runner&, Index steps, std::uint64_t seed,
                                    const std::filesystem::path& folder, const Between& between);
/// Of how many tokens the chains are that a model is tested on.
Index tested_tokens(const Trial&);
/// The share of tokens copied of 40 words of n tokens.
double copied(const transformer::Config&, std::span<const float> values, Index n,
              const std::function<void()>& between);

}  // namespace orrery::training
