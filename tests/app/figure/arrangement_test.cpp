#include "app/figure/arrangement.h"

#include <gtest/gtest.h>

#include <string>

#include "app/figure/layout.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::arrangement_test {
namespace {

/// Two rows of two, and a panel across the page below them.
Figure figure_of_five() {
  Figure figure;
  for (const Cell cell :
       {Cell{0, 0}, Cell{0, 1}, Cell{1, 0}, Cell{1, 1}, Cell{.row = 2, .col = 0, .rows = 1, .cols = 2}}) {
    Panel panel;
    panel.cell = cell;
    panel.rank = static_cast<int>(figure.panels.size());
    figure.panels.push_back(std::move(panel));
  }
  figure.col_weights = {1, 1};
  return figure;
}

TEST(Arrangement, WhatWentAcrossThePageDoesSoAgain) {
  Figure figure = figure_of_five();
  figure.panels.back().rank = 0;  // the last to go
  const Arrangement made = in_columns(figure, 2, 2);
  EXPECT_EQ(made.cells[0], (Cell{0, 0}));
  EXPECT_EQ(made.cells[1], (Cell{0, 1}));
  EXPECT_EQ(made.cells[2], (Cell{1, 0}));
  EXPECT_FALSE(made.cells[3].on_page());
  EXPECT_EQ(made.cells[4], (Cell{.row = 2, .col = 0, .rows = 1, .cols = 2}));
  EXPECT_EQ(made.col_weights, (std::vector<double>{1, 1}));
}

TEST(Arrangement, OfOneColumnNothingGoesAcross) {
  const Arrangement made = in_columns(figure_of_five(), 1, 4);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(made.cells[std::size_t(i)], (Cell{.row = i, .col = 0}));
}

TEST(Arrangement, TheSidesOfAComparisonStayBesideEachOther) {
  Figure figure = row_of(6);  // A's three panels, then B's
  for (int i = 0; i < 6; ++i) figure.panels[std::size_t(i)].pair = 1 + i % 3;
  const Arrangement made = in_columns(figure, 2, 5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(made.cells[std::size_t(i)], (Cell{.row = i, .col = 0}));
    EXPECT_EQ(made.cells[std::size_t(i) + 3], (Cell{.row = i, .col = 1}));
  }
  // On any page that needs other columns, too.
  int moved = 0;
  for (double width = 200; width <= 600; width += 100) {
    const Scene s = layout(figure, page(width, 1.2 * width), print_theme(), metrics);
    if (shown(s) < 6 || s.panels[0].plot.y == s.panels[2].plot.y) continue;
    ++moved;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(s.panels[i].plot.y, s.panels[i + 3].plot.y, 0.01) << width;
      EXPECT_LT(s.panels[i].plot.x, s.panels[i + 3].plot.x) << width;
    }
  }
  EXPECT_GT(moved, 0);
}

// Two panels side by side over one that goes across; without the second the first has its place too.
TEST(Arrangement, ALonePanelLeavesNoHoleBesideIt) {
  Figure f = row_of(3);
  f.col_weights = {1, 1};
  f.row_weights = {1, 1};
  f.panels[2].cell = {0, 1};
  f.panels[1].cell = {1, 0, 1, 2};
  f.panels[2].title = std::string(30, 'm');  // a word that half the page is too narrow for
  int alone = 0;
  for (double width = 200; width <= 440; width += 40)
    for (double height = 100; height <= 300; height += 20) {
      const Scene s = layout(f, page(width, height), print_theme(), metrics);
      if (shown(s) != 2) continue;
      ++alone;
      EXPECT_NEAR(s.panels[0].plot.w, s.panels[1].plot.w, 0.1 * s.panels[1].plot.w) << width << " " << height;
    }
  EXPECT_GT(alone, 0);
}

}  // namespace
}  // namespace orrery::figure::arrangement_test
