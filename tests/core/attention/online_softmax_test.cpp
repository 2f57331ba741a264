// The softmax of a row in parts, against the row as a whole.
#include "core/attention/online_softmax.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/attention.h"
#include "core/tensor/random.h"

namespace orrery::attention::online_softmax_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double none = -std::numeric_limits<double>::infinity();

OnlineSoftmax by_tiles(const Matrix<double>& scores, const Matrix<double>& values, Index tile) {
  OnlineSoftmax all;
  for (Index first = 0; first < scores.cols(); first += tile) {
    const Index count = std::min(tile, scores.cols() - first);
    all = merged(
        all, online_softmax({scores.data() + first, static_cast<std::size_t>(count)},
                            View<const double>(values.data() + first * values.cols(), count, values.cols())));
  }
  return all;
}

TEST(OnlineSoftmax, IsTheSoftmaxOfTheWholeRowWhateverTheTiles) {
  const tensor::Random random(3);
  for (const double size : {1.0, 30.0, 800.0}) {
    Matrix<double> scores = size * random.normals(1, 100), values = tensor::Random(4).normals(100, 3);
    scores(0, 17) = none;
    Matrix<double> weights(1, 100), lse(1, 1);
    softmax_ref(View<const double>(scores), {}, View<double>(weights));
    softmax_lse_ref(View<const double>(scores), {}, View<double>(lse));
    const Matrix<double> whole = weights * values;
    for (const Index tile : {1, 7, 64, 100, 128}) {
      const OnlineSoftmax kept = by_tiles(scores, values, tile);
      const std::vector<double> result = kept.result();
      // A hundred tiles at most, each off by 2⁻⁵² and by its share of the scores' range in its exponent.
      const double bound = (8 * 100 + 8 * size) * 0x1p-52;
      for (Index j = 0; j < 3; ++j) EXPECT_NEAR(result[std::size_t(j)], whole(0, j), bound * 3) << tile;
      EXPECT_NEAR(kept.log_sum_exp(), lse(0, 0), bound * 3) << tile;
    }
  }
}

TEST(OnlineSoftmax, APartWithoutAKeyThatIsSeenChangesNothing) {
  const Matrix<double> values = Matrix<double>::Constant(2, 1, std::nan(""));
  const OnlineSoftmax hidden = online_softmax(std::vector{none, none}, View<const double>(values));
  EXPECT_EQ(hidden.result(), std::vector<double>{0});
  const Matrix<double> one = Matrix<double>::Constant(1, 1, 5);
  const OnlineSoftmax seen = online_softmax(std::vector{2.0}, View<const double>(one));
  for (const OnlineSoftmax& both : {merged(hidden, seen), merged(seen, hidden), merged({}, seen)}) {
    EXPECT_EQ(both.result(), std::vector<double>{5});
    EXPECT_EQ(both.log_sum_exp(), 2);
  }
  EXPECT_EQ(merged(hidden, hidden).result(), std::vector<double>{0});
  EXPECT_EQ(online_correction(none, none), 1);
  EXPECT_EQ(online_correction(none, 3), 0);
}

TEST(AttentionTraffic, IsThatOfThePapersAlgorithms) {
  // By hand: N = 1024, d = 64, a memory of 65536 numbers: tiles of 256 keys, four of them.
  EXPECT_EQ(standard_attention_traffic(1024, 64), 4 * 1048576 + 4 * 65536);
  EXPECT_EQ(attention_tile(64, 65536), 256);
  EXPECT_EQ(tiled_attention_traffic(1024, 64, 65536), 2 * 65536 + 4 * (3 * 65536 + 4096));
  EXPECT_EQ(tiled_attention_traffic(1025, 64, 65536), 2 * 65600 + 5 * (3 * 65600 + 4100));
}

}  // namespace
}  // namespace orrery::attention::online_softmax_test
