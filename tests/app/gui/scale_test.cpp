// Every scale of the interface and every size of the window: what a display, a person or a window manager that tiles may
// ask for. Dear ImGui ends the program where a measure of its style falls below what it allows.
#include <deque>
#include <map>
#include <string>

#include "app/gui/actions.h"
#include "app/gui/extent.h"
#include "app/gui/panels.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::scale_test {
namespace {

/// The window at a scale that a display or a person asked for, as far as it fits.
void scale_to(Harness& h, double wanted, float raster = 1) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  h.ui.set_scale(fitting_scale(wanted / raster, static_cast<int>(size.x), static_cast<int>(size.y)), raster);
  h.frames(2);
}

/// All that opens over the window, one after the other.
void open_everything(Harness& h) {
  h.app.edit("Tray", {}, [](Document& d) { d.panes.tray_shown = true; });
  h.settle();
  struct Opened {
    Key key;
    bool ctrl = false, shift = false;
  };
  for (const Opened& each : {Opened{Key::f1}, Opened{Key{'S'}, true}, Opened{Key{'O'}, true},
                             Opened{Key{'P'}, true}, Opened{Key{'F'}, true}, Opened{Key{'S'}, true, true}}) {
    h.key(each.key, each.ctrl, each.shift);
    h.frames(3);
    h.key(Key::escape);
    h.key(Key::escape);
  }
  std::vector<ImVec2> places;
  for (const auto& [name, box] : h.ui.items.all())
    if (name.starts_with("menu") || name == "presets" || name == "history" || name.starts_with("parameter:"))
      places.push_back(box.centre());
  for (const ImVec2 place : places) {
    for (const int button : {0, 1}) {
      h.rest();
      h.press_at(place, button);
      h.key(Key::escape);
      h.key(Key::escape);
    }
  }
  h.settle();
}

class ScaleTest : public testing::TestWithParam<double> {};

TEST_P(ScaleTest, DrawsTheWindowAndAllThatOpensInIt) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  scale_to(h, GetParam());
  open_everything(h);
  EXPECT_GE(ImGui::GetStyle().WindowMinSize.x, 1);
  EXPECT_GE(ImGui::GetStyle().WindowMinSize.y, 1);
}

INSTANTIATE_TEST_SUITE_P(Scales, ScaleTest, testing::Values(0.5, 0.75, 0.95, 1.0, 1.25, 1.5, 2.0, 3.0));

// What can be hit grows with what is seen: of every control the place is as wide and as high as the scale says, to the pixel
// that rounding takes.
TEST(Scales, AreTheSameWindowEnlarged) {
  const auto boxes = [](double scale) {
    Harness h({static_cast<float>(1280 * scale), static_cast<float>(800 * scale)});
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
    scale_to(h, scale);
    h.settle();
    std::map<std::string, ImVec2> sizes;
    for (const auto& [name, box] : h.ui.items.all())
      sizes[name] = {box.high.x - box.low.x, box.high.y - box.low.y};
    return sizes;
  };
  const auto natural = boxes(1);
  for (const double scale : {1.25, 1.5, 2.0, 3.0}) {
    const auto larger = boxes(scale);
    int compared = 0;
    for (const auto& [name, size] : natural) {
      const auto found = larger.find(name);
      if (found == larger.end() || name.starts_with("handle:"))
        continue;  // where its middle is, nothing else
      // Widths follow words, which are rounded glyph by glyph.
      EXPECT_NEAR(found->second.y, size.y * scale, 2 + 0.02 * size.y * scale) << name << " at " << scale;
      ++compared;
    }
    EXPECT_GT(compared, static_cast<int>(natural.size()) * 9 / 10) << scale;
  }
}

TEST(Scales, AreChosenInTheMenuWhileTheWindowIsOpen) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  for (const auto& [id, zoom] :
       {std::pair("size-150", 1.5), std::pair("size-300", 3.0), std::pair("size-125", 1.25)}) {
    Reach reach{h.app, h.wishes};
    perform(*find_action(id), reach);
    EXPECT_EQ(h.app.preferences.zoom, zoom);
    EXPECT_TRUE(find_action(id)->is_checked(reach)) << id;
    EXPECT_FALSE(find_action("natural-size")->is_checked(reach));
    scale_to(h, h.app.preferences.zoom);
    open_everything(h);
  }
}

TEST(Scales, TheNaturalOneIsCalledAHundredPerCent) {
  Harness h;
  Reach reach{h.app, h.wishes};
  ASSERT_TRUE(find_action("natural-size")->object);
  EXPECT_EQ(find_action("natural-size")->object(reach), "100 %");
}

TEST(SmallWindow, IsDrawnAtAnySizeAndItsParametersStayWithinReach) {
  for (const ImVec2 size : {ImVec2(640, 400), ImVec2(500, 300), ImVec2(300, 800), ImVec2(1200, 150),
                            ImVec2(200, 150), ImVec2(40, 30), ImVec2(1, 1)}) {
    SCOPED_TRACE(testing::Message() << size.x << " x " << size.y);
    Harness h(size);
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
    scale_to(h, 1);
    open_everything(h);
  }
}

TEST(Extent, IsOfOneMoment) {
  std::deque<Pixels> sizes{{1000, 600}, {900, 600}, {900, 600}}, framebuffers{{900, 600}, {900, 600}};
  const auto next = [](std::deque<Pixels>& from) {
    const Pixels first = from.front();
    if (from.size() > 1) from.pop_front();
    return first;
  };
  const auto ask = [&] {
    return measure([&] { return next(sizes); }, [&] { return next(framebuffers); }, {});
  };
  EXPECT_EQ(ask(), (Extent{{900, 600}, {900, 600}}));
  EXPECT_EQ(ask().raster(), 1);

  // One that never rests keeps its raster.
  int asked = 0;
  const Extent moving = measure(
      [&] {
        return Pixels{1000 - 10 * asked++, 600};
      },
      [] {
        return Pixels{400, 300};
      },
      {{800, 600}, {1600, 1200}});
  EXPECT_EQ(moving.raster(), 2);
  EXPECT_EQ(moving.framebuffer, (Pixels{2 * moving.window.width, 1200}));
}

TEST(Extent, HasARasterWhateverTheDisplaySays) {
  EXPECT_EQ((Extent{{0, 0}, {0, 0}}).raster(), 1);
  EXPECT_EQ((Extent{{1, 1}, {4000, 4000}}).raster(), 8);
  EXPECT_EQ((Extent{{4000, 10}, {1, 1}}).raster(), 0.5f);
  EXPECT_EQ((Extent{{1000, 500}, {1500, 750}}).raster(), 1.5f);
}

}  // namespace
}  // namespace orrery::gui::scale_test
