// Pan, zoom, handles and read-out: arithmetic on a panel as it stands.
#include "app/gui/interaction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/gui/handles.h"
#include "app/gui/readout.h"
#include "app/gui/view_history.h"

namespace orrery::gui::interaction_test {
namespace {

figure::PanelFrame frame(figure::Scale x = {}, figure::Scale y = {}, figure::Range xs = {0, 10},
                         figure::Range ys = {0, 5}) {
  figure::PanelFrame f;
  f.plot = {100, 50, 400, 200};
  f.x = f.whole_x = xs;
  f.y = f.whole_y = ys;
  f.x_scale = x;
  f.y_scale = y;
  return f;
}

// One rounding in each of the few steps of a linear map.
constexpr double exact = 1e-12;

TEST(PanTest, WhatWasUnderThePointerStaysUnderIt) {
  const auto f = frame();
  const PanelView view = panned(f, {200, 100}, {300, 150});
  // 100 of 400 points to the right is a quarter of 10; 50 of 200 down is a quarter of 5, and y grows upwards.
  EXPECT_NEAR(view.x->lo, -2.5, exact);
  EXPECT_NEAR(view.x->hi, 7.5, exact);
  EXPECT_NEAR(view.y->lo, 1.25, exact);
  EXPECT_NEAR(view.y->hi, 6.25, exact);
}

TEST(PanTest, FollowsReversedAxes) {
  auto f = frame();
  f.y_reversed = true;
  const PanelView view = panned(f, {200, 100}, {200, 150});
  EXPECT_EQ(*view.x, f.x);
  EXPECT_NEAR(view.y->lo, -1.25, exact);
}

TEST(ZoomTest, KeepsThePlaceUnderThePointer) {
  for (const auto& scale : {figure::Scale::linear(), figure::Scale::log(10)}) {
    auto f = frame(scale, {}, {1, 1000});
    const figure::Point at{180, 90};
    const auto before = f.to_data(at);
    const PanelView view = zoomed(f, at, 1.7, {true, true});
    f.x = *view.x;
    f.y = *view.y;
    const auto after = f.to_data(at);
    // log and exp each add some roundings of numbers up to 7.
    EXPECT_NEAR(after.first / before.first, 1, 1e-11);
    EXPECT_NEAR(after.second, before.second, 1e-11);
  }
}

TEST(ZoomTest, OverAnAxisOnlyThatAxis) {
  const auto f = frame();
  const Axes below = axes_at(f, {300, 260}), beside = axes_at(f, {80, 100}), inside = axes_at(f, {300, 100});
  EXPECT_TRUE(below.x && !below.y);
  EXPECT_TRUE(!beside.x && beside.y);
  EXPECT_TRUE(inside.x && inside.y);
  EXPECT_EQ(*zoomed(f, {300, 260}, 2, below).y, f.y);
  EXPECT_NEAR(zoomed(f, {300, 260}, 2, below).x->length(), 5, exact);
}

TEST(ZoomTest, StopsWhereDoublesEnd) {
  auto f = frame({}, {}, {1, 1 + 4e-11});
  EXPECT_EQ(*zoomed(f, {300, 100}, 100, {true, true}).x, f.x);
}

TEST(BoxTest, TheBoxBecomesThePanel) {
  const PanelView view = boxed(frame(), {200, 100, 100, 50}, {true, true});
  EXPECT_NEAR(view.x->lo, 2.5, exact);
  EXPECT_NEAR(view.x->hi, 5, exact);
  EXPECT_NEAR(view.y->lo, 2.5, exact);
  EXPECT_NEAR(view.y->hi, 3.75, exact);
}

TEST(ViewTest, GrowsToThePanelItIsSetFor) {
  figure::View view;
  set_view(view, 2, {figure::Range{1, 2}, std::nullopt});
  ASSERT_EQ(view.panels.size(), 3u);
  EXPECT_FALSE(view.panels[0].x);
  EXPECT_EQ(view.panels[2].x->lo, 1);
}

constexpr parameter::Parameter declared[] = {
    {.name = "angle", .kind = parameter::Kind::real, .fallback = "0", .min = -1, .max = 1},
    {.name = "width", .kind = parameter::Kind::integer, .fallback = "4", .min = 2, .max = 10, .multiple = 2},
    {.name = "vector",
     .kind = parameter::Kind::vector,
     .fallback = "1,0,0",
     .min = -2,
     .max = 2,
     .length = 3},
    {.name = "mode", .kind = parameter::Kind::choice, .fallback = "a", .choices = "a|b"}};

TEST(HandleTest, TurnsAPlaceIntoAnAllowedValue) {
  const parameter::Settings settings{declared};
  figure::Handle handle{.x = 0, .y = 0, .parameter = "angle", .origin_x = 1, .origin_y = 2, .unit = 4};
  EXPECT_DOUBLE_EQ(std::get<double>(*dragged(handle, settings, {3, 9})), 0.5);
  EXPECT_DOUBLE_EQ(std::get<double>(*dragged(handle, settings, {30, 9})), 1);
  handle.along_y = true;
  EXPECT_DOUBLE_EQ(std::get<double>(*dragged(handle, settings, {3, 3})), 0.25);
  handle = {.parameter = "width"};
  EXPECT_EQ(std::get<std::int64_t>(*dragged(handle, settings, {5.2, 0})), 6);
  EXPECT_EQ(std::get<std::int64_t>(*dragged(handle, settings, {99, 0})), 10);
}

TEST(HandleTest, MovesTwoComponentsOfALongerVector) {
  const parameter::Settings settings{declared};
  const figure::Handle handle{.parameter = "vector", .origin_x = 0, .origin_y = 0, .unit = 2, .component = 1};
  const auto value = std::get<std::vector<double>>(*dragged(handle, settings, {1, -8}));
  EXPECT_EQ(value, (std::vector<double>{1, 0.5, -2}));
}

TEST(HandleTest, MovesAPointOfSpaceInThePlaneOfThePage) {
  parameter::Settings settings{declared};
  settings.set("vector", "0.5,-1,0.25");
  // The page goes right along the second component, and up along the diagonal of the other two.
  const figure::Handle handle{
      .x = 3, .y = 4, .parameter = "vector", .across = {0, 1, 0}, .up = {0.6, 0, 0.8}, .hint = "drag"};
  const auto value = std::get<std::vector<double>>(*dragged(handle, settings, {3.5, 5}));
  EXPECT_EQ(value, (std::vector<double>{1.1, -0.5, 1.05}));
  const auto beyond = std::get<std::vector<double>>(*dragged(handle, settings, {99, 4}));
  EXPECT_EQ(beyond, (std::vector<double>{0.5, 2, 0.25}));  // kept within what is allowed
}

TEST(HandleTest, APointOfSpaceIsNoHandThatTurns) {
  figure::PanelFrame square;
  square.plot = {0, 0, 200, 200};
  square.x = square.y = {-1, 3};
  square.x_scale = square.y_scale = figure::Scale::linear();
  const figure::Handle handle{.x = 1, .y = 1, .parameter = "vector", .across = {1, 0, 0}, .up = {0, 0, 1}};
  EXPECT_FALSE(grab(square, handle, declared, square.to_page(1, 1)).turns);
}

TEST(HandleTest, OnlyWhatIsInSightCanBeGrabbed) {
  figure::Figure figure;
  figure.panels.resize(1);
  figure.panels[0].handles = {{.x = 9, .y = 2, .parameter = "angle"},
                              {.x = 10.5, .y = 2, .parameter = "angle"}};
  figure::Scene scene;
  scene.panels = {frame()};  // shows 0 to 10
  EXPECT_EQ(handle_at(figure, scene, declared, scene.panels[0].to_page(9.1, 2)), (HandleId{0, 0}));
  EXPECT_FALSE(handle_at(figure, scene, declared, scene.panels[0].to_page(10.5, 2)));
}

/// A dial in the middle of a square panel of 200 points: its hand points up, its face says 7.
struct Dial {
  Dial() {
    figure.panels.resize(1);
    figure.panels[0].handles = {
        {.x = 1, .y = 2, .parameter = "vector", .origin_x = 1, .origin_y = 1, .component = 1},
        {.x = 1, .y = 1, .parameter = "width", .origin_x = -6, .origin_y = 1}};
    figure::PanelFrame square;
    square.plot = {0, 0, 200, 200};
    square.x = square.y = {-1, 3};
    square.x_scale = square.y_scale = figure::Scale::linear();
    scene.panels = {square};
  }
  figure::Point at(double x, double y) const { return scene.panels[0].to_page(x, y); }
  const figure::Handle& hand() const { return figure.panels[0].handles[0]; }
  figure::Figure figure;
  figure::Scene scene;
};

TEST(HandleTest, AHandIsGrabbedAlongItAndOnItsWholeDial) {
  const Dial dial;
  for (const auto& [x, y] :
       {std::pair{1.0, 2.0}, std::pair{1.02, 1.5}, std::pair{1.9, 1.1}, std::pair{1.0, 1.0}})
    EXPECT_EQ(handle_at(dial.figure, dial.scene, declared, dial.at(x, y)), (HandleId{0, 0})) << x << ' ' << y;
  EXPECT_FALSE(handle_at(dial.figure, dial.scene, declared, dial.at(-0.9, -0.9)));
}

TEST(HandleTest, AHandKeepsItsPlaceUnderThePointer) {
  const Dial dial;
  const auto turned = [&](std::pair<double, double> from, std::pair<double, double> to) {
    const Grab held = grab(dial.scene.panels[0], dial.hand(), declared, dial.at(from.first, from.second));
    return dial.scene.panels[0].to_data(moved(held, dial.at(to.first, to.second)));
  };
  // Grabbed in its middle, and swung a quarter round to the right: it lies there, as long as before.
  const auto [x, y] = turned({1, 1.5}, {1.5, 1});
  EXPECT_NEAR(x, 2, 1e-9);
  EXPECT_NEAR(y, 1, 1e-9);
  // Beside the hand only its direction follows.
  const auto [u, v] = turned({1.9, 1}, {1, 1.2});
  EXPECT_NEAR(u, 0, 1e-9);
  EXPECT_NEAR(v, 1, 1e-9);
}

TEST(HandleTest, AHandThatStandsTurnedAgainstItsValueKeepsThat) {
  parameter::Settings settings{declared};  // the vector's last two components are 0: given here
  settings.set("vector", "0,1,0");
  const Dial dial;  // the value points right, the hand up
  const auto value = std::get<std::vector<double>>(*dragged(dial.hand(), settings, {0, 1}));
  EXPECT_EQ(value, (std::vector<double>{0, 0, 1}));
}

TEST(HandleTest, TheFaceOfADialHasNoRingAndIsFoundByItsHand) {
  const Dial dial;
  EXPECT_TRUE(has_ring(dial.figure.panels[0], 0, declared));
  EXPECT_FALSE(has_ring(dial.figure.panels[0], 1, declared));
  EXPECT_EQ(face_of(dial.figure.panels[0], dial.hand(), declared), &dial.figure.panels[0].handles[1]);
}

TEST(HandleTest, WhatIsNoNumberCannotBeDragged) {
  const parameter::Settings settings{declared};
  EXPECT_FALSE(dragged({.parameter = "mode"}, settings, {1, 1}));
  EXPECT_FALSE(dragged({.parameter = "unknown"}, settings, {1, 1}));
  EXPECT_FALSE(dragged({.parameter = "angle"}, settings, {std::numeric_limits<double>::quiet_NaN(), 1}));
}

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

figure::View zoomed_to(double lo, double hi) {
  figure::View view;
  view.panels = {{figure::Range{lo, hi}, std::nullopt}};
  return view;
}

TEST(ViewHistoryTest, GoesBackAndForthAndAGestureIsOneStep) {
  ViewHistory history;
  EXPECT_FALSE(history.can_go_back());
  for (int i = 1; i <= 10; ++i) history.observe(zoomed_to(0, i), true, 0.02);  // a drag
  history.observe(zoomed_to(0, 10), false, 0.5);
  for (int i = 1; i <= 5; ++i) history.observe(zoomed_to(i, 10), false, 0.1);  // the wheel
  EXPECT_TRUE(history.can_go_back());
  EXPECT_EQ(history.back(), zoomed_to(0, 10));
  history.observe(zoomed_to(0, 10), false, 0.02);
  EXPECT_EQ(history.back(), figure::View{});
  EXPECT_FALSE(history.can_go_back());
  EXPECT_EQ(history.forward(), zoomed_to(0, 10));
  EXPECT_EQ(history.forward(), zoomed_to(5, 10));
  EXPECT_FALSE(history.can_go_forward());
}

TEST(ViewHistoryTest, ANewViewForgetsWhatLayAheadAndUndoIsAWayBack) {
  ViewHistory history;
  const auto look = [&](const figure::View& view) {
    history.observe(view, false, 0.02);
    history.observe(view, false, 0.5);
  };
  look(zoomed_to(0, 1));
  look(zoomed_to(0, 2));
  look(zoomed_to(0, 1));  // somebody else went back
  EXPECT_TRUE(history.can_go_forward());
  look(zoomed_to(0, 3));
  EXPECT_FALSE(history.can_go_forward());
  EXPECT_EQ(history.back(), zoomed_to(0, 1));
}

}  // namespace
}  // namespace orrery::gui::interaction_test
