// Two figures as one: side by side, one over the other.
#include "app/figure/compare.h"

#include <gtest/gtest.h>

#include "app/figure/color_groups.h"
#include "app/figure/data_range.h"
#include "app/figure/gallery.h"
#include "app/figure/shared_axes.h"
#include "tests/app/figure/compare_samples.h"

namespace orrery::figure::compare_test {
namespace {

using namespace compare_samples;

TEST(SideBySide, AIsLeftAndBothShareTheirRanges) {
  Figure a = line_of({0, 1}, {0, 1}), b = line_of({0, 3}, {-5, 1});
  b.panels[0].y.label = "score at 4096";
  a.panels[0].handles = b.panels[0].handles = {Handle{.parameter = "position"}};
  const Comparison c = side_by_side(a, b, {.b_own = "base = 5"});
  ASSERT_EQ(c.figure.panels.size(), 2u);
  EXPECT_EQ(c.figure.panels[0].cell.col, 0);
  EXPECT_EQ(c.figure.panels[1].cell.col, 1);
  EXPECT_EQ(c.figure.panels[0].title, "A");
  EXPECT_EQ(c.figure.panels[1].title, "B (base = 5)");
  const auto axes = panel_axes(c.figure);
  EXPECT_EQ(*axes[0].x.range, (Range{0, 3}));
  EXPECT_EQ(*axes[0].x.range, *axes[1].x.range);
  EXPECT_EQ(*axes[0].y.range, *axes[1].y.range);
  EXPECT_FALSE(axes[1].y.numbers) << "said by A, right beside it";
  EXPECT_TRUE(c.figure.panels[0].handles.empty());
  EXPECT_EQ(c.figure.panels[1].handles.size(), 1u);
  EXPECT_TRUE(c.remarks.empty());
}

// What A's legend names are A's series: B may draw others in the same colours.
TEST(SideBySide, EachSideHasItsOwnSeries) {
  Figure a = line_of({0, 1}, {0, 1});
  a.panels[0].series_group = 2;
  Figure b = a;
  b.panels[0].series_group = 1;
  EXPECT_NE(side_by_side(a, a).figure.panels[0].series_group,
            side_by_side(a, a).figure.panels[1].series_group);
  EXPECT_NE(side_by_side(a, b).figure.panels[0].series_group,
            side_by_side(a, b).figure.panels[1].series_group);
  a.panels[0].series_group = b.panels[0].series_group = 0;
  EXPECT_EQ(side_by_side(a, b).figure.panels[1].series_group, 0) << "alone it was";
}

TEST(SideBySide, ColoursAreSharedWithOneBar) {
  const Comparison c = side_by_side(map_of(1, 2, {0, 1}), map_of(1, 2, {3, 9}));
  const auto groups = color_groups(c.figure);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups.begin()->second.range, (Range{0, 9}));
  EXPECT_EQ(groups.begin()->second.bar, 1);
}

TEST(SideBySide, OtherQuantitiesShareNothing) {
  Figure b = line_of({0, 3}, {0, 100});
  b.panels[0].y.label = "weight";
  b.panels[0].y.group = 1;  // a number that A uses for something else
  Figure a = line_of({0, 1}, {0, 1});
  a.panels[0].y.group = 1;
  const auto axes = panel_axes(side_by_side(a, b).figure);
  EXPECT_EQ(*axes[0].y.range, y_range(a.panels[0]));
  EXPECT_EQ(*axes[1].y.range, y_range(b.panels[0]));
  EXPECT_TRUE(axes[1].y.numbers);
}

TEST(SideBySide, GridsOfDifferentShapeAreCutAtTheEdgesOfBoth) {
  Figure a = line_of({0, 1}, {0, 1}), b = a;
  b.panels.push_back(b.panels[0]);
  b.panels[1].cell.row = 1;
  b.row_weights = {1, 3};
  const Comparison c = side_by_side(a, b);
  ASSERT_EQ(c.figure.panels.size(), 3u);
  EXPECT_EQ(c.figure.row_weights, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(c.figure.panels[0].cell.rows, 2) << "A spans both rows of B";
  EXPECT_EQ(c.figure.panels[2].cell.row, 1);
  EXPECT_EQ(c.figure.panels[2].cell.col, 1);
}

TEST(SideBySide, WideFiguresStandOneAboveTheOther) {
  Figure wide = line_of({0, 1}, {0, 1});
  wide.aspect = 2;
  const Comparison c = side_by_side(wide, wide);
  EXPECT_EQ(c.figure.panels[1].cell.row, 1);
  EXPECT_EQ(c.figure.panels[1].cell.col, 0);
  EXPECT_DOUBLE_EQ(c.figure.aspect, 1);
}

TEST(Overlaid, AIsPalerDashedAndBelow) {
  Figure a = line_of({0, 1}, {0, 1}), b = line_of({0, 2}, {0, 4});
  const Comparison c = overlaid(a, b, {.a_own = "base = 3"});
  ASSERT_EQ(c.figure.panels.size(), 1u);
  const Panel& panel = c.figure.panels[0];
  ASSERT_EQ(panel.marks.size(), 2u);
  const Line &below = std::get<Line>(panel.marks[0]), &above = std::get<Line>(panel.marks[1]);
  EXPECT_EQ(below.y, (std::vector<double>{0, 1}));
  EXPECT_EQ(below.dash, Dash::dashed);
  EXPECT_LT(below.ink.alpha, above.ink.alpha);
  EXPECT_EQ(above.dash, Dash::solid);
  EXPECT_EQ(below.label, "A: base = 3");
  EXPECT_EQ(above.label, "B");
}

// What B shades would hide what A shows.
TEST(Overlaid, GroundsOfBothLieBelowAllData) {
  Figure a = one(Panel{}), b = one(Panel{});
  a.panels[0].marks = {Points{.x = {1, 2, 3}, .y = {1, 2, 3}, .label = "dots"}};
  b.panels[0].marks = {Points{.x = {1, 2, 4}, .y = {2, 1, 3}, .label = "dots"}, Rule{.at = 1, .to = 3},
                       Band{.x = {0, 4}, .lo = {0, 0}, .hi = {4, 4}}};
  const Comparison c = overlaid(a, b);
  bool data = false;
  for (const Mark& mark : c.figure.panels[0].marks) {
    const bool ground = std::holds_alternative<Rule>(mark) || std::holds_alternative<Band>(mark);
    data = data || !ground;
    EXPECT_FALSE(data && ground) << "a ground above data";
  }
}

// A's words are left out: B's stand for both only where they are the same.
TEST(Overlaid, WordsThatAHasOtherwiseSayWhoseTheyAre) {
  Figure a = one(Panel{}), b = one(Panel{});
  a.panels[0].marks = {Note{.x = 1, .y = 1, .text = "turns 1.05"}, Note{.x = 1, .y = 2, .text = "rad"}};
  b.panels[0].marks = {Note{.x = 1, .y = 1, .text = "turns 0.50"}, Note{.x = 1, .y = 2, .text = "rad"}};
  std::vector<std::string> words;
  const Comparison overlay = overlaid(a, b);
  for (const Mark& mark : overlay.figure.panels[0].marks)
    if (const auto* note = std::get_if<Note>(&mark)) words.push_back(note->text);
  EXPECT_EQ(words, (std::vector<std::string>{"B: turns 0.50", "rad"}));
  a.panels[0].marks.clear();
  EXPECT_EQ(std::get<Note>(overlaid(a, b).figure.panels[0].marks[0]).text, "turns 0.50") << "nobody else's";
}

// "come round" here, "never" there: the same pairs, the same quantity.
TEST(Overlaid, LegendsTellTheSidesApart) {
  Figure a = line_of({0, 1}, {0, 1});
  std::get<Line>(a.panels[0].marks[0]).label = "YaRN";
  Comparison c = overlaid(a, a);
  EXPECT_EQ(std::get<Line>(c.figure.panels[0].marks[0]).label, "A: YaRN");
  EXPECT_EQ(std::get<Line>(c.figure.panels[0].marks[1]).label, "B: YaRN");
  a.panels[0].marks.resize(7, a.panels[0].marks[0]);  // too many for two entries each
  c = overlaid(a, a);
  EXPECT_EQ(std::get<Line>(c.figure.panels[0].marks[0]).label, "A");
  EXPECT_EQ(std::get<Line>(c.figure.panels[0].marks[1]).label, "");
  EXPECT_EQ(std::get<Line>(c.figure.panels[0].marks[7]).label, "YaRN");
}

TEST(Overlaid, WhatASideIsIsSaidOnce) {
  Figure a = line_of({0, 1}, {0, 1});
  a.panels.push_back(a.panels[0]);
  const auto label = [](const Comparison& c, std::size_t panel, std::size_t mark) {
    return std::get<Line>(c.figure.panels[panel].marks[mark]).label;
  };
  const SideWords words{.a_own = "base = 3", .b_own = "base = 4"};
  std::get<Line>(a.panels[0].marks[0]).label = "YaRN";
  Figure b = a;
  std::get<Line>(b.panels[1].marks[0]).y = {0, 2};
  Comparison c = overlaid(a, b, words);
  EXPECT_EQ(label(c, 0, 0), "A: YaRN");
  EXPECT_EQ(label(c, 1, 0), "A: base = 3") << "a panel without labels of its own says it";
  std::get<Line>(a.panels[1].marks[0]).label = std::get<Line>(b.panels[1].marks[0]).label = "NTK";
  c = overlaid(a, b, words);
  EXPECT_EQ(label(c, 0, 0), "A (base = 3): YaRN");
  EXPECT_EQ(label(c, 0, 1), "B (base = 4): YaRN");
  EXPECT_EQ(label(c, 1, 0), "A: NTK");
  EXPECT_EQ(label(overlaid(a, a), 0, 0), "A: YaRN") << "nothing is known of the sides";
}

TEST(Overlaid, ConstructionSpeaksForNoSide) {
  Figure a = line_of({0, 1}, {0, 1}), b = line_of({0, 1}, {0, 2});
  for (Figure* figure : {&a, &b}) {
    std::vector<Mark>& marks = figure->panels[0].marks;
    marks.insert(marks.begin(),
                 Line{.x = {0, 9}, .y = {0, figure == &a ? 1.0 : 2.0}, .ink = {Role::outline, 0, 1}});
  }
  const std::vector<Mark> marks = overlaid(a, b).figure.panels[0].marks;
  ASSERT_EQ(marks.size(), 4u);
  EXPECT_EQ(std::get<Line>(marks[0]).label, "");
  EXPECT_EQ(std::get<Line>(marks[1]).label, "A");
  EXPECT_EQ(std::get<Line>(marks[3]).label, "B");
}

TEST(Overlaid, RangesThatWereAskedForAreJoined) {
  Figure a = line_of({0, 1}, {0, 1}), b = a;
  a.panels[0].x.range = Range{0, 512};
  b.panels[0].x.range = Range{-1, 100};
  EXPECT_EQ(overlaid(a, b).figure.panels[0].x.range, (Range{-1, 512}));
}

TEST(Overlaid, ColumnsStandBesideEachOther) {
  Panel panel;
  panel.marks = {Bars{.x = {0, 1}, .height = {1, 2}, .width = 0.8}};
  const Comparison c = overlaid(of(panel), of(panel));
  const auto &a = std::get<Bars>(c.figure.panels[0].marks[0]),
             &b = std::get<Bars>(c.figure.panels[0].marks[1]);
  EXPECT_DOUBLE_EQ(a.width, 0.4);
  EXPECT_DOUBLE_EQ(a.x[1] + a.width / 2, 1);
  EXPECT_DOUBLE_EQ(b.x[1] - b.width / 2, 1);
}

TEST(Overlaid, MapsStandSideBySideInTheirCell) {
  Figure a = map_of(1, 2, {0, 1});
  a.panels.push_back(line_of({0, 1}, {0, 1}).panels[0]);
  a.panels[1].cell.col = 1;
  a.col_weights = {3, 1};
  const Comparison c = overlaid(a, a);
  ASSERT_EQ(c.figure.panels.size(), 3u);
  EXPECT_EQ(c.figure.col_weights, (std::vector<double>{3, 3, 1, 1}));
  EXPECT_EQ(c.figure.panels[1].cell.col, 1);
  EXPECT_EQ(c.figure.panels[2].cell.col, 2);
  EXPECT_EQ(c.figure.panels[2].cell.cols, 2);
  ASSERT_EQ(c.remarks.size(), 1u);
  EXPECT_EQ(c.remarks[0], "panel 1: colours would cover each other, so A and B stand side by side");
}

TEST(Overlaid, MarksOfASecondAxisFollowIt) {
  Figure a = line_of({0, 1}, {0, 1});
  a.panels[0].marks.push_back(Note{.text = "words of A go"});
  a.panels[0].marks.push_back(Line{.x = {0, 1}, .y = {0, 1000}});
  a.panels[0].right.emplace().marks = {2};
  Figure b = a;
  std::get<Line>(b.panels[0].marks[0]).y = {2, 3};
  std::get<Line>(b.panels[0].marks[2]).y = {7, 8};
  const Comparison c = overlaid(a, b);
  const Panel& panel = c.figure.panels[0];
  ASSERT_EQ(panel.marks.size(), 5u);  // two lines of A, all of B
  EXPECT_EQ(panel.right->marks, (std::vector<int>{1, 4}));
}

// A is 2x and B is x² between its samples: chords. On [1, 3]: at 1 the chord of x² from 0 to 2 has 2.
// On a log axis a chord is straight in log x: half way from 1 to 100 is 10.
// Every mark there is, in every mode: never a crash, and everything can be laid out.
TEST(Compare, TheWholeGallery) {
  const Figure all = gallery_figure();
  for (const CompareMode mode : {CompareMode::side_by_side, CompareMode::overlay, CompareMode::difference}) {
    const Comparison c = compare(all, all, mode);
    EXPECT_GE(c.figure.panels.size(), all.panels.size());
    EXPECT_EQ(layout(c.figure, page(1600, 1200), light_theme(), metrics).panels.size(),
              c.figure.panels.size());
  }
}

}  // namespace
}  // namespace orrery::figure::compare_test
