// What attention/map tells beside its map: a row by distance, blocks by size, the way from the whole to one cell.
#pragma once

#include <cstdint>
#include <string_view>

#include "app/figure/table.h"
#include "app/study/kit/series.h"
#include "app/study/study.h"
#include "core/attention/score_map.h"

namespace orrery::study {

/// Distances from the first on, below the end.
struct Distances {
  tensor::Index first, end;
};
/// 1, 2, 3 … one by one, then sixths of octaves.
std::vector<Distances> distances_up_to(tensor::Index last);

/// The scores of a query with the keys before it, in sixths of octaves of distance: the mean of each part, and what none is
/// below or above: the lowest and the highest where few enough keys are in it to look through, else bounds.
Series scores_by_distance(const attention::ScoreMap&, tensor::Index query);

/// Vectors of their own: the mean squares of the components of queries and of keys, ν_q ν_k of them; a column's name.
struct Independent {
  double square = 1;
  std::string_view name;
};

/// Blocks of 1, 2, 4 … queries and as many keys, at the same random places: the root mean square of their means; and what
/// remains of independent vectors.
Series means_by_size(const Run&, const attention::ScoreMap&, const Independent&, std::uint64_t seed);

/// From the whole to one cell: each time into the part, of 16 × 16, where the highest score may be highest. Of a map without a
/// mask: a mask may hide every part.
figure::Table way_down(const Run&, const attention::ScoreMap&);

}  // namespace orrery::study
