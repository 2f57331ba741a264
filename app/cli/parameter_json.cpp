#include "app/cli/parameter_json.h"

#include <cmath>

#include "core/parameter/settings.h"

namespace orrery::cli {

using nlohmann::ordered_json;

namespace {

/// A matrix as its rows.
ordered_json value_json(const parameter::Matrix& m) {
  ordered_json rows = ordered_json::array();
  for (std::size_t r = 0; r < m.rows; ++r) {
    const auto first = m.values.begin() + static_cast<std::ptrdiff_t>(r * m.columns);
    rows.push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(m.columns)));
  }
  return rows;
}
ordered_json value_json(const auto& value) {
  return ordered_json(value);
}

ordered_json value_json(const parameter::Value& value) {
  return std::visit([](const auto& v) { return value_json(v); }, value);
}

}  // namespace

ordered_json parameter_json(const parameter::Parameter& p) {
  const auto bound = [](double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); };
  ordered_json choices = ordered_json::array();
  if (p.kind == parameter::Kind::choice) {
    for (const auto choice : parameter::choices_of(p)) choices.push_back(choice);
  }
  ordered_json json = {{"name", p.name},
                       {"kind", parameter::kind_name(p.kind)},
                       {"default", value_json(parameter::parse(p, p.fallback))},
                       {"min", bound(p.min)},
                       {"max", bound(p.max)},
                       {"multiple", p.multiple},
                       {"choices", choices},
                       {"unit", p.unit},
                       {"help", p.help}};
  if (!p.only_when.empty()) json["only_when"] = p.only_when;
  return json;
}

}  // namespace orrery::cli
