// Sums of exponentials of long rows on the graphics device: tiles beside double, and whole maps beside the processor's.
#include "core/attention/log_sums.h"

#include <cmath>

#include "core/attention/scores.h"
#include "core/attention/weight_map.h"
#include "core/gpu/device_thread.h"
#include "core/tensor/random.h"
#include "tests/core/gpu/gl_test.h"

namespace orrery::gpu {
namespace {

using attention::KeyRange;
using attention::LogSum;
using attention::Mask;
using attention::ScoreContent;
using attention::ScoreMap;
using attention::WeightMap;
using tensor::Index;
using Floats = tensor::Matrix<float>;

class LogSumsGlTest : public GlTest {};

TEST_F(LogSumsGlTest, AreThoseOfDoubleInEveryStretch) {
  for (const Index width : {2, 16, 50, 128}) {
    constexpr Index rows = 3, keys = 1500;
    const Floats q = tensor::Random(1, 1).normals(rows, width).cast<float>(),
                 k = tensor::Random(1, 2).normals(keys, width).cast<float>();
    const std::vector<KeyRange> seen{{0, keys}, {-70, 700}, {900, 2000}},
        stretches{{0, 1}, {1, 300}, {300, 301}, {301, 1499}, {1499, 1500}};
    std::vector<LogSum> found(rows * stretches.size());
    const double scale = 0.7;
    attention::log_sums_gpu(*device, {q, k, seen, stretches, scale}, found);
    for (Index r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < stretches.size(); ++i) {
        const LogSum& got = found[static_cast<std::size_t>(r) * stretches.size() + i];
        double largest = -INFINITY, sum = 0, magnitude = 0;
        std::vector<double> products;
        for (Index n = std::max(stretches[i].first, seen[static_cast<std::size_t>(r)].first);
             n < std::min(stretches[i].end, seen[static_cast<std::size_t>(r)].end); ++n) {
          products.push_back(q.row(r).cast<double>().dot(k.row(n).cast<double>()));
          magnitude = std::max<double>(
              magnitude, q.row(r).cast<double>().cwiseAbs().dot(k.row(n).cast<double>().cwiseAbs()));
          largest = std::max(largest, products.back());
        }
        if (products.empty()) {
          EXPECT_EQ(got.largest, -INFINITY);
          EXPECT_EQ(got.sum, 0);
          continue;
        }
        for (const double x : products) sum += std::exp(scale * (x - largest));
        const double off = attention::scores_gpu_bound(width) * magnitude;
        EXPECT_NEAR(got.largest, largest, off + std::abs(largest) * 0x1p-24);
        // ln Σ e^{s x}: each product is off by `off`, an exponential by as much as its exponent is long.
        const double log_sum = scale * got.largest + std::log(got.sum);
        EXPECT_NEAR(log_sum, scale * largest + std::log(sum), scale * off + 0x1p-20) << width << ", " << i;
      }
  }
}

TEST_F(LogSumsGlTest, NoNumberStaysInItsStretch) {
  Floats q = Floats::Ones(1, 4), k = Floats::Ones(8, 4);
  k(2, 1) = NAN;
  const std::vector<KeyRange> seen{{0, 8}}, stretches{{0, 4}, {4, 8}};
  std::vector<LogSum> found(2);
  attention::log_sums_gpu(*device, {q, k, seen, stretches, 1}, found);
  EXPECT_TRUE(std::isnan(found[0].sum));
  EXPECT_EQ(found[1].largest, 4);
  EXPECT_EQ(found[1].sum, 4);
}

TEST_F(LogSumsGlTest, MoreKeysThanATileHasAreRefused) {
  const Floats q = Floats::Ones(1, 2), k = Floats::Ones(attention::most_log_sum_keys + 1, 2);
  const std::vector<KeyRange> seen{{0, 9}}, stretches{{0, 9}};
  std::vector<LogSum> found(1);
  EXPECT_THROW(attention::log_sums_gpu(*device, {q, k, seen, stretches, 1}, found), Failure);
}

ScoreContent content_of(Index tokens) {
  ScoreContent c;
  c.shared = ScoreContent::Shared::topics;
  c.tokens = tokens;
  c.width = 16;
  c.strength = 0.6;
  c.base = 10000;
  c.scale = 0.25;
  c.seed = 5;
  return c;
}

std::vector<KeyRange> parts(Index end, Index count) {
  std::vector<KeyRange> ranges;
  for (Index i = 0; i < count; ++i) ranges.push_back({end * i / count, end * (i + 1) / count});
  return ranges;
}

TEST_F(LogSumsGlTest, AMapOfTheDeviceIsThatOfTheProcessor) {
  const auto thread = std::make_shared<DeviceThread>();
  int tiles = 0;
  const attention::TileSums sums = [&](const attention::LogSumTile& tile, std::span<LogSum> found) {
    ++tiles;
    thread->run([&](Device& own) {
      EXPECT_NE(&own, device) << "a thread has a device of its own";
      attention::log_sums_gpu(own, tile, found);
    });
  };
  const ScoreMap::Products products = [&](auto a, auto b, auto y) {
    thread->run([&](Device& own) { attention::scores_gpu(own, a, b, {.scale = 1, .mask = {}}, y); });
  };
  constexpr Index tokens = 20000;
  for (const Mask& mask :
       {Mask{}, Mask{.kind = Mask::Kind::causal}, Mask{.kind = Mask::Kind::sliding, .window = 3000}}) {
    const auto there = std::make_shared<const ScoreMap>(content_of(tokens), mask, products),
               here = std::make_shared<const ScoreMap>(content_of(tokens), mask);
    const auto down = parts(tokens, 12), across = parts(tokens, 20);
    const WeightMap on_device(there, 3, sums), on_processor(here, 3);
    tiles = 0;
    const auto a = on_device.means(down, across, 2), b = on_processor.means(down, across, 2);
    EXPECT_GT(tiles, 0);
    for (std::size_t i = 0; i < a.mean.size(); ++i)
      EXPECT_NEAR(a.mean[i], b.mean[i], 1e-5 * b.mean[i] + 1e-30);
    const auto shown = there->map(down, across, attention::Shows::mean),
               same = here->map(down, across, attention::Shows::mean);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (std::isinf(same[i]))
        EXPECT_EQ(shown[i], same[i]);
      else
        EXPECT_NEAR(shown[i], same[i], 1e-6);
    }
    // Single keys are the processor's, whatever is asked for.
    tiles = 0;
    (void)on_device.log_sums({777}, {{700, 701}});
    const int once = tiles;
    (void)on_device.log_sums({777}, {{701, 702}});
    EXPECT_EQ(tiles, once) << "the row is known, and one key is not worth the way";
  }
}

TEST_F(LogSumsGlTest, AThreadOfADeviceThrowsWhatItsWorkThrows) {
  DeviceThread thread;
  EXPECT_THROW(thread.run([](Device&) { throw InvalidArgument("of the work"); }), InvalidArgument);
  int runs = 0;
  thread.run([&](Device&) { ++runs; });
  EXPECT_EQ(runs, 1) << "and goes on";
}

}  // namespace
}  // namespace orrery::gpu
