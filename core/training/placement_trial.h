// Post-LN and Pre-LN, each with a warm-up and without: the same model, the same chains, the same rate.
//
//   a decoder, 32 wide, four heads, LayerNorm, GELU, Xavier's matrices as Xiong et al. have them; chains of 8 states
//   (task.h), 16 of 64 tokens at once; AdamW (0.9, 0.98), no decay, no clipping; one rate, after the warm-up or from the
//   first step on
//
// Source: Xiong et al. 2020, arXiv 2002.04745, section 3.2 and figure 1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/training/kept_training.h"

namespace orrery::training {

struct PlacementTrial {
  tensor::Index layers = 12;
  double rate = 1e-3;
  std::int64_t steps = 400;
  double warm_up = 100;  ///< of those that have one
  std::uint64_t seed = 1;
};

struct PlacementKind {
  std::string_view key;   ///< as files have it
  std::string_view name;  ///< "Post-LN without warm-up"
  transformer::Placement placement;
  bool warm_up;
};
/// Post-LN with and without, Pre-LN with and without.
std::span<const PlacementKind> placement_kinds();

Plan placement_plan(const PlacementTrial&, const PlacementKind&);

}  // namespace orrery::training
