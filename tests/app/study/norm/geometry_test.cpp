// Where LayerNorm and RMSNorm put three features, against numbers from elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// torch.nn.functional.layer_norm((2, 0.25, -1), (3,), eps=1e-5) and x * torch.rsqrt(x.pow(2).mean() + 1e-5), in float64.
TEST(NormGeometry, TheTokenEndsWherePyTorchPutsIt) {
  const auto result = compute("norm/geometry", {});
  const double layer[] = {1.2868381267087774, -0.13545664491671336, -1.1513814817920638},
               rms[] = {1.5395961560793718, 0.19244951950992148, -0.7697980780396859};
  for (std::size_t j = 0; j < 3; ++j) {
    const std::string feature = std::to_string(j + 1);
    EXPECT_NEAR(column(result, "tokens", "LayerNorm " + feature)[0], layer[j], 1e-15);
    EXPECT_NEAR(column(result, "tokens", "RMSNorm " + feature)[0], rms[j], 1e-15);
  }
}

TEST(NormGeometry, AMirrorKeepsTheChecks) {
  EXPECT_TRUE(
      all_hold(compute("norm/geometry", {{"gain", "-2,0,0"}, {"vector", "0,0,0"}, {"eps", "1e-12"}})));
  EXPECT_TRUE(
      all_hold(compute("norm/geometry", {{"gain", "-1,1,1"}, {"vector", "2,2,1.9999"}, {"tokens", "0"}})));
}

/// Where a gain is 0, a feature is gone: what is left has a dimension less, and no title calls it an ellipsoid.
TEST(NormGeometry, AGainOfZeroLeavesNothingSolid) {
  const auto title = [](const char* gain) { return compute("norm/geometry", {{"gain", gain}}).figure.title; };
  EXPECT_EQ(title("2,-2,0"), "A gain of 0 makes LayerNorm's circle an ellipse, RMSNorm's sphere a flat disc");
  EXPECT_EQ(title("0,1,2"),
            "A gain of 0 makes LayerNorm's circle an ellipse, RMSNorm's sphere a flat ellipse");
  EXPECT_EQ(title("0,1,0"),
            "Two gains of 0 leave a piece of a line of LayerNorm's circle and of RMSNorm's sphere");
  EXPECT_EQ(title("0,0,0"),
            "Gains of 0 leave the origin alone of LayerNorm's circle and of RMSNorm's sphere");
}

TEST(NormGeometry, EqualComponentsLeaveNothingToLayerNorm) {
  const auto title = [](const char* vector) {
    return compute("norm/geometry", {{"vector", vector}}).figure.title;
  };
  EXPECT_EQ(title("1,1,1"), "LayerNorm leaves nothing of this token: its components are equal");
  EXPECT_EQ(title("0.1,0.1,0.1"), "LayerNorm leaves nothing of this token: its components are equal");
  EXPECT_EQ(title("0,0,0"), "LayerNorm leaves nothing of this token: its components are equal");
}

namespace norm_geometry_title {

/// The circle has the radius √3, the token's own point shows whether it is on it.
bool where_it_ends(const titles::Said& said) {
  const auto& gain = said.settings.vector("gain");
  const auto feature = [&](const char* name) { return said.column("plane", name)[0]; };
  const double length = std::hypot(feature("LayerNorm across"), feature("LayerNorm up"));
  std::vector<double> sizes;
  for (const double g : gain) sizes.push_back(std::abs(g));
  std::ranges::sort(sizes);
  const bool alike = sizes[1] == sizes[2];
  if (const auto none = std::ranges::count(gain, 0.0); none > 0)
    return said.is(
        none == 1 && alike ? "A gain of 0 makes LayerNorm's circle an ellipse, RMSNorm's sphere a flat disc"
        : none == 1 ? "A gain of 0 makes LayerNorm's circle an ellipse, RMSNorm's sphere a flat ellipse"
        : none == 2 ? "Two gains of 0 leave a piece of a line of LayerNorm's circle and of "
                      "RMSNorm's sphere"
                    : "Gains of 0 leave the origin alone of LayerNorm's circle and of RMSNorm's "
                      "sphere");
  const bool round = std::abs(gain[0]) == std::abs(gain[1]) && std::abs(gain[1]) == std::abs(gain[2]);
  if (!round) return said.is("The gain makes LayerNorm's circle an ellipse, RMSNorm's sphere an ellipsoid");
  if (gain[0] != 1 || gain[1] != 1 || gain[2] != 1)
    return said.is("The gain resizes or mirrors LayerNorm's circle and RMSNorm's sphere");
  const auto& vector = said.settings.vector("vector");
  if (vector[0] == vector[1] && vector[1] == vector[2])
    return length < 1e-3 && said.is("LayerNorm leaves nothing of this token: its components are equal");
  if (length < 0.99 * std::sqrt(3.0)) return said.is("Epsilon keeps this token inside LayerNorm's circle");
  return length < 1.000001 * std::sqrt(3.0) &&
         said.is("LayerNorm puts this token on a circle across $(1, 1, 1)$, RMSNorm on a sphere");
}

/// "along (1, 1, 1)" is a direction.
bool a_direction(const titles::Said&) {
  return true;
}

const titles::Entries entries{{"norm/geometry", where_it_ends, a_direction}};

}  // namespace norm_geometry_title

}  // namespace
}  // namespace orrery::study
