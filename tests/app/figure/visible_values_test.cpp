// The numbers that are in sight, as a spreadsheet takes them.
#include "app/figure/visible_values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/tensor/error.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::visible_values_test {
namespace {

std::string values(const Panel& panel, const View& view = {}) {
  LayoutOptions options = page(300, 200);
  options.view = view;
  const Figure figure = one(panel);
  const Scene scene = layout(figure, options, light_theme(), metrics);
  const auto plain = [](std::string_view text) {
    std::string letters(text);
    std::erase(letters, '$');
    return letters;
  };
  return visible_values(figure, scene.panels[0], 0, view, plain);
}

TEST(VisibleValues, OneColumnOfXAndOneForEachSeries) {
  Panel panel;
  panel.x.label = "n";
  panel.marks = {Line{.x = {1, 2, 3}, .y = {0.1 + 0.2, std::nan(""), -5}, .label = "a\tb"},
                 Stems{.x = {2, 3, 3}, .y = {7, 8, 9}}, Rule{.at = 2}};
  EXPECT_EQ(values(panel), "n\ta b\ta b (2)\n1\t0.30000000000000004\t\n2\t\t7\n3\t-5\t8\n3\t\t9\n");
  View view;
  view.panels = {{Range{1.5, 2.5}, std::nullopt}};
  EXPECT_EQ(values(panel, view), "n\ta b\n2\t7\n");
  view.hidden = {{0, 1}};
  EXPECT_EQ(values(panel, view), "");
}

TEST(VisibleValues, ValuesAreWhatIsReadAndNamesArePlain) {
  Panel panel;
  panel.x.label = "distance $m - n$";
  panel.marks = {Line{.x = {1, 2}, .y = {0.6, 1.4}, .reading = {.name = "wave", .value = {1, -1}}},
                 Points{.x = {2}, .y = {1.4}, .reading = {.value = {-1}}},  // on the line
                 Line{.x = {1, 2}, .y = {0, 1}, .reading = {.none = true}}};
  EXPECT_EQ(values(panel), "distance m - n\twave\n1\t1\n2\t-1\n");
}

// Of a line that is given by its corners, what it says between them, where others say it too.
TEST(VisibleValues, ALineOfCornersIsReadAtRoundPlaces) {
  Panel panel;
  panel.x.range = Range{0, 100};
  panel.marks = {
      Line{.x = {0, 100}, .y = {0, -50}, .label = "slopes", .reading = {.name = "head 1", .between = true}},
      Line{.x = {0, 30}, .y = {0, -30}, .reading = {.name = "head 2", .between = true}}};
  const std::string text = values(panel);
  EXPECT_TRUE(text.starts_with("x\thead 1\thead 2\n0\t0\t0\n")) << text;
  EXPECT_NE(text.find("\n10\t-5\t-10\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n64\t-32\t\n"), std::string::npos) << text;
}

TEST(VisibleValues, AHeatmapIsAMatrixWithItsPlaces) {
  Panel panel;
  panel.marks = {heatmap(2, 3)};  // cells at whole numbers
  EXPECT_EQ(values(panel), "\t0\t1\t2\n0\t0\t1\t2\n1\t3\t4\t5\n");
  View view;
  view.panels = {{Range{0.6, 2.4}, Range{0.6, 1.2}}};
  EXPECT_EQ(values(panel, view), "\t1\t2\n1\t4\t5\n");
}

TEST(VisibleValues, MoreCellsThanASpreadsheetHoldsAreRefused) {
  Panel panel;
  panel.marks = {
      Heatmap{.x = {0, 1},
              .y = {0, 1},
              .sampler =
                  [](Range, Range, int cols, int rows) {
                    return Grid{rows, cols, std::vector<float>(std::size_t(cols) * std::size_t(rows))};
                  },
              .full_cols = 100000,
              .full_rows = 100000}};
  EXPECT_THROW(values(panel), InvalidArgument);
}

}  // namespace
}  // namespace orrery::figure::visible_values_test
