// Words that a panel without axes became too low for.
#include "app/figure/crowded_notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>
#include <string>

#include "app/figure/layout.h"
#include "app/figure/text_box.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::crowded_notes_test {
namespace {

Figure without_axes() {
  Figure f;
  f.panels.resize(1);
  f.panels[0].x = {.range = Range{0, 4}, .visible = false};
  f.panels[0].y = {.range = Range{-0.5, 5.5}, .visible = false};
  f.panels[0].legend = LegendPlace::none;
  return f;
}

/// Six lines of three words.
Figure word_table() {
  Figure f = without_axes();
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 3; ++column)
      f.panels[0].marks.emplace_back(Note{.x = column + 0.5, .y = double(row), .text = "word"});
  return f;
}

std::vector<Label> labels_at(const Figure& f, double height) {
  return all_of_kind<Label>(layout(f, page(300, height), print_theme(), metrics));
}

std::vector<Label> labels_of_width(const Figure& f, double width) {
  return all_of_kind<Label>(layout(f, page(width, 200), print_theme(), metrics));
}

TEST(CrowdedNotes, HaveTheirOwnSizeWhereThereIsRoom) {
  const auto all = labels_at(word_table(), 200);
  ASSERT_EQ(all.size(), 18u);
  for (const Label& l : all) EXPECT_EQ(l.style.size, print_theme().text_size);
}

TEST(CrowdedNotes, AreAllWrittenSmallerAndStandOnNoOther) {
  const double line = label_box(labels_at(word_table(), 200)[0], metrics).h;
  for (const double share : {0.9, 0.8, 0.72}) {
    const auto all = labels_at(word_table(), 6 * share * line);
    ASSERT_EQ(all.size(), 18u) << share;
    for (const Label& l : all) {
      EXPECT_EQ(l.style.size, all[0].style.size);
      EXPECT_LT(l.style.size, print_theme().text_size);
    }
    for (std::size_t i = 0; i + 3 < all.size(); ++i) {
      const Rect a = label_box(all[i], metrics), b = label_box(all[i + 3], metrics);
      EXPECT_LT(std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y), 0.02 * line) << share;
    }
  }
}

TEST(CrowdedNotes, AreNeverTooSmallToRead) {
  for (const Label& l : labels_at(word_table(), 12)) EXPECT_GE(l.style.size, 0.6 * print_theme().text_size);
}

/// Six lines of three words, each of them another.
Figure table_of_names() {
  Figure f = word_table();
  for (std::size_t i = 0; i < f.panels[0].marks.size(); ++i)
    std::get<Note>(f.panels[0].marks[i]).text = "w" + std::to_string(i);
  return f;
}

// Lines that could not be read on each other: the first ones stand apart, an ellipsis says that there are more, and these
// are told.
TEST(CrowdedNotes, OfATableTooLowTheFirstLinesAreSaid) {
  const Figure f = table_of_names();
  const double line = label_box(labels_at(f, 200)[0], metrics).h;
  for (const bool all_panels : {false, true})
    for (const double share : {0.4, 0.45, 0.5}) {
      LayoutOptions options = page(300, 6 * share * line);
      options.all_panels = all_panels;
      const Scene s = layout(f, options, print_theme(), metrics);
      const auto all = all_of_kind<Label>(s);
      std::set<std::string> said;
      for (const Label& l : all) {
        said.insert(l.text);
        EXPECT_GE(l.style.size, 0.6 * print_theme().text_size - 1e-9);
        const Rect box = label_box(l, metrics);
        EXPECT_LE(box.y + box.h, s.panels[0].plot.y + s.panels[0].plot.h + 0.1) << share;
        for (const Label& other : all) {
          const Rect next = label_box(other, metrics);
          if (next.y <= box.y + 1) continue;
          EXPECT_GT(next.y, box.y + 0.95 * box.h) << share;
        }
      }
      EXPECT_TRUE(said.contains("w15")) << "of the line on top";
      EXPECT_TRUE(said.contains("…")) << share;
      EXPECT_FALSE(said.contains("w0")) << share;
      for (std::size_t i = 0; i < 18; ++i) {
        const std::string word = "w" + std::to_string(i);
        EXPECT_NE(said.contains(word), std::ranges::count(s.left_out, word) > 0) << share << " " << word;
      }
    }
}

// Who has moved it sees what he moved it to.
TEST(CrowdedNotes, ATableThatIsLookedThroughStandsAsItWasMoved) {
  LayoutOptions options = page(300, 30);
  options.view.panels = {{std::nullopt, Range{-0.5, 1.5}}};
  const Scene s = layout(table_of_names(), options, print_theme(), metrics);
  EXPECT_EQ(s.panels[0].y, (Range{-0.5, 1.5}));
}

TEST(CrowdedNotes, AWordIsNoHigherThanItsRoom) {
  Figure f = without_axes();
  f.panels[0].marks.emplace_back(Note{.x = 2, .y = 2, .text = "word", .room_y = 1});
  const double usual = print_theme().text_size;
  std::set<double> sizes;
  for (double height = 40; height < 120; height += 4) {
    const Scene s = layout(f, page(200, height), print_theme(), metrics);
    for (const Label& label : all_of_kind<Label>(s)) {
      EXPECT_TRUE(label_box(label, metrics).h <= s.panels[0].plot.h / 6 + 1e-9 ||
                  label.style.size <= 0.7 * usual + 1e-9)
          << height;
      sizes.insert(label.style.size);
    }
  }
  EXPECT_EQ(*sizes.rbegin(), usual);
  EXPECT_LT(*sizes.begin(), 0.8 * usual);
}

TEST(CrowdedNotes, GiveWayToTheirNeighboursAndStayInThePlot) {
  Figure f = word_table();
  for (Mark& mark : f.panels[0].marks) std::get<Note>(mark).text = "seven letters and more";
  const double own = print_theme().text_size;
  const double width = label_box(labels_of_width(f, 600)[0], metrics).w;
  for (const double share : {0.95, 0.8}) {  // of the room that three of them want, in a plot of four columns
    const auto all = labels_of_width(f, 4 * share * width);
    ASSERT_EQ(all.size(), 18u);
    for (const Label& l : all) EXPECT_LT(l.style.size, own) << share;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (i % 3 == 2) continue;  // the last of its line
      const Rect a = label_box(all[i], metrics), b = label_box(all[i + 1], metrics);
      EXPECT_GT(b.x, a.x + a.w) << share;
    }
  }
}

TEST(CrowdedNotes, NumbersGiveWayToWhatTheyCount) {
  Figure f = without_axes();
  Line rim;
  for (int i = 0; i <= 48; ++i) {
    rim.x.push_back(2 + std::cos(i * std::numbers::pi / 24));
    rim.y.push_back(1.2 + std::sin(i * std::numbers::pi / 24));
  }
  Note number{.x = 2, .y = 4, .text = "17", .size = 0.75, .numbers = true};
  f.panels[0].marks = {rim, number};
  EXPECT_EQ(labels_at(f, 120).size(), 1u);
  number.y = 2.2;  // on the rim
  f.panels[0].marks = {rim, number};
  EXPECT_EQ(labels_at(f, 120).size(), 0u);
  number.size = 1;  // says something by itself
  f.panels[0].marks = {rim, number};
  EXPECT_EQ(labels_at(f, 120).size(), 1u);
}

// A word with a room is no wider than it: in smaller letters, then in fewer, then not at all, which is told; and it makes
// no other word smaller.
TEST(CrowdedNotes, AWordWithARoomStaysInIt) {
  Figure f = without_axes();
  f.panels[0].marks.emplace_back(Note{.x = 2, .y = 2, .text = "extraordinary", .room = 1});
  f.panels[0].marks.emplace_back(Note{.x = 2, .y = 4, .text = "other"});
  std::set<std::string> said;
  for (double width = 20; width < 500; width += 5) {
    const Scene s = layout(f, page(width, 200), print_theme(), metrics);
    bool in_full = false;
    for (const Label& label : all_of_kind<Label>(s)) {
      if (!std::string_view("extraordinary").starts_with(label.text)) continue;
      in_full = in_full || label.text == "extraordinary";
      said.insert(label.text);
      EXPECT_LE(label_box(label, metrics).w, width / 4 + 1e-9) << width;
    }
    EXPECT_NE(in_full, std::ranges::count(s.left_out, "extraordinary") > 0)
        << width << ": what is cut is told";
  }
  EXPECT_TRUE(said.contains("e"));
  EXPECT_TRUE(said.contains("extraordinary"));
}

// What comes later gives way, and is told; of a number the place says that there is one.
TEST(Words, DoNotLieOnWords) {
  const auto beside = [](double x, const char* later, bool numbers) {
    Figure f = without_axes();
    f.panels[0].marks.emplace_back(Note{.x = 2, .y = 2, .text = "first"});
    f.panels[0].marks.emplace_back(Note{.x = x, .y = 2, .text = later, .numbers = numbers});
    const Scene s = layout(f, page(200, 200), print_theme(), metrics);
    std::vector<std::string> said;
    for (const Label& label : all_of_kind<Label>(s)) said.push_back(label.text);
    return std::pair{said, s.left_out};
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(beside(3, "later", false), (std::pair{Texts{"first", "later"}, Texts{}}));
  EXPECT_EQ(beside(2.2, "later", false), (std::pair{Texts{"first"}, Texts{"later"}}));
  EXPECT_EQ(beside(2, "123.45", true), (std::pair{Texts{"first"}, Texts{"123.45"}}))
      << "there is no place for dots either: it is told, though a number";
  EXPECT_EQ(beside(2.5, "1234567.89", true).first, (Texts{"first", "…"}));
}

// Beside it stand the numbers of an axis: they move nowhere.
TEST(Words, WiderThanAPlotWithAxesGo) {
  Figure f;
  f.panels.push_back(
      {.x = {.range = Range{0, 4}}, .y = {.range = Range{0, 4e6}}, .legend = LegendPlace::none});
  f.panels[0].marks.emplace_back(Note{.x = 0, .y = 2e6, .text = "ahead of the query", .h = HAlign::left});
  bool gone = false, small = false;
  for (double width = 50; width < 250; width += 2) {
    const Scene s = layout(f, page(width, 100), print_theme(), metrics);
    const Rect& plot = s.panels[0].plot;
    const std::vector<Label> labels = all_of_kind<Label>(s);
    if (labels.size() <= 1) continue;  // the page is too small for an axis
    int said = 0;
    for (const Label& label : labels) {
      if (label.text != "ahead of the query") continue;
      ++said;
      small = small || label.style.size < print_theme().text_size;
      const Rect box = label_box(label, metrics);
      EXPECT_TRUE(box.x > plot.x - 0.01 && box.x + box.w < plot.x + plot.w + 0.02) << width;
    }
    EXPECT_EQ(said + std::ranges::count(s.left_out, "ahead of the query"), 1) << width;
    gone = gone || said == 0;
  }
  EXPECT_TRUE(gone);
  EXPECT_TRUE(small);
}

}  // namespace
}  // namespace orrery::figure::crowded_notes_test
