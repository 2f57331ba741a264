// What a person meets first: clocks that turn under the hand, the way back, a tour, words for what a try does.
#include <string>

#include "app/gui/source_links.h"
#include "tests/app/gui/harness.h"

#include <imgui_internal.h>

namespace orrery::gui::first_minute_test {
namespace {

class FirstMinuteTest : public testing::Test {
 protected:
  FirstMinuteTest() {
    h.app.start_with(study::find("rope/rotation"));
    h.app.change_text("clocks", "all");
    h.settle();
  }
  /// In radii from the middle of a clock.
  ImVec2 in_clock(int pair, double x, double y) {
    const figure::Handle& face =
        h.app.result()->result.figure.panels[0].handles[2 * static_cast<std::size_t>(pair) + 1];
    EXPECT_EQ(face.parameter, "pair");
    const figure::Point p = h.frame.figure().scene().panels[0].to_page(face.x + x, face.y + y);
    const ItemBox area = h.item("figure");
    return {area.low.x + static_cast<float>(p.x), area.low.y + static_cast<float>(p.y)};
  }
  Harness h{{1280, 800}};
};

TEST_F(FirstMinuteTest, AClockIsTurnedWhereverItIsTakenAndNothingPans) {
  for (const int pair : {0, 11, 31}) {
    h.app.change_text("vector", "1,0");
    h.settle();
    h.drag(in_clock(pair, 0.1, 0.9), in_clock(pair, -0.9, 0.1));  // a quarter to the left
    const std::vector<double>& v = h.app.settings().vector("vector");
    EXPECT_NEAR(v[0], 0, 0.25) << pair;
    EXPECT_NEAR(v[1], 1, 0.1) << pair;
    EXPECT_EQ(h.app.view(), figure::View{}) << pair;
  }
  // Between four clocks, too.
  h.drag(in_clock(9, 1.3, -1.5), in_clock(9, 1.3, 0));
  EXPECT_EQ(h.app.view(), figure::View{});
}

TEST_F(FirstMinuteTest, AClickOnAClockChoosesItsPair) {
  h.press_at(in_clock(13, 0.2, 0.3));
  EXPECT_EQ(h.app.settings().integer("pair"), 13);
  EXPECT_EQ(h.app.settings().text("vector"), "1,0");
}

TEST_F(FirstMinuteTest, ADragStopsTheTurningAndSaysSo) {
  h.app.toggle_play();
  h.frames(3, 0.05);
  h.drag(in_clock(4, 0, 0.8), in_clock(4, 0.8, 0));
  EXPECT_EQ(h.app.playing(), nullptr);
  EXPECT_EQ(h.app.notice().text, "it stands still now; Space lets it run on");
  h.key(Key::space);
  EXPECT_NE(h.app.playing(), nullptr);
}

TEST_F(FirstMinuteTest, AMovedPanelHasAButtonThatFitsIt) {
  EXPECT_FALSE(h.ui.items.find("fit:1"));
  const figure::Rect plot = h.frame.figure().scene().panels[1].plot;
  const ItemBox area = h.item("figure");
  h.wheel({area.low.x + static_cast<float>(plot.x + plot.w / 2),
           area.low.y + static_cast<float>(plot.y + plot.h / 2)},
          2);
  h.settle();
  EXPECT_NE(h.app.view(), figure::View{});
  h.click("fit:1");
  h.settle();
  EXPECT_FALSE(h.ui.items.find("fit:1"));
}

TEST_F(FirstMinuteTest, ATrySaysWhatItChangedAndTheWayBack) {
  h.click("try:1");
  h.settle();
  EXPECT_EQ(h.app.settings().real("base"), 10000);
  h.item("try-changes");
  h.click("try-back");
  h.settle();
  EXPECT_EQ(h.app.settings().real("base"), 500000);
  EXPECT_FALSE(h.ui.items.find("try-changes"));
  h.click("try:2");
  h.settle();
  EXPECT_EQ(h.app.settings().choice("show"), "all") << "the clocks stay";
}

TEST_F(FirstMinuteTest, WhatThereIsToTryStandsInSight) {
  for (int i = 0; i < 4; ++i) EXPECT_LT(h.item("try:" + std::to_string(i)).high.y, 700) << i;
}

TEST_F(FirstMinuteTest, TheTourTicksWhatWasDone) {
  h.frame.welcome();
  h.frames(3);
  h.item("tour:0");
  h.settle();
  h.drag(in_clock(2, 0, 0.8), in_clock(2, 0.8, 0));
  h.app.change_text("base", "10000");
  h.settle();
  h.item("tour:0:done");
  h.item("tour:1:done");
  h.item("tour:2");
  h.click("tour-close");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("tour:2"));
}

TEST_F(FirstMinuteTest, WhatAClockSaysLeavesTheTourInSight) {
  h.frame.welcome();
  h.frames(3);
  for (const int pair : {0, 3, 7, 28, 31}) {
    const ImVec2 at = in_clock(pair, 0.9, 0);
    h.move(at);
    h.frames(60);  // a second
    const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
    ASSERT_TRUE(tip && tip->Active) << pair;
    const ItemBox figure = h.item("figure");
    EXPECT_GE(tip->Pos.y, figure.low.y) << pair;
    EXPECT_LE(tip->Pos.x + tip->Size.x, figure.high.x + 1) << pair;
    for (int step = 0; step < 3; ++step) EXPECT_LE(h.item("tour:" + std::to_string(step)).high.y, tip->Pos.y);
    h.move({1, 1});
    h.frames(3);
  }
}

TEST_F(FirstMinuteTest, HelpHasMoreThanKeys) {
  for (const auto& [action, item] :
       {std::pair{"about", "about-copy"}, std::pair{"notation", "notation-close"}}) {
    ASSERT_TRUE(find_action(action)) << action;
    h.key(Key::p, true);
    h.frames(3);
    h.type(action);
    h.key(Key::enter);
    h.frames(4);
    h.item(item);
    h.key(Key::escape);
    h.frames(3);
  }
}

TEST_F(FirstMinuteTest, TheHeadNamesThePresetAndWhatBecameOfIt) {
  const auto presets = recipe::published_presets(h.app.study());
  const auto llama = std::find_if(presets.begin(), presets.end(),
                                  [](const recipe::Preset& p) { return p.name == "llama-3.1-8b"; });
  ASSERT_NE(llama, presets.end());
  EXPECT_EQ(llama->title, "Llama 3.1 8B");
  h.app.apply(*llama);
  EXPECT_EQ(h.app.applied_preset(), "llama-3.1-8b");
  h.settle();
  h.app.change_text("base", "777");
  EXPECT_EQ(h.app.applied_preset(), "llama-3.1-8b");
  EXPECT_TRUE(h.app.undo());
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.applied_preset(), "");
  EXPECT_TRUE(h.app.redo());
  EXPECT_EQ(h.app.applied_preset(), "llama-3.1-8b");
  Session session = h.app.session();
  EXPECT_EQ(session_from_toml(to_toml(session)).session.document.presets, session.document.presets);
  h.app.reset_all();
  EXPECT_EQ(h.app.applied_preset(), "");
}

TEST(SourceLinksTest, OfEveryPaper) {
  EXPECT_EQ(
      source_links("Ba et al. 2016, arXiv 1607.06450; Zhang, Sennrich 2019, arXiv 1910.07467."),
      (std::vector<std::string>{"https://arxiv.org/abs/1607.06450", "https://arxiv.org/abs/1910.07467"}));
  EXPECT_TRUE(source_links("Hugging Face transformers").empty());
}

TEST_F(FirstMinuteTest, TheTourMayBeginWhereItEndedBefore) {
  h.app.change_text("base", "10000");
  h.frame.welcome();
  h.frames(3);
  h.app.change_text("base", "500000");
  h.settle();
  h.app.change_text("base", "10000");
  h.settle();
  h.item("tour:1:done");
}

}  // namespace
}  // namespace orrery::gui::first_minute_test
