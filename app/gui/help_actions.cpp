#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

template <const char* name>
void open(Reach& r) {
  r.wishes.popup = name;
}
constexpr char keys[] = "keys", about[] = "about", notation[] = "notation", tour[] = "first-minute";

constexpr std::array table{
    Action{.id = "first-minute", .label = "The first minute", .group = Group::help, .run = open<tour>},
    Action{.id = "keys", .label = "Mouse and keys", .group = Group::help, .keys = "F1 ?", .run = open<keys>},
    Action{.id = "notation", .label = "Notation", .group = Group::help, .run = open<notation>},
    Action{.id = "about", .label = "About Orrery", .group = Group::help, .run = open<about>, .apart = true},
    // Of the File menu, which it ends: the tables of all other actions stand before this one.
    Action{.id = "quit",
           .label = "Quit",
           .group = Group::file,
           .keys = "Ctrl+Q",
           .run = [](Reach& r) { r.wishes.close = true; },
           .apart = true},
};

}  // namespace

std::span<const Action> help_actions() {
  return table;
}

}  // namespace orrery::gui
