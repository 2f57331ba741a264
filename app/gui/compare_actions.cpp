#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {

std::span<const Action> compare_actions() {
  return {};
}

}  // namespace orrery::gui
