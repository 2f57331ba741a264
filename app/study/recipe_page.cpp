#include "app/study/recipe_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/page_size.h"
#include "app/figure/theme.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

constexpr double least_dpi = 10, most_dpi = 2400;
constexpr int most_panels = 1000, most_marks = 100000;

/// Width and height in points: how sizes were written before they had units.
figure::Size size_in_points(const RecipeReader& reader, const toml::table& page) {
  const std::string allowed =
      "a number of points, more than 0, at most " + parameter::shortest(figure::most_side);
  const auto length = [&](std::string_view key) {
    return reader.number(page, key, std::numeric_limits<double>::min(), figure::most_side, allowed)
        .value_or(0);
  };
  const figure::Size size{length("width"), length("height")};
  if ((size.width > 0) != (size.height > 0))
    reader.fail(page, "page: width and height go together; give both or neither");
  return size;
}

void read_size(const RecipeReader& reader, const toml::table& page, Recipe& recipe) {
  const figure::Size points = size_in_points(reader, page);
  if (points.width > 0) recipe.size = points;
  const auto* text = reader.get<std::string>(
      page, "size", "\"WIDTH×HEIGHT\" in cm, mm, in or pt, or " + figure::size_names());
  if (!text) return;
  if (points.width > 0) reader.fail(*page.get("size"), "size: found width and height too; give one of them");
  try {
    recipe.size = figure::parse_size(*text);
  } catch (const InvalidArgument& error) {
    reader.fail(*page.get("size"), error.what());
  }
}

void read_title(const RecipeReader& reader, const toml::table& page, Recipe& recipe) {
  const toml::node* node = page.get("title");
  if (!node) return;
  if (const auto* on = node->as_boolean()) {
    recipe.title = on->get();
    recipe.own_title.clear();
  } else if (const auto* text = node->as_string()) {
    recipe.title = !text->get().empty();
    recipe.own_title = text->get();
  } else {
    reader.refuse(*node, "title", "true or false, or a title in quotes");
  }
}

void read_language(const RecipeReader& reader, const toml::table& page, Recipe& recipe) {
  const auto* code = reader.get<std::string>(page, "language", "one of: " + language::codes());
  if (!code) return;
  try {
    recipe.language = language::language_of(*code);
  } catch (const InvalidArgument& error) {
    reader.fail(*page.get("language"), error.what());
  }
}

/// Two numbers in their order.
std::optional<figure::Range> read_range(const RecipeReader& reader, const toml::table& table,
                                        std::string_view key) {
  constexpr std::string_view allowed = "[least, largest], two finite numbers";
  const auto* pair = reader.get<toml::array>(table, key, allowed);
  if (!pair) return std::nullopt;
  std::vector<double> ends;
  for (const toml::node& end : *pair) ends.push_back(number_in(end).value_or(std::nan("")));
  if (ends.size() != 2 || !(ends[0] < ends[1]) || !std::isfinite(ends[1] - ends[0]))
    reader.refuse(*pair, key, allowed);
  return figure::Range{ends[0], ends[1]};
}

/// Panels and marks are counted from 1 by people.
int read_count(const RecipeReader& reader, const toml::node& node, std::string_view key, int most) {
  const auto* n = node.as_integer();
  if (!n || n->get() < 1 || n->get() > most)
    reader.refuse(node, key, "a whole number from 1 to " + std::to_string(most));
  return static_cast<int>(n->get()) - 1;
}

}  // namespace

std::string float_text(double x) {
  std::string text = parameter::shortest(x);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

void read_page(const RecipeReader& reader, const toml::table& page, Recipe& recipe) {
  reader.only(page, {"size", "width", "height", "theme", "title", "dpi", "transparent", "font", "math_font",
                     "language"});
  read_size(reader, page, recipe);
  if (const auto theme = reader.choice(page, "theme", figure::theme_names())) recipe.theme = *theme;
  read_title(reader, page, recipe);
  recipe.dpi =
      reader.number(page, "dpi", least_dpi, most_dpi, "a number from 10 to 2400").value_or(recipe.dpi);
  if (const auto* on = reader.get<bool>(page, "transparent", "true or false")) recipe.transparent = *on;
  if (const auto* family = reader.get<std::string>(page, "font", "a family of fonts, in quotes"))
    recipe.font = *family;
  if (const auto* family =
          reader.get<std::string>(page, "math_font", "a family of mathematical fonts, in quotes"))
    recipe.math_font = *family;
  read_language(reader, page, recipe);
}

void read_view(const RecipeReader& reader, const toml::array& views, figure::View& view) {
  for (const toml::node& node : views) {
    const toml::table* table = node.as_table();
    if (!table) reader.refuse(node, "view", "tables: [[view]]");
    reader.only(*table, {"panel", "x", "y", "log_x", "log_y", "grid", "hidden"});
    const toml::node* which = table->get("panel");
    if (!which) reader.fail(*table, "view: the line 'panel = 1' is missing");
    const int panel = read_count(reader, *which, "panel", most_panels);
    const auto at = static_cast<std::size_t>(panel);
    view.panels.resize(std::max(view.panels.size(), at + 1));
    const auto asked = [&](std::string_view key) -> std::optional<bool> {
      const bool* on = reader.get<bool>(*table, key, "true or false");
      return on ? std::optional(*on) : std::nullopt;
    };
    view.panels[at] = {read_range(reader, *table, "x"), read_range(reader, *table, "y"), asked("log_x"),
                       asked("log_y"), asked("grid")};
    if (const auto* marks = reader.get<toml::array>(*table, "hidden", "the marks switched off: [1, 2]"))
      for (const toml::node& mark : *marks)
        view.hidden.insert({panel, read_count(reader, mark, "hidden", most_marks)});
  }
}

Animation read_animation(const RecipeReader& reader, const toml::table& table,
                         const parameter::Settings& settings) {
  reader.only(table, {"parameter", "from", "to", "log", "loop", "frames", "fps", "frame"});
  Animation a;
  const auto* name = reader.get<std::string>(table, "parameter", "the name of a parameter, in quotes");
  if (!name) reader.fail(table, "animation: the line 'parameter = \"name\"' is missing");
  a.parameter = *name;
  constexpr double huge = std::numeric_limits<double>::max();
  const auto from = reader.number(table, "from", -huge, huge, "a finite number"),
             to = reader.number(table, "to", -huge, huge, "a finite number");
  if (!from || !to) reader.fail(table, "animation: 'from' and 'to' are both needed");
  a.from = *from;
  a.to = *to;
  if (const auto* log = reader.get<bool>(table, "log", "true or false")) a.log = *log;
  if (const auto loop = reader.choice(table, "loop", loop_names)) a.loop = parse_loop("loop", *loop);
  const std::string frames = "a whole number from 2 to " + std::to_string(most_frames);
  if (const auto* n = reader.get<std::int64_t>(table, "frames", frames)) {
    if (*n < 2 || *n > most_frames) reader.refuse(*table.get("frames"), "frames", frames);
    a.frames = static_cast<int>(*n);
  }
  a.fps = reader.number(table, "fps", 1, most_fps, "a number from 1 to 120").value_or(a.fps);
  if (const auto* n = reader.get<std::int64_t>(table, "frame", "a whole number from 0")) {
    if (*n < 0 || *n >= a.frames)
      reader.refuse(*table.get("frame"), "frame", "a whole number from 0 to " + std::to_string(a.frames - 1));
    a.frame = static_cast<int>(*n);
  }
  try {
    validate(a, settings);
  } catch (const InvalidArgument& error) {
    reader.fail(table, error.what());
  }
  return a;
}

std::string page_text(const Recipe& recipe, std::string_view inside) {
  std::string text = "\n[" + std::string(inside) + "page]\n";
  if (recipe.size.width > 0) text += "size = " + in_quotes(figure::size_text(recipe.size)) + "\n";
  text += "theme = " + in_quotes(recipe.theme) + "\n";
  if (recipe.own_title.empty())
    text += std::string("title = ") + (recipe.title ? "true" : "false") + "\n";
  else
    text += "title = " + in_quotes(recipe.own_title) + "\n";
  if (recipe.dpi > 0) text += "dpi = " + float_text(recipe.dpi) + "\n";
  if (recipe.transparent) text += "transparent = true\n";
  if (recipe.language != language::Language::en)
    text += "language = " + in_quotes(language::code(recipe.language)) + "\n";
  if (!recipe.font.empty()) text += "font = " + in_quotes(recipe.font) + "\n";
  if (!recipe.math_font.empty()) text += "math_font = " + in_quotes(recipe.math_font) + "\n";
  return text;
}

std::string view_text(const figure::View& view, std::string_view inside) {
  int panels = static_cast<int>(view.panels.size());
  for (const auto& [panel, mark] : view.hidden) panels = std::max(panels, panel + 1);
  std::string text;
  for (int i = 0; i < panels; ++i) {
    std::string body;
    if (i < static_cast<int>(view.panels.size())) {
      const auto& ranges = view.panels[static_cast<std::size_t>(i)];
      for (const auto& [key, range] : {std::pair("x", ranges.x), std::pair("y", ranges.y)}) {
        if (range)
          body += std::string(key) + " = [" + float_text(range->lo) + ", " + float_text(range->hi) + "]\n";
      }
      for (const auto& [key, on] : {std::pair("log_x", ranges.log_x), std::pair("log_y", ranges.log_y),
                                    std::pair("grid", ranges.grid)})
        if (on) body += std::string(key) + (*on ? " = true\n" : " = false\n");
    }
    std::string marks;
    for (const auto& [panel, mark] : view.hidden)
      if (panel == i) marks += (marks.empty() ? "" : ", ") + std::to_string(mark + 1);
    if (!marks.empty()) body += "hidden = [" + marks + "]\n";
    if (!body.empty())
      text += "\n[[" + std::string(inside) + "view]]\npanel = " + std::to_string(i + 1) + "\n" + body;
  }
  return text;
}

std::string animation_text(const Animation& a, std::string_view inside) {
  std::string text = "\n[" + std::string(inside) + "animation]\nparameter = " + in_quotes(a.parameter) + "\n";
  text += "from = " + float_text(a.from) + "\nto = " + float_text(a.to) + "\n";
  if (a.log) text += "log = true\n";
  if (a.loop != Loop::round)
    text += "loop = " + in_quotes(loop_names[static_cast<std::size_t>(a.loop)]) + "\n";
  text += "frames = " + std::to_string(a.frames) + "\nfps = " + float_text(a.fps) + "\n";
  if (a.frame) text += "frame = " + std::to_string(*a.frame) + "\n";
  return text;
}

}  // namespace orrery::study
