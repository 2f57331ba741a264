#include "app/recipe/recipe.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "app/recipe/page_text.h"
#include "app/recipe/reader.h"
#include "app/recipe/side_text.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

constexpr std::int64_t recipe_version = 1;
constexpr std::size_t most_figures = 1000;

std::string version_line() {
  return "orrery = " + std::to_string(recipe_version) + "\n";
}

/// All but the version; `inside` stands before the tables' names.
std::string body_of(const Recipe& recipe, std::string_view inside) {
  std::string text = "study = " + in_quotes(recipe.study->id) + "\n";
  text += device_text(recipe.device) + parameters_text(recipe.settings, inside);
  text += page_text(recipe, inside) + view_text(recipe.view, inside);
  if (recipe.compare) text += compare_text(*recipe.compare, recipe, inside);
  if (recipe.animation) text += animation_text(*recipe.animation, inside);
  return text;
}

constexpr std::string_view study_line = "'study = \"topic/name\"'";

Complaint of_which_study(std::string_view key) {
  return about(Subject::Kind::key, key).fault("of which study? {} is missing", study_line);
}

Complaint missing_study() {
  return wrong("the line {} is missing", study_line);
}

/// What a table says, over what has been said before.
void read_over(const RecipeReader& reader, const toml::table& table, Recipe& recipe) {
  if (const auto* id = reader.get<std::string>(table, "study", "the id of a study, in quotes")) {
    const study::Study* before = recipe.study;
    try {
      recipe.study = &study::find(*id);
    } catch (const InvalidArgument& error) {
      reader.fail(*table.get("study"), error.complaint());
    }
    if (recipe.study != before) recipe.settings = parameter::Settings(recipe.study->parameters);
  }
  recipe.device = read_device(reader, table, recipe.device);
  if (const auto* parameters = reader.get<toml::table>(table, "parameters", "a table")) {
    if (!recipe.study) reader.fail(*parameters, of_which_study("parameters"));
    read_parameters(reader, *parameters, recipe.settings);
  }
  if (const auto* page = reader.get<toml::table>(table, "page", "a table")) read_page(reader, *page, recipe);
  if (const auto* views = reader.get<toml::array>(table, "view", "tables: [[view]]"))
    read_view(reader, *views, recipe.view);
  if (const auto* animation = reader.get<toml::table>(table, "animation", "a table")) {
    if (!recipe.study) reader.fail(*animation, of_which_study("animation"));
    recipe.animation = read_animation(reader, *animation, recipe.settings);
  }
}

void check_version(const RecipeReader& reader) {
  const toml::table& root = reader.root();
  const auto* version = reader.get<std::int64_t>(root, "orrery", name_phrase("1"));
  if (!version) reader.fail(root, wrong("this is not a recipe: the line {} is missing", "'orrery = 1'"));
  if (*version != recipe_version)
    reader.refuse(*root.get("orrery"), "orrery", words("{}, the version this program reads", recipe_version));
}

constexpr std::size_t longest_name = 100;
Phrase allowed_name() {
  return words("{} letters, digits, - _ and ., no dot or dash first", "1 to 100");
}

bool fits_name(unsigned char c) {
  return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c >= 0x80;
}

/// A name that is a file's on every system.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name.front() != '.' && name.front() != '-' &&
         parameter::harmless(name) && std::ranges::all_of(name, fits_name);
}

std::string read_name(const RecipeReader& reader, const toml::table& table) {
  const auto* name = reader.get<std::string>(table, "name", "a file's name without its ending, in quotes");
  if (!name) return {};
  if (!is_name(*name)) reader.refuse(*table.get("name"), "name", allowed_name());
  return *name;
}

/// Read last: what it does not say is as the figure has it.
const toml::table* own_or_common_compare(const RecipeReader& reader, const toml::table& table) {
  const auto* own = reader.get<toml::table>(table, "compare", "a table");
  return own ? own : reader.get<toml::table>(reader.root(), "compare", "a table");
}

/// One that holds for all figures was asked of none of their studies.
void check_motion(const RecipeReader& reader, const toml::table& table, const Recipe& recipe) {
  if (!recipe.animation) return;
  try {
    validate(*recipe.animation, recipe.settings);
  } catch (const InvalidArgument& error) {
    reader.fail(table, error.complaint());
  }
}

std::vector<NamedRecipe> read_figures(const RecipeReader& reader, const toml::array& figures,
                                      const Recipe& common) {
  if (figures.empty() || figures.size() > most_figures)
    reader.fail(figures, about(Subject::Kind::key, "figure")
                             .found(figures.size())
                             .fault("found {} of them", figures.size())
                             .allowed("{} to {}", 1, most_figures));
  std::vector<NamedRecipe> all;
  std::set<std::string> names;
  for (const toml::node& node : figures) {
    const toml::table* table = node.as_table();
    if (!table) reader.refuse(node, "figure", "tables: [[figure]]");
    reader.only(*table,
                {"name", "title", "study", "device", "parameters", "page", "view", "compare", "animation"});
    NamedRecipe named{read_name(reader, *table), common};
    if (const auto* title = reader.get<std::string>(*table, "title", "a title, in quotes"))
      named.title = *title;
    if (!named.name.empty() && !names.insert(named.name).second)
      reader.fail(*table->get("name"),
                  about(Subject::Kind::key, "name")
                      .found(named.name)
                      .fault("found {} twice; each figure has its own", in_quotes(named.name)));
    read_over(reader, *table, named.recipe);
    if (!named.recipe.study)
      reader.fail(*table, missing_study().within({Subject::Kind::key, name_phrase("figure")}));
    check_motion(reader, *table, named.recipe);
    if (const toml::table* compare = own_or_common_compare(reader, *table))
      named.recipe.compare = read_compare(reader, *compare, named.recipe);
    all.push_back(std::move(named));
  }
  return all;
}

}  // namespace

std::string to_toml(const Recipe& recipe) {
  return version_line() + body_of(recipe, "");
}

std::string to_toml(std::span<const NamedRecipe> figures) {
  if (figures.empty() || figures.size() > most_figures)
    throw InvalidArgument(about(words("figures")).found(figures.size()).allowed("{} to {}", 1, most_figures));
  std::string text = version_line();
  std::set<std::string_view> names;
  for (const NamedRecipe& figure : figures) {
    text += "\n[[figure]]\n";
    if (!figure.name.empty()) {
      if (!is_name(figure.name) || !names.insert(figure.name).second)
        throw InvalidArgument(
            about(Subject::Kind::key, "name")
                .found(parameter::brief(figure.name))
                .fault("found {}", in_quotes(parameter::brief(figure.name)))
                .allowed("{} letters, digits, - _ and ., no dot or dash first, each name once", "1 to 100"));
      text += "name = " + in_quotes(figure.name) + "\n";
    }
    if (!figure.title.empty()) text += "title = " + in_quotes(figure.title) + "\n";
    text += body_of(figure.recipe, "figure.");
  }
  return text;
}

std::string file_name(std::string_view title, std::set<std::string>& taken) {
  std::string name;
  for (const char c : parameter::visible(title)) {
    const bool kept = fits_name(static_cast<unsigned char>(c)) && c != '.' && (c != '-' || !name.empty());
    if (kept)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  // Room for a number, and no half of a character at the end.
  while (name.size() > longest_name - 5 || (!name.empty() && name.back() == '-')) {
    while (name.size() > 1 && (name.back() & 0xC0) == 0x80) name.pop_back();
    name.pop_back();
  }
  if (name.empty()) name = "figure";
  std::string tried = name;
  for (int i = 2; !taken.insert(tried).second; ++i) tried = name + "-" + std::to_string(i);
  return tried;
}

std::vector<NamedRecipe> recipes_from_toml(std::string_view text, std::string_view origin) {
  const RecipeReader reader(text, origin);
  const toml::table& root = reader.root();
  reader.only(root,
              {"orrery", "study", "device", "parameters", "page", "view", "compare", "animation", "figure"});
  check_version(reader);
  Recipe common;
  read_over(reader, root, common);
  if (const auto* figures = reader.get<toml::array>(root, "figure", "tables: [[figure]]"))
    return read_figures(reader, *figures, common);
  if (!common.study) reader.fail(root, missing_study());
  if (const auto* compare = reader.get<toml::table>(root, "compare", "a table"))
    common.compare = read_compare(reader, *compare, common);
  return {{"", std::move(common)}};
}

Recipe recipe_from_toml(std::string_view text, std::string_view origin) {
  std::vector<NamedRecipe> all = recipes_from_toml(text, origin);
  if (all.size() > 1) {
    throw Failure(Complaint()
                      .found(all.size())
                      .fault("found {} figures", all.size())
                      .led_by("; allowed here: ")
                      .allowed("one (orrery batch makes them all)")
                      .within(in_file(origin)));
  }
  return std::move(all.front().recipe);
}

}  // namespace orrery::recipe
