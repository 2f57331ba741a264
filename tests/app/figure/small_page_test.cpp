// Pages too small for what a figure says: panels move, then go, before words do, and what is not said is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/figure/layout.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::small_page_test {
namespace {

std::set<std::string> said(const Scene& scene) {
  std::set<std::string> texts;
  for (const Label& label : all_of_kind<Label>(scene)) texts.insert(label.text);
  return texts;
}

std::set<std::string> left_out(const Scene& scene) {
  return {scene.left_out.begin(), scene.left_out.end()};
}

TEST(SmallPage, ARowBecomesAColumn) {
  const Figure f = row_of(3);
  const Scene wide = layout(f, page(500, 150), print_theme(), metrics),
              high = layout(f, page(150, 420), print_theme(), metrics);
  for (const Scene* s : {&wide, &high}) {
    EXPECT_EQ(shown(*s), 3);
    EXPECT_TRUE(s->left_out.empty());
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(said(*s).contains(panel_name(i))) << i;
  }
  EXPECT_EQ(wide.panels[0].plot.y, wide.panels[2].plot.y);
  EXPECT_EQ(high.panels[0].plot.x, high.panels[2].plot.x);
  EXPECT_LT(high.panels[0].plot.y, high.panels[1].plot.y) << "in the order in which they are read";
}

TEST(SmallPage, WhereAllPanelsStayTheyMoveBeforePlotsAreStamps) {
  const Figure f = row_of(5);
  LayoutOptions large = page(900, 220), high = page(330, 700);
  large.all_panels = high.all_panels = true;
  EXPECT_FALSE(roomier_arrangement(f, large, print_theme(), metrics)) << "as the figure has them";
  const auto arranged = roomier_arrangement(f, high, print_theme(), metrics);
  ASSERT_TRUE(arranged);
  const Scene own = layout(f, high, print_theme(), metrics);
  high.arranged = &*arranged;
  const Scene moved = layout(f, high, print_theme(), metrics);
  const auto narrowest = [](const Scene& scene) {
    double least = 1e9;
    for (const PanelFrame& frame : scene.panels) least = std::min({least, frame.plot.w, frame.plot.h});
    return least;
  };
  EXPECT_EQ(shown(moved), 5);
  EXPECT_TRUE(moved.left_out.empty());
  EXPECT_GE(narrowest(moved), 1.25 * narrowest(own));
  const Arrangement of_others = in_columns(row_of(3), 1, 3);
  high.arranged = &of_others;
  EXPECT_EQ(narrowest(layout(f, high, print_theme(), metrics)), narrowest(own))
      << "of another figure: not taken";
}

// On ever smaller pages the highest ranks go first, and what still stands has all its words until the last one.
TEST(SmallPage, PanelsGoBeforeWords) {
  const Figure f = row_of(3);
  int last = 3;
  std::set<int> seen;
  for (double side = 400; side >= 70; side -= 10) {
    const Scene s = layout(f, page(side, 0.6 * side), print_theme(), metrics);
    const int now = shown(s);
    EXPECT_LE(now, last) << side;
    last = now;
    seen.insert(now);
    for (int i = 0; i < 3; ++i) {
      const bool here = s.panels[static_cast<std::size_t>(i)].plot.w > 0;
      EXPECT_EQ(here, i < now) << side << ": panel " << i;
      if (now > 1 || side > 150) {
        EXPECT_EQ(said(s).contains("score " + std::to_string(i)), here) << side << ": panel " << i;
      }
    }
  }
  EXPECT_EQ(seen, (std::set{1, 2, 3}));
}

TEST(SmallPage, NothingGoesUnsaid) {
  const Figure f = row_of(3);
  for (double side = 500; side >= 20; side -= 12)
    for (const bool all_panels : {false, true}) {
      LayoutOptions options = page(side, 0.6 * side);
      options.all_panels = all_panels;
      const Scene s = layout(f, options, print_theme(), metrics);
      for (int i = 0; i < 3; ++i)
        for (const std::string& text :
             {panel_name(i), "distance " + std::to_string(i), "score " + std::to_string(i)})
          EXPECT_NE(said(s).contains(text), left_out(s).contains(text)) << side << ": " << text;
    }
}

TEST(SmallPage, PanelsOfOneRankGoTogether) {
  Figure f = row_of(3);
  f.panels[1].rank = f.panels[2].rank = 1;
  std::set<int> seen;
  for (double side = 400; side >= 70; side -= 10)
    seen.insert(shown(layout(f, page(side, 0.6 * side), print_theme(), metrics)));
  EXPECT_EQ(seen, (std::set{1, 3}));
}

// Where no page has room for a text, or two stand on one place by the figure's own will, no panel goes for it.
TEST(SmallPage, WhatHasNoRoomAnywhereTakesNoPanelWithIt) {
  Figure f = row_of(3);
  f.panels[1].marks.emplace_back(Annotation{.x = 5, .y = 0, .text = std::string(4000, 'm')});
  const Scene one_text = layout(f, page(500, 150), print_theme(), metrics);
  EXPECT_EQ(shown(one_text), 3);
  EXPECT_EQ(one_text.left_out.size(), 1u);
  f = row_of(3);
  for (const char* text : {"here", "and here"})
    f.panels[1].marks.emplace_back(Note{.x = 5, .y = 0, .text = text});
  EXPECT_EQ(shown(layout(f, page(500, 150), print_theme(), metrics)), 3);
}

TEST(SmallPage, WhatAMarkCannotSayIsNamed) {
  Figure f = row_of(1);
  f.panels[0].marks.emplace_back(Inset{.text = "a sentence that no small panel has room for"});
  f.panels[0].marks.emplace_back(Rule{.at = 5, .text = "a rule with as many words as the other one"});
  f.panels[0].marks.emplace_back(
      Annotation{.x = 5, .y = 0, .text = "and an annotation that is as long as both"});
  const Scene large = layout(f, page(900, 500), print_theme(), metrics),
              small = layout(f, page(120, 90), print_theme(), metrics);
  EXPECT_TRUE(large.left_out.empty());
  EXPECT_EQ(left_out(small).size(), 3u);
}

TEST(SmallPage, TheBarOfAGroupStaysWithThePanelsThatStand) {
  Figure f;
  f.col_weights = {1, 1};
  for (int i = 0; i < 2; ++i) {
    Panel p;
    p.title = panel_name(i);
    Heatmap map = heatmap(4, 4);
    map.colors.group = 1;
    map.colors.label = "value";
    p.marks = {map};
    p.cell = {0, i};
    p.rank = i;
    f.panels.push_back(std::move(p));
  }
  const Scene s = layout(f, page(95, 110), print_theme(), metrics);
  ASSERT_EQ(shown(s), 1) << "or this tests nothing";
  EXPECT_TRUE(s.records[0].bar.has_value());
  EXPECT_TRUE(said(s).contains("value"));
}

/// A curve that fills the plot but for one corner, another one in each figure.
Figure corner(int free) {
  Figure f = row_of(1);
  Panel& p = f.panels[0];
  p.legend = LegendPlace::best;
  p.y.range = Range{0, 1};
  p.x.range = Range{0, 1};
  Line fill{.label = "curve"};
  for (int i = 0; i < 400; ++i) {
    const double x = i / 399.0;
    const bool in_corner = (x > 0.5) == (free % 2 == 1);
    const double lo = in_corner && free / 2 == 0 ? 0.5 : 0, hi = in_corner && free / 2 == 1 ? 0.5 : 1;
    fill.x.push_back(x);
    fill.y.push_back(i % 2 ? lo : hi);
  }
  p.marks = {fill};
  return f;
}

TEST(Standing, LegendsThatWouldJumpStandOutside) {
  const std::vector<Figure> figures{corner(0), corner(1), corner(2), corner(3)};
  const LayoutOptions options = page(300, 220);
  std::set<std::pair<double, double>> alone, together;
  for (const Figure& f : figures) {
    const Scene s = layout(f, options, print_theme(), metrics);
    ASSERT_EQ(s.legend.size(), 1u);
    alone.emplace(s.legend[0].box.x, s.legend[0].box.y);
  }
  EXPECT_GT(alone.size(), 1u) << "or this tests nothing";
  const Standing held = standing(figures, options, print_theme(), metrics);
  LayoutOptions alike = options;
  alike.like = &held;
  for (const Figure& f : figures) {
    const Scene s = layout(f, alike, print_theme(), metrics);
    ASSERT_EQ(s.legend.size(), 1u);
    together.emplace(s.legend[0].box.x, s.legend[0].box.y);
  }
  EXPECT_EQ(together.size(), 1u);
}

// Labels of another length, a title that is there or not, a legend that fits inside or not: plots stand where they stood.
TEST(Standing, PlotsStandStill) {
  std::vector<Figure> figures;
  for (int i = 0; i < 5; ++i) {
    Figure f = row_of(2);
    f.panels[0].y.range = Range{0, std::pow(10, i)};
    f.panels[1].title = i % 2 ? "" : "A title that is so long that it takes two lines of a narrow panel";
    f.panels[1].legend = LegendPlace::best;
    figures.push_back(std::move(f));
  }
  LayoutOptions options = page(330, 200);
  const auto places = [&](std::size_t panel) {
    std::set<std::pair<double, double>> all;
    for (const Figure& f : figures) {
      const Rect plot = layout(f, options, print_theme(), metrics).panels[panel].plot;
      all.emplace(std::round(1e6 * plot.x), std::round(1e6 * plot.w));
      all.emplace(-1 - std::round(1e6 * plot.y), -1 - std::round(1e6 * plot.h));
    }
    return all.size() / 2;
  };
  EXPECT_GT(places(0), 1u) << "or this tests nothing";
  const Standing held = standing(figures, options, print_theme(), metrics);
  options.like = &held;
  EXPECT_EQ(places(0), 1u);
  EXPECT_EQ(places(1), 1u);
}

// Whoever stops it waits for a page or two, however many there are.
TEST(Standing, IsHeardBeforeEveryPageAndCanBeStopped) {
  struct Stopped {};
  const std::vector<Figure> figures(30, row_of(3));
  int heard = 0;
  const auto stopped_after = [&](int pages) {
    heard = 0;
    standing(figures, page(330, 200), print_theme(), metrics, [&] {
      if (++heard > pages) throw Stopped();
    });
  };
  constexpr int all = 1 << 20;
  stopped_after(all);
  const int whole = heard;
  EXPECT_GE(whole, 3 * std::ssize(figures)) << "each is looked through, laid out and held against the others";
  for (const int pages : {0, 10, 40, whole / 2, whole - 1}) {
    EXPECT_THROW(stopped_after(pages), Stopped) << pages;
    EXPECT_EQ(heard, pages + 1);
  }
}

// A title made from the result is longer in one frame than in the next, and so is the value.
TEST(Standing, AHeadingIsAsHighInEveryFrame) {
  std::set<double> tops;
  for (const int length : {10, 40, 58, 90}) {
    Figure f = row_of(1);
    for (int i = 0; i < length; i += 10) f.title += " nine words";
    f.moment = {"value = " + std::string(static_cast<std::size_t>(length) / 3, '9'), 0.5};
    LayoutOptions options = page(300, 220);
    options.title = true;
    tops.insert(std::round(1e6 * layout(f, options, print_theme(), metrics).panels[0].plot.y));
  }
  EXPECT_EQ(tops.size(), 1u);
}

TEST(SmallPage, WhatStandsOnThePageIsNotCalledLeftOut) {
  Figure f = row_of(3);
  for (Panel& panel : f.panels) panel.x.label = "distance";
  for (double side = 400; side >= 70; side -= 10) {
    const Scene s = layout(f, page(side, 0.6 * side), print_theme(), metrics);
    EXPECT_NE(said(s).contains("distance"), left_out(s).contains("distance")) << side;
  }
}

TEST(Standing, AMomentIsSaidAboveThePanels) {
  Figure f = row_of(1);
  f.moment = {"mean = 1.37", 0.25};
  const Scene s = layout(f, page(300, 200), print_theme(), metrics);
  EXPECT_TRUE(said(s).contains("mean = 1.37"));
  for (const Label& label : all_of_kind<Label>(s))
    if (label.text == f.moment->text) {
      EXPECT_LT(label.at.y, s.panels[0].plot.y);
    }
  ASSERT_FALSE(all_of_kind<Discs>(s).empty()) << "the knob";
  EXPECT_EQ(left_out(layout(f, page(60, 50), print_theme(), metrics)).count("mean = 1.37"), 1u);
}

/// So many curves, named above their plot.
Figure named_above(int count, const std::string& name_of_all) {
  Figure f = row_of(1);
  Panel& panel = f.panels[0];
  const Mark line = panel.marks[0];
  panel.marks.clear();
  for (int i = 0; i < count; ++i) {
    Line named = std::get<Line>(line);
    named.label = name_of_all + std::to_string(i);
    panel.marks.emplace_back(named);
  }
  panel.legend = LegendPlace::above;
  return f;
}

/// A legend in its usual size, or not so high as its plot.
void expect_not_pressed(const Scene& s, double height) {
  if (s.legend.empty()) return;
  const Rect &plot = s.panels[0].plot, first = s.legend.front().box, last = s.legend.back().box;
  EXPECT_TRUE(plot.h > last.y + last.h - first.y || plot.h > 5.9 * print_theme().text_size) << height;
}

TEST(SmallPage, ALegendIsSetTighterBeforeItGoes) {
  const Figure f = named_above(6, "curve ");
  int tight = 0;
  for (double height = 300; height > 145; height -= 5) {
    LayoutOptions options = page(150, height);
    options.all_panels = true;
    const Scene s = layout(f, options, print_theme(), metrics);
    EXPECT_EQ(s.legend.size(), 6u) << height;
    expect_not_pressed(s, height);
    tight += std::ranges::any_of(all_of_kind<Label>(s), [](const Label& label) {
      return label.text.starts_with("curve") && label.style.size < print_theme().text_size;
    });
  }
  EXPECT_GT(tight, 0) << "or this tests nothing";
}

// A plot that its legend would press flat is worth more than the legend, which is told.
TEST(SmallPage, ALegendGoesBeforeItsPlot) {
  const Figure f = named_above(8, "a curve with a name ");
  const auto at = [&](double height) {
    LayoutOptions options = page(150, height);
    options.all_panels = true;
    return layout(f, options, print_theme(), metrics);
  };
  EXPECT_EQ(at(400).legend.size(), 8u);
  const auto says_numbers = [](const Scene& s) {
    return std::ranges::any_of(all_of_kind<Label>(s),
                               [](const Label& label) { return label.style.voice == Voice::numbers; });
  };
  int gone = 0;
  for (double height = 400; height > 110; height -= 10) {
    const Scene s = at(height);
    EXPECT_TRUE(says_numbers(s)) << height << ": the axes stay";
    gone += s.legend.empty();
    EXPECT_EQ(std::ranges::count_if(s.left_out, [](auto& text) { return text.starts_with("a curve"); }),
              s.legend.empty() ? 8 : 0)
        << height;
    expect_not_pressed(s, height);
  }
  EXPECT_GT(gone, 0) << "or this tests nothing";
}

// Words about pictures: what stands above the plots takes more of the page than they do.
TEST(SmallPage, APageShowsMoreThanItSays) {
  Figure f = row_of(2);
  for (Panel& panel : f.panels) {
    const Mark line = panel.marks[0];
    panel.marks.clear();
    for (int i = 0; i < 6; ++i) {
      Line named = std::get<Line>(line);
      named.label = "a curve with a long name " + std::to_string(i);
      panel.marks.emplace_back(named);
    }
    panel.legend = LegendPlace::above;
  }
  const Scene roomy = layout(f, page(600, 300), print_theme(), metrics),
              small = layout(f, page(300, 160), print_theme(), metrics);
  EXPECT_EQ(shown(roomy), 2);
  EXPECT_EQ(shown(small), 1);
  const Rect& plot = small.panels[0].plot;
  EXPECT_GT(plot.w * plot.h, 0.18 * 300 * 160);
  EXPECT_TRUE(left_out(small).contains(panel_name(1)));
}

}  // namespace
}  // namespace orrery::figure::small_page_test
