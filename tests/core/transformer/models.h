// Small models for tests: every array filled by a rule that a program in any language repeats to the bit.
#pragma once

#include <cstdint>
#include <vector>

#include "core/transformer/transformer.h"

namespace orrery::transformer {

/// The k-th number of a sequence in [−1/2, 1/2): the upper bits of k times Knuth's 2654435761, mixed once more.
inline double scattered(std::uint64_t k) {
  std::uint64_t h = (k + 1) * 2654435761u % 4294967296u;
  h = (h ^ (h >> 15)) * 2246822519u % 4294967296u;
  return static_cast<double>(h) / 4294967296.0 - 0.5;
}

/// Gains about 1, all others about 0: number k of the model's k-th number.
inline std::vector<double> scattered_values(const Layout& layout, double spread) {
  std::vector<double> values(static_cast<std::size_t>(layout.size()));
  for (const NamedSlot& array : layout.arrays())
    for (Index i = 0; i < array.slot.size(); ++i) {
      const auto at = static_cast<std::size_t>(array.slot.offset + i);
      values[at] = (array.role == Role::gain ? 1 : 0) + spread * scattered(at);
    }
  return values;
}

/// A tiny model of every part.
inline Config tiny() {
  Config config;
  config.vocabulary = 7;
  config.length = 6;
  config.width = 8;
  config.layers = 2;
  config.heads = 2;
  config.hidden = 12;
  return config;
}

/// Two sequences of 5 tokens, a target for most of them.
inline Batch tiny_batch() {
  Batch batch;
  batch.sequences = 2;
  batch.length = 5;
  batch.tokens = {3, 1, 4, 1, 5, 2, 6, 5, 3, 0};
  batch.targets = {1, 4, 1, 5, 2, 6, no_target, 3, 5, no_target};
  return batch;
}

}  // namespace orrery::transformer
