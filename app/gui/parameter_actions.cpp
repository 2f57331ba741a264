#include <algorithm>
#include <array>

#include "app/gui/actions.h"

namespace orrery::gui {
namespace {

std::string_view needs_motion(const Reach& r) {
  const auto all = r.app.study().parameters;
  const bool moves =
      std::any_of(all.begin(), all.end(), [](const parameter::Parameter& p) { return p.plays; });
  return moves || r.app.moving() ? "" : "nothing in this study runs by itself";
}

constexpr std::array parameter_table{
    Action{.id = "play",
           .label = "Play",
           .group = Group::parameters,
           .keys = "Space",
           .run = [](Reach& r) { r.app.toggle_play(); },
           .hindrance = needs_motion,
           .checked = [](const Reach& r) { return r.app.playing() != nullptr; }},
    Action{.id = "randomise",
           .label = "Values by chance",
           .group = Group::parameters,
           .keys = "Ctrl+R",
           .run = [](Reach& r) { r.app.randomise(); },
           .apart = true},
    Action{.id = "defaults",
           .label = "Reset all parameters",
           .group = Group::parameters,
           .run = [](Reach& r) { r.app.reset_all(); }},
};

}  // namespace

std::span<const Action> parameter_actions() {
  return parameter_table;
}

}  // namespace orrery::gui
