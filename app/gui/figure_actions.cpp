#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

constexpr std::array table{
    Action{.id = "fit",
           .label = "Fit the figure",
           .group = Group::figure,
           .keys = "Home",
           .run = [](Reach& r) { r.app.show({}); }},
};

}  // namespace

std::span<const Action> figure_actions() {
  return table;
}

}  // namespace orrery::gui
