// The window as a person uses it, without a display: every study, every parameter, edits that reach the figure.
#include <algorithm>
#include <string>

#include "tests/app/gui/harness.h"

#include <imgui_internal.h>

namespace orrery::gui::window_test {
namespace {

using parameter::Kind;

TEST(WindowTest, OpensEveryStudyFromTheListAndShowsEveryParameter) {
  Harness h;
  for (const study::Study* s : study::studies()) {
    h.settle();
    h.click("study:" + std::string(s->id));
    ASSERT_EQ(&h.app.study(), s);
    h.settle();
    EXPECT_EQ(english(h.app.error()), "") << s->id;
    ASSERT_NE(h.app.result(), nullptr) << s->id;
    EXPECT_FALSE(h.frame.figure().scene().primitives.empty()) << s->id;
    for (const parameter::Parameter& p : s->parameters) {
      const std::string item = "parameter:" + std::string(p.name);
      const auto& all = h.ui.items.all();
      const bool there =
          std::any_of(all.begin(), all.end(), [&](const auto& box) { return box.first.starts_with(item); });
      EXPECT_TRUE(there) << s->id << ": " << p.name;
    }
    for (std::size_t i = 0; i < s->tries.size(); ++i) h.item("try:" + std::to_string(i));
    if (!h.app.result()->result.tables.empty()) h.item("numbers");
  }
}

TEST(WindowTest, AClickedChoiceReachesTheFigure) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const auto before = h.app.shown();
  h.click("parameter:pairing=half");
  EXPECT_EQ(h.app.settings().choice("pairing"), "half");
  h.settle();
  ASSERT_NE(h.app.shown(), before);
  EXPECT_EQ(h.app.shown()->settings.choice("pairing"), "half");
  h.key(Key::z, true);
  EXPECT_EQ(h.app.settings().choice("pairing"), "interleaved");
  h.key(Key::z, true, true);
  EXPECT_EQ(h.app.settings().choice("pairing"), "half");
}

TEST(WindowTest, ASliderDragIsOneStepOfUndoAndRightClickGoesBack) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const double fallback = h.app.settings().real("base");
  const ItemBox box = h.item("parameter:base");
  const float y = box.centre().y;
  h.drag({box.low.x + 20, y}, {box.high.x - 30, y});
  const double turned = h.app.settings().real("base");
  EXPECT_GT(turned, fallback);
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.settings().real("base"), fallback);
  EXPECT_FALSE(h.app.history().can_undo());
  EXPECT_TRUE(h.app.redo());
  EXPECT_EQ(h.app.settings().real("base"), turned);
  h.click("parameter:base", 1);
  EXPECT_EQ(h.app.settings().real("base"), fallback);
}

TEST(WindowTest, AValueIsTypedAndAWrongOneIsExplained) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("value:base");
  h.frames(2);
  h.item("field:base");
  h.type("12345");
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().real("base"), 12345);

  h.click("value:base");
  h.frames(2);
  h.type("-7");
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().real("base"), 12345);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
  EXPECT_NE(h.app.notice().text.find("base"), std::string::npos) << h.app.notice().text;

  // It stays, to be mended; Escape takes it back, and what was said of it.
  h.item("field:base");
  h.item("complaint:base");
  h.key(Key::escape);
  EXPECT_FALSE(h.ui.items.find("field:base"));
  EXPECT_FALSE(h.ui.items.find("complaint:base"));
  EXPECT_EQ(h.app.notice().text, "");

  h.click("value:base");
  h.frames(2);
  h.type("2^16+");
  h.key(Key::enter);
  h.frames(3);
  h.type("1");
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().real("base"), 65537);
  EXPECT_FALSE(h.ui.items.find("field:base"));

  h.click("value:base");
  h.frames(2);
  h.type("99");
  h.key(Key::escape);
  EXPECT_EQ(h.app.settings().real("base"), 65537);
}

TEST(WindowTest, AWrongValueStaysWhileAnotherControlIsUsedAndGoesWithANewOne) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("value:base");
  h.frames(2);
  h.type("-7");
  h.click("label:pairing");
  h.item("field:base");
  h.item("complaint:base");
  h.click("parameter:base");  // the slider
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("complaint:base"));
  EXPECT_FALSE(h.ui.items.find("field:base"));
}

TEST(WindowTest, ADoubleClickOnTheSliderTypesAndLeavesTheValue) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const double before = h.app.settings().real("base");
  const ItemBox box = h.item("parameter:base");
  const ImVec2 at(box.low.x + 30, box.centre().y);
  h.rest();
  h.press_at(at);
  h.press_at(at);
  h.frames(2);
  h.item("field:base");
  EXPECT_EQ(h.app.settings().real("base"), before);
}

TEST(WindowTest, SpaceThatIsHeldStopsOrStartsOnce) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("play:position");
  ASSERT_NE(h.app.playing(), nullptr);
  h.ui.focus.leave();
  h.hold({Key::space});
  EXPECT_EQ(h.app.playing(), nullptr);
  h.ui.focus.set("parameter:position");
  h.frames(2);
  h.hold({.key = Key::space, .ctrl = true});
  EXPECT_NE(h.app.playing(), nullptr);
}

TEST(WindowTest, PlaysUntilSomethingIsMoved) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const double before = h.app.settings().real("position");
  h.click("play:position");
  ASSERT_NE(h.app.playing(), nullptr);
  for (int i = 0; i < 5; ++i) {
    h.frames(1, 0.1);
    h.settle();
  }
  EXPECT_GT(h.app.settings().real("position"), before);
  h.key(Key::space);
  EXPECT_EQ(h.app.playing(), nullptr);
  h.key(Key::space);
  EXPECT_NE(h.app.playing(), nullptr);
  h.settle();
  h.click("parameter:pairing=half");
  EXPECT_EQ(h.app.playing(), nullptr);
}

TEST(WindowTest, ThingsToTryCanBeTried) {
  Harness h;
  for (const study::Study* s : study::studies()) {
    if (&h.app.study() != s) h.app.open(*s);
    h.settle();
    for (std::size_t i = 0; i < s->tries.size(); ++i) {
      h.click("try:" + std::to_string(i));
      EXPECT_NE(h.app.notice().kind, Notice::Kind::error) << s->id << " " << i << ": " << h.app.notice().text;
      h.settle();
      EXPECT_EQ(english(h.app.error()), "") << s->id << " " << s->tries[i].changes;
    }
  }
}

TEST(WindowTest, HandlesAreDraggedAndTheFigureFollows) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const std::vector<double> before = h.app.settings().vector("vector");
  const ImVec2 at = h.item("handle:vector").centre();
  h.drag(at, {at.x - 20, at.y - 30});
  const std::vector<double> after = h.app.settings().vector("vector");
  EXPECT_LT(after[0], before[0]);
  EXPECT_GT(after[1], before[1]);
  h.settle();
  EXPECT_EQ(h.app.shown()->settings.vector("vector"), after);
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.settings().vector("vector"), before);
}

TEST(WindowTest, WheelAndDragChangeTheViewAndHomeFits) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const figure::Scene& scene = h.frame.figure().scene();
  const ItemBox area = h.item("figure");
  const std::size_t last = scene.panels.size() - 1;
  const figure::Rect plot = scene.panels[last].plot;
  const ImVec2 middle(area.low.x + static_cast<float>(plot.x + plot.w * 0.62),
                      area.low.y + static_cast<float>(plot.y + plot.h * 0.08));
  const figure::Range whole = scene.panels[last].y;
  h.wheel(middle, 2);
  ASSERT_GT(h.app.view().panels.size(), last);
  EXPECT_NEAR(scene.panels[last].y.length() * 1.2 * 1.2, whole.length(), 1e-9 * whole.length());
  const double low = scene.panels[last].y.lo;
  h.drag(middle, {middle.x, middle.y + 40});
  EXPECT_GT(scene.panels[last].y.lo, low);
  h.key(Key::home);
  EXPECT_EQ(scene.panels[last].y, whole);
  // The way of looking is undone like all else, and the parameters know nothing of it.
  const parameter::Settings before = h.app.settings();
  EXPECT_EQ(h.app.history().undo_what(), "View");
  ASSERT_TRUE(h.app.undo());
  EXPECT_FALSE(h.app.view().panels.empty());
  EXPECT_EQ(h.app.settings(), before);
}

TEST(WindowTest, TheLegendTogglesAMark) {
  Harness h;
  h.app.start_with(study::find("activation/functions"));
  h.settle();
  const auto& legend = h.frame.figure().scene().legend;
  ASSERT_GE(legend.size(), 2u);
  const ItemBox area = h.item("figure");
  const figure::Rect box = legend[0].box;
  const ImVec2 at(area.low.x + static_cast<float>(box.x + box.w / 2),
                  area.low.y + static_cast<float>(box.y + box.h / 2));
  const std::pair<int, int> mark{legend[0].panel, legend[0].mark};
  h.press_at(at);
  EXPECT_TRUE(h.app.view().hidden.contains(mark));
  h.rest();
  h.press_at(at);
  EXPECT_FALSE(h.app.view().hidden.contains(mark));
  h.rest();
  compat::feed_modifiers(true, false);
  h.press_at(at);
  compat::feed_modifiers(false, false);
  EXPECT_FALSE(h.app.view().hidden.contains(mark));
  EXPECT_FALSE(h.app.view().hidden.empty());
}

TEST(WindowTest, NothingIsLaidOutWhenNothingChanged) {
  Harness h;
  h.settle();
  h.frames(5);
  const int before = h.frame.figure().layouts();
  const auto pictures = h.no_textures.alive();
  h.frames(50);
  EXPECT_EQ(h.frame.figure().layouts(), before);
  EXPECT_EQ(h.no_textures.alive(), pictures);
}

TEST(WindowTest, TexturesNobodyDrawsAreFreed) {
  Harness h;
  h.settle();
  for (const study::Study* s : study::studies()) {
    h.app.open(*s);
    h.settle();
  }
  h.frames(300);
  EXPECT_EQ(h.no_textures.alive(), h.ui.pictures.size());
  const auto one_study = h.no_textures.alive();
  for (const study::Study* s : study::studies()) {
    h.app.open(*s);
    h.settle();
  }
  h.frames(300);
  EXPECT_EQ(h.no_textures.alive(), one_study);
}

TEST(WindowTest, UpAndDownGoThroughTheStudies) {
  Harness h;
  h.settle();
  h.key(Key::down);
  EXPECT_EQ(&h.app.study(), study::studies()[1]);
  h.key(Key::up);
  h.key(Key::up);
  EXPECT_EQ(&h.app.study(), study::studies()[0]);
}

TEST(WindowTest, ANoticeThatIsCutIsReadWholeWhereThePointerRests) {
  Harness h({640, 480});
  h.settle();
  h.app.say(Notice::Kind::error,
            "a notice of a file in a folder of another folder, and of all that is wrong with it, with the "
            "folder, and with the disk that both of them are on");
  h.frames(2);
  h.move(h.item("notice").centre());
  h.frames(3);
  // From now on only the frames that are asked for, as a window has them that nobody touches.
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < 10 && h.ui.wake_after < 2; ++i) {
    io.DeltaTime = std::max(1.0f / 60, static_cast<float>(h.ui.wake_after));
    h.frames();
  }
  const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
  ASSERT_TRUE(tip && tip->Active);
  EXPECT_FALSE(tip->Hidden);
  EXPECT_LE(tip->Pos.y + tip->Size.y, 480);
}

TEST(WindowTest, AScrollBarMovesNothing) {
  float width = 0;
  for (const ImVec2 size : {ImVec2(1600, 2400), ImVec2(1600, 700)}) {
    Harness h(size);
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
    h.frames(3);
    const ItemBox slider = h.item("parameter:base");
    if (width == 0) width = slider.high.x - slider.low.x;
    EXPECT_EQ(slider.high.x - slider.low.x, width);
  }
}

}  // namespace
}  // namespace orrery::gui::window_test
