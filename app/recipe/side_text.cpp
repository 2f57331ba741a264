#include "app/recipe/side_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "app/recipe/page_text.h"
#include "app/study/device_names.h"
#include "core/parameter/former.h"
#include "core/parameter/shown.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

struct ValueText {
  std::string operator()(std::int64_t n) const { return std::to_string(n); }
  std::string operator()(double x) const { return float_text(x); }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(bool on) const { return on ? "true" : "false"; }
  std::string operator()(std::span<const double> v) const {
    std::string text = "[";
    for (const double x : v) text.append(text.size() == 1 ? "" : ", ").append(float_text(x));
    return text.append("]");
  }
  std::string operator()(const std::vector<double>& v) const { return (*this)(std::span(v)); }
  std::string operator()(const parameter::Matrix& m) const {
    std::string text = "[";
    for (std::size_t r = 0; r < m.rows; ++r)
      text.append(r == 0 ? "" : ", ").append((*this)(std::span(m.values).subspan(r * m.columns, m.columns)));
    return text.append("]");
  }
};

std::optional<std::vector<double>> numbers_in(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array) return std::nullopt;
  std::vector<double> values;
  for (const toml::node& element : *array) {
    const auto x = number_in(element);
    if (!x) return std::nullopt;
    values.push_back(*x);
  }
  return values;
}

/// Rows of one length.
std::optional<parameter::Matrix> rows_in(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array) return std::nullopt;
  parameter::Matrix m{array->size(), 0, {}};
  for (const toml::node& element : *array) {
    const auto row = numbers_in(element);
    if (!row || row->empty() || (m.columns > 0 && row->size() != m.columns)) return std::nullopt;
    m.columns = row->size();
    m.values.insert(m.values.end(), row->begin(), row->end());
  }
  return m;
}

bool is_whole(double x) {
  return std::abs(x) <= 0x1p53 && x == std::round(x);
}

/// The value that a node means for a parameter, or nothing when it is of another kind. A number in quotes is what --set takes
/// it for: "2^10". Throws InvalidArgument for one that is none.
std::optional<parameter::Value> value_of(const parameter::Parameter& p, const toml::node& node) {
  using parameter::Kind;
  switch (p.kind) {
    case Kind::integer:
      if (const auto* whole = node.as_integer()) return whole->get();
      if (const auto* x = node.as_floating_point(); x && is_whole(x->get())) return std::int64_t(x->get());
      if (const auto* text = node.as_string()) return parameter::parse(p, text->get());
      break;
    case Kind::real:
      if (const auto x = number_in(node)) return *x;
      if (const auto* text = node.as_string()) return parameter::parse(p, text->get());
      break;
    case Kind::choice:  // one that was a toggle once
      if (const auto* on = node.as_boolean(); on && parameter::todays_choice(p, "on") != "on")
        return std::string(on->get() ? "on" : "off");
      [[fallthrough]];
    case Kind::file:
    case Kind::text:
      if (const auto* text = node.as_string()) return text->get();
      break;
    case Kind::toggle:
      if (const auto* on = node.as_boolean()) return on->get();
      break;
    case Kind::vector:
      if (auto values = numbers_in(node)) return std::move(*values);
      break;
    case Kind::matrix:
      if (auto rows = rows_in(node)) return std::move(*rows);
      break;
  }
  return std::nullopt;
}

}  // namespace

void read_parameters(const RecipeReader& reader, const toml::table& table, parameter::Settings& settings) {
  std::vector<std::string_view> known;
  for (const auto& each : settings.declared()) known.push_back(each.name);
  for (const auto& [key, node] : table) {
    const auto found = std::ranges::find(settings.declared(), key.str(), &parameter::Parameter::name);
    if (found == settings.declared().end())
      reader.fail(key.source().begin, parameter::unknown({}, key.str(), known)
                                          .fault("{} is not a parameter of this study",
                                                 in_apostrophes(parameter::brief(key.str())))
                                          .led_by("; known: "));
    const parameter::Parameter& p = *found;
    std::optional<parameter::Value> value;
    try {
      if ((value = value_of(p, node))) settings.set(p.name, std::move(*value));
    } catch (const InvalidArgument& error) {
      reader.fail(node, error.complaint());
    }
    if (!value) reader.refuse(node, p.name, parameter::allowed_phrase(p), Subject::Kind::parameter);
  }
}

study::DeviceChoice read_device(const RecipeReader& reader, const toml::table& table,
                                study::DeviceChoice otherwise) {
  const auto device = reader.choice(table, "device", study::device_names);
  if (!device) return otherwise;
  return static_cast<study::DeviceChoice>(std::ranges::find(study::device_names, *device) -
                                          study::device_names.begin());
}

Compare read_compare(const RecipeReader& reader, const toml::table& table, const Recipe& recipe) {
  reader.only(table, {"mode", "study", "device", "parameters"});
  Compare compare{.study = recipe.study, .settings = recipe.settings};
  compare.device = read_device(reader, table, recipe.device);
  const auto mode = reader.choice(table, "mode", compare_mode_names);
  if (!mode)
    reader.fail(table,
                about(Subject::Kind::key, "compare")
                    .fault("the line {} is missing; also: overlay, difference", "'mode = \"side-by-side\"'"));
  compare.mode = parse_compare_mode("mode", *mode);
  if (const auto* id = reader.get<std::string>(table, "study", "the id of a study, in quotes")) {
    try {
      compare.study = &study::find(*id);
    } catch (const InvalidArgument& error) {
      reader.fail(*table.get("study"), error.complaint());
    }
    if (compare.study != recipe.study) compare.settings = parameter::Settings(compare.study->parameters);
  }
  if (const auto* parameters = reader.get<toml::table>(table, "parameters", "a table"))
    read_parameters(reader, *parameters, compare.settings);
  return compare;
}

std::string parameters_text(const parameter::Settings& settings, std::string_view inside) {
  std::string text = "\n[" + std::string(inside) + "parameters]\n";
  for (const auto& p : settings.declared())
    text += std::string(p.name) + " = " + std::visit(ValueText{}, settings.value(p.name)) + "\n";
  return text;
}

std::string device_text(study::DeviceChoice device) {
  return "device = " + in_quotes(study::device_name(device)) + "\n";
}

std::string compare_text(const Compare& compare, const Recipe& recipe, std::string_view inside) {
  const std::string place = std::string(inside) + "compare";
  std::string text = "\n[" + place + "]\n";
  text += "mode = " + in_quotes(compare_mode_names[static_cast<std::size_t>(compare.mode)]) + "\n";
  if (compare.study != recipe.study) text += "study = " + in_quotes(compare.study->id) + "\n";
  return text + device_text(compare.device) + parameters_text(compare.settings, place + ".");
}

}  // namespace orrery::recipe
