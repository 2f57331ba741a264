// The figure under the mouse and the keys, in the whole window: pan, zoom, boxes, one axis alone, the way back, linked
// axes, crosshair, legend, what goes to the clipboard.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "app/export/export.h"
#include "app/figure/reading.h"
#include "app/recipe/recipe.h"
#include "tests/app/gui/drawn.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::figure_test {
namespace {

constexpr Key letter(char c) {
  return static_cast<Key>(c);
}

class FigureTest : public testing::Test {
 protected:
  void open(const char* id) {
    h.app.start_with(study::find(id));
    h.settle();
    ASSERT_NE(h.app.result(), nullptr) << english(h.app.error());
  }
  const figure::Scene& scene() const { return h.frame.figure().scene(); }
  const figure::PanelFrame& panel(std::size_t i = 0) const { return scene().panels.at(i); }
  ImVec2 on_screen(figure::Point p) {
    const ItemBox area = h.item("figure");
    return {area.low.x + static_cast<float>(p.x), area.low.y + static_cast<float>(p.y)};
  }
  /// In shares of the plot, from its upper left corner.
  ImVec2 at(double across, double down, std::size_t i = 0) {
    const figure::Rect& r = panel(i).plot;
    return on_screen({r.x + across * r.w, r.y + down * r.h});
  }
  ImVec2 below(double across, std::size_t i = 0) {
    const figure::Rect& r = panel(i).plot;
    return on_screen({r.x + across * r.w, r.y + r.h + 10});
  }
  ImVec2 beside(double down, std::size_t i = 0) {
    const figure::Rect& r = panel(i).plot;
    return on_screen({r.x - 10, r.y + down * r.h});
  }
  ImVec2 entry(std::size_t i) {
    const figure::Rect& box = scene().legend.at(i).box;
    return on_screen({box.x + box.w / 2, box.y + box.h / 2});
  }
  void pause() { h.frames(60); }  // a second

  Harness h;
};

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

TEST_F(FigureTest, LettersMakeAxesLogarithmicAndDrawAGrid) {
  open("activation/functions");
  using enum figure::Scale::Kind;
  h.move(at(0.5, 0.5));
  ASSERT_EQ(panel().y_scale.kind(), linear);
  h.key(letter('L'));
  EXPECT_EQ(panel().y_scale.kind(), symlog) << "there are values below zero";
  h.key(letter('K'));
  EXPECT_EQ(panel().x_scale.kind(), symlog);
  EXPECT_EQ(h.app.view().panels.at(0).log_x, true);
  h.key(letter('L'));
  EXPECT_EQ(panel().y_scale.kind(), linear);
  EXPECT_EQ(h.app.view().panels.at(0).log_y, std::nullopt);
  const auto grid = [&] { return scene().records.at(0).axes.at(1).grid; };  // of y
  const bool before = grid();
  h.key(letter('G'));
  EXPECT_NE(grid(), before);
  h.key(letter('G'));
  EXPECT_EQ(grid(), before);
  h.key(Key::home);  // fits, and leaves the scales as they are
  EXPECT_EQ(panel().x_scale.kind(), symlog);
  // The export sees what the window shows.
  EXPECT_NE(recipe::to_toml(recipe_of(h.app.page, *h.app.result(), h.app.view())).find("log_x = true"),
            std::string::npos);
}

TEST_F(FigureTest, LettersWorkOverTheFigureOnlyAndNotWhileSomebodyTypes) {
  open("activation/functions");
  h.move({2, 2});
  h.key(letter('G'));
  h.key(letter('L'));
  EXPECT_EQ(h.app.view(), figure::View{});
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

TEST_F(FigureTest, TheLegendHidesShowsAloneAndAll) {
  open("activation/functions");
  ASSERT_GE(scene().legend.size(), 3u);
  const std::pair<int, int> first{scene().legend[0].panel, scene().legend[0].mark},
      second{scene().legend[1].panel, scene().legend[1].mark};
  const auto& hidden = h.app.view().hidden;
  h.rest();
  h.press_at(entry(0));
  EXPECT_TRUE(hidden.contains(first));
  EXPECT_FALSE(hidden.contains(second));
  h.rest();
  h.press_at(entry(0));  // it is pale, and still there
  EXPECT_TRUE(hidden.empty());
  h.rest();
  compat::feed_modifiers(true, false);
  h.press_at(entry(1));
  EXPECT_FALSE(hidden.contains(second));
  EXPECT_TRUE(hidden.contains(first));
  h.rest();
  compat::feed_modifiers(true, true);
  h.press_at(entry(0));
  compat::feed_modifiers(false, false);
  EXPECT_TRUE(hidden.empty());
}

TEST_F(FigureTest, WhatSharesALegendIsHiddenWithIt) {
  open("activation/functions");
  const figure::Figure& figure = h.app.result()->result.figure;
  const std::string name =
      *figure::label_of(figure.panels[0].marks[static_cast<std::size_t>(scene().legend[0].mark)]);
  h.rest();
  h.press_at(entry(0));
  const std::vector<figure::Mark>& slopes = figure.panels[1].marks;
  for (std::size_t m = 0; m < slopes.size(); ++m) {
    const std::string* label = figure::label_of(slopes[m]);
    if (label && !label->empty()) {  // what has no words of its own goes with the curve that it stands on
      EXPECT_EQ(h.app.view().hidden.contains({1, static_cast<int>(m)}), *label == name) << *label;
    }
  }
}

TEST_F(FigureTest, WhatIsHiddenIsHiddenInTheNextFigureAndNoPanelIsLeftEmpty) {
  open("activation/functions");
  h.rest();
  compat::feed_modifiers(true, false);
  h.press_at(entry(2));  // SiLU alone
  compat::feed_modifiers(false, false);
  const auto hidden = h.app.view().hidden;
  EXPECT_TRUE(hidden.contains({0, 0}) && hidden.contains({0, 1}));
  h.app.change("relu", false);
  h.settle();
  EXPECT_TRUE(h.app.view().hidden.contains({0, 0})) << "GELU is the first now";
  EXPECT_FALSE(h.app.view().hidden.contains({0, 1}));
  h.app.undo();
  h.settle();
  EXPECT_EQ(h.app.view().hidden, hidden);
  h.app.change("silu", false);
  h.settle();
  EXPECT_TRUE(h.app.view().hidden.empty()) << "nothing else would be left";
}

TEST_F(FigureTest, TheCrosshairReadsTheSineOffItsLane) {
  open("position/sinusoidal");
  h.move(on_screen(panel(2).to_page(108, 1.2)));
  const auto& readout = h.frame.figure().readout();
  ASSERT_TRUE(readout);
  EXPECT_EQ(readout->title, "position $p$ 108");
  ASSERT_EQ(readout->rows.size(), 4u);
  EXPECT_EQ(readout->rows[0].label, "dimension 0");
  EXPECT_NEAR(std::stod(readout->rows[0].value), std::sin(108), 1e-6);
  EXPECT_LE(readout->rows[0].value.size(), 10u);
}

TEST_F(FigureTest, APointedAtEntryLiftsItsSeries) {
  open("activation/functions");
  h.move({2, 2});
  const auto& marks =
      h.app.result()->result.figure.panels[static_cast<std::size_t>(scene().legend[1].panel)].marks;
  const auto& other = std::get<figure::Line>(marks[static_cast<std::size_t>(scene().legend[1].mark)]);
  const ImU32 ink = color(h.ui.theme->color(other.ink));
  const auto painted = [&] {  // in the full colour of the second entry's series
    const std::vector<ImDrawVert>& corners = h.no_textures.painted;
    return static_cast<int>(
        std::count_if(corners.begin(), corners.end(), [&](const ImDrawVert& v) { return v.col == ink; }));
  };
  const int before = painted();
  ASSERT_GT(before, 100);
  h.move(entry(1));
  EXPECT_GE(painted(), before);
  h.move(entry(0));
  h.frames();
  EXPECT_LT(painted(), before * 6 / 10);  // it stays in the other panel, and its own sample in the legend
  const int layouts = h.frame.figure().layouts();
  h.move({2, 2});
  EXPECT_EQ(h.frame.figure().layouts(), layouts) << "it is only painted otherwise";
}

TEST_F(FigureTest, ARightClickOpensAMenuOfActions) {
  open("activation/functions");
  h.press_at(at(0.5, 0.5), 1);
  h.frames(2);
  for (const char* id : {"fit", "view-back", "view-forward", "log-x", "log-y", "grid", "copy-picture",
                         "copy-pgf", "copy-values", "export"})
    h.item(std::string("figure-menu:") + id);
  h.click("figure-menu:grid");
  EXPECT_TRUE(h.app.view().panels.at(0).grid);
  EXPECT_FALSE(h.ui.items.find("figure-menu:fit"));
}

TEST_F(FigureTest, ValuesGoToTheClipboard) {
  open("activation/functions");
  h.move(at(0.5, 0.5));
  h.key(letter('C'), true, true);
  std::istringstream text{ImGui::GetClipboardText()};
  std::string head, row;
  std::getline(text, head);
  EXPECT_GE(std::ranges::count(head, '\t'), 2);
  int rows = 0;
  while (std::getline(text, row)) {
    ++rows;
    EXPECT_EQ(std::ranges::count(row, '\t'), std::ranges::count(head, '\t'));
  }
  EXPECT_GT(rows, 50);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;

  compat::feed_alt(true);
  h.rest();
  h.press_at(at(0.5, 0.5));
  compat::feed_alt(false);
  const std::string under = ImGui::GetClipboardText();
  EXPECT_EQ(under.find("series\tx\tvalue\n"), 0u) << under;
  EXPECT_TRUE(h.app.view() == figure::View{});
}

TEST_F(FigureTest, WithoutAClipboardForPicturesThePathOfAFileIsCopied) {
  open("activation/functions");
  const std::string display = std::getenv("DISPLAY") ? std::getenv("DISPLAY") : "";
  const std::string wayland = std::getenv("WAYLAND_DISPLAY") ? std::getenv("WAYLAND_DISPLAY") : "";
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  h.move(at(0.5, 0.5));
  h.key(letter('C'), true);
  const std::filesystem::path file = ImGui::GetClipboardText();
  EXPECT_EQ(file.filename(), "orrery-figure.png");
  ASSERT_TRUE(std::filesystem::exists(file)) << h.app.notice().text;
  EXPECT_EQ(recipe::recipe_from_toml(exporter::read_recipe(file), "png").study, &h.app.study());
  if (!display.empty()) setenv("DISPLAY", display.c_str(), 1);
  if (!wayland.empty()) setenv("WAYLAND_DISPLAY", wayland.c_str(), 1);
}

TEST_F(FigureTest, TheFigureAloneAndBack) {
  open("activation/functions");
  const double before = panel().plot.w;
  h.move(at(0.5, 0.5));
  h.key(letter('F'));
  h.frames(2);
  EXPECT_GT(panel().plot.w, before + 200);
  h.key(letter('F'));
  h.frames(2);
  EXPECT_EQ(panel().plot.w, before);
}

}  // namespace
}  // namespace orrery::gui::figure_test
