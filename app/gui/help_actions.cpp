#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

constexpr std::array table{
    Action{.id = "keys",
           .label = "Mouse and keys",
           .group = Group::help,
           .keys = "F1 ?",
           .run = [](Reach& r) { r.wishes.popup = "keys"; }},
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
