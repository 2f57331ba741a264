// The chains of passes that fused norms are timed beside: they give the norms, and each way is timed in every round.
#include "core/bench/norm_speed.h"

#include <gtest/gtest.h>

#include "core/bench/norm_passes.h"
#include "core/bench/norm_passes_on_device.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::bench::norm_speed_test {
namespace {

using tensor::Index;
using tensor::Matrix;

// Rows that no vector divides evenly, and one that is a single number.
TEST(NormPasses, GiveTheNorms) {
  for (const Index width : {1, 7, 64, 131}) {
    constexpr Index rows = 5;
    const Matrix<float> x = (tensor::Random(3).normals(rows, width).array() + 0.5).matrix().cast<float>();
    const Matrix<double> xd = x.cast<double>();
    const std::vector<double> weight(static_cast<std::size_t>(width), 1.5), bias(weight.size(), -0.25);
    const std::vector<float> w(weight.begin(), weight.end()), b(bias.begin(), bias.end());
    Matrix<float> y(rows, width);
    Matrix<double> reference(rows, width);
    NormPasses passes(rows, width);
    passes.layer_norm(x.data(), w.data(), b.data(), 1e-5, y.data());
    norm::layer_norm_ref(xd, weight, bias, {.eps = 1e-5}, reference);
    EXPECT_LE((y.cast<double>() - reference).cwiseAbs().maxCoeff(), 16 * 0x1p-24 * 6) << width;
    passes.rms_norm(x.data(), w.data(), 1e-5, y.data());
    norm::rms_norm_ref(xd, weight, {.eps = 1e-5}, reference);
    EXPECT_LE((y.cast<double>() - reference).cwiseAbs().maxCoeff(), 16 * 0x1p-24 * 6) << width;
  }
}

/// The device, or nothing where there is none.
gpu::Device* device() try { return &gpu::Device::of_this_thread(); } catch (const Failure&) {
  return nullptr;
}

TEST(NormPassesGlTest, GiveTheNorms) {
  if (!device()) GTEST_SKIP() << "no graphics device";
  for (const Index width : {1, 7, 257}) {
    constexpr Index rows = 5;
    const Matrix<float> x = (tensor::Random(3).normals(rows, width).array() + 0.5).matrix().cast<float>();
    const Matrix<double> xd = x.cast<double>();
    const std::vector<double> weight(static_cast<std::size_t>(width), 1.5), bias(weight.size(), -0.25);
    const std::vector<float> w(weight.begin(), weight.end()), b(bias.begin(), bias.end());
    const NormPassesOnDevice passes(*device(), x, w, b, 1e-5);
    Matrix<float> y(rows, width);
    Matrix<double> reference(rows, width);
    passes.layer_norm();
    passes.read(y);
    norm::layer_norm_ref(xd, weight, bias, {.eps = 1e-5}, reference);
    EXPECT_LE((y.cast<double>() - reference).cwiseAbs().maxCoeff(), 16 * 0x1p-24 * 6) << width;
    passes.rms_norm();
    passes.read(y);
    norm::rms_norm_ref(xd, weight, {.eps = 1e-5}, reference);
    EXPECT_LE((y.cast<double>() - reference).cwiseAbs().maxCoeff(), 16 * 0x1p-24 * 6) << width;
  }
}

TEST(NormSpeedGlTest, EveryWayIsTimedInEveryRound) {
  if (!device()) GTEST_SKIP() << "no graphics device";
  int asked = 0;
  const NormTimes times = measure_norms_on_device(4, 32, 1, [&] { ++asked; });
  ASSERT_EQ(times.rounds.size(), 1u);
  for (const double ms : times.rounds[0]) EXPECT_GT(ms, 0);
  EXPECT_GT(times.gigaflops, 0);
  EXPECT_EQ(asked, 2 * norm_ways);
}

TEST(NormSpeed, EveryWayIsTimedInEveryRound) {
  int asked = 0;
  const NormTimes times = measure_norms(16, 32, 2, [&] { ++asked; });
  ASSERT_EQ(times.rounds.size(), 2u);
  for (const auto& round : times.rounds)
    for (const double ms : round) EXPECT_GT(ms, 0);
  EXPECT_GT(times.gigaflops, 0);
  EXPECT_EQ(asked, 3 * norm_ways);
}

// 12 numbers for each of x, read and written by seven passes; fused, two.
TEST(NormSpeed, BytesAreThoseThatThePassesMove) {
  EXPECT_EQ(norm_work(NormWay::layer_fused, 4, 8).bytes, 4 * 8 * 2 * 4);
  EXPECT_EQ(norm_work(NormWay::layer_passes, 4, 8).bytes, 4 * 8 * 12 * 4);
  EXPECT_EQ(norm_work(NormWay::rms_passes, 4, 8).bytes, 4 * 8 * 7 * 4);
  EXPECT_EQ(norm_work(NormWay::copy, 4, 8).flops, 0);
}

}  // namespace
}  // namespace orrery::bench::norm_speed_test
