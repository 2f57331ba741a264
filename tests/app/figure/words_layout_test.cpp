#include "app/figure/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/app/figure/sample_figures.h"

namespace orrery::figure {
namespace {

// Whatever stands between a title and its plot: half a tick label, a legend, nothing.
TEST(Layout, TitlesOfARowBeginAtOneHeight) {
  Figure f;
  f.col_weights = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    Panel p = lines().panels[0];
    p.cell.col = i;
    p.title = "Panel " + std::to_string(i);
    p.y.visible = i == 0;
    p.equal_aspect = i == 1;
    p.legend = i == 2 ? LegendPlace::above : LegendPlace::none;
    f.panels.push_back(p);
  }
  for (const Theme* theme : {&print_theme(), &light_theme(), &dark_theme()}) {
    std::set<double> heights;
    int titles = 0;
    for (const Label& l : all_of_kind<Label>(layout(f, page(700, 300), *theme, metrics)))
      if (l.text.starts_with("Panel")) heights.insert(l.at.y), ++titles;
    EXPECT_EQ(titles, 3);
    EXPECT_EQ(heights.size(), 1u) << theme->name;
  }
}

// A number on an axis without its unit would be wrong: the title outlives a low plot.
TEST(Layout, AxisTitleMayReachBeyondALowPlot) {
  Figure f = lines();
  f.panels[0].title = "A panel";
  f.panels[0].y.label = "RMS / token";
  const Scene s = layout(f, page(300, 105), print_theme(), metrics);
  const double plot = s.panels[0].plot.h, words = 11 * 0.6 * print_theme().label_size;
  ASSERT_LT(plot, words) << "or there is nothing to see here";
  for (const Label& l : all_of_kind<Label>(s))
    if (!l.upright) {
      EXPECT_EQ(l.style.size, print_theme().label_size);
      const Rect box = label_box(l, metrics);
      EXPECT_GE(box.y, 0);
      return;
    }
  FAIL() << "no title";
}

TEST(Layout, NotesKeepClearOfTheAxes) {
  Panel p = lines().panels[0];
  Note note{0.1, -0.99, "minimum"};
  note.v = VAlign::top;
  note.dy = 4;
  p.marks.emplace_back(note);
  const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
  const Rect& plot = s.panels[0].plot;
  int notes = 0;
  for (const Label& l : all_of_kind<Label>(s)) {
    if (l.text != "minimum") continue;
    ++notes;
    const Rect box = label_box(l, metrics);
    EXPECT_LE(box.y + box.h, plot.y + plot.h + 1e-9);
    EXPECT_GE(box.x, plot.x - 1e-9);
  }
  EXPECT_EQ(notes, 1);
}

TEST(Layout, TitleStaysOnOneLineWhileItNearlyFits) {
  Figure f = lines();
  f.panels[0].y.visible = false;
  f.panels[0].y.label = f.panels[0].x.label = "";
  f.panels[0].title = "A title of forty characters and not more";
  const auto titles = [&](double width) {
    std::vector<Label> found;
    for (const Label& l : all_of_kind<Label>(layout(f, page(width, 200), print_theme(), metrics)))
      if (f.panels[0].title.find(l.text) != std::string::npos && l.text.size() > 8) found.push_back(l);
    return found;
  };
  const double full = 40 * 0.6 * print_theme().title_size;
  const auto one_line = titles(0.98 * full), two_lines = titles(0.8 * full);
  ASSERT_EQ(one_line.size(), 1u);
  EXPECT_LT(one_line[0].style.size, print_theme().title_size);
  EXPECT_GE(one_line[0].style.size, 0.85 * print_theme().title_size);
  EXPECT_EQ(two_lines.size(), 2u);
}

TEST(Layout, OnPaperOnlySeveralTitlesAreBold) {
  const auto bold = [](int named, const Theme& theme) {
    Figure f;
    for (int i = 0; i < 2; ++i) {
      Panel p = lines().panels[0];
      p.cell.row = i;
      if (i < named) p.title = "Named";
      f.panels.push_back(p);
    }
    for (const Label& l : all_of_kind<Label>(layout(f, page(300, 400), theme, metrics)))
      if (l.text == "Named") return l.style.bold;
    return false;
  };
  EXPECT_FALSE(bold(1, print_theme()));
  EXPECT_TRUE(bold(2, print_theme()));
  EXPECT_TRUE(bold(1, dark_theme()));
}

TEST(Layout, TitleOnlyWhenAsked) {
  Figure f = lines();
  f.title = "A sentence";
  LayoutOptions options = page(300, 200);
  const auto says = [&] {
    for (const Label& l : all_of_kind<Label>(layout(f, options, light_theme(), metrics)))
      if (l.text == f.title) return true;
    return false;
  };
  EXPECT_FALSE(says());
  options.title = true;
  EXPECT_TRUE(says());
}

}  // namespace
}  // namespace orrery::figure
