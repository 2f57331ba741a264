#include "core/model/said_defaults.h"

#include "core/model/class_defaults.h"
#include "core/position/rope_rules.h"

namespace orrery::model {

position::RopeWarning assumed(std::string_view field, double value, const RopeContext& context) {
  return assumed(field, value, context.defaults != nullptr ? context.defaults->model_type : "");
}

position::RopeWarning assumed(std::string_view field, double value, std::string_view class_name) {
  std::string message = "missing: " + position::rules::text(value) + " is assumed";
  if (!class_name.empty()) message += ", the default of “" + std::string(class_name) + "”";
  return {std::string(field), std::move(message)};
}

}  // namespace orrery::model
