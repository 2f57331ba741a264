#include "app/gui/tray.h"

#include <algorithm>
#include <set>

#include "app/gui/app.h"

namespace orrery::gui {
namespace {

using Figures = std::vector<Collected>;

Figures copy(const Tray& tray) {
  return tray ? *tray : Figures();
}

Tray tray_of(Figures figures) {
  return figures.empty() ? nullptr : std::make_shared<const Figures>(std::move(figures));
}

/// "Rotation", or "Rotation 2" where there is one: two figures should not answer to one name.
std::string free_title(const Figures& figures, const std::string& wanted) {
  const auto taken = [&](const std::string& title) {
    return std::any_of(figures.begin(), figures.end(), [&](const Collected& c) { return c.title == title; });
  };
  std::string title = wanted;
  for (int i = 2; taken(title); ++i) title = wanted + " " + std::to_string(i);
  return title;
}

void change(App& app, std::string_view what, const std::function<void(Figures&)>& work) {
  app.edit(what, {}, [&](Document& d) {
    Figures figures = copy(d.tray);
    work(figures);
    d.tray = tray_of(std::move(figures));
  });
}

/// The recipe of one of them is another from now on; the one that is open stays it.
void exchange_recipe(App& app, std::string_view what, std::size_t i, const Collected& by) {
  app.edit(what, {}, [&](Document& d) {
    Figures figures = copy(d.tray);
    if (d.opened == figures[i].recipe) d.opened = by.recipe;
    figures[i] = by;
    d.tray = tray_of(std::move(figures));
  });
}

}  // namespace

std::span<const Collected> collected(const Tray& tray) {
  return tray ? std::span<const Collected>(*tray) : std::span<const Collected>();
}

Tray with_recipes(const Tray& tray, std::span<const recipe::NamedRecipe> recipes) {
  Figures figures = copy(tray);
  for (const recipe::NamedRecipe& each : recipes) {
    std::string title = each.title;
    if (title.empty())
      title = free_title(figures, each.name.empty() ? std::string(each.recipe.study->title) : each.name);
    figures.push_back({std::move(title), std::make_shared<const recipe::Recipe>(each.recipe)});
  }
  return tray_of(std::move(figures));
}

std::vector<recipe::NamedRecipe> named(const Tray& tray) {
  std::vector<recipe::NamedRecipe> all;
  std::set<std::string> taken;
  for (const Collected& each : collected(tray))
    all.push_back({recipe::file_name(each.title, taken), *each.recipe, each.title});
  return all;
}

void collect(App& app) {
  if (!app.result()) return;
  try {
    const auto recipe = std::make_shared<const recipe::Recipe>(app.recipe());
    app.edit("Collect", {}, [&](Document& d) {
      Figures figures = copy(d.tray);
      figures.push_back({free_title(figures, std::string(recipe->study->title)), recipe});
      d.tray = tray_of(std::move(figures));
      d.opened = recipe;
      d.panes.tray_shown = true;
    });
    app.say(Notice::Kind::done, "collected: " + collected(app.document().tray).back().title);
  } catch (const std::exception& error) {  // a page whose size was typed wrong
    app.say(error);
  }
}

void open_collected(App& app, std::size_t i) {
  const auto all = collected(app.document().tray);
  if (i >= all.size()) return;
  const Collected chosen = all[i];
  app.open_recipe(*chosen.recipe, "Open " + chosen.title, [&](Document& d) { d.opened = chosen.recipe; });
  app.page.name = named(app.document().tray)[i].name;
  app.say(Notice::Kind::done, "opened: " + chosen.title);
}

std::optional<std::size_t> opened_collected(const App& app) {
  const auto all = collected(app.document().tray);
  const auto& opened = app.document().opened;
  if (!opened || opened->study != &app.study()) return std::nullopt;
  const auto found = std::ranges::find(all, opened, &Collected::recipe);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

bool opened_changed(const App& app) {
  return opened_collected(app) && !app.shows(*app.document().opened);
}

void replace_collected(App& app, std::size_t i) {
  const auto all = collected(app.document().tray);
  if (i >= all.size() || !app.result()) return;
  const std::string title = all[i].title;
  try {
    recipe::Recipe shown = app.recipe();
    // How it moved is still known, where it is of the same study.
    if (all[i].recipe->animation && all[i].recipe->study == shown.study) shown.animation = app.animation();
    const auto recipe = std::make_shared<const recipe::Recipe>(std::move(shown));
    app.edit("Replace " + title, {}, [&](Document& d) {
      Figures figures = copy(d.tray);
      figures[i].recipe = d.opened = recipe;
      d.tray = tray_of(std::move(figures));
    });
    app.say(Notice::Kind::done, "replaced: " + title);
  } catch (const std::exception& error) {
    app.say(error);
  }
}

void retitle(App& app, std::size_t i, std::string_view title) {
  const auto all = collected(app.document().tray);
  if (i >= all.size() || title.empty() || all[i].title == title) return;
  Collected figure = all[i];
  figure.title = title;
  if (figure.recipe->title) {
    recipe::Recipe titled = *figure.recipe;
    titled.own_title = title;
    figure.recipe = std::make_shared<const recipe::Recipe>(std::move(titled));
  }
  exchange_recipe(app, "Title", i, figure);
  if (figure.recipe->title && opened_collected(app) == i) app.page.own_title = title;
}

void move_collected(App& app, std::size_t from, std::size_t to) {
  const std::size_t count = collected(app.document().tray).size();
  if (from >= count || to >= count || from == to) return;
  change(app, "Order of figures", [&](Figures& figures) {
    const auto at = [&](std::size_t i) { return figures.begin() + static_cast<std::ptrdiff_t>(i); };
    if (from < to)
      std::rotate(at(from), at(from + 1), at(to + 1));
    else
      std::rotate(at(to), at(from), at(from + 1));
  });
}

void remove_collected(App& app, std::size_t i) {
  const auto all = collected(app.document().tray);
  if (i >= all.size()) return;
  const std::string title = all[i].title;
  change(app, "Remove " + title,
         [&](Figures& figures) { figures.erase(figures.begin() + static_cast<std::ptrdiff_t>(i)); });
}

void duplicate_collected(App& app, std::size_t i) {
  const auto all = collected(app.document().tray);
  if (i >= all.size()) return;
  change(app, "Duplicate " + all[i].title, [&](Figures& figures) {
    Collected twin = figures[i];
    twin.title = free_title(figures, twin.title);
    // A recipe of its own: what is known of one by its address is not known of the other.
    twin.recipe = std::make_shared<const recipe::Recipe>(*twin.recipe);
    figures.insert(figures.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(twin));
  });
}

}  // namespace orrery::gui
