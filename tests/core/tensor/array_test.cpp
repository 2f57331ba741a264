#include "core/tensor/array.h"

#include <gtest/gtest.h>

namespace orrery::tensor::array_test {
namespace {

using Shape = std::vector<Index>;

TEST(Array, RowsAreTheProductOfAllButTheLastDimension) {
  const Array a = Array::zeros(Format::f32, {2, 3, 4});
  EXPECT_EQ(a.size(), 24);
  EXPECT_EQ(a.rows(), 6);
  EXPECT_EQ(a.cols(), 4);
  EXPECT_EQ(a.matrix().rows(), 6);

  const Array vector = Array::zeros(Format::f64, {5});
  EXPECT_EQ(vector.rows(), 1);
  EXPECT_EQ(vector.cols(), 5);

  const Array scalar = Array::zeros(Format::f64, {});
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar.rows(), 1);
  EXPECT_EQ(scalar.cols(), 1);

  const Array empty = Array::zeros(Format::f64, {3, 0});
  EXPECT_EQ(empty.size(), 0);
  EXPECT_EQ(empty.rows(), 3);
  EXPECT_EQ(empty.matrix().size(), 0);
}

TEST(Array, FromAViewRoundsToItsFormat) {
  const Matrix<double> m{{0.1, 2.0}, {70000.0, -0.1}};
  const Array a = Array::from(View<const double>(m), Format::f16);
  EXPECT_EQ(a.shape, (Shape{2, 2}));
  EXPECT_EQ(a.values[0], round_to(Format::f16, 0.1));
  EXPECT_EQ(a.values[2], std::numeric_limits<double>::infinity());
  EXPECT_EQ(a.matrix()(1, 1), round_to(Format::f16, -0.1));
}

TEST(Array, FromAViewFollowsItsStride) {
  const Matrix<float> m{{1, 2, 3}, {4, 5, 6}};
  const Array left = Array::from(View<const float>(m.data(), 2, 2, 3));
  EXPECT_EQ(left.format, Format::f32);
  EXPECT_EQ(left.values, (std::vector<double>{1, 2, 4, 5}));
  EXPECT_EQ(left.values.to<float>(), (std::vector<float>{1, 2, 4, 5}));
}

TEST(Array, ShapesAreWrittenWithCrosses) {
  EXPECT_EQ(shape_text({32, 128}), "32×128");
  EXPECT_EQ(shape_text({7}), "7");
  EXPECT_EQ(shape_text({}), "scalar");
}

}  // namespace
}  // namespace orrery::tensor::array_test
