// Vectors turned by rotary positions, what that does to their scores, and what must hold of both.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "app/study/twin.h"
#include "core/position/rope_frequencies.h"

namespace orrery::study {

/// A rule's frequencies and which columns make a pair.
struct Turning {
  position::RopeFrequencies rope;
  position::RopeLayout layout = position::RopeLayout::interleaved;

  position::RopeTable table(std::span<const double> positions) const {
    return position::rope_table(positions, rope.inv_freq, rope.attention_factor);
  }
  /// The two columns of pair i of a head.
  std::pair<tensor::Index, tensor::Index> columns(tensor::Index i, tensor::Index width) const;
  /// A row with the same two numbers in every pair.
  twin::Matrix repeated(std::span<const double> two, tensor::Index width) const;
};

/// `row` turned to each of the positions, against `row` turned to `key_position`, over its squared length: 1
/// at distance 0.
twin::Matrix normalised_scores(const Run&, const Turning&, const twin::Matrix& row,
                               std::span<const double> positions, double key_position);

/// `after` is `before` turned to the position.
std::vector<Check> turning_checks(const Run&, const Turning&, const twin::Matrix& before,
                                  const twin::Matrix& after, double position);

}  // namespace orrery::study
