// How the window is divided: by arithmetic, by hand, by keys; and that nothing stands on anything else at any size.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "app/gui/number_text.h"
#include "app/gui/pane_layout.h"
#include "app/gui/pinned.h"
#include "app/gui/step_text.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::panes_test {
namespace {

TEST(PaneLayoutTest, TheFigureHasHalfOfTheWindowAtLeast) {
  for (float width = 640; width <= 3840; width += 8)
    for (const float list : {190.0f, 232.0f, 420.0f})
      for (const float inspector : {260.0f, 344.0f, 640.0f}) {
        const PaneLayout layout = arrange({.list = list, .inspector = inspector}, width);
        const float figure = width - layout.list - layout.inspector;
        EXPECT_GE(figure, 340 - 1) << width;
        if (layout.list > 0) {
          EXPECT_GE(figure, width / 2 - 1) << width;
          EXPECT_GE(layout.list, list_range.least);
        }
        EXPECT_TRUE(layout.inspector == 0 || layout.inspector >= inspector_range.least);
        EXPECT_LE(layout.list, list);
        EXPECT_LE(layout.inspector, inspector);
      }
  const PaneLayout usual = arrange({}, 1280);
  EXPECT_EQ(usual.list, 232);
  EXPECT_EQ(usual.inspector, 344);
  EXPECT_EQ(arrange({.list_shown = false}, 1280).list, 0);
  EXPECT_EQ(arrange({}, 700).list, 0);
}

TEST(PaneLayoutTest, ASizeThatDoesNotFitIsNotSilentlyAnotherOne) {
  EXPECT_EQ(english(too_large(3, 1, 1280, 800)), "300 % does not fit into this window: it is shown at 200 %");
  EXPECT_EQ(english(too_large(1.5, 2, 1280, 800)),
            "150 % does not fit into this window: it is shown at 100 %");
  EXPECT_TRUE(too_large(2, 1, 1280, 800).empty());
  EXPECT_TRUE(too_large(3, 1, 1920, 1200).empty());
  EXPECT_TRUE(too_large(1.21, 1, 1280, 800).empty()) << "a step of the scale is not worth a word";
}

TEST(PaneLayoutTest, TheScaleGivesWayBeforeTheWindowIsTooSmall) {
  EXPECT_FLOAT_EQ(fitting_scale(1, 1280, 800), 1);
  EXPECT_FLOAT_EQ(fitting_scale(2, 1280, 800), 2);
  EXPECT_FLOAT_EQ(fitting_scale(2, 960, 800), 1.5f);
  EXPECT_FLOAT_EQ(fitting_scale(2, 640, 400), 1);
  EXPECT_FLOAT_EQ(fitting_scale(1, 320, 200), 0.5f);
  EXPECT_FLOAT_EQ(fitting_scale(1.26, 3840, 2160), 1.25f);
}

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

TEST(HistoryListTest, AClickGoesThere) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  for (const double base : {100.0, 200.0, 300.0}) h.app.change("base", base);
  h.frames();
  h.key(Key{'H'}, true);
  h.frames(3);
  h.click("history:-2");
  EXPECT_EQ(h.app.settings().real("base"), 100);
  EXPECT_EQ(h.app.history().redo_steps(), 2u);
  h.frames(2);
  h.click("history:2");
  EXPECT_EQ(h.app.settings().real("base"), 300);
}

TEST(CancelTest, TheLastGoodFigureStaysAndTheNoticeSaysSo) {
  Harness h({1280, 800});
  h.settle();
  const auto before = h.app.shown();
  h.app.open(study::find("extrapolation/base"));
  h.frames();
  ASSERT_TRUE(h.app.busy());  // it takes longer than this frame
  Reach reach{h.app, h.wishes};
  perform(*find_action("stop-computing"), reach);
  EXPECT_FALSE(h.app.busy());
  EXPECT_NE(h.app.notice().text.find("stopped"), std::string::npos) << h.app.notice().text;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  h.frames(3);
  EXPECT_FALSE(h.app.busy());
  EXPECT_TRUE(h.app.shown() == before || h.app.shown()->partial);
  h.app.compute_again();
  h.frames();
  EXPECT_TRUE(h.app.busy());
}

TEST(HistoryListTest, AStepSaysWhatItChanged) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const std::string base = value_text(h.app.settings().value("base"));
  h.app.change("base", 777.0);
  h.app.change("base", 888.0);
  const auto last = [&] {
    const History& history = h.app.history();
    return step_text(h.ui, history.undo_what(0), history.undo_to(0), h.app.document());
  };
  EXPECT_EQ(last(), "Base 777 \u2192 888");
  const History& history = h.app.history();
  EXPECT_EQ(step_text(h.ui, history.undo_what(1), history.undo_to(1), history.undo_to(0)),
            "Base " + base + " \u2192 777");
  pin(h.app);
  EXPECT_EQ(last(), "Pin");
  show_together(h.app, figure::CompareMode::overlay);
  EXPECT_EQ(last(), "Comparison Side by side \u2192 Overlay");
  h.app.set_device(study::DeviceChoice::ref);
  EXPECT_EQ(last(), "Device cpu \u2192 ref");
  figure::View view = h.app.document().view;
  view.panels.resize(2);
  view.panels[1].x = figure::Range{2, 8.5};
  h.app.show(view);
  EXPECT_EQ(last(), "View x 2 \u2026 8.5");
  h.app.reset_all();
  EXPECT_EQ(last(), "Reset all: Base 888 \u2192 " + base);
  h.app.open(study::find("norm/compare"));
  EXPECT_EQ(last(), study::find("norm/compare").title);
  h.app.undo();
  h.app.undo();
  EXPECT_EQ(step_text(h.ui, history.redo_what(0), h.app.document(), history.redo_to(0)),
            "Reset all: Base 888 \u2192 " + base);
  h.key(Key{'H'}, true);
  h.frames(3);
  h.item("history:2");
}

/// No training is kept as long as it lives.
class NothingKept {
 public:
  NothingKept() {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, "", 1);
  }
  ~NothingKept() {
    if (before_)
      ::setenv(name, before_->c_str(), 1);
    else
      ::unsetenv(name);
  }
  NothingKept(const NothingKept&) = delete;

 private:
  static constexpr const char* name = "ORRERY_TRAININGS";
  std::optional<std::string> before_;
};

void begin_training(Harness& h, const char* steps) {
  h.app.open(study::find("extrapolation/race"));
  h.settle();
  h.app.change_text("steps", steps);
  h.app.change_text("retrain", "on");
  h.frames();
}

/// A training of many minutes: after two seconds it can be paused, and is stopped while it rests.
TEST(CancelTest, WhatTakesLongRestsAndGoesOn) {
  const NothingKept nothing_kept;
  Harness h({1280, 800});
  begin_training(h, "20000");
  h.frames();
  EXPECT_FALSE(h.ui.items.find("pause"));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!h.ui.items.find("pause") && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    h.frames();
  }
  ASSERT_TRUE(h.ui.items.find("pause"));
  const ItemBox stop = h.item("cancel");
  h.click("pause");
  EXPECT_TRUE(h.app.paused());
  EXPECT_TRUE(h.app.busy());
  h.frames(2);
  EXPECT_EQ(h.item("cancel").low.x, stop.low.x);  // what stood under the pointer still stands there
  h.click("pause");
  EXPECT_FALSE(h.app.paused());
  Reach reach{h.app, h.wishes};
  perform(*find_action("pause-computing"), reach);
  EXPECT_TRUE(h.app.paused());
  h.click("cancel");
  EXPECT_FALSE(h.app.busy());
  EXPECT_FALSE(h.app.paused());
}

/// Paused at once, before anything says that something is computed: the bar says so, and lets it go on.
TEST(CancelTest, WhatRestsFromTheBeginningSaysSo) {
  const NothingKept nothing_kept;
  Harness h({1280, 800});
  begin_training(h, "2000");
  Reach reach{h.app, h.wishes};
  perform(*find_action("pause-computing"), reach);
  h.frames(2);
  ASSERT_TRUE(h.app.paused());
  EXPECT_TRUE(h.ui.items.find("progress"));
  h.click("pause");
  EXPECT_FALSE(h.app.paused());
  h.app.cancel();
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
