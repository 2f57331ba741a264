// Products of rows against sums of cosines worked out with thirty digits (mpmath), and what must not be lawful.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"

namespace orrery::study::dot_product_test {
namespace {

// 128 products of at most 1, each rounded: 128 · 2^-53, and angles up to 5000 + 512 at 2^-52 of themselves.
constexpr double slack = 128 * 5512 * 0x1p-52;

TEST(DotProducts, AreTheKnownSums) {
  const auto result = compute("position/dot-product", {{"reach", "512"}});
  const auto& products = table(result, "dot_products");
  for (const auto& [k, known] :
       {std::pair{0, 64.0}, {1, 62.09368380576762}, {100, 30.54345470149066}, {500, 19.10269661592972}})
    for (std::size_t place = 3; place < 6; ++place) EXPECT_NEAR(at(products, k, place), known, slack) << k;
}

TEST(DotProducts, OfTensorToTensorAreItsOwn) {
  const auto result = compute("position/dot-product", {{"layout", "tensor2tensor"}, {"reach", "128"}});
  const auto& products = table(result, "dot_products");
  EXPECT_NEAR(at(products, 1, 1), 62.119561175167076, 1e-12);
  EXPECT_NEAR(at(products, 100, 1), 29.471443861549257, 1e-12);
  EXPECT_NEAR(at(products, 100, 5), 29.471443861549257, slack);
}

TEST(DotProducts, DoNotDependOnThePlace) {
  const auto result = compute("position/dot-product", {});
  for (const double spread : table(result, "dot_products").columns[2].values) EXPECT_LT(spread, 2 * slack);
  EXPECT_TRUE(all_hold(result));
}

TEST(DotProducts, ThroughProjectionsDo) {
  const auto result = compute("position/dot-product", {});
  const auto& projected = table(result, "projected");
  double apart = 0;
  for (std::size_t k = 0; k < projected.columns[0].values.size(); ++k)
    apart = std::max(apart, std::abs(projected.columns[1].values[k] - projected.columns[3].values[k]));
  EXPECT_GT(apart, 0.1);  // scores of about 1/2, at random
}

}  // namespace
}  // namespace orrery::study::dot_product_test
