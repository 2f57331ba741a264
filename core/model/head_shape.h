// How wide the heads of a model are, and which part of them is rotated.
#pragma once

#include <string_view>
#include <vector>

#include "core/model/rope_layer.h"

namespace orrery::model {

struct HeadShape {
  tensor::Index head_dim = 0;  ///< what 1/√d is about
  tensor::Index rotary_dim = 0;
  bool latent =
      false;  ///< multi-head latent attention: a part that turns behind one that does not (DeepSeek)
};

/// For one kind of layer, with the class's numbers where the file is silent. `partial` is the rotated part of a head when
/// the layer's own rule says it. Throws Failure when the file has no head width or the rotated part is no even number.
HeadShape head_shape(RopeContext&, std::string_view layer_name, std::optional<double> partial,
                     std::vector<position::RopeWarning>&);

}  // namespace orrery::model
