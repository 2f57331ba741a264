// The other forms of the norms, and their kin, on the graphics device against the reference.
#include <algorithm>
#include <cmath>

#include "core/norm/batch_norm.h"
#include "core/norm/dyt.h"
#include "core/norm/group_norm.h"
#include "core/norm/instance_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/norm/scale_norm.h"
#include "core/tensor/declined.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::norm_variants_gl_test {
namespace {

using tensor::Index;
using tensor::Matrix;

using NormVariantsGlTest = GlTest;
using LongNormVariantsGlTest = LongGlTest;

/// Calls both twins on x and expects the second within `bound` of the first.
template <class Ref, class Gpu>
void expect_near(Worst& worst, const Matrix<double>& x, const tensor::Bound& bound, const std::string& what,
                 Ref ref, Gpu gpu) {
  const Matrix<float> floats = x.cast<float>();
  Matrix<double> reference(x.rows(), x.cols());
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  ref(tensor::View<const double>(x), tensor::View<double>(reference));
  gpu(tensor::View<const float>(floats), y.view());
  worst.expect(y, y.view(), reference, bound, what);
}

TEST_F(NormVariantsGlTest, PartialRmsNorm) {
  Worst worst("partial rms_norm");
  for (const support::InputSet& set : support::input_sets()) {
    for (const Index cols : widths) {
      for (const norm::EpsPlace place : {norm::EpsPlace::inside, norm::EpsPlace::outside}) {
        const norm::RmsNormParams params{.eps_place = place, .partial = 0.3};
        expect_near(
            worst, set.make(3, cols), norm::rms_norm_gpu_bound, case_name(set.name, 3, cols),
            [&](auto x, auto y) { norm::rms_norm_ref(x, {}, params, y); },
            [&](auto x, auto y) { norm::rms_norm_gpu(*device, x, {}, params, y); });
      }
    }
  }
}

// The columns that are not counted may be of another size altogether.
TEST_F(NormVariantsGlTest, PartialRmsNormOfUnlikeColumns) {
  Worst worst("partial rms_norm");
  const norm::RmsNormParams half{.eps = 0, .partial = 0.5};
  for (const double size : {1e-30, 1e-10, 1e10, 1e30}) {
    Matrix<double> x = support::normal_floats(2, 300);
    x.leftCols(150) *= size;
    x = x.cast<float>().cast<double>().eval();
    expect_near(
        worst, x, norm::rms_norm_gpu_bound, std::to_string(std::log10(size)),
        [&](auto from, auto y) { norm::rms_norm_ref(from, {}, half, y); },
        [&](auto from, auto y) { norm::rms_norm_gpu(*device, from, {}, half, y); });
  }
}

TEST_F(NormVariantsGlTest, AnnotatedLayerNorm) {
  Worst worst("annotated layer_norm");
  for (const support::InputSet& set : support::input_sets()) {
    for (const double eps : {1e-12, 1e-6, 1.0}) {
      for (const Index cols : widths) {
        const norm::LayerNormParams params{.eps = eps, .variant = norm::LayerNormVariant::annotated};
        tensor::Bound bound = norm::layer_norm_gpu_bound;
        bound.abs /=
            std::min(std::sqrt(1e-5), eps) / std::sqrt(1e-5);  // what is flushed to zero grows by 1/ε
        expect_near(
            worst, set.make(3, cols), bound, case_name(set.name, 3, cols) + " eps " + std::to_string(eps),
            [&](auto x, auto y) { norm::layer_norm_ref(x, {}, {}, params, y); },
            [&](auto x, auto y) { norm::layer_norm_gpu(*device, x, {}, {}, params, y); });
      }
    }
  }
}

TEST_F(NormVariantsGlTest, OtherEstimatorsAreDeclined) {
  Matrix<float> x = Matrix<float>::Ones(1, 4);
  for (const norm::Estimator estimator : {norm::Estimator::one_pass, norm::Estimator::welford})
    EXPECT_THROW(norm::layer_norm_gpu(*device, x, {}, {}, {.estimator = estimator}, x), Declined);
}

TEST_F(NormVariantsGlTest, LongColumnsOfBatchNorm) {
  Worst worst("batch_norm");
  // Sums are compensated: 5000 rows are no worse than 5. Here abs is beside 1.
  const tensor::Bound bound{.abs = 8 * 0x1p-24, .rel = 0x1p-21, .nmse = 4e-14};
  for (const support::InputSet& set : support::input_sets()) {
    for (const Index rows : {5, 5000}) {
      expect_near(
          worst, set.make(rows, 33), bound, case_name(set.name, rows, 33),
          [&](auto x, auto y) { norm::batch_norm_ref(x, {}, {}, {}, y); },
          [&](auto x, auto y) { norm::batch_norm_gpu(*device, x, {}, {}, {}, y); });
    }
  }
}

// Samples whose last columns share a work group with none, and more rows than stay in shared memory.
TEST_F(NormVariantsGlTest, SamplesOfInstanceNorm) {
  Worst worst("instance_norm");
  // |x̂| is up to 5 and |w| to 4 among so many; abs is beside their product.
  const tensor::Bound bound{.abs = norm::instance_norm_gpu_bound.rel * 20};
  const Matrix<double> w = support::normal_floats(1, 33, 1);
  const std::vector<double> weight(w.data(), w.data() + 33);
  const std::vector<float> weights(weight.begin(), weight.end());
  for (const Index positions : {5, 300}) {
    const norm::InstanceNormParams params{.positions = positions};
    expect_near(
        worst, support::normal_floats(3 * positions, 33), bound, std::to_string(positions) + " positions",
        [&](auto x, auto y) { norm::instance_norm_ref(x, weight, {}, params, y); },
        [&](auto x, auto y) { norm::instance_norm_gpu(*device, x, weights, {}, params, y); });
  }
}

// 65 640 groups: more than one row of the grid of work groups may hold.
TEST_F(LongNormVariantsGlTest, ManyGroups) {
  Worst worst("group_norm");
  const norm::GroupNormParams params{.groups = 120};
  const Matrix<double> w = support::normal_floats(1, 360, 1), b = support::normal_floats(1, 360, 2);
  const std::vector<double> weight(w.data(), w.data() + 360), bias(b.data(), b.data() + 360);
  const std::vector<float> weights(weight.begin(), weight.end()), biases(bias.begin(), bias.end());
  // Groups of three columns: |x̂| is up to √2, |w| and |b| up to 4, and abs is beside all of them.
  const tensor::Bound bound{.abs = norm::group_norm_gpu_bound.rel * (4 * std::sqrt(2.0) + 4)};
  expect_near(
      worst, support::normal_floats(547, 360), bound, "547 × 120 groups of 3",
      [&](auto x, auto y) { norm::group_norm_ref(x, weight, bias, params, y); },
      [&](auto x, auto y) { norm::group_norm_gpu(*device, x, weights, biases, params, y); });
}

TEST_F(NormVariantsGlTest, ScaleNormAboveAndBelowItsFloor) {
  Worst worst("scale_norm");
  for (const support::InputSet& set : support::input_sets()) {
    for (const double eps : {1e-5, 1.0, 1e3}) {
      for (const Index cols : {1, 257, 5000}) {
        expect_near(
            worst, set.make(3, cols), norm::scale_norm_gpu_bound,
            case_name(set.name, 3, cols) + " eps " + std::to_string(eps),
            [&](auto x, auto y) { norm::scale_norm_ref(x, 3.5, {.eps = eps}, y); },
            [&](auto x, auto y) { norm::scale_norm_gpu(*device, x, 3.5F, {.eps = eps}, y); });
      }
    }
  }
}

TEST_F(NormVariantsGlTest, DytOverItsWholeRange) {
  Worst worst("dyt");
  Matrix<double> x(40, 100);
  for (Index i = 0; i < x.size(); ++i) {
    const double size = std::exp2(static_cast<double>(i) / 40 - 60);
    x.data()[i] = static_cast<float>(i % 2 == 0 ? size : -size);
  }
  for (const double alpha : {0.5, 1.0, 3.0}) {
    expect_near(
        worst, x, norm::dyt_gpu_bound, "alpha " + std::to_string(alpha),
        [&](auto from, auto y) { norm::dyt_ref(from, {}, {}, {alpha}, y); },
        [&](auto from, auto y) { norm::dyt_gpu(*device, from, {}, {}, {alpha}, y); });
  }
}

TEST_F(NormVariantsGlTest, EmptyIsLeftAlone) {
  Matrix<float> none(0, 5);
  norm::batch_norm_gpu(*device, none, {}, {}, {}, none);
  norm::instance_norm_gpu(*device, none, {}, {}, {.positions = 5}, none);
  norm::group_norm_gpu(*device, none, {}, {}, {.groups = 5}, none);
  norm::scale_norm_gpu(*device, none, 1, {}, none);
  norm::dyt_gpu(*device, none, {}, {}, {}, none);
}

}  // namespace
}  // namespace orrery::gpu::norm_variants_gl_test
