#include "app/study/recipe.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "app/study/device_names.h"
#include "app/study/recipe_page.h"
#include "app/study/recipe_reader.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

constexpr std::int64_t recipe_version = 1;
constexpr std::size_t most_figures = 1000;

struct ValueText {
  std::string operator()(std::int64_t n) const { return std::to_string(n); }
  std::string operator()(double x) const { return float_text(x); }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(bool on) const { return on ? "true" : "false"; }
  std::string operator()(const std::vector<double>& v) const {
    std::string text = "[";
    for (const double x : v) text.append(text.size() == 1 ? "" : ", ").append(float_text(x));
    return text.append("]");
  }
};

/// The value that a node means for a parameter, or nothing when it is of another kind.
std::optional<parameter::Value> value_of(const parameter::Parameter& p, const toml::node& node) {
  using parameter::Kind;
  switch (p.kind) {
    case Kind::integer:
      if (const auto* whole = node.as_integer()) return whole->get();
      break;
    case Kind::real:
      if (const auto x = number_in(node)) return *x;
      break;
    case Kind::choice:
    case Kind::file:
      if (const auto* text = node.as_string()) return text->get();
      break;
    case Kind::toggle:
      if (const auto* on = node.as_boolean()) return on->get();
      break;
    case Kind::vector: {
      const toml::array* array = node.as_array();
      if (!array) break;
      std::vector<double> values;
      for (const toml::node& element : *array) {
        const auto x = number_in(element);
        if (!x) return std::nullopt;
        values.push_back(*x);
      }
      return values;
    }
  }
  return std::nullopt;
}

void read_parameters(const RecipeReader& reader, const toml::table& table, parameter::Settings& settings) {
  std::vector<std::string_view> known;
  for (const auto& each : settings.declared()) known.push_back(each.name);
  reader.only(table, known, "a parameter of this study");
  for (const auto& [key, node] : table) {
    const auto& p = *std::ranges::find(settings.declared(), key.str(), &parameter::Parameter::name);
    auto value = value_of(p, node);
    if (!value) reader.refuse(node, p.name, parameter::allowed_text(p));
    try {
      settings.set(p.name, std::move(*value));
    } catch (const InvalidArgument& error) {
      reader.fail(node, error.what());
    }
  }
}

/// What a table says, over what has been said before.
void read_over(const RecipeReader& reader, const toml::table& table, Recipe& recipe) {
  if (const auto* id = reader.get<std::string>(table, "study", "the id of a study, in quotes")) {
    const Study* before = recipe.study;
    try {
      recipe.study = &find(*id);
    } catch (const InvalidArgument& error) {
      reader.fail(*table.get("study"), error.what());
    }
    if (recipe.study != before) recipe.settings = parameter::Settings(recipe.study->parameters);
  }
  if (const auto device = reader.choice(table, "device", device_names))
    recipe.device =
        static_cast<DeviceChoice>(std::ranges::find(device_names, *device) - device_names.begin());
  if (const auto* parameters = reader.get<toml::table>(table, "parameters", "a table")) {
    if (!recipe.study)
      reader.fail(*parameters, "parameters: of which study? 'study = \"topic/name\"' is missing");
    read_parameters(reader, *parameters, recipe.settings);
  }
  if (const auto* page = reader.get<toml::table>(table, "page", "a table")) read_page(reader, *page, recipe);
  if (const auto* views = reader.get<toml::array>(table, "view", "tables: [[view]]"))
    read_view(reader, *views, recipe.view);
  if (const auto* animation = reader.get<toml::table>(table, "animation", "a table")) {
    if (!recipe.study)
      reader.fail(*animation, "animation: of which study? 'study = \"topic/name\"' is missing");
    recipe.animation = read_animation(reader, *animation, recipe.settings);
  }
}

void check_version(const RecipeReader& reader) {
  const toml::table& root = reader.root();
  const auto* version = reader.get<std::int64_t>(root, "orrery", "1");
  if (!version) reader.fail(root, "this is not a recipe: the line 'orrery = 1' is missing");
  if (*version != recipe_version)
    reader.refuse(*root.get("orrery"), "orrery", "1, the version this program reads");
}

/// A name that is a file's on every system.
std::string read_name(const RecipeReader& reader, const toml::table& table) {
  const auto* name = reader.get<std::string>(table, "name", "a file's name without its ending, in quotes");
  if (!name) return {};
  const auto fits = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c >= 0x80;
  };
  if (name->empty() || name->size() > 100 || name->front() == '.' || !std::ranges::all_of(*name, fits))
    reader.refuse(*table.get("name"), "name", "1 to 100 letters, digits, - and _");
  return *name;
}

std::vector<NamedRecipe> read_figures(const RecipeReader& reader, const toml::array& figures,
                                      const Recipe& common) {
  if (figures.empty() || figures.size() > most_figures)
    reader.fail(figures, "figure: found " + std::to_string(figures.size()) + " of them; allowed: 1 to 1000");
  std::vector<NamedRecipe> all;
  std::set<std::string> names;
  for (const toml::node& node : figures) {
    const toml::table* table = node.as_table();
    if (!table) reader.refuse(node, "figure", "tables: [[figure]]");
    reader.only(*table, {"name", "study", "device", "parameters", "page", "view", "animation"});
    NamedRecipe named{read_name(reader, *table), common};
    if (!named.name.empty() && !names.insert(named.name).second)
      reader.fail(*table->get("name"),
                  "name: found " + in_quotes(named.name) + " twice; each figure has its own");
    read_over(reader, *table, named.recipe);
    if (!named.recipe.study) reader.fail(*table, "figure: the line 'study = \"topic/name\"' is missing");
    all.push_back(std::move(named));
  }
  return all;
}

}  // namespace

std::string to_toml(const Recipe& recipe) {
  std::string text = "orrery = " + std::to_string(recipe_version) + "\n";
  text += "study = " + in_quotes(recipe.study->id) + "\n";
  text += "device = " + in_quotes(device_names[static_cast<std::size_t>(recipe.device)]) + "\n";
  text += "\n[parameters]\n";
  for (const auto& p : recipe.settings.declared())
    text += std::string(p.name) + " = " + std::visit(ValueText{}, recipe.settings.value(p.name)) + "\n";
  text += page_text(recipe) + view_text(recipe.view);
  if (recipe.animation) text += animation_text(*recipe.animation);
  return text;
}

std::vector<NamedRecipe> recipes_from_toml(std::string_view text, std::string_view origin) {
  const RecipeReader reader(text, origin);
  const toml::table& root = reader.root();
  reader.only(root, {"orrery", "study", "device", "parameters", "page", "view", "animation", "figure"});
  check_version(reader);
  Recipe common;
  read_over(reader, root, common);
  if (const auto* figures = reader.get<toml::array>(root, "figure", "tables: [[figure]]"))
    return read_figures(reader, *figures, common);
  if (!common.study) reader.fail(root, "the line 'study = \"topic/name\"' is missing");
  return {{"", std::move(common)}};
}

Recipe recipe_from_toml(std::string_view text, std::string_view origin) {
  std::vector<NamedRecipe> all = recipes_from_toml(text, origin);
  if (all.size() > 1) {
    throw Failure(std::string(origin) + ": found " + std::to_string(all.size()) +
                  " figures; allowed here: one (orrery batch makes them all)");
  }
  return std::move(all.front().recipe);
}

}  // namespace orrery::study
