// Which kinds of attention layers a model has: how far each sees, and which of them turn.
#pragma once

#include <string>
#include <vector>

#include "core/model/rope_layer.h"

namespace orrery::model {

struct LayerKinds {
  bool full = true;              ///< some layers see the whole text
  double window = 0;             ///< of the sliding ones, in tokens; 0: there are none
  double chunk = 0;              ///< of the chunked ones
  bool without = false;          ///< some layers have no rotary positions …
  bool without_by_kind = false;  ///< … namely those that see the whole text
};

/// Reads layer_types, sliding_window, sliding_window_pattern, attention_chunk_size, no_rope_layers and their kin; the
/// family's class where they are missing.
LayerKinds layer_kinds(RopeContext&, std::vector<position::RopeWarning>&);

/// no_rope_layers: 1 where a layer turns, 0 where it does not; empty where the file lists none.
std::vector<double> turning_list(Fields&);

/// How far the layers of this name see: "all" where a model's kinds share one rule.
std::vector<RopeSpan> spans_of(std::string_view layer_name, const LayerKinds&);

}  // namespace orrery::model
