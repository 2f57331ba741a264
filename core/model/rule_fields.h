// The numbers of a rule, from the keys of a configuration file.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/model/rope_layer.h"

namespace orrery::model {

/// The dictionary's rope_theta, else the layer's own, else the file's by any of its names, else the class's; times
/// rope_ratio where there is one (ChatGLM).
double base_of(RopeContext&, Fields& rope, std::string_view layer_name, std::optional<double> layer_base,
               std::vector<position::RopeWarning>&);

/// Everything that the rule's type asks for; the type itself, the base and the rotary width are there. Throws Failure
/// for what is missing and has no default.
void read_rule(RopeContext&, Fields& rope, position::RopeRule&, std::vector<position::RopeWarning>&);

}  // namespace orrery::model
