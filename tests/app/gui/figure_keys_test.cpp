// The figure without a mouse: its crosshair, its view, its legend, the parts that can be pressed.
#include <cmath>
#include <string>

#include "app/gui/handles.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::figure_keys_test {
namespace {

class FigureKeysTest : public testing::Test {
 protected:
  void open(const char* id) {
    h.app.start_with(study::find(id));
    h.settle();
    ASSERT_NE(h.app.result(), nullptr) << english(h.app.error());
    h.ui.focus.set("figure");
    h.frames();
  }
  const figure::Scene& scene() const { return h.frame.figure().scene(); }
  const figure::PanelFrame& panel(std::size_t i = 0) const { return scene().panels.at(i); }
  const std::optional<Readout>& readout() const { return h.frame.figure().readout(); }
  void letter(char c, bool shift = false) { h.key(Key{c}, false, shift); }

  Harness h;
};

TEST_F(FigureKeysTest, ArrowsMoveTheCrosshairAndItReads) {
  open("activation/functions");
  EXPECT_FALSE(readout());
  h.key(Key::right);
  ASSERT_TRUE(readout() && readout()->x);
  const double first = *readout()->x;
  h.key(Key::right);
  const double near = *readout()->x - first;
  EXPECT_GT(near, 0);
  h.key(Key::right, true);
  EXPECT_GT(*readout()->x - first, 4 * near);
  for (int i = 0; i < 20; ++i) h.key(Key::left, true);
  ASSERT_TRUE(readout() && readout()->x);
  EXPECT_NEAR(*readout()->x, panel().x.lo, 0.02 * panel().x.length()) << "it stays in the plot";
  h.key(Key::down);
  EXPECT_TRUE(h.ui.focus.on("figure"));
  EXPECT_EQ(h.app.view(), figure::View{});

  h.key(Key::escape);
  EXPECT_FALSE(readout());
  EXPECT_TRUE(h.ui.focus.on("figure"));
  h.key(Key::escape);
  EXPECT_TRUE(h.ui.focus.nowhere());
}

TEST_F(FigureKeysTest, PlusAndMinusZoomAndShiftPans) {
  open("activation/functions");
  const figure::Range x = panel().x, y = panel().y;
  h.key(Key::plus, false, true);
  EXPECT_NEAR(panel().x.length() * 1.2, x.length(), 1e-9 * x.length());
  EXPECT_NEAR(panel().y.length() * 1.2, y.length(), 1e-9 * y.length());
  h.key(Key::pad_minus);
  EXPECT_NEAR(panel().x.length(), x.length(), 1e-9 * x.length());
  h.key(Key::right, false, true);
  EXPECT_NEAR(panel().x.lo, x.lo + 0.1 * x.length(), 1e-6 * x.length()) << "what lay to the right comes";
  h.key(Key::up, false, true);
  EXPECT_NEAR(panel().y.lo, y.lo + 0.1 * y.length(), 1e-6 * y.length());
}

TEST_F(FigureKeysTest, PagesAreThePanels) {
  open("activation/functions");
  ASSERT_GE(scene().panels.size(), 2u);
  const figure::Range first = panel(0).y, second = panel(1).y;
  h.key(Key::page_down);
  h.key(Key::equal);
  EXPECT_EQ(panel(0).y, first);
  EXPECT_NE(panel(1).y, second);
}

TEST_F(FigureKeysTest, TheLegendIsWalkedThrough) {
  open("activation/functions");
  ASSERT_GE(scene().legend.size(), 3u);
  const std::pair<int, int> first{scene().legend[0].panel, scene().legend[0].mark},
      second{scene().legend[1].panel, scene().legend[1].mark};
  const auto& hidden = h.app.view().hidden;
  letter('N');
  ASSERT_TRUE(h.ui.items.find("region:legend"));
  h.key(Key::enter);
  EXPECT_TRUE(hidden.contains(first));
  h.key(Key::enter);
  EXPECT_TRUE(hidden.empty());
  letter('N');
  h.key(Key::enter, true);
  EXPECT_FALSE(hidden.contains(second));
  EXPECT_TRUE(hidden.contains(first));
  h.key(Key::enter, true, true);
  EXPECT_TRUE(hidden.empty());
  letter('N', true);
  h.key(Key::enter);
  EXPECT_TRUE(hidden.contains(first));
}

TEST_F(FigureKeysTest, EnterPressesThePartUnderTheCrosshair) {
  open("block/walk");
  const figure::Figure& figure = h.app.result()->result.figure;
  const Declared declared = h.app.settings().declared();
  int pressed = 0;
  for (const figure::Handle& handle : figure.panels[0].handles) {
    if (!is_region(handle, declared)) continue;
    const auto box = region_box(panel(), handle);
    const std::string choice = choice_of(handle, declared), parameter = handle.parameter;
    if (!box || h.app.settings().choice(parameter) == choice) continue;
    const figure::Rect& plot = panel().plot;
    // From the middle of the plot, where the crosshair appears, in its own steps.
    const auto steps = [](double middle, double low, double length) {
      return static_cast<int>(std::lround(((middle - low) / length - 0.5) * 50));
    };
    const int across = steps(box->x + box->w / 2, plot.x, plot.w),
              down = steps(box->y + box->h / 2, plot.y, plot.h);
    h.key(Key::right);
    for (int i = 0; i < std::abs(across); ++i) h.key(across > 0 ? Key::right : Key::left);
    for (int i = 0; i < std::abs(down); ++i) h.key(down > 0 ? Key::down : Key::up);
    h.key(Key::enter);
    EXPECT_EQ(h.app.settings().choice(parameter), choice);
    ++pressed;
    break;
  }
  EXPECT_EQ(pressed, 1) << "no part can be pressed: another study is needed here";
}

TEST_F(FigureKeysTest, WithoutTheKeyboardTheFigureLeavesThemAlone) {
  open("activation/functions");
  h.ui.focus.leave();
  h.move({2, 2});
  h.key(Key::right);
  h.key(Key::plus);
  letter('N');
  EXPECT_FALSE(readout());
  EXPECT_EQ(h.app.view(), figure::View{});
  EXPECT_FALSE(h.ui.items.find("region:legend"));
}

TEST_F(FigureKeysTest, ThePointerIsReadAgainWhereItMoves) {
  open("activation/functions");
  h.key(Key::right);
  ASSERT_TRUE(readout() && readout()->x);
  const double by_key = *readout()->x;
  const ItemBox area = h.item("figure");
  const figure::Rect& plot = panel().plot;
  const auto at = [&](double share) {
    return ImVec2(area.low.x + static_cast<float>(plot.x + share * plot.w),
                  area.low.y + static_cast<float>(plot.y + 0.5 * plot.h));
  };
  h.move(at(0.1));
  h.move(at(0.12));
  ASSERT_TRUE(readout() && readout()->x);
  EXPECT_LT(*readout()->x, by_key - 0.2 * panel().x.length());
}

}  // namespace
}  // namespace orrery::gui::figure_keys_test
