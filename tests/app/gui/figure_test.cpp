// The figure in the whole window: its letters, its crosshair, its menu, what goes to the clipboard, the figure alone.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "app/export/export.h"
#include "app/recipe/recipe.h"
#include "tests/app/gui/figure_fixture.h"

namespace orrery::gui::figure_test {
namespace {

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

// In a narrow window panels move rather than shrink to stamps, and stand still while a parameter is turned.
TEST(FigureWindow, PanelsMoveBeforeTheyAreStampsAndThenStandStill) {
  Harness h({1024, 640});
  h.app.start_with(study::find("attention/scores"));
  h.settle();
  const auto plots = [&] {
    std::vector<figure::Rect> all;
    for (const figure::PanelFrame& panel : h.frame.figure().scene().panels) all.push_back(panel.plot);
    return all;
  };
  const std::vector<figure::Rect> before = plots();
  ASSERT_EQ(before.size(), 6u);
  for (const figure::Rect& plot : before) EXPECT_GE(std::min(plot.w, plot.h), 40) << "three in a row had 32";
  EXPECT_TRUE(h.frame.figure().scene().left_out.empty());
  for (const char* width : {"8", "256"}) {
    h.app.change_text("head_width", width);
    h.settle();
    const std::vector<figure::Rect> after = plots();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(after[i].x, before[i].x, 20) << width << ", panel " << i;
      EXPECT_NEAR(after[i].y, before[i].y, 40) << width << ", panel " << i << ": a line of a title, no row";
    }
  }
}

}  // namespace
}  // namespace orrery::gui::figure_test
