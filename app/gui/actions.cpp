#include "app/gui/actions.h"

#include <algorithm>
#include <array>

namespace orrery::gui {

std::string_view group_name(Group group) {
  constexpr std::array<std::string_view, std::size(groups)> names{"File",       "Edit",    "View", "Figure",
                                                                  "Parameters", "Compare", "Help"};
  return names[static_cast<std::size_t>(group)];
}

std::span<const Action> actions() {
  static const std::vector<Action> all = [] {
    std::vector<Action> joined;
    for (const std::span<const Action> table :
         {file_actions(), tray_actions(), edit_actions(), view_actions(), figure_actions(),
          parameter_actions(), compare_actions(), help_actions()})
      joined.insert(joined.end(), table.begin(), table.end());
    return joined;
  }();
  return all;
}

const Action* find_action(std::string_view id) {
  const auto all = actions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Action& a) { return a.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::string_view needs_figure(const Reach& r) {
  return r.app.result() ? "" : "there is no figure yet";
}

void perform(const Action& action, Reach& reach) {
  if (const std::string_view why = action.why_not(reach); !why.empty())
    reach.app.say(about(Phrase{std::string(action.label)}).fault(Phrase{std::string(why)}));
  else
    action.run(reach);
}

}  // namespace orrery::gui
