// An optimiser followed through its first steps: what seeded gradients make of it.
//
// Parameter i has the gradient γ·(μ + z) at step t, z ~ N(0, 1) of (seed, t, i): μ is what all steps agree on, in deviations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/training/adam_w.h"

namespace orrery::study {

struct FollowedAsked {
  training::AdamSettings adam{};
  std::int64_t steps = 1000;
  double size = 1;                ///< γ
  double mean = 0;                ///< μ
  std::optional<double> spike{};  ///< the gradients of the step in the middle are so many times as long
  std::optional<double> clip{};   ///< no gradient is longer than so many times its usual length
  std::uint64_t seed = 1;
};

constexpr std::int64_t followed_parameters = 128;

struct Followed {
  std::vector<double> root_mean_square, largest,
      allowed;  ///< of the directions of each step; what they can be at most
  double first_off =
      0;  ///< how far, in their own lengths, the first directions are from what one gradient gives by itself
  std::int64_t spike = 0;  ///< its step; 0: none
};

/// Directions: what a rate is multiplied by. The decay is left out.
Followed follow(const FollowedAsked&);

}  // namespace orrery::study
