// What a part of the diagram computes, as equations of matrices.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/study/block/walked.h"

namespace orrery::study::block_walk {

enum class Look {
  values,
  scores,
  weights
};  ///< scores are −∞ where a key may not be seen; weights lie between 0 and 1

/// A matrix where it stands in an equation.
struct Shown {
  std::string sign;     ///< before it: "", "·", "=" …
  std::string name;     ///< of its table: "queries"
  std::string symbol;   ///< TeX without dollar signs
  std::string letters;  ///< of its shape: "T × D"
  Matrix matrix;
  Look look = Look::values;
  std::vector<std::string> rows = {}, cols = {};  ///< words; empty: none
  std::pair<Index, Index> columns = {0, 0};       ///< framed: of the head; from, how many
  std::pair<Index, Index> cell = {-1, -1};        ///< framed: row, column
  Matrix tabled = {};  ///< what its table has in its place: of scores those before the mask
};
using Line = std::vector<Shown>;

/// The part that a model has in the place of one that it has not: the sum with its norm where no norm stands by itself, the
/// decoder's where there is no encoder, attention where there is no cross-attention.
std::string own_part(const Walked&, std::string_view part);

/// What a part is: a sublayer of a stack, and what of it, "" (itself), "_norm", "_inner" or "_add"; or another box, without
/// one.
struct Place {
  Spot spot;
  std::string piece;  ///< of a sublayer, or "embedding", "final_norm", "logits", "probabilities"
  bool of_layer = false;
};
Place place_of(const Walked&, const std::string& own_part, Index layer);

/// "Cross-attention of the decoder": where a layer counts, without its number.
std::string title_of(const Place&);

std::vector<Line> lines_of(const Walked&, const Place&, Index head);

}  // namespace orrery::study::block_walk
