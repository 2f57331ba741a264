// A cell of a map chosen where the pointer is, and from the whole of a million tokens to one cell by the wheel.
#include <gtest/gtest.h>

#include "app/study/kit/expects.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::cell_test {
namespace {

class CellTest : public testing::Test {
 protected:
  CellTest() : h({1280, 800}) { h.frames(); }
  void open(const char* id, std::initializer_list<std::pair<const char*, const char*>> changes = {}) {
    h.app.start_with(study::find(id));
    for (const auto& [name, text] : changes) h.app.change_text(name, text);
    h.settle();
  }
  /// The panel that has handles.
  std::size_t held() const {
    const auto& panels = h.app.result()->result.figure.panels;
    for (std::size_t i = 0; i < panels.size(); ++i)
      if (!panels[i].handles.empty()) return i;
    return panels.size();
  }
  const figure::PanelFrame& panel() { return h.frame.figure().scene().panels.at(held()); }
  ImVec2 on_screen(double x, double y) {
    const auto area = h.item("figure");
    const figure::Point at = panel().to_page(x, y);
    return {area.low.x + static_cast<float>(at.x), area.low.y + static_cast<float>(at.y)};
  }
  void ctrl_click(ImVec2 at) {
    h.rest();
    compat::feed_modifiers(true, false);
    h.press_at(at);
    compat::feed_modifiers(false, false);
    h.settle();
  }

  Harness h;
};

TEST_F(CellTest, CtrlAndAClickWorkOutTheCellUnderThePointer) {
  open("attention/scores");
  ctrl_click(on_screen(2, 5));
  EXPECT_EQ(h.app.settings().integer("query"), 5);
  EXPECT_EQ(h.app.settings().integer("key"), 2);
  const auto& result = h.app.result()->result;
  EXPECT_NE(result.worked.find("s_{5,2}"), std::string::npos) << result.worked;
  EXPECT_EQ(study::column(result, "cell", "term").size(), 64U);
}

TEST_F(CellTest, FromAMillionTokensToOneCellByTheWheel) {
  open("attention/map", {{"pixel", "highest"}});
  const auto outlier = [&] { return on_screen(210987, 876543); };
  ASSERT_GT(panel().x.length(), 1e6);
  for (int turn = 0; turn < 120 && panel().x.length() > 3; ++turn) h.wheel(outlier(), 1);
  EXPECT_LE(panel().x.length(), 3);
  EXPECT_LT(panel().x.lo, 210987);
  EXPECT_GT(panel().x.hi, 210987);
  h.move(outlier());
  h.frames(2);
  ctrl_click(outlier());
  EXPECT_EQ(h.app.settings().integer("query"), 876543);
  EXPECT_EQ(h.app.settings().integer("key"), 210987);
  EXPECT_NEAR(study::column(h.app.result()->result, "chosen", "score").front(), 60, 1e-11);
}

}  // namespace
}  // namespace orrery::gui::cell_test
