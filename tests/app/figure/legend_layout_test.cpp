#include "app/figure/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::legend_layout_test {
namespace {

TEST(Layout, LegendAvoidsTheData) {
  for (const bool rising : {true, false}) {
    Panel p;
    Line l = rising ? curve(300, [](double x) { return x; }) : curve(300, [](double x) { return -x; });
    l.label = "the line";
    p.marks = {l};
    p.x.range = Range{0, 12};  // it ends before the plot does, where its name would stand
    const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
    ASSERT_EQ(s.legend.size(), 1u);
    const Rect box = s.legend[0].box;
    EXPECT_TRUE(s.panels[0].plot.contains({box.x, box.y}));
    for (double x = 0; x <= 10; x += 0.01)
      EXPECT_FALSE(box.contains(s.panels[0].to_page(x, rising ? x : -x)));
  }
}

// Grid lines pass between the words of a legend, or the legend stands above: nothing is hidden for it.
TEST(Layout, LegendLeavesTheGridWhole) {
  int inside = 0;
  for (double height = 60; height < 260; height += 7)
    for (const Theme* theme : {&print_theme(), &dark_theme()}) {
      Panel p;
      p.y.grid = true;
      for (const double slope : {1.0, 0.9}) {
        Line l = curve(300, [](double x) { return x; });
        for (double& y : l.y) y *= slope;
        l.label = "slope";
        p.marks.push_back(l);
      }
      const Scene s = layout(one(p), page(200, height), *theme, metrics);
      EXPECT_TRUE(all_of_kind<Polygon>(s).empty()) << "a veil";
      for (const LegendBox& entry : s.legend) {
        const double middle = entry.box.y + entry.box.h / 2;
        if (!s.panels[0].plot.contains({entry.box.x, middle})) continue;
        ++inside;
        for (const Polyline& line : all_of_kind<Polyline>(s)) {
          if (line.color != theme->grid) continue;  // within 0.4 of the size are the letters
          EXPECT_GT(std::abs(line.points[0].y - middle), 0.4 * theme->text_size) << height;
        }
      }
    }
  EXPECT_GT(inside, 40) << "most panels have such a place";
}

// What has a name keeps it in a panel too narrow for it: the sample is shorter, then the words are smaller.
TEST(Layout, LegendInANarrowPanelNamesAll) {
  for (double width = 80; width < 200; width += 5) {
    Panel p;
    p.legend = LegendPlace::above;
    for (const char* label : {"base 10 000", "base 500 000"}) {
      Line l = curve(20, [](double x) { return x; });
      l.label = label;
      p.marks.push_back(l);
    }
    const Scene s = layout(one(p), page(width, 120), print_theme(), metrics);
    EXPECT_EQ(s.legend.size(), 2u) << width;
    for (const LegendBox& entry : s.legend) EXPECT_LE(entry.box.x + entry.box.w, width) << width;
  }
}

// Measured at the size that they are written in, no words pass the edge of the page; what has no room is told.
TEST(Layout, WordsOfALegendFitAtEverySize) {
  const OpticalText optical;
  std::size_t side_by_side = 0, gone = 0;
  for (double width = 60; width < 260; width += 1) {
    Panel p;
    p.legend = LegendPlace::above;
    for (const char* label :
         {"moved in a reading", "moved in a writing", "what is moved in neither of these, a sum"}) {
      Line l = curve(20, [](double x) { return x; });
      l.label = label;
      p.marks.push_back(l);
    }
    const Scene s = layout(one(p), page(width, 100), print_theme(), optical);
    for (const Label& label : all_of_kind<Label>(s)) {
      if (label.text.find("moved") == std::string::npos) continue;
      EXPECT_LE(label.at.x + optical.measure(label.text, label.style).width, width);
    }
    EXPECT_EQ(s.legend.size() + s.left_out.size(), 3u) << width;
    gone += s.left_out.size();
    side_by_side += s.legend.size() == 3 && s.legend[0].box.y == s.legend[1].box.y;
  }
  EXPECT_GT(side_by_side, 0u);
  EXPECT_GT(gone, 10u);
}

/// Words of which a smaller size is for a while the wider one, beside formulas of which none is.
class UnsteadyText final : public TextMetrics {
 public:
  Extent measure(std::string_view text, const TextStyle& style) const override {
    const Extent plain = CountedText().measure(text, style);
    const bool wide = !text.starts_with('$') && style.size < 0.99 * print_theme().text_size;
    return {plain.width * (wide ? 1.12 : 1), plain.ascent, plain.descent};
  }
};

TEST(Layout, WordsOfALegendFitBesideFormulas) {
  const UnsteadyText unsteady;
  std::size_t all_there = 0;
  for (double width = 60; width < 260; width += 0.5) {
    Panel p;
    p.legend = LegendPlace::above;
    for (const char* label : {"moved in a reading of it, all", "$\\cos m + \\sin m + \\cos n + n$"}) {
      Line l = curve(20, [](double x) { return x; });
      l.label = label;
      p.marks.push_back(l);
    }
    const Scene s = layout(one(p), page(width, 100), print_theme(), unsteady);
    for (const LegendBox& entry : s.legend) EXPECT_LE(entry.box.x + entry.box.w, width) << width;
    EXPECT_EQ(s.legend.size() + s.left_out.size(), 2u) << width;
    all_there += s.legend.size() == 2;
  }
  EXPECT_GT(all_there, 10u);
}

// Where one name needs a shorter sample or smaller words, all have them; where one has no room even so, the others do not
// suffer.
TEST(Layout, EntriesOfALegendLookAlike) {
  struct Look {
    double begins, size;  // of its words
    bool operator==(const Look&) const = default;
  };
  const auto looks = [](double width, const char* longest) {
    Panel p;
    p.legend = LegendPlace::above;
    for (const char* label : {"He", longest, "Xavier"}) {
      Line l = curve(20, [](double x) { return x; });
      l.label = label;
      p.marks.push_back(l);
    }
    const Scene s = layout(one(p), page(width, 140), print_theme(), metrics);
    std::vector<Look> all;
    for (const LegendBox& entry : s.legend)
      for (const Label& l : all_of_kind<Label>(s))
        if (entry.box.contains(l.at)) all.push_back({l.at.x - entry.box.x, l.style.size});
    return all;
  };
  std::size_t shrunk = 0;
  for (double width = 80; width < 200; width += 5) {
    const std::vector<Look> all = looks(width, "a name of 20 letters");
    ASSERT_GE(all.size(), 2u) << width;
    for (const Look& each : all) EXPECT_EQ(each, all[0]) << width;
    shrunk += all.size() == 3 && all[0].size < print_theme().text_size;
  }
  EXPECT_GT(shrunk, 2u) << "or there is nothing to see here";
  const std::vector<Look> left = looks(120, "a name that has no room in any size of letters at all");
  EXPECT_EQ(left, std::vector<Look>(2, looks(120, "short")[0]));
}

/// Two panels side by side that draw the same series, of which one says what they are.
Scene pair(std::size_t names, int group, const char* title_of_other, const Theme& theme) {
  Figure f;
  f.col_weights = {1, 1};
  for (int i = 0; i < 2; ++i) {
    Panel p{.title = static_cast<std::size_t>(i) == names ? "Loss" : title_of_other,
            .legend = LegendPlace::above,
            .series_group = group,
            .cell = {0, i}};
    p.y.label = "a quantity that needs the whole height";
    for (int k = 0; k < 4; ++k) {
      Line l = curve(20, [](double x) { return x; });
      if (static_cast<std::size_t>(i) == names) l.label = "a line with a name " + std::to_string(k);
      p.marks.push_back(l);
    }
    f.panels.push_back(p);
  }
  return layout(f, page(420, 200), theme, metrics);
}

TEST(Layout, ALegendOfNeighboursStandsAboveAllOfThem) {
  for (const Theme* theme : {&print_theme(), &dark_theme()})
    for (const std::size_t names : {0u, 1u})
      for (const char* title : {"Length", "The length of each update, in parts of that of the weights"}) {
        const Scene together = pair(names, 1, title, *theme), alone = pair(names, 0, title, *theme);
        ASSERT_EQ(together.legend.size(), 4u);
        const double saved = together.panels[0].plot.h - alone.panels[0].plot.h;
        if (title == std::string("Length"))
          EXPECT_GT(saved, theme->text_size);
        else
          EXPECT_GE(saved, 0) << "where nothing is saved it stays where it was";
        if (saved == 0) continue;
        const Rect &left = together.panels[0].plot, &right = together.panels[1].plot;
        EXPECT_EQ(together.legend[0].box.x, left.x);
        EXPECT_GT(together.legend[1].box.x + together.legend[1].box.w, left.x + left.w) << "two in a row";
        for (const LegendBox& entry : together.legend) {
          EXPECT_LE(entry.box.y + entry.box.h, std::min(left.y, right.y));
          for (const Label& l : all_of_kind<Label>(together))
            if (!entry.box.contains(l.at)) {
              EXPECT_FALSE(overlap(grown(label_box(l, metrics), -0.15 * theme->text_size), entry.box))
                  << l.text;
            }
        }
      }
}

// Of two legends that could spread over one panel, one does.
TEST(Layout, LegendsOfNeighboursStandBesideEachOther) {
  int spread = 0;
  for (const int first : {0, 1})  // of each two panels, which has the legend
    for (double width = 300; width < 900; width += 20) {
      Figure f;
      f.col_weights = {1, 1, 1, 1};
      for (int i = 0; i < 4; ++i) {
        Panel p{.legend = LegendPlace::above, .series_group = 1, .cell = {0, i}};
        for (int k = 0; k < 3; ++k) {
          Line l = curve(20, [](double x) { return x; });
          if (i % 2 == first) l.label = "curve " + std::to_string(k);
          p.marks.push_back(l);
        }
        f.panels.push_back(p);
      }
      LayoutOptions options = page(width, 200);
      options.all_panels = true;
      const Scene s = layout(f, options, print_theme(), metrics);
      ASSERT_EQ(s.legend.size(), 6u) << width;
      for (const LegendBox& entry : s.legend) {
        const Rect own = grown(entry.box, -0.1);
        for (const LegendBox& other : s.legend)
          EXPECT_TRUE(&other == &entry || !overlap(own, grown(other.box, -0.1))) << width;
        const Rect& plot = s.panels[static_cast<std::size_t>(entry.panel)].plot;
        spread += entry.box.x + entry.box.w > plot.x + 1.3 * plot.w;
      }
    }
  EXPECT_GT(spread, 10) << "or there is nothing to see here";
}

// A corner that is too small for the legend does not swallow it.
TEST(Layout, LegendGoesAboveWhereItsCornerIsTooSmall) {
  Panel p;
  p.legend = LegendPlace::top_left;
  for (int i = 0; i < 5; ++i) {
    Line l = curve(20, [](double x) { return x; });
    l.label = "line " + std::to_string(i);
    p.marks.push_back(l);
  }
  for (const double height : {75.0, 200.0}) {
    const Scene s = layout(one(p), page(300, height), print_theme(), metrics);
    ASSERT_EQ(s.legend.size(), 5u) << height;
    EXPECT_EQ(s.legend[0].box.y < s.panels[0].plot.y, height < 100) << height;
  }
}

TEST(Layout, LegendGoesAboveWhereDataFillThePanel) {
  Panel p;
  Points cloud;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j) cloud.x.push_back(i), cloud.y.push_back(j);
  cloud.label = "everywhere";
  p.marks = {cloud};
  const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
  ASSERT_EQ(s.legend.size(), 1u);
  EXPECT_LE(s.legend[0].box.y + s.legend[0].box.h, s.panels[0].plot.y);
}

TEST(Layout, HiddenMarksAreGoneButStillInTheLegend) {
  LayoutOptions options = page(300, 200);
  const Scene all = layout(lines(), options, light_theme(), metrics);
  options.view.hidden = {{0, 1}};
  const Scene some = layout(lines(), options, light_theme(), metrics);
  EXPECT_EQ(some.legend.size(), 3u);
  const auto long_lines = [](const Scene& s) {
    int n = 0;
    for (const Polyline& l : all_of_kind<Polyline>(s)) n += l.points.size() > 50;
    return n;
  };
  EXPECT_EQ(long_lines(all), 3);
  EXPECT_EQ(long_lines(some), 2);
  EXPECT_EQ(some.panels[0].y, all.panels[0].y) << "the axes stay where they were";
  int faint = 0;
  for (const Label& l : all_of_kind<Label>(some)) faint += l.color == light_theme().faint;
  EXPECT_EQ(faint, 1);
}

TEST(Layout, LegendOfMarkersStandsCloseToItsWords) {
  const auto reach = [](const Mark& mark) {
    Panel p;
    p.marks = {mark};
    p.x.range = Range{0, 1.5};  // no line ends at the edge, where its name would stand
    const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
    return s.legend.at(0).box.w / print_theme().text_size - 0.6 * 5;
  };
  EXPECT_NEAR(reach(Line{.x = {0, 1}, .y = {0, 1}, .label = "label"}), 2.5, 1e-9);
  EXPECT_NEAR(reach(Points{.x = {0, 1}, .y = {0, 1}, .label = "label"}), 1.4, 1e-9);
}

}  // namespace
}  // namespace orrery::figure::legend_layout_test
