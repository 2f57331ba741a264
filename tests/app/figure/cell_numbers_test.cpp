// The numbers in the cells of a map, and names that read upwards below them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::cell_numbers_test {
namespace {

Panel map_of(std::vector<float> values, int cols, int decimals) {
  const int rows = int(values.size()) / cols;
  Heatmap map;
  map.x = {-0.5, cols - 0.5};
  map.y = {-0.5, rows - 0.5};
  map.grid = std::make_shared<const Grid>(Grid{rows, cols, std::move(values)});
  map.colors.bar = false;
  map.colors.range = Range{0, 1};
  map.decimals = decimals;
  Panel panel;
  panel.x.visible = panel.y.visible = false;
  panel.marks.emplace_back(std::move(map));
  return panel;
}

std::vector<std::string> texts(const Scene& s) {
  std::vector<std::string> said;
  for (const Label& label : all_of_kind<Label>(s)) said.push_back(label.text);
  return said;
}

TEST(CellNumbers, AreRoundedAndShort) {
  const float hole = -INFINITY;
  const Scene s = layout(one(map_of({0.456f, 1, 0.004f, hole, -0.3f, 12.34f, 0.5f, 0.999f, 2}, 3, 2)),
                         page(200, 100), print_theme(), metrics);
  EXPECT_EQ(texts(s), (std::vector<std::string>{".46", "1", "\u2212.30", "12.34", ".50", "1.00", "2"}));
}

TEST(CellNumbers, OfWhatIsZeroAreWrittenWhereAskedFor) {
  Panel panel = map_of({0, 0.004f, -0.004f, -0.0f, 0.01f, -INFINITY}, 3, 2);
  EXPECT_EQ(texts(layout(one(panel), page(200, 100), print_theme(), metrics)),
            std::vector<std::string>{".01"});
  std::get<Heatmap>(panel.marks[0]).writes_zeros = true;
  EXPECT_EQ(texts(layout(one(panel), page(200, 100), print_theme(), metrics)),
            (std::vector<std::string>{"0", ".00", ".00", "0", ".01"}));
}

TEST(CellNumbers, AreNotWrittenWhereCellsAreSmall) {
  const Panel panel = map_of(std::vector<float>(20 * 20, 0.5f), 20, 1);
  EXPECT_EQ(texts(layout(one(panel), page(60, 60), print_theme(), metrics)).size(), 0u);
  EXPECT_EQ(texts(layout(one(panel), page(400, 400), print_theme(), metrics)).size(), 400u);
  EXPECT_EQ(texts(layout(one(map_of({0.5f}, 1, -1)), page(60, 60), print_theme(), metrics)).size(), 0u);
}

// Measured at the size that they are written in, none is wider than its cell; where two decimals cannot be read, one is.
TEST(CellNumbers, FitTheirCellsAtEverySize) {
  const OpticalText optical;
  const Panel panel = map_of(std::vector<float>(12 * 12, 0.46f), 12, 2);
  std::set<std::string> said;
  for (double size = 60; size <= 420; size += 5) {
    const Scene s = layout(one(panel), page(size, size), print_theme(), optical);
    for (const Label& label : all_of_kind<Label>(s)) {
      said.insert(label.text);
      EXPECT_LE(optical.measure(label.text, label.style).width, size / 12) << size << " " << label.text;
    }
  }
  EXPECT_EQ(said, (std::set<std::string>{".46", ".5"}));
}

// Several maps in one panel are written in one size, and numbers beside each other stand apart.
TEST(CellNumbers, OfOnePanelHaveOneSize) {
  Panel panel = map_of({0.5f, 0.25f}, 2, 2);
  Heatmap other = std::get<Heatmap>(map_of({-12.34f, 1.5f}, 2, 2).marks[0]);
  other.x = {2.5, 4.5};
  panel.marks.emplace_back(other);
  const Scene s = layout(one(panel), page(110, 60), print_theme(), metrics);
  std::set<double> sizes;
  double widest = 0;
  for (const Label& label : all_of_kind<Label>(s)) {
    sizes.insert(label.style.size);
    widest = std::max(widest, label_box(label, metrics).w);
  }
  EXPECT_EQ(texts(s).size(), 4u);
  EXPECT_EQ(sizes.size(), 1u);
  EXPECT_LE(widest, 0.85 * s.panels[0].plot.w / s.panels[0].x.length());
}

double luminance(Color c) {
  const auto linear = [](double u) { return u <= 0.04045 ? u / 12.92 : std::pow((u + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.r / 255.0) + 0.7152 * linear(c.g / 255.0) + 0.0722 * linear(c.b / 255.0);
}

// WCAG 2.1, success criterion 1.4.3: 4.5 : 1.
TEST(CellNumbers, CanBeReadOnEveryColour) {
  constexpr int count = 60;
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(0.05f + 0.9f * float(i) / (count - 1));
  for (const Theme* theme : {&print_theme(), &light_theme(), &dark_theme()})
    for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::diverging, ColorMap::cyclic}) {
      Panel panel = map_of(values, count, 1);
      auto& heat = std::get<Heatmap>(panel.marks[0]);
      heat.colors.map = map;
      heat.colors.centre = 0.5;
      const Scene s = layout(one(panel), page(3000, 100), *theme, metrics);
      const Image image = all_of_kind<Image>(s).at(0);
      const std::vector<Label> labels = all_of_kind<Label>(s);
      ASSERT_EQ(labels.size(), std::size_t(count));
      ASSERT_EQ(image.pixels->size(), std::size_t(count));
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const double a = luminance((*image.pixels)[i]), b = luminance(labels[i].color);
        EXPECT_GE((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 4.5) << i;
      }
    }
}

// In smaller letters before one of them goes, and then that is told.
TEST(AxisNames, BecomeSmallerBeforeOneGoes) {
  Panel panel;
  panel.marks.emplace_back(Points{.x = {0, 1, 2}, .y = {0, 3, 5}});
  panel.y.names = {"LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm", "ScaleNorm", "DyT"};
  panel.y.range = Range{-0.5, 5.5};
  const double usual = print_theme().text_size, line = 1.2 * usual;
  int small = 0, dropped = 0;
  for (double height = 30; height < 140; height += 2) {
    LayoutOptions options = page(300, height);
    options.all_panels = true;
    const Scene s = layout(one(panel), options, print_theme(), metrics);
    std::set<std::string> said;
    double size = usual;
    for (const Label& label : all_of_kind<Label>(s))
      if (std::ranges::count(panel.y.names, label.text) > 0) said.insert(label.text), size = label.style.size;
    const double pitch = s.panels[0].plot.h / 6;
    if (pitch > 1.02 * line) {
      EXPECT_EQ(size, usual) << height;
    }
    if (pitch > 0.76 * line) {
      EXPECT_EQ(said.size(), 6u) << height;
    }
    small += said.size() == 6 && size < usual;
    dropped += !said.empty() && said.size() < 6;
    EXPECT_GE(size, 0.7 * usual);
    if (said.empty()) continue;  // without axes nothing is said of them
    for (const std::string& name : panel.y.names)
      EXPECT_NE(said.contains(name), std::ranges::count(s.left_out, name) > 0) << height << " " << name;
  }
  EXPECT_GT(small, 3) << "or this tests nothing";
  EXPECT_GT(dropped, 0) << "or this tests nothing";
}

TEST(AxisNames, ReadUpwardsWhereTheyWouldTouch) {
  Panel panel;
  panel.marks.emplace_back(Points{.x = {0, 1, 2}, .y = {0, 1, 2}});
  panel.x.names = {"because", "the", "mattress"};
  panel.x.range = Range{-0.5, 2.5};
  const auto turned = [&](double width) {
    int count = 0;
    for (const Label& label :
         all_of_kind<Label>(layout(one(panel), page(width, 120), print_theme(), metrics)))
      count += !label.upright;
    return count;
  };
  EXPECT_EQ(turned(400), 0);
  EXPECT_EQ(turned(90), 3);
  panel.x.names = {"1000000", "2000000", "3000000"};  // numbers in a row say what stands between them
  EXPECT_EQ(turned(90), 0);
}

}  // namespace
}  // namespace orrery::figure::cell_numbers_test
