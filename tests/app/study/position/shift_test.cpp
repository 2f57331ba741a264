// One rotation for all positions: its angles by mpmath, its blocks by the shape of its picture.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"

namespace orrery::study::shift_test {
namespace {

const figure::Grid& matrix(const StudyResult& result) {
  return *std::get<figure::Heatmap>(result.figure.panels.at(0).marks[0]).grid;
}

TEST(Shifts, AnglesAreTheKnownOnes) {
  const auto result = compute("position/shift", {{"shift", "500"}});
  const auto& pairs = table(result, "rotation");
  // 500 · 10000^(-2/16), its cosine and its sine; 158 rad are rounded to 2^-46.
  EXPECT_NEAR(at(pairs, 1, 3), 158.11388300841897, 0x1p-44);
  EXPECT_NEAR(at(pairs, 1, 4), 0.51117040307578415, 0x1p-44);
  EXPECT_NEAR(at(pairs, 1, 5), 0.85947938836212958, 0x1p-44);
  EXPECT_TRUE(all_hold(result));
}

TEST(Shifts, TheMatrixDoesNotKnowThePosition) {
  EXPECT_EQ(matrix(compute("position/shift", {{"position", "0"}})).values,
            matrix(compute("position/shift", {{"position", "40000"}})).values);
}

TEST(Shifts, BlocksLieWhereTheLayoutPutsThePairs) {
  const auto outside = [](const StudyResult& result, auto&& paired) {
    const figure::Grid& grid = matrix(result);
    int count = 0;
    for (int r = 0; r < grid.rows; ++r)
      for (int c = 0; c < grid.cols; ++c)
        count += !paired(r, c) && grid.values[static_cast<std::size_t>(r * grid.cols + c)] != 0;
    return count;
  };
  EXPECT_EQ(outside(compute("position/shift", {}), [](int r, int c) { return r / 2 == c / 2; }), 0);
  const auto t2t = compute("position/shift", {{"layout", "tensor2tensor"}});
  EXPECT_EQ(outside(t2t, [](int r, int c) { return r % 8 == c % 8; }), 0);
  EXPECT_TRUE(all_hold(t2t));
}

TEST(Shifts, TheTurnedRowIsTheRowOfTheTable) {
  const auto result = compute("position/shift", {{"width", "128"}, {"position", "1000"}, {"shift", "777"}});
  for (const double difference : table(result, "rows").columns[4].values)
    EXPECT_LT(std::abs(difference),
              4 * 1777 * 0x1p-52);  // angles up to 1777 at 2^-53 of themselves, four of them
}

TEST(Shifts, TheRowsShownAreExactOnTheFastTwinToo) {
  const auto fast = compute("position/shift", {}, DeviceChoice::cpu), exact = compute("position/shift", {});
  for (std::size_t column = 1; column < 4; ++column)
    EXPECT_EQ(table(fast, "rows").columns[column].values, table(exact, "rows").columns[column].values);
}

}  // namespace
}  // namespace orrery::study::shift_test
