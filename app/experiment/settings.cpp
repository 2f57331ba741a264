#include "app/experiment/settings.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/file/bytes.h"
#include "core/parameter/only_when.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"
#include "core/tensor/hash.h"

namespace orrery::experiment {
namespace {

using parameter::Kind;
using parameter::Parameter;
using recipe::RecipeReader;

std::size_t number_of(std::string_view section) {
  const auto found = std::ranges::find(sections(), section, &Section::name);
  if (found == sections().end()) throw std::logic_error("no such section: " + std::string(section));
  return static_cast<std::size_t>(found - sections().begin());
}

/// What stands behind a key, as a person would type it to --set; nothing for what no key takes.
std::optional<std::string> typed(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "on" : "off";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return parameter::shortest(number->get());
  const toml::array* list = node.as_array();
  if (!list) return std::nullopt;
  std::string text;
  for (const toml::node& each : *list) {
    if (each.is_array()) return std::nullopt;
    const auto one = typed(each);
    if (!one) return std::nullopt;
    text += (text.empty() ? "" : ",") + *one;
  }
  return text;
}

std::vector<std::string_view> names_of(std::span<const Parameter> keys) {
  std::vector<std::string_view> names;
  for (const Parameter& key : keys) names.push_back(key.name);
  return names;
}

void read_section(const RecipeReader& reader, const Section& section, const toml::table& table,
                  parameter::Settings& into) {
  reader.only(table, names_of(section.keys));
  for (const Parameter& key : section.keys) {
    const toml::node* node = table.get(key.name);
    if (!node) continue;
    const auto text = typed(*node);
    if (!text) reader.refuse(*node, key.name, parameter::allowed_phrase(key));
    try {
      into.set(key.name, *text);
    } catch (const InvalidArgument& error) {
      reader.fail(*node, error.complaint().within({Subject::Kind::key, name_phrase(section.name)}));
    }
  }
}

std::string quoted_value(const Parameter& key, const std::string& text, const parameter::Value& value) {
  switch (key.kind) {
    case Kind::integer:
      return text;
    case Kind::toggle:
      return std::get<bool>(value) ? "true" : "false";
    case Kind::vector:
      return "[" + text + "]";
    case Kind::real:
      // TOML's whole numbers are another type, which is read all the same.
      return std::holds_alternative<std::string>(value) ? recipe::in_quotes(text) : text;
    default:
      return recipe::in_quotes(text);
  }
}

/// Whether a key of this section is read, by what it and other sections say.
bool is_read(const Parameter& key, std::string_view section, const Settings& settings) {
  return std::ranges::all_of(parameter::conditions_of(key), [&](const parameter::Condition& condition) {
    const std::size_t dot = condition.name.find('.');
    const bool elsewhere = dot != std::string_view::npos;
    const std::string text = settings.of(elsewhere ? condition.name.substr(0, dot) : section)
                                 .text(elsewhere ? condition.name.substr(dot + 1) : condition.name);
    return std::ranges::find(condition.values, text) != condition.values.end();
  });
}

}  // namespace

Settings::Settings() {
  for (const Section& section : sections()) all_.emplace_back(section.keys);
}

const parameter::Settings& Settings::of(std::string_view section) const {
  return all_[number_of(section)];
}

parameter::Settings& Settings::of(std::string_view section) {
  return all_[number_of(section)];
}

bool Settings::trains_as(const Settings& other) const {
  return first_difference(other).empty();
}

Settings Settings::as_read() const {
  Settings read = *this;
  for (const Section& section : sections())
    for (const Parameter& key : section.keys)
      if (!is_read(key, section.name, *this)) read.of(section.name).set(key.name, key.fallback);
  return read;
}

std::string Settings::first_difference(const Settings& other) const {
  const Settings mine = as_read(), others = other.as_read();
  for (const Section& section : sections()) {
    if (section.name == asked_section) continue;
    for (const Parameter& key : section.keys)
      if (mine.of(section.name).value(key.name) != others.of(section.name).value(key.name))
        return std::string(section.name) + "." + std::string(key.name);
  }
  return {};
}

std::string Settings::hash_of_values() const {
  tensor::Hash mixed;
  for (const parameter::Settings& each : all_) mixed.add_number(each.hash());
  return mixed.digits();
}

std::string to_toml(const Settings& settings) {
  std::string text = "orrery = 1\n";
  for (const Section& section : sections()) {
    text += "\n[" + std::string(section.name) + "]\n";
    const parameter::Settings& values = settings.of(section.name);
    for (const Parameter& key : section.keys)
      text += std::string(key.name) + " = " +
              quoted_value(key, values.text(key.name), values.value(key.name)) + "\n";
  }
  return text;
}

void read_sections(const RecipeReader& reader, const toml::table& table, Settings& settings) {
  for (const Section& section : sections())
    if (const auto* inner = reader.get<toml::table>(table, section.name, "a table"))
      read_section(reader, section, *inner, settings.of(section.name));
}

void check_version(const RecipeReader& reader) {
  const toml::node* version = reader.root().get("orrery");
  const auto* number = version ? version->as_integer() : nullptr;
  if (number && number->get() == 1) return;
  if (version) reader.refuse(*version, "orrery", "1");
  reader.fail(reader.root(),
              about(Subject::Kind::key, "orrery").fault("missing").allowed(name_phrase("orrery = 1")));
}

Settings settings_from_toml(std::string_view text, std::string_view origin) {
  const RecipeReader reader(text, origin);
  std::vector<std::string_view> known{"orrery"};
  for (const Section& section : sections()) known.push_back(section.name);
  reader.only(reader.root(), known);
  check_version(reader);
  Settings settings;
  read_sections(reader, reader.root(), settings);
  return settings;
}

Settings read_settings(const std::filesystem::path& path, file::Accept accept) {
  constexpr std::uint64_t longest = 1 << 20;
  return settings_from_toml(file::read_bytes(path, longest, accept), path.string());
}

}  // namespace orrery::experiment
