// The table of sines and cosines against numbers worked out with thirty digits (mpmath).
#include <gtest/gtest.h>

#include "tests/app/study/ask.h"

namespace orrery::study::sinusoidal_test {
namespace {

// Printed to 17 digits; 2^-52 for an angle of 3, rounded.
constexpr double exact = 3e-16;

TEST(SinusoidalExample, PositionThreeOfFourDimensions) {
  const auto result = compute("position/sinusoidal", {{"show", "example"}});
  const auto& row = table(result, "worked_example");
  const double known[] = {0.14112000805986722, -0.98999249660044546, 0.029995500202495661,
                          0.99955003374898752};
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(at(row, j, 4), known[j], exact) << j;
  EXPECT_EQ(at(row, 2, 2), 0.01);  // 10000^(-2/4)
  EXPECT_TRUE(all_hold(result));
}

TEST(SinusoidalExample, TensorToTensorSlowsTheSecondPairDown) {
  const auto result = compute("position/sinusoidal", {{"show", "example"}, {"layout", "tensor2tensor"}});
  const auto& row = table(result, "worked_example");
  const double known[] = {0.14112000805986722, 0.00029999999550000002, -0.98999249660044546,
                          0.99999995500000034};
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(at(row, j, 4), known[j], exact) << j;
}

bool says(const figure::Panel& panel, std::string_view text) {
  return std::ranges::any_of(panel.marks, [&](const figure::Mark& mark) {
    const auto* note = std::get_if<figure::Note>(&mark);
    return note && note->text == text;
  });
}

TEST(SinusoidalExample, IsWrittenOut) {
  const auto result = compute("position/sinusoidal", {{"show", "example"}, {"digits", "8"}});
  const figure::Panel& steps = result.figure.panels.at(0);
  EXPECT_TRUE(says(steps, "$\\sin(3 \\cdot 10000^{-2/4})$"));
  EXPECT_TRUE(says(steps, "0.02999550"));
  EXPECT_TRUE(says(steps, "\u22120.98999250"));
}

TEST(SinusoidalLayouts, WhereSinesAndCosinesLie) {
  const auto result =
      compute("position/sinusoidal", {{"show", "layouts"}, {"width", "128"}, {"length", "16"}});
  const auto& rows = table(result, "layouts");
  // Dimension 65: in the paper the cosine of pair 32; in tensor2tensor the cosine of pair 1.
  EXPECT_EQ(at(rows, 65, 1), 32);
  EXPECT_EQ(at(rows, 65, 2), 1);
  EXPECT_EQ(at(rows, 65, 4), 1);
  EXPECT_EQ(at(rows, 65, 5), 1);
  EXPECT_EQ(at(rows, 64, 2), 0);
  // 10000^(-1 + 126/128), to 17 digits; two powers of 53 bits.
  EXPECT_NEAR(at(rows, 127, 6) / at(rows, 127, 3), 0.86596432336006535, 1e-15);
}

TEST(SinusoidalLayouts, FairseqBeginsWhereTensorToTensorHasItsThirdRow) {
  const auto result = compute("position/sinusoidal", {{"show", "layouts"}, {"width", "8"}, {"length", "16"}});
  ASSERT_EQ(result.figure.panels.size(), 4u);
  const auto cells = [&](int panel) {
    return *std::get<figure::Heatmap>(result.figure.panels[static_cast<std::size_t>(panel)].marks[0]).grid;
  };
  const figure::Grid paper = cells(0), t2t = cells(1), fairseq = cells(2);
  for (int dimension = 0; dimension < 8; ++dimension)
    for (int row = 0; row + 2 < 16; ++row)
      EXPECT_EQ(fairseq.values[static_cast<std::size_t>(dimension * 16 + row)],
                t2t.values[static_cast<std::size_t>(dimension * 16 + row + 2)]);
  EXPECT_NE(paper.values, t2t.values);
}

// Every digit that is shown of a worked example is right, on every device.
TEST(Sinusoidal, TheWorkedExampleIsExactOnTheFastTwinToo) {
  const auto result =
      compute("position/sinusoidal", {{"show", "example"}, {"position", "1"}}, DeviceChoice::cpu);
  const auto& digits = table(result, "worked_example");
  EXPECT_NEAR(at(digits, 0, 4), 0.8414709848078965, 1e-15);
  EXPECT_NEAR(at(digits, 1, 4), 0.5403023058681398, 1e-15);
  EXPECT_NEAR(at(digits, 3, 4), 0.9999500004166653, 1e-15);
}

}  // namespace
}  // namespace orrery::study::sinusoidal_test
