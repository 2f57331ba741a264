// The keyboard alone: Tab reaches every control of the window, and every main task is done without a mouse.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "core/parameter/only_when.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::focus_test {
namespace {

/// What is marked for tests but is no control of its own: words, parts of another control, or what another one does too.
bool part_of_another(const std::string& name) {
  for (const char* mark : {"label:", "value:", "status:", "handle:", "complaint:", "title", "notice",
                           "progress", "head:", "greyed:", "reference", "all:", "region:"})
    if (name.starts_with(mark)) return true;
  return false;
}

/// Tab until it comes round; the names in their order.
std::vector<std::string> walk(Harness& h) {
  std::vector<std::string> visited;
  h.ui.focus.leave();
  for (int i = 0; i < 400; ++i) {
    h.key(Key::tab);
    const std::string& now = h.ui.focus.at();
    if (now.empty() || (!visited.empty() && now == visited.front())) break;
    visited.push_back(now);
  }
  return visited;
}

TEST(FocusTest, TabReachesEveryControlOfEveryStudy) {
  Harness h;
  for (const study::Study* s : study::studies()) {
    h.app.open(*s);
    h.settle();
    const std::vector<std::string> visited = walk(h);
    std::set<std::string> reached(visited.begin(), visited.end());
    EXPECT_EQ(reached.size(), visited.size()) << s->id << ": one of them twice";
    // The arrows reach the others of a group.
    for (const Focus::Stop* stop : h.ui.focus.ring())
      if (!stop->group.empty()) reached.insert(stop->name);
    for (const auto& [name, box] : h.ui.items.all()) {
      if (part_of_another(name)) continue;
      const std::string whole = name.substr(0, name.find('='));  // one of several segments
      // Beside a slider that has the keyboard stand its lock and its play, for Shift+Tab.
      if (name.starts_with("lock:") || name.starts_with("play:")) continue;
      // What a choice has switched off is not turned, by hand or by keys.
      if (name.starts_with("parameter:") && h.ui.items.find("greyed:" + whole.substr(whole.find(':') + 1)))
        continue;
      EXPECT_TRUE(reached.contains(name) || reached.contains(whole)) << s->id << ": " << name;
    }
  }
}

TEST(FocusTest, ShiftTabGoesBackAndF6FromPaneToPane) {
  Harness h({1280, 800});
  h.settle();
  const std::vector<std::string> forward = walk(h);
  ASSERT_GT(forward.size(), 8u);
  h.ui.focus.leave();  // the walk ended where it began
  h.key(Key::tab);
  EXPECT_EQ(h.ui.focus.at(), forward[1]);
  h.key(Key::tab, false, true);
  EXPECT_EQ(h.ui.focus.at(), forward[0]);
  h.key(Key::tab, false, true);
  EXPECT_EQ(h.ui.focus.at(), forward.back());

  std::set<std::string> panes;
  for (const Focus::Stop* stop : h.ui.focus.ring()) panes.insert(stop->pane);
  std::set<std::string> entered;
  for (std::size_t i = 0; i < panes.size(); ++i) {
    h.key(Key::f6);
    for (const Focus::Stop* stop : h.ui.focus.ring())
      if (stop->name == h.ui.focus.at()) entered.insert(stop->pane);
  }
  EXPECT_EQ(entered, panes);
  h.key(Key::escape);
  EXPECT_TRUE(h.ui.focus.nowhere());
}

TEST(FocusTest, WhatIsOutOfSightComesIntoSight) {
  Harness h({1280, 500});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  std::vector<std::string> names;
  for (const Focus::Stop* stop : h.ui.focus.ring())
    if (stop->pane == "inspector" && !stop->name.starts_with("to-section:")) names.push_back(stop->name);
  for (const std::string& name : names) {
    h.ui.focus.set(name);
    h.frames(4);
    const auto now = h.ui.focus.ring();
    const auto found =
        std::find_if(now.begin(), now.end(), [&](const Focus::Stop* s) { return s->name == name; });
    ASSERT_NE(found, now.end()) << name;
    if ((*found)->high.y - (*found)->low.y > 300) continue;  // a table: taller than the pane
    EXPECT_GE((*found)->low.y, (*found)->clip_low.y - 1) << name;
    EXPECT_LE((*found)->high.y, (*found)->clip_high.y + 1) << name;
  }
}

TEST(FocusTest, ArrowsTurnASliderAndDigitsTypeIntoIt) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  tab_to(h, "parameter:base");
  const double before = h.app.settings().real("base");
  h.key(Key::right);
  const double one = h.app.settings().real("base");
  EXPECT_GT(one, before);
  h.key(Key::right, false, true);
  const double ten = h.app.settings().real("base");
  EXPECT_GT(ten - one, 5 * (one - before));
  h.key(Key::left);
  EXPECT_LT(h.app.settings().real("base"), ten);
  h.key(Key::home);
  const auto parameters = h.app.study().parameters;
  const auto base =
      std::find_if(parameters.begin(), parameters.end(), [](const auto& p) { return p.name == "base"; });
  EXPECT_EQ(h.app.settings().real("base"), base->min);

  h.type("5");
  h.type("00");
  h.frames(3);
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().real("base"), 500);
  EXPECT_EQ(h.ui.focus.at(), "parameter:base");
  // Escape leaves the field first, then the control.
  h.type("7");
  h.frames(4);
  h.key(Key::escape);
  EXPECT_EQ(h.app.settings().real("base"), 500);
  EXPECT_EQ(h.ui.focus.at(), "parameter:base");
  h.key(Key::escape);
  EXPECT_TRUE(h.ui.focus.nowhere());
}

TEST(FocusTest, EveryKindOfParameterChangesByKeysAndIsUndone) {
  Harness h;
  std::set<parameter::Kind> done;
  for (const study::Study* s : study::studies()) {
    for (const parameter::Parameter& p : s->parameters) {
      if (done.contains(p.kind) || p.kind == parameter::Kind::file) continue;
      h.app.open(*s);
      h.settle();
      if (parameter::unmet(p, h.app.settings())) continue;
      const std::string name = "parameter:" + std::string(p.name);
      const auto ring = h.ui.focus.ring();
      const auto stop = std::find_if(ring.begin(), ring.end(), [&](const Focus::Stop* each) {
        return each->name == name || each->name.starts_with(name + ":");
      });
      ASSERT_NE(stop, ring.end()) << s->id << " " << name;
      tab_to(h, (*stop)->name);
      const parameter::Value before = h.app.settings().value(p.name);
      if (p.kind == parameter::Kind::toggle) {
        h.key(Key::space);
      } else if (h.ui.items.find(name) && p.kind == parameter::Kind::choice) {  // a list that opens
        h.key(Key::enter);
        h.key(Key::down);
        if (h.ui.focus.at().find('=') == std::string::npos) h.key(Key::right);
        h.key(Key::enter);
      } else if (p.kind == parameter::Kind::text) {
        h.key(Key::enter);
        h.type("x");
        h.key(Key::enter);
      } else {
        h.key(Key::right);
        if (h.app.settings().value(p.name) == before) h.key(Key::left);
      }
      EXPECT_NE(h.app.settings().value(p.name), before) << s->id << " " << name;
      h.key(Key::escape);
      h.key(Key::z, true);
      EXPECT_EQ(h.app.settings().value(p.name), before) << s->id << " " << name;
      done.insert(p.kind);
    }
  }
  EXPECT_GE(done.size(), 4u);
}

TEST(FocusTest, MenusOpenAndCloseByKeys) {
  Harness h({1280, 800});
  h.settle();
  tab_to(h, "menu-File");
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.ui.focus.at(), "menu:open");
  h.key(Key::down);
  EXPECT_NE(h.ui.focus.at(), "menu:open");
  h.key(Key::right);
  h.frames(3);
  EXPECT_EQ(h.ui.focus.at(), "menu:undo");
  h.key(Key::escape);
  h.frames(2);
  EXPECT_EQ(h.ui.focus.at(), "menu-File");
}

TEST(FocusTest, TheSheetOfKeysIsScrolledByKeys) {
  Harness h({640, 480});
  h.settle();
  h.key(Key::f1);
  h.frames(3);
  const auto top = [&] { return h.item("key:keys").low.y; };
  const float beginning = top();
  h.key(Key::down);
  const float one = beginning - top();
  EXPECT_GT(one, 0);
  h.key(Key::page_down);
  EXPECT_GT(beginning - top(), 5 * one);
  h.key(Key::page_up);
  h.key(Key::up);
  EXPECT_EQ(top(), beginning);
  h.key(Key::end);
  EXPECT_LE(h.item("key:Drop a file").high.y, h.item("keys-close").low.y) << "the last line is in sight";
  h.key(Key::home);
  EXPECT_EQ(top(), beginning);
}

TEST(FocusTest, AStudyIsOpenedFromTheListByKeys) {
  Harness h({1280, 800});
  h.settle();
  const study::Study& first = h.app.study();
  tab_to(h, "study:" + std::string(first.id));
  h.key(Key::down);
  EXPECT_EQ(&h.app.study(), &first);
  h.key(Key::enter);
  EXPECT_EQ(&h.app.study(), study::studies()[1]);
  // Without the keyboard on anything, the arrows open the neighbours at once.
  h.key(Key::escape);
  h.key(Key::down);
  EXPECT_EQ(&h.app.study(), study::studies()[2]);
}

/// How often a field is opened or closed, from now on.
int& count_turns(Harness& h) {
  const auto turns = std::make_shared<std::pair<bool, int>>(ImGui::GetIO().WantTextInput, 0);
  h.after_frame = [turns] {
    const bool now = ImGui::GetIO().WantTextInput;
    if (now != std::exchange(turns->first, now)) ++turns->second;
  };
  return turns->second;  // the harness keeps it
}

TEST(FocusTest, AFieldDoesNotFlickerWhileEnterIsHeld) {
  Harness h({1280, 800});
  h.settle();
  int& turns = count_turns(h);
  h.key(Key::f, true);
  h.frames(3);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  h.type("wavelengths");
  for (const Key enter : {Key::enter, Key::pad_enter}) {
    turns = 0;
    h.hold({enter});
    EXPECT_EQ(h.app.study().id, "rope/wavelengths");
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    EXPECT_EQ(turns, 1) << "closed";
    EXPECT_TRUE(h.ui.focus.on("search"));
    turns = 0;
    h.hold({enter});
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    EXPECT_EQ(turns, 1) << "opened";
  }
}

TEST(FocusTest, AValueIsTypedWithEnterHeldAtBothEnds) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.ui.focus.set("parameter:base");
  h.frames(3);
  h.hold({Key::enter});
  h.item("field:base");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  h.type("4096");
  h.hold({Key::enter});
  EXPECT_EQ(h.app.settings().real("base"), 4096);
  EXPECT_FALSE(h.ui.items.find("field:base")) << "it is not opened again";
  // What is wrong is shown once, and may be mended while the key is still down.
  h.hold({Key::enter});
  h.type("nonsense");
  int& turns = count_turns(h);
  h.hold({Key::enter});
  h.item("field:base");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  EXPECT_LE(turns, 2) << "closed, and opened again";
  EXPECT_EQ(h.app.settings().real("base"), 4096);
}

TEST(FocusTest, AFigureIsExportedByKeys) {
  const support::TemporaryFolder folder;
  Harness h({1280, 800});
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.name = "by-keys";
  h.key(Key::s, true);
  h.frames(3);
  tab_to(h, "export-go");
  h.key(Key::enter);
  for (int i = 0; i < 600 && !std::filesystem::exists(folder / "by-keys.pdf"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    h.frames();
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "by-keys.pdf"));
}

}  // namespace
}  // namespace orrery::gui::focus_test
