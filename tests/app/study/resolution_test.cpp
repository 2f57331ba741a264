// Maps are no samples: drawn at three resolutions, what a coarse pixel shows is the mean of the finer ones below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figure/block_means.h"
#include "app/study/changes.h"
#include "app/study/study.h"
#include "tests/app/study/name_in_tests.h"

namespace orrery::study::resolution_test {
namespace {

using figure::Grid;

Grid drawn(const figure::Heatmap& map, int cols, int rows) {
  const figure::Scale linear = figure::Scale::linear();
  constexpr double all_cells = 1 << 24;
  return figure::block_means(figure::field_of(map), {map.x, cols, linear}, {map.y, rows, linear},
                             std::nullopt, all_cells);
}

/// Of the coarse pixels below which everything is a number, the farthest from the mean of the four finer ones.
double farthest(const Grid& fine, const Grid& coarse) {
  double worst = 0;
  for (int r = 0; r < coarse.rows; ++r)
    for (int c = 0; c < coarse.cols; ++c) {
      double mean = 0;
      for (const int i : {0, 1})
        for (const int j : {0, 1}) mean += fine.values[std::size_t((2 * r + i) * fine.cols + 2 * c + j)] / 4;
      const double own = coarse.values[std::size_t(r * coarse.cols + c)];
      if (std::isfinite(mean) && std::isfinite(own)) worst = std::max(worst, std::abs(mean - own));
    }
  return worst;
}

bool has_masked(const Grid& grid) {
  return std::ranges::any_of(grid.values, [](float v) { return !std::isfinite(v); });
}

double largest(const Grid& grid) {
  double most = 0;
  for (const float v : grid.values)
    if (std::isfinite(v)) most = std::max(most, std::abs(double(v)));
  return most;
}

bool draws_a_map(const StudyResult& result) {
  return std::ranges::any_of(result.figure.panels, [](const figure::Panel& panel) {
    return std::ranges::any_of(
        panel.marks, [](const auto& mark) { return std::holds_alternative<figure::Heatmap>(mark); });
  });
}

class EveryMap : public testing::TestWithParam<const Study*> {};

TEST_P(EveryMap, IsTheMeanOfItselfAtAnyResolution) {
  const Study& study = *GetParam();
  const parameter::Settings defaults(study.parameters);
  if (!draws_a_map(study.compute(defaults, {}))) return;  // curves alone
  std::vector<parameter::Settings> all{defaults};
  for (const Try& each : study.tries) all.push_back(changed(defaults, each.changes));
  for (const parameter::Settings& settings : all) {
    const StudyResult result = study.compute(settings, {});
    for (const figure::Panel& panel : result.figure.panels)
      for (const figure::Mark& mark : panel.marks) {
        const auto* map = std::get_if<figure::Heatmap>(&mark);
        if (!map || map->colors.map == figure::ColorMap::cyclic) continue;  // directions, not sums
        const figure::Field field = figure::field_of(*map);
        constexpr double exact = 1 << 20;  // of a larger matrix a page asks for cells that lie evenly in it
        if (double(field.cols) * field.rows > exact) continue;
        // What is masked has no part in a mean, and then four means have no equal parts in that of them all.
        if (has_masked(field.sample(map->x, map->y, field.cols, field.rows))) continue;
        const Grid fine = drawn(*map, 48, 32), middle = drawn(*map, 24, 16), coarse = drawn(*map, 12, 8);
        // Means are sums of floats' values in double, kept as floats: half a unit each in the last place, of both and of
        // what they are made of.
        const double bound = 4 * 0x1p-24 * std::max(largest(fine), 1e-30);
        EXPECT_LE(farthest(fine, middle), bound) << study.id << ": " << panel.title;
        EXPECT_LE(farthest(middle, coarse), bound) << study.id << ": " << panel.title;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryMap, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

}  // namespace
}  // namespace orrery::study::resolution_test
