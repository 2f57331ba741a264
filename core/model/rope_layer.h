// One kind of layer: from the keys of a configuration file to a rule with every default filled in.
#pragma once

#include <optional>
#include <string>

#include "core/model/json.h"
#include "core/model/rope_config.h"

namespace orrery::model {

struct ClassDefaults;

/// What all layers of a model share.
struct RopeContext {
  Fields& top;             ///< the model's own keys: hidden_size, max_position_embeddings, rope_theta …
  std::string model_type;  ///< as plain_type spells it
  double length = 0;       ///< tokens; 0: a short text
  bool nested = false;     ///< the file has one rope dictionary per layer type
  const ClassDefaults* defaults = nullptr;  ///< of the model type; nullptr where it is not known
  bool version_5 = false;                   ///< written by version 5 of the library
};

/// The rule of layer `name` ("all" when there is but one). `rope` is its dictionary, empty when the file has
/// none; `base` replaces the file's general rope_theta where a model has another key for this layer.
RopeLayer resolve_layer(RopeContext&, Fields& rope, std::string name, std::optional<double> base,
                        std::vector<position::RopeWarning>&);

}  // namespace orrery::model
