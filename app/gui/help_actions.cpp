#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

template <Popup popup>
void open(Reach& r) {
  r.wishes.popup = popup;
}

constexpr std::array help_table{
    Action{.id = "first-minute",
           .label = "The first minute",
           .group = Group::help,
           .run = open<Popup::first_minute>},
    Action{.id = "keys",
           .label = "Mouse and keys",
           .group = Group::help,
           .keys = "F1 ?",
           .run = open<Popup::keys>},
    Action{.id = "notation", .label = "Notation", .group = Group::help, .run = open<Popup::notation>},
    Action{.id = "about",
           .label = "About Orrery",
           .group = Group::help,
           .run = open<Popup::about>,
           .apart = true},
    // Of the File menu, which it ends: the tables of all other actions stand before this one.
    Action{.id = "quit",
           .label = "Quit",
           .group = Group::file,
           .keys = "Ctrl+Q",
           .run = [](Reach& r) { r.wishes.close = true; },
           .apart = true,
           .anywhere = true,
           .by_press = true},
};

}  // namespace

std::span<const Action> help_actions() {
  return help_table;
}

}  // namespace orrery::gui
