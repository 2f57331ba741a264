// Where norms may stand in a block, as studies of blocks name it.
#pragma once

#include <span>
#include <string_view>

#include "app/figure/ink.h"
#include "core/transformer/config.h"

namespace orrery::study {

struct NormPlace {
  std::string_view key;   ///< as typed
  std::string_view name;  ///< as papers call it
  transformer::Placement placement;
  bool embedding_norm = false;  ///< behind the embedding: Peri-LN
};

/// post, pre, sandwich, peri, output, parallel, deep_norm.
std::span<const NormPlace> norm_places();
/// Of a key.
const NormPlace& norm_place(std::string_view key);
/// The colour that a place has in all figures.
figure::Ink ink_of(const NormPlace&);

}  // namespace orrery::study
