#include "app/study/recipe.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <vector>

#include "app/figure/theme.h"
#include "app/study/device_names.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

constexpr std::int64_t recipe_version = 1;
constexpr double largest_page = 14400;  // points: 200 inches, what PDF readers can show

std::string joined(const auto& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string named(std::string_view name) {
  return std::string("'").append(name).append("'");
}

std::string quoted(std::string_view text) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out.append("\\u00").append({hex[byte >> 4], hex[byte & 15]});
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// A TOML float must look like one: 500000 would read back as an integer.
std::string float_text(double x) {
  std::string text = parameter::shortest(x);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

struct ValueText {
  std::string operator()(std::int64_t n) const { return std::to_string(n); }
  std::string operator()(double x) const { return float_text(x); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(bool on) const { return on ? "true" : "false"; }
  std::string operator()(const std::vector<double>& v) const {
    std::string text = "[";
    for (const double x : v) text.append(text.size() == 1 ? "" : ", ").append(float_text(x));
    return text.append("]");
  }
};

/// Every complaint names the place: origin:line:column.
class Reader {
 public:
  Reader(std::string_view text, std::string_view origin) : origin_(origin) {
    try {
      root_ = toml::parse(text);
    } catch (const toml::parse_error& error) {
      fail(error.source().begin, std::string(error.description()));
    }
  }

  const toml::table& root() const { return root_; }

  [[noreturn]] void fail(const toml::source_position& at, const std::string& what) const {
    throw Failure(origin_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what);
  }
  [[noreturn]] void fail(const toml::node& at, const std::string& what) const {
    fail(at.source().begin, what);
  }

  void only(const toml::table& table, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, node] : table)
      if (std::ranges::find(known, key.str()) == known.end())
        fail(key.source().begin, named(key.str()) + " is not known here; known: " + joined(known));
  }

  /// The value of `key`, or nullptr when it is not there.
  template <class T>
  const T* get(const toml::table& table, std::string_view key, std::string_view kind) const {
    const toml::node* node = table.get(key);
    if (!node) return nullptr;
    if constexpr (std::is_same_v<T, toml::table>) {
      if (const toml::table* inner = node->as_table()) return inner;
    } else {
      if (const auto* value = node->as<T>()) return &value->get();
    }
    fail(*node, std::string(key) + ": " + found(*node) + "; allowed: " + std::string(kind));
  }

  static std::string found(const toml::node& node) {
    std::ostringstream out;
    node.visit([&](const auto& n) { out << "found " << n; });
    const std::string text = out.str();
    return text.size() > 60 || text.find('\n') != std::string::npos ? "found something else" : text;
  }

 private:
  std::string origin_;
  toml::table root_;
};

std::optional<double> number(const toml::node& node) {
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  return std::nullopt;
}

/// The value that a node means for a parameter, or nothing when it is of another kind.
std::optional<parameter::Value> value_of(const parameter::Parameter& p, const toml::node& node) {
  using parameter::Kind;
  switch (p.kind) {
    case Kind::integer:
      if (const auto* whole = node.as_integer()) return whole->get();
      break;
    case Kind::real:
      if (const auto x = number(node)) return *x;
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
        const auto x = number(element);
        if (!x) return std::nullopt;
        values.push_back(*x);
      }
      return values;
    }
  }
  return std::nullopt;
}

void read_parameters(const Reader& reader, const toml::table& table, parameter::Settings& settings) {
  const auto declared = settings.declared();
  for (const auto& [key, node] : table) {
    const auto p = std::ranges::find(declared, key.str(), &parameter::Parameter::name);
    if (p == declared.end()) {
      std::vector<std::string_view> known;
      for (const auto& each : declared) known.push_back(each.name);
      reader.fail(key.source().begin,
                  named(key.str()) + " is not a parameter of this study; known: " + joined(known));
    }
    auto value = value_of(*p, node);
    if (!value)
      reader.fail(node, std::string(p->name) + ": " + Reader::found(node) +
                            "; allowed: " + parameter::allowed_text(*p));
    try {
      settings.set(p->name, std::move(*value));
    } catch (const InvalidArgument& error) {
      reader.fail(node, error.what());
    }
  }
}

void read_page(const Reader& reader, const toml::table& page, Recipe& recipe) {
  reader.only(page, {"width", "height", "theme", "title"});
  const auto length = [&](std::string_view key) {
    const toml::node* node = page.get(key);
    if (!node) return 0.0;
    const auto points = number(*node);
    if (!points || !(*points > 0 && *points <= largest_page))
      reader.fail(*node, std::string(key) + ": " + Reader::found(*node) +
                             "; allowed: a number of points, more than 0, at most " +
                             parameter::shortest(largest_page));
    return *points;
  };
  recipe.size = {length("width"), length("height")};
  if ((recipe.size.width > 0) != (recipe.size.height > 0))
    reader.fail(page, "page: width and height go together; give both or neither");
  if (const auto* theme = reader.get<std::string>(page, "theme", joined(figure::theme_names()))) {
    if (std::ranges::find(figure::theme_names(), *theme) == figure::theme_names().end())
      reader.fail(*page.get("theme"),
                  "theme: found " + quoted(*theme) + "; allowed: " + joined(figure::theme_names()));
    recipe.theme = *theme;
  }
  if (const auto* title = reader.get<bool>(page, "title", "true or false")) recipe.title = *title;
}

}  // namespace

std::string to_toml(const Recipe& recipe) {
  std::string text = "orrery = " + std::to_string(recipe_version) + "\n";
  text += "study = " + quoted(recipe.study->id) + "\n";
  text += "device = " + quoted(device_names[static_cast<std::size_t>(recipe.device)]) + "\n";
  text += "\n[parameters]\n";
  for (const auto& p : recipe.settings.declared())
    text += std::string(p.name) + " = " + std::visit(ValueText{}, recipe.settings.value(p.name)) + "\n";
  text += "\n[page]\n";
  if (recipe.size.width > 0) {
    text += "width = " + float_text(recipe.size.width) + "  # points\n";
    text += "height = " + float_text(recipe.size.height) + "\n";
  }
  text += "theme = " + quoted(recipe.theme) + "\n";
  text += std::string("title = ") + (recipe.title ? "true" : "false") + "\n";
  return text;
}

Recipe recipe_from_toml(std::string_view text, std::string_view origin) {
  const Reader reader(text, origin);
  const toml::table& root = reader.root();
  reader.only(root, {"orrery", "study", "device", "parameters", "page"});

  const auto* version = reader.get<std::int64_t>(root, "orrery", "1");
  if (!version) reader.fail(root, "this is not a recipe: the line 'orrery = 1' is missing");
  if (*version != recipe_version)
    reader.fail(*root.get("orrery"),
                "orrery: found " + std::to_string(*version) + "; allowed: 1, the version this program reads");

  Recipe recipe;
  const auto* id = reader.get<std::string>(root, "study", "the id of a study, in quotes");
  if (!id) reader.fail(root, "the line 'study = \"topic/name\"' is missing");
  try {
    recipe.study = &find(*id);
  } catch (const InvalidArgument& error) {
    reader.fail(*root.get("study"), error.what());
  }
  if (const auto* device = reader.get<std::string>(root, "device", joined(device_names))) {
    const auto* const known = std::ranges::find(device_names, *device);
    if (known == std::end(device_names))
      reader.fail(*root.get("device"),
                  "device: found " + quoted(*device) + "; allowed: " + joined(device_names));
    recipe.device = static_cast<DeviceChoice>(known - std::begin(device_names));
  }
  recipe.settings = parameter::Settings(recipe.study->parameters);
  if (const auto* table = reader.get<toml::table>(root, "parameters", "a table"))
    read_parameters(reader, *table, recipe.settings);
  if (const auto* page = reader.get<toml::table>(root, "page", "a table")) read_page(reader, *page, recipe);
  return recipe;
}

}  // namespace orrery::study
