// The tray: figures that were put aside, in an order, under titles, for a lecture. What is done to it is an edit of the
// document, each a step of undo.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/gui/document.h"

namespace orrery::gui {

class App;

/// Empty where nothing was ever collected.
std::span<const Collected> collected(const Tray&);
/// With these at its end; one without a title is called as its file would be, or as its study is.
Tray with_recipes(const Tray&, std::span<const recipe::NamedRecipe>);
/// As a file of recipes has them: names made of the titles, each one once.
std::vector<recipe::NamedRecipe> named(const Tray&);

/// Puts what the window shows, on the page it would be exported on, at the end of the tray.
void collect(App&);
/// Back into the window: study, settings, view and page.
void open_collected(App&, std::size_t);
/// Which of them is open: it was opened or collected last, and its study is still the one that is shown.
std::optional<std::size_t> opened_collected(const App&);
/// It is open, and what is shown is no longer what was collected.
bool opened_changed(const App&);
/// What the window shows in the place of this one, under its title.
void replace_collected(App&, std::size_t);
/// An empty title is none: the old one stays. A page with a title above its figure has this one from now on.
void retitle(App&, std::size_t, std::string_view title);
/// To stand at `to` when it is done.
void move_collected(App&, std::size_t from, std::size_t to);
void remove_collected(App&, std::size_t);
void duplicate_collected(App&, std::size_t);

}  // namespace orrery::gui
