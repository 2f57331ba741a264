#include "app/recipe/page_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/page_size.h"
#include "app/recipe/page_fields.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

constexpr int most_panels = 1000, most_marks = 100000;

/// Width and height in points: how sizes were written before they had units. No other sizes than those that are written now:
/// a picture keeps a recipe that can be read.
figure::Size size_in_points(const RecipeReader& reader, const toml::table& page) {
  const Phrase allowed = words("a number of points from {} to {}", parameter::shortest(figure::least_side),
                               parameter::shortest(figure::most_side));
  const auto length = [&](std::string_view key) {
    return reader.number(page, key, figure::least_side, figure::most_side, allowed).value_or(0);
  };
  const figure::Size size{length("width"), length("height")};
  if ((size.width > 0) != (size.height > 0))
    reader.fail(
        page, about(Subject::Kind::key, "page").fault("width and height go together; give both or neither"));
  return size;
}

void read_size(const RecipeReader& reader, const toml::table& page, Recipe& recipe) {
  const figure::Size points = size_in_points(reader, page);
  if (points.width > 0) recipe.size = points;
  const auto* text = reader.get<std::string>(
      page, "size", words("\"WIDTH×HEIGHT\" in cm, mm, in or pt, or {}", figure::size_names()));
  if (!text) return;
  if (points.width > 0)
    reader.fail(*page.get("size"),
                about(Subject::Kind::key, "size").fault("found width and height too; give one of them"));
  try {
    recipe.size = figure::parse_size(*text);
  } catch (const InvalidArgument& error) {
    reader.fail(*page.get("size"), error.complaint());
  }
}

/// Reads one field, by what it is.
struct FieldReading {
  const RecipeReader& reader;
  const toml::table& page;
  const PageField& field;
  Recipe& recipe;

  void operator()(figure::Size Recipe::*) const { read_size(reader, page, recipe); }
  void operator()(bool Recipe::*on) const {
    const toml::node* node = page.get(field.key);
    if (!node) return;
    if (const auto* value = node->as_boolean()) {
      recipe.*on = value->get();
      if (field.instead) (recipe.*field.instead).clear();
    } else if (const auto* text = node->as_string(); text && field.instead) {
      recipe.*on = !text->get().empty();
      recipe.*field.instead = text->get();
    } else {
      reader.refuse(*node, field.key,
                    field.instead ? "true or false, or a title in quotes" : "true or false");
    }
  }
  void operator()(double Recipe::*value) const {
    const Phrase allowed =
        words("a number from {} to {}", parameter::shortest(field.least), parameter::shortest(field.most));
    if (const auto number = reader.number(page, field.key, field.least, field.most, allowed))
      recipe.*value = *number;
  }
  void operator()(std::string Recipe::*text) const {
    if (field.names != nullptr) {
      if (const auto name = reader.choice(page, field.key, field.names())) recipe.*text = *name;
    } else if (const auto* words =
                   reader.get<std::string>(page, field.key, Phrase{std::string(field.allowed)})) {
      recipe.*text = *words;
    }
  }
  void operator()(language::Language Recipe::*spoken) const {
    const auto* code = reader.get<std::string>(page, field.key, words("one of: {}", language::codes()));
    if (!code) return;
    try {
      recipe.*spoken = language::language_of(*code);
    } catch (const InvalidArgument& error) {
      reader.fail(*page.get(field.key), error.complaint());
    }
  }
};

/// A field's value as TOML.
struct FieldText {
  std::string operator()(figure::Size size) const { return in_quotes(figure::size_text(size)); }
  std::string operator()(bool on) const { return on ? "true" : "false"; }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(language::Language spoken) const { return in_quotes(language::code(spoken)); }
  std::string operator()(int count) const { return std::to_string(count); }
  std::string operator()(Loop loop) const { return in_quotes(loop_names[static_cast<std::size_t>(loop)]); }
};

/// Two numbers in their order.
std::optional<figure::Range> read_range(const RecipeReader& reader, const toml::table& table,
                                        std::string_view key) {
  const Allowed allowed = "[least, largest], two finite numbers";
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
    reader.refuse(node, key, words("a whole number from {} to {}", 1, most));
  return static_cast<int>(n->get()) - 1;
}

void read_motion(const RecipeReader& reader, const toml::table& table, const MotionField& field,
                 Animation& a) {
  const Phrase allowed = field.allowed();
  if (const auto* loop = std::get_if<Loop Animation::*>(&field.member)) {
    if (const auto name = reader.choice(table, field.key, loop_names))
      a.*(*loop) = parse_loop(field.key, *name);
  } else if (const auto* count = std::get_if<int Animation::*>(&field.member)) {
    const auto* n = reader.get<std::int64_t>(table, field.key, allowed);
    if (!n) return;
    const auto value = static_cast<double>(*n);
    if (value < field.least || value > field.most) reader.refuse(*table.get(field.key), field.key, allowed);
    a.*(*count) = static_cast<int>(*n);
  } else if (const auto number = reader.number(table, field.key, field.least, field.most, allowed)) {
    a.*std::get<double Animation::*>(field.member) = *number;
  }
}

}  // namespace

std::string float_text(double x) {
  std::string text = parameter::shortest(x);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

void read_page(const RecipeReader& reader, const toml::table& page, Recipe& recipe) {
  std::vector<std::string_view> known;
  for (const PageField& field : page_fields()) {
    known.push_back(field.key);
    if (field.key == "size") known.insert(known.end(), {"width", "height"});
  }
  reader.only(page, known);
  for (const PageField& field : page_fields())
    std::visit(FieldReading{reader, page, field, recipe}, field.member);
  // What stands above the figures holds for each of them, its size may be its own.
  const toml::table* common = reader.root()["page"].as_table();
  const bool titled = page.contains("title") || (common && common->contains("title"));
  if (!titled && page.contains("size")) suit_page(recipe);
}

void read_view(const RecipeReader& reader, const toml::array& views, figure::View& view) {
  for (const toml::node& node : views) {
    const toml::table* table = node.as_table();
    if (!table) reader.refuse(node, "view", "tables: [[view]]");
    reader.only(*table, {"panel", "x", "y", "log_x", "log_y", "grid", "hidden"});
    const toml::node* which = table->get("panel");
    if (!which)
      reader.fail(*table, about(Subject::Kind::key, "view").fault("the line {} is missing", "'panel = 1'"));
    const int panel = read_count(reader, *which, "panel", most_panels);
    const auto at = static_cast<std::size_t>(panel);
    view.panels.resize(std::max(view.panels.size(), at + 1));
    const auto asked = [&](std::string_view key) -> std::optional<bool> {
      const bool* on = reader.get<bool>(*table, key, "true or false");
      return on ? std::optional(*on) : std::nullopt;
    };
    view.panels[at] = {read_range(reader, *table, "x"), read_range(reader, *table, "y"), asked("log_x"),
                       asked("log_y"), asked("grid")};
    if (const auto* marks =
            reader.get<toml::array>(*table, "hidden", words("the marks switched off: {}", "[1, 2]")))
      for (const toml::node& mark : *marks)
        view.hidden.insert({panel, read_count(reader, mark, "hidden", most_marks)});
  }
}

Animation read_animation(const RecipeReader& reader, const toml::table& table,
                         const parameter::Settings& settings) {
  reader.only(table, {"parameter", "from", "to", "log", "loop", "frames", "fps", "frame"});
  Animation a;
  const auto* name = reader.get<std::string>(table, "parameter", "the name of a parameter, in quotes");
  if (!name)
    reader.fail(
        table,
        about(Subject::Kind::key, "animation").fault("the line {} is missing", "'parameter = \"name\"'"));
  a.parameter = *name;
  constexpr double huge = std::numeric_limits<double>::max();
  const auto from = reader.number(table, "from", -huge, huge, "a finite number"),
             to = reader.number(table, "to", -huge, huge, "a finite number");
  if (!from || !to)
    reader.fail(table, about(Subject::Kind::key, "animation").fault("'from' and 'to' are both needed"));
  a.from = *from;
  a.to = *to;
  if (const auto* log = reader.get<bool>(table, "log", "true or false")) a.log = *log;
  for (const MotionField& field : motion_fields()) read_motion(reader, table, field, a);
  if (const auto* n = reader.get<std::int64_t>(table, "frame", words("a whole number from {}", 0))) {
    if (*n < 0 || *n >= a.frames)
      reader.refuse(*table.get("frame"), "frame", words("a whole number from {} to {}", 0, a.frames - 1));
    a.frame = static_cast<int>(*n);
  }
  try {
    validate(a, settings);
  } catch (const InvalidArgument& error) {
    reader.fail(table, error.complaint());
  }
  return a;
}

std::string page_text(const Recipe& recipe, std::string_view inside) {
  std::string text = "\n[" + std::string(inside) + "page]\n";
  const Recipe usual;
  for (const PageField& field : page_fields()) {
    const auto write = [&](auto member) {
      if (!field.always && recipe.*member == usual.*member) return;
      const bool replaced = field.instead && !(recipe.*field.instead).empty();
      text += std::string(field.key) + " = " +
              (replaced ? in_quotes(recipe.*field.instead) : FieldText{}(recipe.*member)) + "\n";
    };
    std::visit(write, field.member);
  }
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
  for (const MotionField& field : motion_fields()) {
    const auto write = [&](auto member) {
      const bool usual = field.key == "loop" && a.*member == Animation().*member;
      if (!usual) text += std::string(field.key) + " = " + FieldText{}(a.*member) + "\n";
    };
    std::visit(write, field.member);
  }
  if (a.frame) text += "frame = " + std::to_string(*a.frame) + "\n";
  return text;
}

}  // namespace orrery::recipe
