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
};

}  // namespace

std::span<const Action> help_actions() {
  return table;
}

}  // namespace orrery::gui
