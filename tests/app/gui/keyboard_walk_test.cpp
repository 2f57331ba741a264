// Every action by the keyboard alone: Tab to its menu, arrows to its row, Enter.
#include <string>

#include "app/gui/actions.h"
#include "app/gui/panels.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::keyboard_walk_test {
namespace {

bool walk_to(Harness& h, const std::string& name, Key key) {
  for (int i = 0; i < 400 && h.ui.focus.at() != name; ++i) h.key(key);
  return h.ui.focus.at() == name;
}

class KeyboardWalk : public testing::TestWithParam<Group> {};

TEST_P(KeyboardWalk, ReachesEveryActionOfAMenuAndDoesIt) {
  int done = 0;
  for (const Action& action : actions()) {
    if (action.group != GetParam()) continue;
    Harness h({1280, 900});
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
    const std::string row = "menu:" + std::string(action.id);
    ASSERT_TRUE(walk_to(h, "menu-" + std::string(group_name(action.group)), Key::tab));
    h.key(Key::down);
    h.frames(2);
    ASSERT_TRUE(h.ui.items.find(row)) << row;
    const Reach reach{h.app, h.wishes};
    const bool enabled = action.enabled(reach);
    ASSERT_TRUE(walk_to(h, row, Key::down) || !enabled) << row;
    if (!enabled) continue;  // it says why, and there is nothing to do
    h.key(Key::enter);
    h.frames(2);
    EXPECT_FALSE(h.ui.items.find(row)) << row << ": the menu is still open";
    ++done;
  }
  EXPECT_GT(done, 0);
}

INSTANTIATE_TEST_SUITE_P(Menus, KeyboardWalk, testing::ValuesIn(groups),
                         [](const auto& each) { return std::string(group_name(each.param)); });

}  // namespace
}  // namespace orrery::gui::keyboard_walk_test
