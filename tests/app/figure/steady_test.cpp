// Figures one after another: axes that stand still.
#include "app/figure/steady.h"

#include <gtest/gtest.h>

#include <memory>

#include "app/figure/data_range.h"

namespace orrery::figure::steady_test {
namespace {

Figure line(double height) {
  Figure f;
  f.panels.resize(1);
  f.panels[0].marks = {Line{{0, 1}, {0, height}}};
  return f;
}

TEST(ShareRanges, HoldsWhatEveryFigureShows) {
  std::vector<Figure> film{line(1), line(10), line(-2)};
  const double top = y_range(film[1].panels[0]).hi, bottom = y_range(film[2].panels[0]).lo;
  share_ranges(film);
  for (const Figure& f : film) EXPECT_EQ(y_range(f.panels[0]), (Range{bottom, top}));
}

TEST(ShareRanges, ColoursToo) {
  const auto map = [](float top) {
    Heatmap m;
    m.x = m.y = {0, 2};
    m.grid = std::make_shared<Grid>(Grid{2, 2, {0, 1, 2, top}});
    Figure f;
    f.panels.resize(1);
    f.panels[0].marks = {m};
    return f;
  };
  std::vector<Figure> film{map(3), map(9)};
  share_ranges(film);
  for (const Figure& f : film) EXPECT_EQ(std::get<Heatmap>(f.panels[0].marks[0]).colors.range, (Range{0, 9}));
}

// "weight, clipped at 0.58" is no name of a bar that ends at 1.
TEST(ShareRanges, TheBarIsNamedAsThatWhichReachesHighest) {
  const auto map = [](float top, std::string label) {
    Heatmap m;
    m.x = m.y = {0, 2};
    m.grid = std::make_shared<Grid>(Grid{2, 2, {0, 0, 0, 1}});
    m.colors.range = Range{0, top};
    m.colors.label = std::move(label);
    Figure f;
    f.panels.resize(1);
    f.panels[0].marks = {m};
    return f;
  };
  std::vector<Figure> film{map(0.5F, "clipped at 0.5"), map(1, "weight"), map(0.25F, "clipped at 0.25")};
  share_ranges(film);
  for (const Figure& f : film) {
    EXPECT_EQ(std::get<Heatmap>(f.panels[0].marks[0]).colors.label, "weight");
    EXPECT_EQ(std::get<Heatmap>(f.panels[0].marks[0]).colors.range, (Range{0, 1}));
  }
}

TEST(ShareRanges, LeavesAloneWhatDiffersInKind) {
  std::vector<Figure> film{line(1), line(10)};
  film[1].panels[0].y.scale = Scale::log();
  share_ranges(film);
  EXPECT_FALSE(film[0].panels[0].y.range);
  EXPECT_TRUE(film[0].panels[0].x.range);
  film[1].panels.resize(2);
  film[0].panels[0].x.range.reset();
  share_ranges(film);
  EXPECT_FALSE(film[0].panels[0].x.range);
  std::vector<Figure> none;
  share_ranges(none);
}

}  // namespace
}  // namespace orrery::figure::steady_test
