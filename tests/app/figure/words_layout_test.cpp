#include "app/figure/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/figure/text_box.h"
#include "app/figure/texts.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::words_layout_test {
namespace {

TEST(Words, SayMoreThanNumbersInARow) {
  for (const char* text : {"pair 3", "x", "位置", "$\\theta$"}) EXPECT_TRUE(is_word(text)) << text;
  for (const char* text : {"", "12", "-0.5", "3 / 4"}) EXPECT_FALSE(is_word(text)) << text;
}

// Within a word and behind one; the same sign at both ends of what is quoted stays as it was typed.
TEST(Words, ApostrophesAreSet) {
  const auto set = [](std::string text) {
    Figure f;
    f.title = std::move(text);
    set_apostrophes(f);
    return f.title;
  };
  EXPECT_EQ(set("MPT's code"), "MPT\u2019s code");
  EXPECT_EQ(set("authors' code"), "authors\u2019 code");
  EXPECT_EQ(set("the authors'"), "the authors\u2019");
  EXPECT_EQ(set("it is 'their own' code"), "it is 'their own' code");
  EXPECT_EQ(set("'their' and the authors' code"), "'their' and the authors\u2019 code");
  EXPECT_EQ(set("'don't' is one word"), "'don\u2019t' is one word");
  EXPECT_EQ(set("$f' x$ of 5' is"), "$f' x$ of 5' is");
}

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

// Three panels on ever smaller pages that have to hold them all: titles go before the labels of axes, these before the
// numbers.
TEST(Layout, SmallPagesLoseTitlesBeforeLabels) {
  Figure f;
  f.row_weights = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    Panel p = lines().panels[0];
    p.cell.row = i;
    p.title = "Panel " + std::to_string(i);
    p.x.label = "distance";
    p.legend = LegendPlace::none;
    f.panels.push_back(p);
  }
  const auto said = [&](double height) {
    std::pair<int, int> titles_and_labels;
    LayoutOptions options = page(240, height);
    options.all_panels = true;
    for (const Label& l : all_of_kind<Label>(layout(f, options, print_theme(), metrics))) {
      titles_and_labels.first += l.text.starts_with("Panel");
      titles_and_labels.second += l.text == "distance";
    }
    return titles_and_labels;
  };
  EXPECT_EQ(said(300), std::pair(3, 3));
  EXPECT_EQ(said(170), std::pair(0, 3));
  EXPECT_EQ(said(120), std::pair(0, 0));
  std::pair<int, int> last(3, 3);
  for (double height = 300; height > 20; height -= 5) {
    const auto now = said(height);
    EXPECT_LE(now, last) << height;
    last = now;
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

// Beside others that have a name it keeps the beginning of its own, and the whole is told.
TEST(Layout, ATitleTooLongForItsPanelIsShortened) {
  Figure f;
  f.col_weights = {4, 1};
  for (int i = 0; i < 2; ++i) {
    Panel p = lines().panels[0];
    p.cell.col = i;
    p.title = i == 0 ? "Wide" : "Incomprehensibilities of Incomprehensibilities";
    p.legend = LegendPlace::none;
    f.panels.push_back(p);
  }
  LayoutOptions options = page(420, 200);
  options.all_panels = true;
  const Scene s = layout(f, options, print_theme(), metrics);
  int wide = 0, beginnings = 0;
  for (const Label& l : all_of_kind<Label>(s)) {
    wide += l.text == "Wide";
    if (!l.text.starts_with("Inc")) continue;
    ++beginnings;
    EXPECT_TRUE(l.text.ends_with("…")) << l.text;
    EXPECT_GE(l.style.size, 0.75 * print_theme().title_size - 0.125);
    EXPECT_LE(label_box(l, metrics).x + label_box(l, metrics).w, 420);
  }
  EXPECT_EQ(wide, 1);
  EXPECT_EQ(beginnings, 1);
  EXPECT_EQ(std::ranges::count(s.left_out, f.panels[1].title), 1);
}

// One panel with a name among others looks like a panel with a name anywhere else.
TEST(Layout, TitlesAreBoldWhereverTheyStand) {
  for (const Theme* theme : {&print_theme(), &dark_theme()})
    for (const int named : {1, 2}) {
      Figure f;
      for (int i = 0; i < 2; ++i) {
        Panel p = lines().panels[0];
        p.cell.row = i;
        if (i < named) p.title = "Named";
        f.panels.push_back(p);
      }
      int found = 0;
      for (const Label& l : all_of_kind<Label>(layout(f, page(300, 400), *theme, metrics)))
        found += l.text == "Named" && l.style.bold;
      EXPECT_EQ(found, named);
    }
}

// A square map in a wide cell, and its colour bar, leave room that its title may use.
TEST(Layout, TitlesReachOverWhatIsFreeBesideThePlot) {
  Panel p;
  p.title = "A title wider than its map";
  p.equal_aspect = true;
  p.x = {.range = Range{0, 1}};
  p.y = {.range = Range{0, 1}};
  const Scene s = layout(one(p), page(260, 130), print_theme(), metrics);
  for (const Label& l : all_of_kind<Label>(s))
    if (l.text == p.title) {
      EXPECT_GT(label_box(l, metrics).w, s.panels[0].plot.w) << "else this tests nothing";
      EXPECT_LE(label_box(l, metrics).x + label_box(l, metrics).w, 260);
      return;
    }
  FAIL() << "no title on one line";
}

// A square in a tall page is as wide as the page lets it be; what is free above and below it is the next row's.
TEST(Layout, ARowOfFixedShapesLeavesItsSpareHeightToTheOthers) {
  Panel square, curve;
  square.equal_aspect = true;
  square.cell = {0, 0};
  square.x = square.y = {.range = Range{0, 1}};
  curve.cell = {1, 0};
  curve.x = curve.y = {.range = Range{0, 1}};
  Figure f;
  f.panels = {square, curve};
  f.row_weights = {1, 1};
  const Scene tall = layout(f, page(200, 600), print_theme(), metrics);
  const Rect a = tall.panels[0].plot, b = tall.panels[1].plot;
  EXPECT_NEAR(a.w, a.h, 1e-9);
  EXPECT_NEAR(a.w, b.w, 1e-9) << "the square fills its column";
  EXPECT_GT(b.h, 2 * a.h);
  EXPECT_LT(a.y, 20) << "nothing but a margin above";
  // Where height is what lacks, the weights stand.
  const Scene wide = layout(f, page(600, 300), print_theme(), metrics);
  EXPECT_NEAR(wide.panels[0].plot.h, wide.panels[1].plot.h, 1e-9);
}

// Paragraphs follow each other down the plot, each broken to its width; the last line that fits says that more follows.
TEST(Layout, ParagraphsStandBelowEachOtherAndEndWithThePlot) {
  Panel p;
  p.x = {.range = Range{0, 1}, .visible = false};
  p.y = {.range = Range{0, 1}, .visible = false};
  for (int i = 0; i < 2; ++i) {
    Note note{.x = 0, .y = 1, .text = "one two three four five six seven eight nine ten eleven twelve"};
    note.paragraph = true;
    p.marks.push_back(note);
  }
  const auto lines_at = [&](double height) {
    return all_of_kind<Label>(layout(one(p), page(120, height), print_theme(), metrics));
  };
  const auto tall = lines_at(300), low = lines_at(40);
  ASSERT_GT(tall.size(), 5u);
  EXPECT_EQ(tall.size() % 2, 0u);
  ASSERT_LT(low.size(), tall.size());
  for (const auto& [labels, height] : {std::pair(tall, 300.0), std::pair(low, 40.0)})
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Rect box = label_box(labels[i], metrics);
      EXPECT_LE(box.x + box.w, 120);
      EXPECT_LE(box.y + box.h, height);
      EXPECT_TRUE(i == 0 || labels[i].at.y > labels[i - 1].at.y);
    }
  EXPECT_TRUE(tall.back().text.ends_with("twelve"));
  EXPECT_TRUE(low.back().text.ends_with(" …"));
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
}  // namespace orrery::figure::words_layout_test
