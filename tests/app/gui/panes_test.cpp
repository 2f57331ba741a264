// How the window is divided, by hand and by keys; and that nothing stands on anything else at any size.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/actions.h"
#include "app/gui/pane_layout.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::panes_test {
namespace {

TEST(PanesTest, DividersAreDraggedAndADoubleClickGivesTheFirstWidth) {
  Harness h({1600, 1000});
  h.settle();
  const ImVec2 at = h.item("divider-list").centre();
  h.drag(at, {at.x + 60, at.y});
  EXPECT_NEAR(h.app.document().panes.list, 232 + 60, 2);
  EXPECT_EQ(h.app.history().undo_steps(), 1u);
  const ImVec2 other = h.item("divider-inspector").centre();
  h.drag(other, {other.x - 50, other.y});
  EXPECT_NEAR(h.app.document().panes.inspector, 344 + 50, 2);
  EXPECT_EQ(h.app.history().undo_steps(), 2u);
  h.rest();
  const ImVec2 now = h.item("divider-list").centre();
  h.press_at(now);
  h.press_at(now);
  EXPECT_EQ(h.app.document().panes.list, Panes{}.list);
}

TEST(PanesTest, OneThatComesClosesNoFieldThatIsTypedInto) {
  Harness h({1280, 2400});
  h.settle();
  ASSERT_FALSE(h.ui.items.find("to-section:checks"));
  h.app.edit("Panes", {}, [](Document& d) { d.panes.inspector_shown = d.panes.tray_shown = false; });
  h.key(Key::f, true);
  h.frames(3);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  h.app.edit("Inspector", {}, [](Document& d) { d.panes.inspector_shown = true; });
  h.frames(3);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the inspector";
  h.app.edit("Tray", {}, [](Document& d) { d.panes.tray_shown = true; });
  h.frames(3);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the tray";
  // What is below the inspector's end gets a line at its foot: with a figure that arrives, or in a lower window.
  ImGui::GetIO().DisplaySize.y = 500;
  h.frames(3);
  ASSERT_TRUE(h.ui.items.find("to-section:checks"));
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the inspector's foot";
}

TEST(PanesTest, AreHiddenAndBroughtBack) {
  Harness h({1280, 800});
  h.settle();
  h.key(Key{'B'}, true);
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("search"));
  const float wide = h.item("figure").high.x - h.item("figure").low.x;
  h.click("show-list");
  h.frames(2);
  EXPECT_TRUE(h.ui.items.find("search"));
  h.key(Key{'I'}, true);
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("section:parameters"));
  EXPECT_GT(h.item("figure").high.x - h.item("figure").low.x, wide);
  h.click("show-inspector");
  h.frames(2);
  h.item("section:parameters");
  // Where there is no room beside the figure, the list opens over it, and goes when a study was chosen.
  Harness narrow({700, 500});
  narrow.settle();
  EXPECT_FALSE(narrow.ui.items.find("search"));
  narrow.key(Key{'B'}, true);
  narrow.frames(3);
  narrow.item("search");
  const study::Study* second = study::studies()[1];
  narrow.click("study:" + std::string(second->id));
  narrow.frames(3);
  EXPECT_EQ(&narrow.app.study(), second);
  EXPECT_FALSE(narrow.ui.items.find("search"));
}

TEST(PanesTest, TheListOverTheFigureLeavesTheKeysToTheWindow) {
  Harness h({700, 500});
  h.settle();
  const auto open_list = [&] {
    h.key(Key{'B'}, true);
    h.frames(3);
    h.item("search");
  };
  open_list();
  h.key(Key{'B'}, true);
  h.frames(3);
  EXPECT_FALSE(h.ui.items.find("search"));
  open_list();
  h.key(Key::f1);
  h.frames(3);
  EXPECT_TRUE(h.ui.items.find("keys-close"));
  EXPECT_FALSE(h.ui.items.find("search"));
  h.key(Key::escape);
  h.frames(3);
  open_list();
  h.key(Key::escape);
  h.frames(3);
  EXPECT_FALSE(h.ui.items.find("search"));
}

TEST(PanesTest, TheListOverTheFigureGoesWhereItHasRoomBeside) {
  Harness h({700, 500});
  h.settle();
  h.key(Key{'B'}, true);
  h.frames(3);
  ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId));
  ImGui::GetIO().DisplaySize.x = 1400;
  h.frames(3);
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId));
  EXPECT_GT(h.item("figure").low.x, h.item("search").high.x);
}

TEST(PanesTest, TheListIsTickedOnlyWhereItStandsBesideTheFigure) {
  const Panes usual;
  EXPECT_TRUE(list_fits(usual, 1280));
  EXPECT_FALSE(list_fits(usual, 700));
  EXPECT_TRUE(list_fits({.list_shown = false}, 1280));
  Harness h({700, 500});
  h.settle();
  ASSERT_TRUE(h.app.document().panes.list_shown);
  const Action& list = *find_action("list");
  EXPECT_TRUE(list.is_checked({h.app, h.wishes}));
  EXPECT_FALSE(list.is_checked({h.app, h.wishes, list_fits(h.app.document().panes, 700)}));
}

TEST(PanesTest, SectionsFoldAndTheFootLeadsToThoseBelow) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("section:about");
  h.frames(2);
  EXPECT_TRUE(h.app.document().panes.folded.contains("about"));
  h.click("section:about");
  EXPECT_FALSE(h.app.document().panes.folded.contains("about"));

  Harness low({1280, 500});
  low.app.start_with(study::find("rope/rotation"));
  low.settle();
  low.frames(3);
  const ItemBox foot = low.item("to-section:checks");
  EXPECT_LE(foot.high.y, 500 - 28 + 1);
  low.click("to-section:checks");
  low.frames(4);
  const ItemBox head = low.item("section:checks");
  EXPECT_GE(head.low.y, 40);
  EXPECT_LT(head.high.y, 500 - 28);
}

TEST(PanesTest, TheWindowDoesNotSleepBeforeAJumpToASectionIsSeen) {
  Harness h({1280, 500});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.frames(3);
  h.click("to-section:checks");
  for (int more = 0; more < 20 && h.ui.wake_after == 0; ++more) h.frames();
  const auto sections = [&] {
    std::vector<std::pair<std::string, float>> all;
    for (const auto& [name, box] : h.ui.items.all())
      if (name.starts_with("section:") || name.starts_with("to-section:")) all.emplace_back(name, box.low.y);
    return all;
  };
  const auto asleep = sections();
  EXPECT_GT(h.ui.wake_after, 0) << "it sleeps at last";
  h.frames(10);
  EXPECT_EQ(sections(), asleep);
}

TEST(PanesTest, WithoutTheListTitleAndSummaryKeepOneEdge) {
  Harness h({900, 600});
  h.app.start_with(study::find("attention/heads"));
  h.app.edit("List", {}, [](Document& d) { d.panes.list_shown = false; });
  h.settle();
  ASSERT_TRUE(h.ui.items.find("show-list"));
  const ItemBox title = h.item("title"), summary = h.item("title:summary");
  EXPECT_GT(summary.low.y, title.high.y);
  EXPECT_EQ(summary.low.x, title.low.x);
  EXPECT_GE(summary.low.x, h.item("show-list").high.x);
}

/// Controls and words that stand beside each other, never on each other.
bool stands_alone(const std::string& name) {
  for (const char* mark :
       {"label:", "value:", "play:", "menu-", "find", "device=", "language", "theme", "export",
        "status:", "section:", "to-section:", "divider-", "progress", "cancel", "title", "show-"})
    if (name.starts_with(mark)) return true;
  return name.starts_with("parameter:") && name.find('=') != std::string::npos;
}

bool in_inspector(const std::string& name) {
  for (const char* mark : {"label:", "value:", "play:", "section:", "parameter:"})
    if (name.starts_with(mark)) return true;
  return false;
}

struct Case {
  int width, height;
  float scale;
};

TEST(PanesTest, NothingStandsOnAnythingElseAtAnySize) {
  for (const Case c : {Case{640, 400, 1}, Case{1280, 800, 1}, Case{1280, 800, 1.5f}, Case{1280, 800, 2},
                       Case{1920, 1200, 1.5f}, Case{3840, 2160, 2}}) {
    const float width = static_cast<float>(c.width), height = static_cast<float>(c.height);
    Harness h({width, height});
    if (c.scale != 1) h.ui.set_scale(c.scale, 1);
    for (const study::Study* s : study::studies()) {
      h.app.open(*s);
      h.settle();
      std::vector<std::pair<std::string, ItemBox>> boxes;
      // What is scrolled out of the inspector's sight stands on nothing.
      float foot_top = height - 28 * c.scale;
      for (const auto& [name, box] : h.ui.items.all())
        if (name.starts_with("to-section:")) foot_top = std::min(foot_top, box.low.y);
      for (const auto& item : h.ui.items.all())
        if (stands_alone(item.first) && (item.second.high.y <= foot_top || !in_inspector(item.first)))
          boxes.push_back(item);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto& [name, box] = boxes[i];
        const auto what = [&] {
          return std::string(s->id) + " at " + std::to_string(c.width) + "x" + std::to_string(c.height) +
                 ", " + std::to_string(c.scale) + ": " + name;
        };
        EXPECT_GE(box.low.x, -1) << what();
        EXPECT_LE(box.high.x, width + 1) << what();
        for (std::size_t k = i + 1; k < boxes.size(); ++k) {
          const auto& [other, theirs] = boxes[k];
          const float across = std::min(box.high.x, theirs.high.x) - std::max(box.low.x, theirs.low.x);
          const float down = std::min(box.high.y, theirs.high.y) - std::max(box.low.y, theirs.low.y);
          const bool foot = name.starts_with("to-section:") || other.starts_with("to-section:");
          EXPECT_TRUE(across <= 8 * c.scale || down <= 2 * c.scale || foot) << what() << " and " << other;
        }
      }
      // The figure is what the window is for.
      const ItemBox figure = h.item("figure");
      EXPECT_GT(figure.high.x - figure.low.x, 0.4f * width - 60 * c.scale) << s->id;
    }
  }
}

}  // namespace
}  // namespace orrery::gui::panes_test
