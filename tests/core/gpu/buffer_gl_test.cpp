#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/core/gpu/gl_test.h"

namespace orrery::gpu::buffer_gl_test {
namespace {

using BufferGlTest = GlTest;

TEST_F(BufferGlTest, GivesBackWhatItWasGiven) {
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 1.0F);
  const Buffer buffer{std::span<const float>(values)};
  EXPECT_EQ(buffer.bytes(), 4000U);
  tensor::Matrix<float> read(10, 100);
  buffer.read(read);
  EXPECT_TRUE(std::equal(values.begin(), values.end(), read.data()));
}

TEST_F(BufferGlTest, PacksRowsAndUnpacksThem) {
  tensor::Matrix<float> wide(5, 12);
  for (tensor::Index i = 0; i < wide.size(); ++i) wide.data()[i] = static_cast<float>(i);
  const Buffer buffer(tensor::View<const float>(wide.data() + 3, 5, 7, 12));
  EXPECT_EQ(buffer.bytes(), 5U * 7U * sizeof(float));

  tensor::Matrix<float> packed(5, 7);
  buffer.read(packed);
  EXPECT_TRUE(packed == wide.middleCols(3, 7));

  support::GuardedMatrix<float> apart(5, 7);
  buffer.read(apart.view());
  EXPECT_TRUE(apart.intact());
  EXPECT_TRUE(apart.view().eigen() == wide.middleCols(3, 7));
}

TEST_F(BufferGlTest, MovesAndFreesItself) {
  Buffer first(16);
  const unsigned id = first.id();
  EXPECT_NE(id, 0U);
  Buffer second(std::move(first));
  EXPECT_EQ(first.id(), 0U);  // NOLINT(bugprone-use-after-move): the safe state is the point
  EXPECT_EQ(second.id(), id);
  first = std::move(second);
  EXPECT_EQ(first.id(), id);
}

TEST_F(BufferGlTest, MayBeEmpty) {
  const Buffer buffer{std::span<const float>()};
  EXPECT_EQ(buffer.bytes(), 0U);
  tensor::Matrix<float> none(0, 5);
  EXPECT_NO_THROW(buffer.read(none));
}

TEST_F(BufferGlTest, RefusesToReadMoreThanThereIs) {
  const Buffer buffer(12);
  tensor::Matrix<float> four(2, 2);
  EXPECT_THROW(buffer.read(four), InvalidArgument);
}

TEST_F(BufferGlTest, SaysWhenTheDeviceIsTooSmall) {
  try {
    const Buffer buffer(std::size_t{1} << 44);
    FAIL() << "16 TiB were given";
  } catch (const Failure& failure) {
    const std::string said = failure.what();
    EXPECT_NE(said.find("16777216 MiB"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace orrery::gpu::buffer_gl_test
