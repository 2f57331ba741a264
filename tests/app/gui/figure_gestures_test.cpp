// What drags, the wheel and boxes do to the views of a figure: pan, zoom, one axis alone, linked axes, the way back.
#include <vector>

#include "tests/app/gui/drawn.h"
#include "tests/app/gui/figure_fixture.h"

namespace orrery::gui::figure_gestures_test {
namespace {

TEST_F(FigureTest, ADragOverTheLabelsPansThatAxisAlone) {
  open("activation/functions");
  const figure::Range x = panel().x, y = panel().y;
  h.drag(below(0.5), below(0.7));
  EXPECT_LT(panel().x.lo, x.lo);
  EXPECT_NEAR(panel().x.length(), x.length(), 1e-9 * x.length());
  EXPECT_EQ(panel().y, y);
  const figure::Range moved = panel().x;
  h.drag(beside(0.5), beside(0.3));
  EXPECT_LT(panel().y.lo, y.lo);
  EXPECT_EQ(panel().x, moved);

  // A double click there fits that axis alone.
  h.rest();
  h.press_at(below(0.5));
  h.press_at(below(0.5));
  EXPECT_EQ(panel().x, x);
  EXPECT_NE(panel().y, y);
}

TEST_F(FigureTest, AHeldLetterConstrainsDragAndWheel) {
  open("activation/functions");
  const figure::Range x = panel().x, y = panel().y;
  compat::feed_key(letter('X'), true);
  h.drag(at(0.5, 0.5), at(0.7, 0.8));
  EXPECT_NE(panel().x, x);
  EXPECT_EQ(panel().y, y);
  compat::feed_key(letter('X'), false);
  compat::feed_key(letter('Y'), true);
  const figure::Range panned = panel().x;
  h.wheel(at(0.5, 0.5), 1);
  compat::feed_key(letter('Y'), false);
  EXPECT_EQ(panel().x, panned);
  EXPECT_NEAR(panel().y.length() * 1.2, y.length(), 1e-9 * y.length());
}

TEST_F(FigureTest, ARightDragBoxesAndShiftKeepsTheOtherAxis) {
  open("activation/functions");
  const figure::Range x = panel().x, y = panel().y;
  compat::feed_modifiers(false, true);
  h.drag(at(0.25, 0.25), at(0.5, 0.75), 1);
  compat::feed_modifiers(false, false);
  // On whole pixels of some hundred.
  EXPECT_NEAR(panel().x.lo, x.lo + 0.25 * x.length(), 0.005 * x.length());
  EXPECT_NEAR(panel().x.hi, x.lo + 0.5 * x.length(), 0.005 * x.length());
  EXPECT_EQ(panel().y, y);
  h.drag(at(0.2, 0.25), at(0.8, 0.75), 1);
  EXPECT_NEAR(panel().y.lo, y.lo + 0.25 * y.length(), 0.005 * y.length());
}

TEST_F(FigureTest, TheFrameOfABoxIsAsThickAsTheInterfaceIsLarge) {
  open("activation/functions");
  const auto breadth = [&] {
    const ItemBox area = h.item("figure");
    const figure::Rect plot = panel().plot;
    const auto in_plot = [&](double share) {
      return ImVec2(area.low.x + static_cast<float>(plot.x + share * plot.w) * h.ui.scale,
                    area.low.y + static_cast<float>(plot.y + share * plot.h) * h.ui.scale);
    };
    const ImVec2 from = in_plot(0.25), to = in_plot(0.75);
    h.rest();
    h.move(from);
    compat::feed_mouse_button(1, true);
    h.frames();
    h.move(to);
    const Drawn edge =
        drawn({{from.x - 8, from.y - 8}, {from.x + 8, to.y + 8}}, color(h.ui.tokens.accent, 0.8));
    EXPECT_GT(edge.corners, 0);
    compat::feed_mouse_button(1, false);
    h.frames();
    h.key(Key::home);
    h.settle();
    return edge.right - edge.left;
  };
  const float usual = breadth();
  h.ui.set_scale(3, 1);
  h.settle();
  EXPECT_GT(breadth(), usual);
  EXPECT_EQ(ImGui::GetStyle().PopupBorderSize, 3);
}

TEST_F(FigureTest, InBoxModeTheLeftButtonBoxes) {
  open("activation/functions");
  const figure::Range x = panel().x;
  h.move(at(0.5, 0.5));
  h.key(letter('O'));
  h.drag(at(0.25, 0.25), at(0.75, 0.75));
  EXPECT_NEAR(panel().x.length(), 0.5 * x.length(), 0.01 * x.length());
  h.key(letter('P'));
  const double zoomed = panel().x.length();
  h.drag(at(0.25, 0.25), at(0.75, 0.75));
  EXPECT_NEAR(panel().x.length(), zoomed, 1e-9 * zoomed);
}

TEST_F(FigureTest, BackAndForwardGoThroughTheViewsAndUndoTakesThemBackToo) {
  open("activation/functions");
  const figure::Range whole = panel().x;
  h.wheel(at(0.5, 0.5), 1);
  h.wheel(at(0.5, 0.5), 1);
  h.wheel(at(0.5, 0.5), 1);
  pause();
  const figure::Range near = panel().x;
  h.drag(at(0.5, 0.5), at(0.6, 0.5));
  pause();
  const figure::Range panned = panel().x;
  EXPECT_NE(panned, near);
  h.key(Key::backspace);
  EXPECT_EQ(panel().x, near);
  h.key(letter('C'));
  EXPECT_EQ(panel().x, whole) << "turns of the wheel that follow one another are one step";
  h.key(letter('V'));
  EXPECT_EQ(panel().x, near);
  h.key(Key::right);
  EXPECT_EQ(panel().x, panned);
  h.key(Key::home);
  EXPECT_EQ(panel().x, whole);
  h.key(Key::z, true);
  EXPECT_EQ(panel().x, panned);
}

TEST_F(FigureTest, TheWheelInOneGoIsOneStepOfUndo) {
  open("activation/functions");
  const figure::Range whole = panel().x;
  for (int i = 0; i < 4; ++i) h.wheel(at(0.5, 0.5), 1);
  pause();
  h.wheel(at(0.5, 0.5), 1);
  pause();
  EXPECT_TRUE(h.app.undo());
  EXPECT_TRUE(h.app.undo());
  EXPECT_FALSE(h.app.history().can_undo());
  h.frames(2);
  EXPECT_EQ(panel().x, whole);
}

TEST_F(FigureTest, LinkedAxesFollowAndTheCrosshairStandsInAllOfThem) {
  open("position/compare");
  const figure::Figure& f = h.app.result()->result.figure;
  std::vector<std::size_t> linked;
  for (std::size_t i = 0; i < f.panels.size(); ++i)
    if (f.panels[i].x.group == 1) linked.push_back(i);
  ASSERT_GE(linked.size(), 2u);
  const std::size_t one = linked[0], other = linked[1];
  const figure::Range whole = panel(one).x;
  h.wheel(at(0.4, 0.5, one), 2);
  EXPECT_NE(panel(one).x, whole);
  for (const std::size_t i : linked) EXPECT_EQ(panel(i).x, panel(one).x);
  h.drag(at(0.4, 0.5, one), at(0.6, 0.5, one));
  for (const std::size_t i : linked) EXPECT_EQ(panel(i).x, panel(one).x);

  // What is drawn in the other panel while the pointer is in this one: a hairline, at the same x.
  const auto dashes_in = [&](const figure::Rect& plot, double x) {
    const ImVec2 low = on_screen({x - 1.5, plot.y}), high = on_screen({x + 1.5, plot.y + plot.h});
    const ImU32 ink = color(h.ui.tokens.secondary);
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
      for (const ImDrawVert& v : data->CmdLists[i]->VtxBuffer)
        count += v.col == ink && v.pos.x > low.x && v.pos.x < high.x && v.pos.y > low.y && v.pos.y < high.y;
    return count;
  };
  h.move(at(0.5, 0.5, one));
  const auto& readout = h.frame.figure().readout();
  ASSERT_TRUE(readout && readout->x);
  const double x = panel(other).to_page(*readout->x, panel(other).y.lo).x;
  EXPECT_GT(dashes_in(panel(other).plot, x), 20);
  h.move({2, 2});
  EXPECT_LT(dashes_in(panel(other).plot, x), 20);
}

}  // namespace
}  // namespace orrery::gui::figure_gestures_test
