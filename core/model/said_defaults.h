// What a class was asked for because its file is silent is said, never passed over.
#pragma once

#include "core/model/rope_layer.h"

namespace orrery::model {

/// "missing: 25000 is assumed, the default of “persimmon”"
position::RopeWarning assumed(std::string_view field, double value, const RopeContext&);
/// The same; `class_name` is empty where no class is known.
position::RopeWarning assumed(std::string_view field, double value, std::string_view class_name);

}  // namespace orrery::model
