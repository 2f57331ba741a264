// Headings, names of axes, numbers in cells and words of drawings that belong together have one size.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/compare.h"
#include "app/figure/text_box.h"
#include "tests/app/figure/compare_samples.h"

namespace orrery::figure::set_alike_test {
namespace {

using namespace compare_samples;

Panel plain(int row, int col) {
  return {.marks = {curve(20, [](double x) { return x; })}, .legend = LegendPlace::none, .cell = {row, col}};
}

std::set<double> sizes_of(const std::vector<Label>& labels) {
  std::set<double> sizes;
  for (const Label& label : labels) sizes.insert(label.style.size);
  return sizes;
}

Scene laid_out(const Figure& figure, double width, double height, const TextMetrics& text = metrics) {
  LayoutOptions options = page(width, height);
  options.all_panels = true;
  return layout(figure, options, print_theme(), text);
}

template <class Which>
std::vector<Label> labels_where(const Scene& scene, const Which& which) {
  std::vector<Label> found;
  for (const Label& label : all_of_kind<Label>(scene))
    if (which(label)) found.push_back(label);
  return found;
}

/// Letters of which the A is wider, as it is in most typefaces.
class WideA final : public TextMetrics {
 public:
  Extent measure(std::string_view text, const TextStyle& style) const override {
    Extent extent = CountedText().measure(text, style);
    extent.width += 0.3 * style.size * static_cast<double>(std::ranges::count(text, 'A'));
    return extent;
  }
};

bool is_heading(const Label& label) {
  return label.style.bold;
}

TEST(SetAlike, HeadingsOfARowHaveOneSize) {
  Figure figure;
  figure.col_weights = {1, 1};
  for (int col = 0; col < 2; ++col) figure.panels.push_back(plain(0, col));
  figure.panels[0].title = "Short";
  figure.panels[1].title = "A heading of thirty characters";
  figure.panels.push_back(plain(1, 0));
  figure.panels[2].title = "Below";
  figure.row_weights = {1, 1};
  int smaller = 0;
  for (double width = 200; width < 560; width += 7) {
    const auto of_row = [](const Label& l) { return is_heading(l) && l.text != "Below"; };
    const std::set<double> sizes = sizes_of(labels_where(laid_out(figure, width, 300), of_row));
    EXPECT_EQ(sizes.size(), 1u) << width;
    const auto of_next = [](const Label& l) { return l.text == "Below"; };
    EXPECT_EQ(sizes_of(labels_where(laid_out(figure, width, 300), of_next)),
              std::set{print_theme().title_size});
    smaller += !sizes.contains(print_theme().title_size);
  }
  EXPECT_GT(smaller, 3) << "or there is nothing to see here";
}

/// One above the other, with one bar of colours: it gives the upper heading more room.
Figure two_maps() {
  Figure map = map_of(2, 2, {0, 1, 2, 3}, {.label = "weight"});
  map.panels[0].title = "Scores, masked";
  map.aspect = 2;
  return side_by_side(map, map).figure;
}

void expect_headings_broken_alike(const TextMetrics& text) {
  const Figure both = two_maps();
  int broken = 0;
  for (double width = 80; width < 240; width += 1) {
    std::vector<std::string> lines[2];
    std::set<double> sizes;
    int side = -1;
    for (const Label& label : labels_where(laid_out(both, width, 300, text), is_heading)) {
      side += label.text.starts_with("A:") || label.text.starts_with("B:");
      ASSERT_TRUE(side == 0 || side == 1) << label.text;
      lines[side].push_back(label.text.substr(lines[side].empty() ? 2 : 0));
      sizes.insert(label.style.size);
    }
    EXPECT_EQ(lines[0], lines[1]) << width;
    EXPECT_LE(sizes.size(), 1u) << width;
    broken += lines[0].size() == 2;
  }
  EXPECT_GT(broken, 9) << "or there is nothing to see here";
}

TEST(SetAlike, HeadingsOfBothSidesAreBrokenAlike) {
  expect_headings_broken_alike(metrics);
  expect_headings_broken_alike(WideA());
}

// The bar stands beside both maps, and what is above the lower one would run through it.
TEST(SetAlike, HeadingsEndBeforeABarThatIsHigherThanTheirPlot) {
  const Figure both = two_maps();
  int seen = 0;
  for (double width = 120; width < 260; width += 4) {
    const Scene s = laid_out(both, width, 300);
    for (const PanelRecord& record : s.records) {
      if (!record.bar) continue;
      const Rect bar = std::get<Image>(s.primitives[record.bar->drawn.first]).box;
      for (const Label& heading : labels_where(s, is_heading)) {
        EXPECT_FALSE(overlap(label_box(heading, metrics), bar)) << width << ": " << heading.text;
        seen += heading.text.starts_with("B") && heading.at.y < bar.y + bar.h;
      }
    }
  }
  EXPECT_GT(seen, 10) << "or there is nothing to see here";
}

// The numbers of A's axis reach above its plot, those of B are A's.
TEST(SetAlike, LegendsOfBothSidesBeginAtOneHeight) {
  Figure one;
  one.col_weights = {1, 1};
  for (int col = 0; col < 2; ++col) {
    one.panels.push_back(plain(0, col));
    Panel& panel = one.panels.back();
    panel.title = col == 0 ? "Some words, more than a line has" : "Other words, as many";
    panel.legend = LegendPlace::above;
    panel.series_group = 1;
    panel.y.group = 1;
    panel.y.range = Range{0, 10};
    Line& line = std::get<Line>(panel.marks[0]);
    if (col == 0) line.label = "the only line";
  }
  one.aspect = 1;
  const Figure both = side_by_side(one, one).figure;
  int seen = 0;
  for (double width = 240; width < 700; width += 1) {
    const Scene s = laid_out(both, width, 200, WideA());
    if (s.legend.size() != 2) continue;
    EXPECT_EQ(s.legend[0].box.y, s.legend[1].box.y) << width;
    ++seen;
  }
  EXPECT_GT(seen, 100) << "or there is nothing to see here";
}

TEST(SetAlike, ANameThatSeveralAxesHaveHasOneSize) {
  Figure figure;
  figure.row_weights = {3, 1};
  for (int row = 0; row < 2; ++row) {
    figure.panels.push_back(plain(row, 0));
    figure.panels.back().y.label = "change of a token";
  }
  int smaller = 0;
  for (double height = 160; height < 420; height += 5) {
    const auto is_name = [](const Label& l) { return l.text == "change of a token"; };
    const std::vector<Label> names = labels_where(laid_out(figure, 300, height), is_name);
    if (names.size() < 2) continue;
    EXPECT_EQ(sizes_of(names).size(), 1u) << height;
    smaller += names[0].style.size < print_theme().label_size;
  }
  EXPECT_GT(smaller, 3) << "or there is nothing to see here";
}

TEST(SetAlike, NumbersInTheCellsOfARowHaveOneSize) {
  Figure figure;
  figure.col_weights = {1, 1};
  for (const double sign : {1.0, -1.0}) {
    Panel panel;
    Heatmap map = heatmap(2, 4);
    auto grid = std::make_shared<Grid>(*map.grid);
    for (float& value : grid->values) value = static_cast<float>(sign * (1.25 + value));
    map.grid = grid;
    map.decimals = 2;
    map.colors.bar = false;
    panel.marks = {map};
    panel.cell.col = sign < 0;
    figure.panels.push_back(panel);
  }
  int written = 0;
  for (double width = 150; width < 500; width += 10) {
    const auto is_number = [](const Label& l) { return l.text.find(".25") != std::string::npos; };
    const std::vector<Label> numbers = labels_where(laid_out(figure, width, 120), is_number);
    if (numbers.size() < 16) continue;
    EXPECT_EQ(sizes_of(numbers).size(), 1u) << width;
    ++written;
  }
  EXPECT_GT(written, 10) << "or there is nothing to see here";
}

TEST(SetAlike, WordsOfBothSidesDrawingsHaveOneSize) {
  Panel drawing;
  drawing.x = {.range = Range{0, 4}, .visible = false};
  drawing.y = {.range = Range{0, 1}, .visible = false};
  drawing.marks = {Note{.x = 1, .y = 0.5, .text = "4096×11008", .room = 1.8},
                   Note{.x = 3, .y = 0.5, .text = "4096×4096", .room = 1.8}};
  Figure figure;
  figure.col_weights = {3, 4};
  for (int col = 0; col < 2; ++col) {
    figure.panels.push_back(drawing);
    figure.panels.back().cell.col = col;
    figure.panels.back().pair = 1;
  }
  int smaller = 0;
  for (double width = 200; width < 360; width += 5) {
    const auto is_shape = [](const Label& l) { return l.text.starts_with("4096×"); };
    const std::vector<Label> shapes = labels_where(laid_out(figure, width, 60), is_shape);
    if (shapes.size() < 4) continue;
    EXPECT_EQ(sizes_of(shapes).size(), 1u) << width;
    smaller += shapes[0].style.size < print_theme().text_size;
  }
  EXPECT_GT(smaller, 3) << "or there is nothing to see here";
}

}  // namespace
}  // namespace orrery::figure::set_alike_test
