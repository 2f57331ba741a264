// What the life of a cache must keep to, whatever is set.
#pragma once

#include "app/study/attention/cache_life.h"

namespace orrery::study::attention_cache {

std::vector<Check> checks_of(const Run&, Asked&, const CacheLife&);

/// Pair by pair, what the last query and a key of its pass make: a score is the sum of size · cos(turn + angle) over √d.
struct PairPart {
  double size = 0;  ///< |q||k| with all factors
  double query_position = 0, query_frequency = 0;
  double key_position = 0, key_frequency = 0;
  double angle = 0;  ///< between them where neither is turned
  double turn() const { return query_position * query_frequency - key_position * key_frequency; }
};
std::vector<PairPart> pair_parts(Asked&, Index query, const TurnedWith& query_turn, Index key,
                                 const TurnedWith& key_turn);
/// The score that they make, √d divided out.
double closed_form(std::span<const PairPart>);

}  // namespace orrery::study::attention_cache
