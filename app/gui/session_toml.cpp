// A session as TOML. What is computed is written as recipes are, each piece as a text of its own: one that a later
// version no longer understands takes no other with it.
#include <algorithm>
#include <functional>
#include <new>

#include "app/figure/page_size.h"
#include "app/gui/session.h"
#include "app/recipe/page_fields.h"
#include "app/recipe/reader.h"
#include "core/tensor/text_stream.h"

namespace orrery::gui {
namespace {

constexpr std::int64_t session_version = 1;

recipe::Recipe recipe_of(const Side& side) {
  recipe::Recipe recipe;
  recipe.study = side.study;
  recipe.settings = side.settings;
  recipe.device = side.device;
  return recipe;
}

Side side_of(const recipe::Recipe& recipe) {
  return {recipe.study, recipe.settings, recipe.device};
}

toml::table table_of(const Preferences& p) {
  return toml::table{{"theme", p.theme},
                     {"language", p.language},
                     {"zoom", p.zoom},
                     {"high-contrast", p.high_contrast},
                     {"reduced-motion", p.reduced_motion}};
}

toml::array array_of(const std::set<std::string>& names) {
  toml::array array;
  for (const std::string& name : names) array.push_back(name);
  return array;
}

toml::table table_of(const Panes& p) {
  return toml::table{{"folded", array_of(p.folded)},
                     {"list", p.list},
                     {"inspector", p.inspector},
                     {"list_shown", p.list_shown},
                     {"inspector_shown", p.inspector_shown},
                     {"tray_shown", p.tray_shown}};
}

toml::table table_of(const Motion& m) {
  toml::table table{{"speed", m.speed},
                    {"loop", std::string(recipe::loop_names[static_cast<std::size_t>(m.loop)])}};
  if (m.from) table.insert("from", *m.from);
  if (m.to) table.insert("to", *m.to);
  return table;
}

/// What was typed there and is no size is not kept.
std::string kept_size(const ExportPage& page) {
  try {
    (void)figure::parse_size(page.size);
    return page.size;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return ExportPage().size;
  }
}

/// A field of the page as a session keeps it. The size is kept as it was typed.
struct FieldNode {
  const recipe::PageField& field;
  const ExportPage& page;
  toml::table& table;

  void operator()(figure::Size recipe::Recipe::*) const { table.insert(field.key, kept_size(page)); }
  template <class T>
  void operator()(T recipe::Recipe::*member) const {
    recipe::Recipe recipe;
    static_cast<recipe::Page&>(recipe) = page;
    if constexpr (std::is_same_v<T, language::Language>)
      table.insert(field.key, std::string(language::code(recipe.*member)));
    else
      table.insert(field.key, recipe.*member);
    // What is written above is remembered while it is switched off.
    if (field.instead) table.insert("own_" + std::string(field.key), recipe.*field.instead);
  }
};

toml::table table_of(const ExportPage& p) {
  toml::table table{
      {"ending", p.ending}, {"name", p.name}, {"folder", p.folder}, {"frames", p.frames}, {"fps", p.fps}};
  for (const recipe::PageField& field : recipe::page_fields())
    std::visit(FieldNode{field, p, table}, field.member);
  return table;
}

toml::table table_of(const Document& d) {
  toml::table table;
  if (d.live.study) {
    recipe::Recipe live = recipe_of(d.live);
    live.view = d.view;
    table.insert("live", recipe::to_toml(live));
  }
  if (d.pinned) table.insert("pinned", recipe::to_toml(recipe_of(*d.pinned)));
  table.insert("together", std::string(recipe::compare_mode_names[static_cast<std::size_t>(d.together)]));
  toml::array tray;
  if (d.tray)
    for (const Collected& each : *d.tray) {
      const recipe::NamedRecipe named{"", *each.recipe, each.title};
      tray.push_back(recipe::to_toml(std::span(&named, 1)));
    }
  toml::table motions;
  for (const auto& [name, motion] : d.motions) motions.insert(name, table_of(motion));
  table.insert("tray", std::move(tray));
  if (d.tray)
    if (const auto open = std::ranges::find(*d.tray, d.opened, &Collected::recipe); open != d.tray->end())
      table.insert("opened", static_cast<std::int64_t>(open - d.tray->begin()));
  table.insert("locked", array_of(d.locked));
  table.insert("motions", std::move(motions));
  toml::table presets;
  for (const auto& [study, name] : d.presets) presets.insert(study, name);
  table.insert("presets", std::move(presets));
  table.insert("panes", table_of(d.panes));
  return table;
}

/// Reads what is there and of the right kind; remembers the first thing that is not.
class Reader {
 public:
  std::string fault;

  void blame(const std::string& what) {
    if (fault.empty()) fault = what;
  }
  template <class T>
  void read(const toml::table& table, const char* key, T& value) {
    const toml::node* node = table.get(key);
    if (!node) return;
    if (const auto found = node->value<T>())
      value = *found;
    else
      blame(std::string(key) + ": of another kind");
  }
  void read(const toml::table& table, const char* key, double& value, double least, double most) {
    double found = value;
    read(table, key, found);
    if (!(found >= least && found <= most)) return blame(std::string(key) + ": out of range");
    value = found;
  }
  void read(const toml::table& table, const char* key, float& value, double least, double most) {
    double found = value;
    read(table, key, found, least, most);
    value = static_cast<float>(found);
  }
  void read(const toml::table& table, const char* key, int& value, int least, int most) {
    std::int64_t found = value;
    read(table, key, found);
    if (found < least || found > most) return blame(std::string(key) + ": out of range");
    value = static_cast<int>(found);
  }
  void read(const toml::table& table, const char* key, std::string& value,
            std::span<const std::string_view> allowed) {
    std::string found = value;
    read(table, key, found);
    if (std::find(allowed.begin(), allowed.end(), found) == allowed.end())
      return blame(std::string(key) + ": '" + found + "' is none");
    value = found;
  }
  void read(const toml::table& table, const char* key, std::string& value,
            std::initializer_list<std::string_view> allowed) {
    read(table, key, value, std::span(allowed.begin(), allowed.size()));
  }
  /// Which of these names it is; the first where nothing is said.
  std::ptrdiff_t place(const toml::table& table, const char* key, std::span<const std::string_view> names) {
    std::string name(names.front());
    read(table, key, name, names);
    return std::find(names.begin(), names.end(), name) - names.begin();
  }
  /// Each text of an array to whom it concerns.
  void each(const toml::table& table, const char* key, const std::function<void(const std::string&)>& take) {
    const toml::node* node = table.get(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array) return blame(std::string(key) + ": no list");
    for (const toml::node& item : *array) {
      if (const auto text = item.value<std::string>())
        attempt([&] { take(*text); });
      else
        blame(std::string(key) + ": of another kind");
    }
  }
  template <class Work>
  void attempt(Work&& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {  // no fault of the session's
      throw;
    } catch (const std::exception& error) {
      blame(error.what());
    }
  }
};

void read_motion(Reader& reader, const toml::table& table, Motion& motion) {
  constexpr double huge = 1e300;
  reader.read(table, "speed", motion.speed, 1e-3, 1e3);
  motion.loop = static_cast<Loop>(reader.place(table, "loop", recipe::loop_names));
  for (const auto& [key, end] : {std::pair("from", &motion.from), std::pair("to", &motion.to)}) {
    if (!table.contains(key)) continue;
    double value = 0;
    reader.read(table, key, value, -huge, huge);
    *end = value;
  }
}

void read_document(Reader& reader, const toml::table& table, Document& d) {
  const auto recipe = [&](const char* key) -> std::optional<recipe::Recipe> {
    std::string text;
    reader.read(table, key, text);
    if (text.empty()) return std::nullopt;
    std::optional<recipe::Recipe> read;
    reader.attempt([&] { read = recipe::recipe_from_toml(text, key); });
    return read;
  };
  if (const auto live = recipe("live")) {
    d.live = side_of(*live);
    d.view = live->view;
  }
  if (const auto pinned = recipe("pinned")) d.pinned = side_of(*pinned);
  std::string together(recipe::compare_mode_names.front());
  reader.read(table, "together", together);
  std::ranges::replace(together, ' ', '-');  // earlier versions wrote "side by side"
  reader.attempt([&] { d.together = recipe::parse_compare_mode("together", together); });
  std::vector<Collected> tray;
  reader.each(table, "tray", [&](const std::string& text) {
    for (recipe::NamedRecipe& each : recipe::recipes_from_toml(text, "tray"))
      tray.push_back({each.title, std::make_shared<const recipe::Recipe>(std::move(each.recipe))});
  });
  if (!tray.empty()) d.tray = std::make_shared<const std::vector<Collected>>(std::move(tray));
  int opened = -1;
  if (d.tray && table.contains("opened"))
    reader.read(table, "opened", opened, 0, static_cast<int>(d.tray->size()) - 1);
  if (opened >= 0) d.opened = (*d.tray)[static_cast<std::size_t>(opened)].recipe;
  reader.each(table, "locked", [&](const std::string& name) { d.locked.insert(name); });
  if (const toml::table* presets = table["presets"].as_table())
    for (const auto& [study, node] : *presets)
      if (const auto name = node.value<std::string>()) d.presets[std::string(study.str())] = *name;
  if (const toml::table* motions = table["motions"].as_table())
    for (const auto& [name, node] : *motions)
      if (const toml::table* motion = node.as_table())
        read_motion(reader, *motion, d.motions[std::string(name.str())]);
  if (const toml::table* panes = table["panes"].as_table()) {
    if (panes->contains("folded")) d.panes.folded.clear();
    reader.each(*panes, "folded", [&](const std::string& name) { d.panes.folded.insert(name); });
    constexpr double least = 40, most = 4000;
    reader.read(*panes, "list", d.panes.list, least, most);
    reader.read(*panes, "inspector", d.panes.inspector, least, most);
    reader.read(*panes, "list_shown", d.panes.list_shown);
    reader.read(*panes, "inspector_shown", d.panes.inspector_shown);
    reader.read(*panes, "tray_shown", d.panes.tray_shown);
  }
}

/// Reads it back, each field by what it is.
struct FieldReading {
  Reader& reader;
  const toml::table& table;
  const recipe::PageField& field;
  recipe::Recipe& recipe;

  void operator()(figure::Size recipe::Recipe::*) const {}
  void operator()(std::string recipe::Recipe::*text) const {
    const std::string key(field.key);
    if (field.names != nullptr)
      reader.read(table, key.c_str(), recipe.*text, field.names());
    else
      reader.read(table, key.c_str(), recipe.*text);
  }
  void operator()(bool recipe::Recipe::*on) const {
    const std::string key(field.key);
    reader.read(table, key.c_str(), recipe.*on);
    if (field.instead) reader.read(table, ("own_" + key).c_str(), recipe.*field.instead);
  }
  void operator()(double recipe::Recipe::*value) const {
    double found = 0;
    reader.read(table, std::string(field.key).c_str(), found, 0, field.most);
    if (found == 0 || found >= field.least) recipe.*value = found;
  }
  void operator()(language::Language recipe::Recipe::*spoken) const {
    std::string code(language::code(recipe.*spoken));
    reader.read(table, std::string(field.key).c_str(), code);
    reader.attempt([&] { recipe.*spoken = language::language_of(code); });
  }
};

void read_page(Reader& reader, const toml::table& table, ExportPage& page) {
  reader.read(table, "ending", page.ending, {"pdf", "svg", "png", "tex", "webp", "csv", "npy", "md"});
  reader.read(table, "size", page.size);
  page.size = kept_size(page);  // earlier versions kept what was typed: no damage to speak of
  recipe::Recipe recipe;
  for (const recipe::PageField& field : recipe::page_fields())
    std::visit(FieldReading{reader, table, field, recipe}, field.member);
  static_cast<recipe::Page&>(page) = recipe;
  reader.read(table, "name", page.name);
  reader.read(table, "folder", page.folder);
  const recipe::MotionField& frames = recipe::motion_field(&recipe::Animation::frames);
  reader.read(table, "frames", page.frames, static_cast<int>(frames.least), static_cast<int>(frames.most));
  const recipe::MotionField& fps = recipe::motion_field(&recipe::Animation::fps);
  reader.read(table, "fps", page.fps, fps.least, fps.most);
}

void read_all(Reader& reader, const toml::table& root, Session& session) {
  if (root["session"].value<std::int64_t>() != session_version)
    return reader.blame("it is not one of this program: the line 'session = 1' is missing");
  if (const toml::table* table = root["document"].as_table()) read_document(reader, *table, session.document);
  reader.each(root, "left", [&](const std::string& text) {
    recipe::Recipe recipe = recipe::recipe_from_toml(text, "left");
    session.left[recipe.study] = std::move(recipe.settings);
  });
  if (const toml::table* table = root["preferences"].as_table()) {
    reader.read(*table, "theme", session.preferences.theme, {"dark", "light"});
    reader.read(*table, "language", session.preferences.language, {"en", "zh"});
    reader.read(*table, "zoom", session.preferences.zoom, 0.5, 4);
    reader.read(*table, "high-contrast", session.preferences.high_contrast);
    reader.read(*table, "reduced-motion", session.preferences.reduced_motion);
  }
  if (const toml::table* table = root["export"].as_table()) read_page(reader, *table, session.page);
  reader.each(root, "recent", [&](const std::string& file) { session.recent.push_back(file); });
  if (const toml::table* table = root["window"].as_table()) {
    reader.read(*table, "width", session.width, 1, 16384);
    reader.read(*table, "height", session.height, 1, 16384);
  }
}

}  // namespace

std::string to_toml(const Session& session) {
  toml::array left, recent;
  for (const study::Study* study : study::studies())
    if (const auto found = session.left.find(study); found != session.left.end())
      left.push_back(recipe::to_toml(recipe_of({study, found->second, study::DeviceChoice::cpu})));
  for (const std::string& file : session.recent) recent.push_back(file);
  const toml::table root{{"session", session_version},
                         {"window", toml::table{{"width", session.width}, {"height", session.height}}},
                         {"preferences", table_of(session.preferences)},
                         {"export", table_of(session.page)},
                         {"recent", std::move(recent)},
                         {"document", table_of(session.document)},
                         {"left", std::move(left)}};
  tensor::TextWriter text;
  text << "# Where the window was left: written by Orrery, a few seconds after each change.\n"
       << root << '\n';
  return text.str();
}

ReadSession session_from_toml(std::string_view text) {
  ReadSession read;
  Reader reader;
  reader.attempt([&] { read_all(reader, recipe::RecipeReader(text, "session").root(), read.session); });
  read.fault = reader.fault;
  std::replace(read.fault.begin(), read.fault.end(), '\n', ' ');
  return read;
}

}  // namespace orrery::gui
