// A model out of a checkpoint: what its names and shapes say about it, and its numbers.
#pragma once

#include <filesystem>
#include <vector>

#include "core/transformer/config.h"
#include "core/transformer/layout.h"

namespace orrery::study::block_walk {

/// What is in the file overrides `otherwise`: the stacks and their layers, every size, where the norms stand and which they
/// are, gates, biases, grouped heads, learned positions, a head of its own. What no array tells is kept: how many heads,
/// the activation, positions without a table, and deep_norm, whose arrays are those of post. Throws Failure for a file
/// whose arrays are none of core/transformer's.
transformer::Config config_in(const std::filesystem::path&, transformer::Config otherwise);

/// Every array of the layout, by its name. Throws Failure for one that is missing, has another shape, or holds
/// numbers that are not finite or beyond 1e9.
std::vector<double> values_in(const std::filesystem::path&, const transformer::Layout&);

}  // namespace orrery::study::block_walk
