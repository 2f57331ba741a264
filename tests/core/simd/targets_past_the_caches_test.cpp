// What is written past the caches, on every kind of processor that this one can stand for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/attention/scores.h"
#include "core/norm/batch_norm.h"
#include "core/simd/aligned_room.h"
#include "core/simd/product.h"
#include "core/simd/share.h"
#include "tests/support/inputs.h"
#include "tests/support/targets.h"
#include "tests/support/threads.h"

namespace orrery::simd::targets_past_the_caches_test {
namespace {

using support::on_every_target;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

// Rows that start on lines are written past the caches, others as usual.
TEST(TargetsPastTheCaches, BatchNorm) {
  constexpr Index rows = 1100, cols = 2064;
  const Matrix<float> x = support::normal_floats(rows, cols).cast<float>();
  const auto room = aligned_room<float>(rows * cols), other_room = aligned_room<float>(rows * (cols + 1));
  const View<float> y(room.get(), rows, cols, cols), usual(other_room.get(), rows, cols, cols + 1);
  ASSERT_TRUE(is_large(y) && starts_on_lines(y) && !starts_on_lines(usual));
  on_every_target([&](const std::string& target) {
    norm::batch_norm_cpu(View<const float>(x), {}, {}, {}, y);
    norm::batch_norm_cpu(View<const float>(x), {}, {}, {}, usual);
    EXPECT_TRUE(y.eigen() == usual.eigen()) << target;
  });
}

// Rows of whole lines, which are written past the caches where panels are whole lines, too, and sums that are changed before.
TEST(TargetsPastTheCaches, ProductsThatAreFinished) {
  const support::Threads one(1);  // panels go in pairs
  for (const Index columns : {784, 800, 1600}) {
    const Matrix<float> x = support::normal_floats(19, 150).cast<float>(),
                        b = support::normal_floats(150, columns, 2).cast<float>();
    Matrix<float> sums(19, columns), y(19, columns);
    ASSERT_TRUE(starts_on_lines(View<float>(y)));
    on_every_target([&](const std::string& target) {
      product(x, Factor::of(b), {}, sums);
      const auto change = [](View<float> part) {
        for (Index i = 0; i < part.rows; ++i)
          for (float& v : part.row(i)) v = 3 * v + 1;
      };
      product(x, Factor::of(b), {}, y, {.change = change, .streamed = true});
      EXPECT_EQ(y, Matrix<float>((3 * sums.array() + 1).matrix())) << target << ", " << columns;
    });
  }
}

TEST(TargetsPastTheCaches, PlainScores) {
  constexpr Index queries = 1100, keys = 2037, stride = 2064, d = 20;
  const Matrix<float> q = support::normal_floats(queries, d, 1).cast<float>(),
                      k = support::normal_floats(keys, d, 2).cast<float>();
  const std::vector<std::uint8_t> nobody(keys, 1);
  const auto room = aligned_room<float>(queries * stride);
  const View<float> s(room.get(), queries, keys, stride),
      beside(room.get() + keys, queries, stride - keys, stride);
  ASSERT_TRUE(is_large(s) && starts_on_lines(s));
  on_every_target([&](const std::string& target) {
    using Kind = attention::Mask::Kind;
    for (const attention::Mask& mask :
         {attention::Mask{.kind = Kind::causal}, attention::Mask{.kind = Kind::sliding, .window = 300}}) {
      std::fill_n(room.get(), queries * stride, 7.0F);
      Matrix<float> other(queries, keys);
      attention::scores_cpu<float>(q, k, {.mask = mask}, s);
      attention::scores_cpu<float>(q, k, {.mask = mask, .padding = nobody}, other);
      EXPECT_TRUE(s.eigen() == other) << target;
      EXPECT_TRUE((beside.eigen().array() == 7).all()) << target;
    }
  });
}

}  // namespace
}  // namespace orrery::simd::targets_past_the_caches_test
