// Words among the data: of rules, of notes and of annotations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/figure/crowded_notes.h"
#include "app/figure/layout.h"
#include "app/figure/path.h"
#include "app/figure/text_box.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::notes_layout_test {
namespace {

/// A plot full of a zigzag in which a rule has to say something.
Scene crowded(int teeth) {
  Panel panel{.x = {.range = Range{0, 100}}, .y = {.range = Range{0, 1}}, .legend = LegendPlace::none};
  Line zigzag;
  for (int i = 0; i <= teeth; ++i) {
    zigzag.x.push_back(100.0 * i / teeth);
    zigzag.y.push_back(i % 2);
  }
  panel.marks.emplace_back(std::move(zigzag));
  panel.marks.emplace_back(Rule{.at = 50, .text = "trained length"});
  Figure f;
  f.panels.push_back(std::move(panel));
  return layout(f, page(240, 160), print_theme(), metrics);
}

/// Points everywhere, and some among them that have a name, all the same one.
Panel named_cloud(int seed, int names, Range among) {
  Panel panel{.x = {.range = Range{0, 1}}, .y = {.range = Range{0, 1}}, .legend = LegendPlace::none};
  Points cloud{.radius = 0.5};
  for (int i = 0; i < 400; ++i) {
    cloud.x.push_back((i * 7919 + seed) % 103 / 103.0);
    cloud.y.push_back((i * 104729 + seed) % 107 / 107.0);
  }
  panel.marks.emplace_back(std::move(cloud));
  for (int i = 0; i < names; ++i) {
    const int place = seed * 7919 + i * 104729;
    panel.marks.emplace_back(Annotation{.x = std::lerp(among.lo, among.hi, (place % 101) / 101.0),
                                        .y = std::lerp(among.lo, among.hi, (place % 97) / 97.0),
                                        .text = "on"});
  }
  return panel;
}

/// Where the first primitive that `is` says yes to stands; behind the last one where none does.
template <class Is>
std::size_t first_of(const Scene& scene, Is is) {
  std::size_t i = 0;
  while (i < scene.primitives.size() && !is(scene.primitives[i])) ++i;
  return i;
}

// No place is clear of the curve: words come after it, over a veil of the page's ground.
TEST(Words, AVeilLiesUnderThoseThatHaveToLieOnData) {
  const auto says = [](const Primitive& p) {
    const Label* label = std::get_if<Label>(&p);
    return label && label->text == "trained length";
  };
  const auto veils = [](const Primitive& p) {
    const Polygon* shape = std::get_if<Polygon>(&p);
    return shape && shape->color.a > 200 && shape->color.a < 255;
  };
  const auto curves = [](const Primitive& p) {
    const Polyline* line = std::get_if<Polyline>(&p);
    return line && line->color == print_theme().series[0];
  };
  const Scene full = crowded(60), empty = crowded(1);
  const std::size_t words = first_of(full, says), veil = first_of(full, veils);
  ASSERT_LT(words, full.primitives.size());
  ASSERT_LT(veil, words);
  EXPECT_LT(first_of(full, curves), veil) << "it would hide nothing";
  const Rect box = label_box(std::get<Label>(full.primitives[words]), metrics);
  EXPECT_EQ(std::get<Polygon>(full.primitives[veil]).points[0].x, box.x);
  EXPECT_EQ(first_of(empty, veils), empty.primitives.size()) << "there is room beside the line";
}

// Most of the plot is full of points, a stretch of it has few.
TEST(Words, OfARuleHideAsLittleOfTheDataAsCanBe) {
  for (const double sparse : {0.2, 0.5, 0.8}) {
    Panel panel{.x = {.range = Range{0, 1}}, .y = {.range = Range{0, 1}}, .legend = LegendPlace::none};
    Points cloud;
    for (int i = 0; i < 50; ++i)
      for (int j = 0; j < 50; ++j) {
        const double x = i / 50.0, y = j / 50.0;
        if (std::abs(y - sparse) < 0.12 && i % 5 != 0) continue;
        cloud.x.push_back(x);
        cloud.y.push_back(y);
      }
    panel.marks.emplace_back(std::move(cloud));
    panel.marks.emplace_back(Rule{.at = 0.5, .text = "trained length"});
    const Scene s = layout(one(panel), page(240, 160), print_theme(), metrics);
    int found = 0;
    for (const Label& l : all_of_kind<Label>(s)) {
      if (l.text != "trained length") continue;
      ++found;
      const Rect box = label_box(l, metrics);
      const Rect& plot = s.panels[0].plot;
      EXPECT_NEAR(1 - (box.y + box.h / 2 - plot.y) / plot.h, sparse, 0.08);
    }
    EXPECT_EQ(found, 1);
  }
}

// A curve that leaves a corner beside the rule: the smaller the corner, the smaller the words, down to the least size.
TEST(Words, OfARuleAreSmallRatherThanOnData) {
  std::set<double> sizes;
  for (double corner = 0.2; corner < 0.8; corner += 0.01) {
    Panel panel{.x = {.range = Range{0, 1}}, .y = {.range = Range{0, 1}}, .legend = LegendPlace::none};
    Points cloud;
    for (double x = 0; x <= 1; x += 0.02)
      for (double y = 0; y <= 1; y += 0.02) {
        if (x > 1 - corner && y > 0.7) continue;
        cloud.x.push_back(x);
        cloud.y.push_back(y);
      }
    panel.marks.emplace_back(std::move(cloud));
    panel.marks.emplace_back(Rule{.at = 1, .text = "trained length"});
    const Scene s = layout(one(panel), page(240, 160), print_theme(), metrics);
    for (const Label& l : all_of_kind<Label>(s)) {
      if (l.text != "trained length") continue;
      const Rect box = label_box(l, metrics);
      bool on_data = false;
      for (const Discs& discs : all_of_kind<Discs>(s))
        for (const Point& point : discs.centres) on_data = on_data || box.contains(point);
      const double size = l.style.size / print_theme().text_size;
      if (!on_data) sizes.insert(size);
      EXPECT_TRUE(!on_data || size == 1)
          << corner << ": small letters help nothing where they are on data too";
    }
  }
  EXPECT_EQ(sizes.size(), 3u);
  EXPECT_GE(*sizes.begin(), 0.68);
  EXPECT_EQ(*sizes.rbegin(), 1);
}

/// A picture with words below or above it, on a page of this width.
Scene small_picture(double width, double height, Note note, double from, double to) {
  Panel panel{.x = {.range = Range{0, 1}, .visible = false},
              .y = {.range = Range{0, 1}, .visible = false},
              .legend = LegendPlace::none};
  panel.marks.emplace_back(Line{.x = {0, 1}, .y = {from, to}});
  panel.marks.emplace_back(std::move(note));
  return layout(one(panel), page(width, height), print_theme(), metrics);
}

// Below or above a picture too small for its words they are two lines no wider than it, on nothing that is drawn and on the
// page; none of the words are lost without a word.
TEST(Words, BelowASmallPictureAreBroken) {
  const char* text = "pair 8: 0.221 turns";
  const Note below{.x = 0.5, .y = 0, .text = text, .v = VAlign::bottom},
      above{.x = 0.5, .y = 1, .text = text, .v = VAlign::top};
  struct Case {
    const char* name;
    Note note;
    double from, to;  // of the curve
    int broken = 0, whole = 0;
  };
  Case cases[] = {{"below", below, 0.5, 1}, {"above", above, 0, 0.5}, {"no room", below, 0, 0.1}};
  for (Case& each : cases)
    for (double width = 62; width < 160; width += 1) {
      const Scene s = small_picture(width, 120, each.note, each.from, each.to);
      const std::vector<Label> labels = all_of_kind<Label>(s);
      std::string said;
      for (const Label& l : labels) said += (said.empty() ? "" : " ") + l.text;
      if (labels.empty()) {
        EXPECT_EQ(s.left_out, std::vector<std::string>{text}) << each.name << width;
        continue;
      }
      EXPECT_EQ(said, text) << each.name << width;
      ++(labels.size() == 1 ? each.whole : each.broken);
      if (labels.size() == 1) continue;
      ASSERT_EQ(labels.size(), 2u) << each.name << width;
      EXPECT_GT(labels[1].at.y, labels[0].at.y) << each.name << width;
      for (const Label& l : labels) {
        const Rect box = label_box(l, metrics);
        EXPECT_LE(box.w, s.panels[0].plot.w) << each.name << width;
        EXPECT_GE(box.y, 0) << each.name << width;
        EXPECT_LE(box.y + box.h, 120) << each.name << width;
        EXPECT_FALSE(struck_through(box, s, 0)) << each.name << width;
      }
    }
  for (const Case& each : cases) EXPECT_GT(each.whole, 3) << each.name;
  EXPECT_GT(cases[0].broken, 3);
  EXPECT_GT(cases[1].broken, 3);
  EXPECT_EQ(cases[2].broken, 0);
}

// Three levels close together, as a context's lengths are on a logarithmic axis: words stand nearest to their own, and on none.
TEST(Words, OfALevelNameNoOther) {
  int seen = 0;
  for (double apart = 0.01; apart < 0.3; apart += 0.01)
    for (const double lowest : {0.1, 0.5, 0.8}) {
      Panel panel{.x = {.range = Range{0, 1}}, .y = {.range = Range{0, 1}}, .legend = LegendPlace::none};
      panel.marks.emplace_back(Line{.x = {0, 1}, .y = {0, 1}});
      const char* names[] = {"window", "trained length", "longest text"};
      for (int i = 0; i < 3; ++i)
        panel.marks.emplace_back(
            Rule{.direction = Direction::horizontal, .at = lowest + i * apart, .text = names[i]});
      const Scene s = layout(one(panel), page(240, 160), print_theme(), metrics);
      const PanelFrame& frame = s.panels[0];
      for (const Label& l : all_of_kind<Label>(s)) {
        const auto own = std::ranges::find(names, l.text);
        if (own == std::end(names)) continue;
        ++seen;
        const Rect box = label_box(l, metrics);
        const double middle = box.y + box.h / 2;
        const auto distance = [&](std::ptrdiff_t i) {
          return std::abs(frame.to_page(0, lowest + static_cast<double>(i) * apart).y - middle);
        };
        for (std::ptrdiff_t i = 0; i < 3; ++i) {
          if (lowest + static_cast<double>(i) * apart > 1) continue;
          EXPECT_GE(distance(i), distance(own - names)) << l.text << " at " << lowest << ", apart " << apart;
        }
      }
    }
  EXPECT_GT(seen, 100);
}

// The note comes later, and its place is fixed: where nothing else is, and where words have to lie on data.
TEST(Words, OfARuleKeepOffThoseOfANote) {
  int seen = 0;
  for (const double lowest : {0.0, 0.2, 0.25})
    for (double at = 0.3; at < 0.9; at += 0.02) {
      Panel panel{.x = {.range = Range{0, 1}}, .y = {.range = Range{0, 1}}, .legend = LegendPlace::none};
      Points cloud;
      for (int i = 0; i < 60; ++i)
        for (int j = 0; j < 30; ++j) {
          cloud.x.push_back(i / 60.0);
          cloud.y.push_back(lowest + (1 - lowest) * j / 30.0);
        }
      panel.marks.emplace_back(std::move(cloud));
      panel.marks.emplace_back(Rule{.at = at, .text = "trained"});
      panel.marks.emplace_back(Note{.x = 1, .y = 0.1, .text = "past L", .h = HAlign::right, .dx = -2});
      const Scene s = layout(one(panel), page(200, 130), print_theme(), metrics);
      Rect rule{}, note{};
      for (const Label& l : all_of_kind<Label>(s)) {
        if (l.text == "trained") rule = label_box(l, metrics);
        if (l.text == "past L") note = label_box(l, metrics);
      }
      ASSERT_GT(note.w, 0);
      if (rule.w == 0) continue;
      ++seen;
      EXPECT_FALSE(overlap(rule, note)) << lowest << " at " << at;
    }
  EXPECT_GT(seen, 30);
}

// A page that is a little too narrow for a line makes it smaller; it does not move over the name that it stands behind.
TEST(Words, OfALineEndWithThePlotAndStayBehindItsName) {
  const std::string formula = "1.0 - 2 + 3.0 = 2.0000";
  const double whole = static_cast<double>(formula.size()) * 0.6 * print_theme().text_size / 0.9;
  for (const double share : {1.2, 0.95, 0.85, 0.75}) {
    Panel panel{.x = {.range = Range{0, 1}, .visible = false},
                .y = {.range = Range{0, 1}, .visible = false},
                .legend = LegendPlace::none};
    panel.marks.emplace_back(Note{.x = 0, .y = 0.5, .text = "y", .h = HAlign::left});
    panel.marks.emplace_back(Note{.x = 0.1, .y = 0.5, .text = formula, .h = HAlign::left});
    const Scene s = layout(one(panel), page(whole * share, 60), print_theme(), metrics);
    Rect name{}, line{};
    for (const Label& l : all_of_kind<Label>(s)) (l.text == "y" ? name : line) = label_box(l, metrics);
    ASSERT_GT(line.w, 0) << share;
    EXPECT_LE(line.x + line.w, whole * share);
    EXPECT_GT(line.x, name.x + name.w) << share;
    EXPECT_EQ(line.w < 0.9 * whole - 0.1, share < 1) << share;
  }
}

/// The colour that lines of the grid go round words in.
bool is_veil(const Polygon& p) {
  return p.color.a > 200 && p.color.a < 255;
}

TEST(Words, ALineOfTheGridGoesRoundThoseAboveABar) {
  int struck = 0;
  for (double top = 0.3; top < 0.9; top += 0.01) {
    Panel panel{
        .x = {.range = Range{0, 2}}, .y = {.range = Range{0, 1}, .grid = true}, .legend = LegendPlace::none};
    panel.marks.emplace_back(Bars{.x = {1}, .height = {top}, .width = 1});
    panel.marks.emplace_back(Note{.x = 1, .y = top, .text = "192", .v = VAlign::bottom, .dy = -2});
    const Scene s = layout(one(panel), page(200, 200), print_theme(), metrics);
    Rect words{};
    for (const Label& l : all_of_kind<Label>(s))
      if (l.text == "192") words = label_box(l, metrics);
    ASSERT_GT(words.w, 0);
    const Rect ink = grown(words, -0.15 * print_theme().text_size);
    bool strikes = false, cleared = false;
    for (const Polyline& line : all_of_kind<Polyline>(s))
      strikes |=
          line.color == print_theme().grid && ink.y < line.points[0].y && line.points[0].y < ink.y + ink.h;
    for (const Polygon& p : all_of_kind<Polygon>(s)) {
      if (!is_veil(p)) continue;
      cleared = true;
      const Point bar = s.panels[0].to_page(1, top);
      for (const Point& corner : p.points) EXPECT_LE(corner.y, bar.y) << "the bar stays whole";
    }
    EXPECT_EQ(cleared, strikes) << top;
    struck += strikes;
  }
  EXPECT_GT(struck, 5) << "or there is nothing to see here";
}

// On one line there is a gap between them, wherever their points lie and whatever is drawn: no place is free here.
TEST(Words, OfAnnotationsDoNotRunIntoEachOther) {
  int beside = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    const Panel panel = named_cloud(seed, 16, {0.3, 0.7});
    const Scene s = layout(one(panel), page(200, 150), print_theme(), metrics);
    std::vector<Rect> words;
    for (const Label& l : all_of_kind<Label>(s))
      if (l.text == "on") words.push_back(label_box(l, metrics));
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Rect &a = words[i], &b = words[j];
        if (std::abs(a.y - b.y) > a.h / 2) continue;
        ++beside;
        EXPECT_GT(std::max(a.x, b.x) - std::min(a.x, b.x) - a.w, 0.25 * print_theme().text_size) << seed;
      }
  }
  EXPECT_GT(beside, 20) << "or there is nothing to see here";
}

// A line through a word strikes it out, and of two that cross one is followed to the wrong point.
TEST(Words, OfAnnotationsAreNotStruckByLeaders) {
  int leaders = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    const Panel panel = named_cloud(seed, 6, {0.2, 0.8});
    const Scene s = layout(one(panel), page(200, 150), print_theme(), metrics);
    std::vector<Rect> words;
    for (const Label& l : all_of_kind<Label>(s))
      if (l.text == "on") words.push_back(label_box(l, metrics));
    std::vector<Path> lines;
    for (const Polyline& l : all_of_kind<Polyline>(s))
      if (l.color == print_theme().color({Role::secondary, 0, 1}) && l.points.size() == 2)
        lines.push_back(l.points);
    leaders += int(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const Rect& box : words) EXPECT_TRUE(clip_path(lines[i], box).empty()) << seed;
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(cross(lines[i], lines[j])) << seed;
    }
  }
  EXPECT_GT(leaders, 200) << "or there is nothing to see here";
}

}  // namespace
}  // namespace orrery::figure::notes_layout_test
