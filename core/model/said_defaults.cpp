#include "core/model/said_defaults.h"

#include "core/position/rope_rules.h"

namespace orrery::model {

position::RopeWarning assumed(std::string_view field, double value, const RopeContext& context) {
  std::string message = "missing: " + position::rules::text(value) + " is assumed";
  if (context.defaults != nullptr)
    message += ", the default of “" + std::string(context.defaults->model_type) + "”";
  return {std::string(field), std::move(message)};
}

}  // namespace orrery::model
