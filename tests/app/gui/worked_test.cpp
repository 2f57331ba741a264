// The formula with its numbers below the parameters, and why it is so, folded until somebody asks.
#include <string>

#include "tests/app/gui/harness.h"

namespace orrery::gui::worked_test {
namespace {

// Its lines come and go as numbers change: what changes them stays where it is.
TEST(WorkedTest, StandsBelowTheParametersAndFollowsThem) {
  Harness h;
  h.app.start_with(study::find("rope/angles"));
  h.settle();
  const ItemBox at = h.item("worked");
  EXPECT_GT(at.high.y, at.low.y + 10);
  EXPECT_GT(at.low.y, h.item("label:base").low.y);
  const std::string before = h.app.result()->result.worked;
  h.app.change_text("base", "500000");
  h.settle();
  EXPECT_NE(h.app.result()->result.worked, before);
}

TEST(WorkedTest, AClickCopiesItsTex) {
  Harness h;
  std::string copied;
  ImGui::GetIO().ClipboardUserData = &copied;
  ImGui::GetIO().SetClipboardTextFn = [](void* to, const char* text) {
    *static_cast<std::string*>(to) = text;
  };
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.click("worked");
  EXPECT_EQ(copied, h.app.result()->result.worked);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done);
}

TEST(WorkedTest, WhatIsWiderThanThePaneIsBroken) {
  Harness h;
  for (const char* id : {"rope/layout", "position/compare", "rope/model"}) {
    h.app.open(study::find(id));
    h.settle();
    const ItemBox at = h.item("worked");
    EXPECT_LT(at.high.y - at.low.y, 150) << id;
  }
}

TEST(WorkedTest, NothingOfItIsCutOffInANarrowPane) {
  Harness h({900, 600});
  for (const char* id : {"position/dot-product", "rope/model", "extrapolation/base"}) {
    h.app.open(study::find(id));
    h.settle();
    h.frames(6);
    const ItemBox at = h.item("worked");
    const ImU32 ink = color(h.ui.tokens.secondary);
    // Pictures go beyond what clipping leaves of them: none of them may.
    int beyond = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
      for (const ImDrawVert& v : data->CmdLists[i]->VtxBuffer)
        beyond += v.col == ink && v.pos.x > at.high.x + 3 && v.pos.y >= at.low.y && v.pos.y < at.high.y;
    EXPECT_EQ(beyond, 0) << id;
  }
}

TEST(WhyTest, IsFoldedUntilSomebodyAsks) {
  Harness h;
  h.app.start_with(study::find("rope/relative"));
  h.settle();
  const float folded = h.item("section:try").low.y;
  h.click("section:why");
  h.frames(2);
  EXPECT_GT(h.item("section:try").low.y, folded + 60);
  h.app.open(study::find("rope/angles"));  // nobody asks why there
  h.settle();
  EXPECT_FALSE(h.ui.items.find("section:why"));
}

}  // namespace
}  // namespace orrery::gui::worked_test
