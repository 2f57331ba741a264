// What stands under the pointer: the nearest samples, cells of maps, each with all its digits.
#include "app/gui/readout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tests/app/gui/panel_frame.h"

namespace orrery::gui::readout_test {
namespace {

/// What stands at a place, of a panel whose data were looked through first.
std::optional<Readout> read(const figure::Panel& panel, const figure::PanelFrame& f, figure::Point at,
                            std::set<std::pair<int, int>> hidden = {}) {
  figure::View view;
  view.hidden = std::move(hidden);
  const figure::PanelDigest digest = figure::digest(panel);
  const figure::Figure figure{.panels = {panel}};
  return read_out({figure, 0, digest, f, view}, at);
}

TEST(ReadoutTest, NamesTheNearestSampleOfEachLine) {
  figure::Panel panel;
  panel.x.label = "distance";
  panel.marks.push_back(
      figure::Line{.x = {0, 4, 8}, .y = {1, 2, 3}, .ink = figure::series(0), .label = "first"});
  panel.marks.push_back(figure::Line{
      .x = {0, 4, 8}, .y = {4, std::nan(""), 0.1 + 0.2}, .ink = figure::series(1), .label = "second"});
  const auto f = frame();
  const auto readout = read(panel, f, f.to_page(5, 2));
  ASSERT_TRUE(readout);
  EXPECT_EQ(readout->title, "distance 4");
  ASSERT_EQ(readout->rows.size(), 1u);  // there is a gap in the other, and its neighbours are far away
  EXPECT_EQ(readout->rows[0].value, "2");
  EXPECT_NEAR(*readout->crosshair, f.to_page(4, 0).x, exact);
  EXPECT_EQ(*readout->x, 4);
  EXPECT_EQ(tab_separated(*readout), "series\tx\tvalue\nfirst\t4\t2\n");
  EXPECT_EQ(read(panel, f, f.to_page(7.9, 2))->rows[1].value, "0.30000000000000004");  // every digit
  EXPECT_FALSE(read(panel, f, f.to_page(4, 2), {{0, 0}, {0, 1}}));
  EXPECT_FALSE(read(panel, f, {10, 10}));
}

TEST(ReadoutTest, SnapsToTheNearestSampleOfAllAndSaysWhereOthersStand) {
  figure::Panel panel;
  panel.marks = {figure::Line{.x = {0, 5, 10}, .y = {1, 2, 3}, .label = "coarse"},
                 figure::Stems{.x = {4.8, 5.2}, .y = {7, 8}, .ink = figure::series(1), .label = "fine"},
                 figure::ErrorBars{.x = {4.8, 6}, .y = {4, 5}, .ink = figure::series(2), .label = "error"}};
  const auto f = frame();
  const auto readout = read(panel, f, f.to_page(4.7, 2));
  ASSERT_TRUE(readout);
  EXPECT_EQ(*readout->x, 4.8);
  ASSERT_EQ(readout->rows.size(), 3u);
  EXPECT_EQ(readout->rows[0].x, "5");
  EXPECT_EQ(readout->rows[1].x, "");
  EXPECT_EQ(readout->rows[1].value, "7");
  EXPECT_EQ(readout->rows[2].value, "4");
}

TEST(ReadoutTest, OfManySeriesTheNearestAreNamed) {
  figure::Panel panel;
  for (int i = 0; i < 40; ++i)
    panel.marks.push_back(figure::Line{.x = {0, 5, 10},
                                       .y = {0.1 * i, 0.1 * i, 0.1 * i},
                                       .ink = figure::series(i),
                                       .label = std::to_string(i)});
  const auto f = frame();
  const auto readout = read(panel, f, f.to_page(5, 2.0));
  ASSERT_EQ(readout->rows.size(), 12u);
  EXPECT_EQ(readout->more, 28);
  for (const ReadoutRow& row : readout->rows) EXPECT_NEAR(std::stod(row.label), 20, 6.5);
}

TEST(ReadoutTest, FindsTheSampleOfALongLineWithoutWalking) {
  figure::Panel panel;
  figure::Line line;
  for (int i = 0; i < 20000; ++i) {
    line.x.push_back(i * 5e-4);
    line.y.push_back(i % 5 == 0 && i > 100 ? std::nan("") : i);
  }
  panel.marks = {line};
  const auto f = frame();
  ASSERT_TRUE(figure::digest(panel).marks[0].trace);
  EXPECT_EQ(read(panel, f, f.to_page(5.00051, 2))->rows[0].value, "10001");
  EXPECT_EQ(read(panel, f, f.to_page(4.9996, 2))->rows[0].value, "9999");
  EXPECT_EQ(read(panel, f, f.to_page(0, 2))->rows[0].value, "0");
  EXPECT_EQ(read(panel, f, f.to_page(10, 2))->rows[0].value, "19999");
}

TEST(ReadoutTest, ReadsTheCellOfAGridAndOfASampler) {
  figure::Panel panel;
  panel.x.label = "key";
  panel.y.label = "query";
  const auto grid =
      std::make_shared<figure::Grid>(figure::Grid{2, 5, {0, 1, 0.1f, 3, 4, 5, 6, 7, 8, -INFINITY}});
  panel.marks.push_back(figure::Heatmap{.x = {0, 10}, .y = {0, 5}, .grid = grid});
  const auto f = frame();
  EXPECT_EQ(read(panel, f, f.to_page(5, 1))->rows[0].value, "0.1");  // a float's digits, not a double's
  EXPECT_EQ(read(panel, f, f.to_page(5, 4))->title, "query 3.75, key 5");
  EXPECT_EQ(read(panel, f, f.to_page(9.5, 4))->rows[0].value, "masked");
  const figure::Rect cell = *read(panel, f, f.to_page(5, 4))->cell;
  EXPECT_NEAR(cell.x, f.to_page(4, 0).x, exact * 100);
  EXPECT_NEAR(cell.w, f.plot.w / 5, exact * 100);
  EXPECT_NEAR(cell.h, f.plot.h / 2, exact * 100);

  const figure::Sampler sampler = [](figure::Range x, figure::Range y, int, int) {
    return figure::Grid{1, 1, {static_cast<float>(x.lo * 100 + y.lo)}};
  };
  panel.marks = {
      figure::Heatmap{.x = {0, 10}, .y = {0, 5}, .sampler = sampler, .full_cols = 10, .full_rows = 5}};
  EXPECT_EQ(read(panel, f, f.to_page(7.5, 2.5))->rows[0].value, "702");
}

TEST(ReadoutTest, ReadsEachMarkOnItsOwnAxis) {
  figure::Panel panel;
  panel.marks = {
      figure::Stems{.x = {4, 5, 6}, .y = {1, 2, 3}, .label = "left"},
      figure::Line{.x = {4, 5, 6}, .y = {1000, 2000, 3000}, .ink = figure::series(1), .label = "right"},
      figure::Histogram{.edges = {0, 5.5, 10}, .heights = {7, 8}, .label = "bins"}};
  figure::SecondAxis& right = panel.right.emplace();
  right.axis.range = figure::Range{0, 4000};
  right.marks = {1};
  auto f = frame();
  f.whole_right = figure::Range{0, 4000};
  const auto readout = read(panel, f, f.to_page(5.1, 2));
  ASSERT_TRUE(readout);
  ASSERT_EQ(readout->rows.size(), 3u);
  EXPECT_EQ(readout->rows[0].value, "2");
  EXPECT_EQ(readout->rows[1].value, "2000");
  EXPECT_NEAR(readout->rows[1].at->y, f.plot.y + f.plot.h / 2, exact * f.plot.h);  // 2000 of 4000
  EXPECT_EQ(readout->rows[2].value, "7");
}

TEST(ReadoutTest, SaysTheValueAndNotWhereItIsDrawn) {
  figure::Panel panel;
  panel.x.label = "$p$";
  panel.marks = {figure::Line{
      .x = {0, 4, 8}, .y = {0.6, 1.4, 1}, .reading = {.name = "dimension 0", .value = {1, -1, 0.92681855}}}};
  const auto f = frame();
  const auto readout = read(panel, f, f.to_page(7.8, 2));
  ASSERT_TRUE(readout);
  ASSERT_EQ(readout->rows.size(), 1u);
  EXPECT_EQ(readout->rows[0].label, "dimension 0");
  EXPECT_EQ(readout->rows[0].value, "0.92681855");
  EXPECT_NEAR(readout->rows[0].at->y, f.to_page(8, 1).y, exact);
  EXPECT_EQ(tab_separated(*readout), "series\tx\tvalue\ndimension 0\t8\t0.92681855\n");
}

TEST(ReadoutTest, AFloatHasSevenDigitsAndIsCopiedWithAll) {
  figure::Panel panel;
  panel.marks = {figure::Line{.x = {0, 4}, .y = {double(0.12345679f), -0.0}, .label = "a"}};
  const auto f = frame();
  EXPECT_EQ(read(panel, f, f.to_page(0, 2))->rows[0].value, "0.1234568");
  EXPECT_EQ(read(panel, f, f.to_page(0, 2))->rows[0].exact, "0.12345679");
  EXPECT_EQ(read(panel, f, f.to_page(4, 2))->rows[0].value, "0");
}

TEST(ReadoutTest, ReadsALineOfTwoPointsAtTheWholeNumberUnderThePointer) {
  figure::Panel panel;
  panel.x.ticks = figure::TickHint::integers;
  panel.marks = {figure::Line{.x = {0, 10}, .y = {4, 0}, .label = "head 1", .reading = {.between = true}},
                 figure::Line{.x = {0, 10}, .y = {4, 2}, .label = "head 2", .reading = {.between = true}},
                 figure::Line{.x = {0, 10}, .y = {1, 1}, .label = "shape", .reading = {.none = true}}};
  const auto f = frame();
  const auto readout = read(panel, f, f.to_page(6.8, 2));
  ASSERT_TRUE(readout);
  EXPECT_EQ(readout->title, "x 7");
  ASSERT_EQ(readout->rows.size(), 2u);
  EXPECT_NEAR(std::stod(readout->rows[0].value), 1.2, 1e-12);
  EXPECT_NEAR(std::stod(readout->rows[1].value), 2.6, 1e-12);
}

TEST(ReadoutTest, MarkersSayWhereTheyStand) {
  figure::Panel panel;
  panel.x.label = "pair $i$";
  panel.marks = {figure::Points{.x = {1, 3, 6}, .y = {1, 2, 3}, .label = "angle"},
                 figure::Points{.x = {1, 3, 6}, .y = {0, 1, 2}, .ink = figure::series(1), .label = "turned"},
                 figure::Points{.x = {8, 7}, .y = {3, 1}, .ink = figure::series(2), .label = "loose"}};
  const auto f = frame();
  const auto near = read(panel, f, f.to_page(3.4, 3.9));
  ASSERT_TRUE(near);
  EXPECT_EQ(near->title, "pair $i$ 3");
  ASSERT_EQ(near->rows.size(), 2u);
  EXPECT_EQ(near->rows[1].value, "1");
  panel.marks.erase(panel.marks.begin(), panel.marks.begin() + 2);
  const auto loose = read(panel, f, f.to_page(7.02, 1.02));
  ASSERT_TRUE(loose);
  EXPECT_EQ(loose->title, "pair $i$ 7");
  EXPECT_EQ(loose->rows[0].value, "1");
  EXPECT_FALSE(read(panel, f, f.to_page(4, 2)));
}

}  // namespace
}  // namespace orrery::gui::readout_test
