// The kernels on every kind of processor that this one can stand for: the bounds of the contracts hold on each.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/activation/activation.h"
#include "core/activation/glu.h"
#include "core/attention/scores.h"
#include "core/attention/softmax.h"
#include "core/embedding/embedding.h"
#include "core/norm/batch_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/op/op.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"
#include "core/simd/product.h"
#include "tests/core/op/sample_calls.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/targets.h"
#include "tests/support/within.h"

namespace orrery::simd::targets_test {
namespace {

using support::GuardedMatrix;
using support::on_every_target;
using tensor::Bound;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// fast(x, y) against ref(x, y) on every input set and width, and on every target.
template <class Fast, class Ref>
void compare_everywhere(const std::string& op, const Bound& bound, Fast fast, Ref ref) {
  on_every_target([&](const std::string& target) {
    support::Worst worst(op + ", " + target);
    for (const Index width : {2, 6, 30, 62, 64, 66, 256, 258, 1000, 4096}) {
      for (const auto& set : support::input_sets()) {
        const Matrix<double> x = set.make(12, width);
        const Matrix<float> in = x.cast<float>();
        Matrix<double> expected(12, width);
        GuardedMatrix<float> y(12, width);
        ref(View<const double>(x), View<double>(expected));
        fast(View<const float>(in), y.view());
        EXPECT_TRUE(y.intact());
        const View<float> result = y.view();
        worst.expect(support::compare(View<const float>(result), expected, bound),
                     std::string(set.name) + " × " + std::to_string(width));
      }
    }
  });
}

std::vector<double> gains(Index width, unsigned stream) {
  const Matrix<double> m = support::normal_floats(1, width, stream);
  return {m.data(), m.data() + m.size()};
}

std::vector<float> as_floats(const std::vector<double>& v) {
  return {v.begin(), v.end()};
}

// Whatever is in the table; what follows asks more of some.
TEST(Targets, EveryOpOfTheTable) {
  const auto sets = support::input_sets();
  on_every_target([&](const std::string& target) {
    for (const op::Op& op : op::table()) {
      for (const support::InputSet& set : sets) {
        if (set.name != "normal" && set.name != "common_mean") continue;
        for (const Index width : {34, 256}) {
          if (!op::takes_width(op, width)) continue;
          for (const op::Call& call : op::sample_calls(op, set, width)) {
            const tensor::Array expected = op.ref(call), y = op.cpu(call);
            const op::Bounds bounds = op.bounds(call);
            const auto c = bounds.cpu_by_magnitude
                               ? support::compare_by_magnitude(y.matrix(), expected.matrix(),
                                                               op.magnitude(call).matrix(), bounds.cpu)
                               : support::compare(y.matrix(), expected.matrix(), bounds.cpu, y.format);
            ASSERT_TRUE(c.within) << op.name << ", " << target << ", " << set.name << " × " << width << ": "
                                  << c.text();
          }
        }
      }
    }
  });
}

TEST(Targets, LayerNorm) {
  compare_everywhere(
      "layer_norm", norm::layer_norm_bound,
      [](View<const float> x, View<float> y) {
        norm::layer_norm_cpu<float>(x, as_floats(gains(x.cols, 1)), as_floats(gains(x.cols, 2)), {}, y);
      },
      [](View<const double> x, View<double> y) {
        norm::layer_norm_ref(x, gains(x.cols, 1), gains(x.cols, 2), {}, y);
      });
}

TEST(Targets, BatchNorm) {
  compare_everywhere(
      "batch_norm", norm::batch_norm_bound,
      [](View<const float> x, View<float> y) {
        norm::batch_norm_cpu<float>(x, as_floats(gains(x.cols, 1)), as_floats(gains(x.cols, 2)), {}, y);
      },
      [](View<const double> x, View<double> y) {
        norm::batch_norm_ref(x, gains(x.cols, 1), gains(x.cols, 2), {}, y);
      });
}

TEST(Targets, RmsNorm) {
  norm::RmsNormParams params;
  params.weight_offset = 1;
  compare_everywhere(
      "rms_norm", norm::rms_norm_bound,
      [&](View<const float> x, View<float> y) {
        norm::rms_norm_cpu<float>(x, as_floats(gains(x.cols, 1)), params, y);
      },
      [&](View<const double> x, View<double> y) { norm::rms_norm_ref(x, gains(x.cols, 1), params, y); });
}

TEST(Targets, Softmax) {
  for (const double temperature : {1.0, 0.05}) {
    attention::SoftmaxParams params;
    params.temperature = temperature;
    compare_everywhere(
        "softmax", attention::softmax_bound(1000),
        [&](View<const float> x, View<float> y) { attention::softmax_cpu<float>(x, params, y); },
        [&](View<const double> x, View<double> y) { attention::softmax_ref(x, params, y); });
  }
}

TEST(Targets, CausalSoftmax) {
  on_every_target([&](const std::string& target) {
    Matrix<double> x = support::normal_floats(200, 200) * 4;
    x = x.cast<float>().cast<double>();
    for (Index i = 0; i < 200; ++i) x.row(i).tail(199 - i).setConstant(-INFINITY);
    const Matrix<float> in = x.cast<float>();
    Matrix<double> expected(200, 200);
    GuardedMatrix<float> y(200, 200);
    attention::softmax_ref(x, {}, expected);
    attention::softmax_cpu<float>(in, {}, y.view());
    const View<float> result = y.view();
    support::Worst("causal softmax, " + target)
        .expect(support::compare(View<const float>(result), expected, attention::softmax_bound(200)), "200");
  });
}

TEST(Targets, Rope) {
  for (const auto layout : {position::RopeLayout::half, position::RopeLayout::interleaved}) {
    const auto table = [](Index width) {
      return position::rope_table(std::vector<double>{0, 1, 100000},
                                  position::rope_default_frequencies(width, 1e4));
    };
    compare_everywhere(
        "rope", position::rope_bound,
        [&](View<const float> x, View<float> y) {
          const Matrix<float> cos = table(x.cols).cos.cast<float>(), sin = table(x.cols).sin.cast<float>();
          position::rope_cpu<float>(x, cos, sin, layout, y);
        },
        [&](View<const double> x, View<double> y) {
          position::RopeTable t = table(x.cols);
          t.cos = t.cos.cast<float>().cast<double>();
          t.sin = t.sin.cast<float>().cast<double>();
          position::rope_ref(x, t, layout, y);
        });
  }
}

TEST(Targets, Sinusoidal) {
  for (const auto layout : {position::SinusoidalLayout::paper, position::SinusoidalLayout::tensor2tensor}) {
    on_every_target([&](const std::string& target) {
      support::Worst worst("sinusoidal, " + target);
      for (const Index width : {2, 34, 64, 128, 1000}) {
        const position::SinusoidalParams params{.layout = layout, .offset = 131072 - 1500};
        Matrix<double> expected(1500, width);
        Matrix<float> y(1500, width);
        position::sinusoidal_ref(params, expected);
        position::sinusoidal_cpu<float>(params, y);
        worst.expect(support::compare(View<const float>(y), expected, position::sinusoidal_bound),
                     std::to_string(width));
      }
    });
  }
}

/// One in 1021 of all floats, from −∞ to +∞.
Matrix<float> floats_of_all_sizes() {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 1021) {
    const auto v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isnan(v)) values.push_back(v);
  }
  return Eigen::Map<const Matrix<float>>(values.data(), 1, Index(values.size()));
}

TEST(Targets, ActivationsOverAllFloats) {
  const Matrix<float> x = floats_of_all_sizes();
  for (const auto kind : {activation::Kind::relu, activation::Kind::gelu, activation::Kind::gelu_tanh,
                          activation::Kind::silu}) {
    Matrix<double> expected(1, x.cols());
    const Matrix<double> wide = x.cast<double>();
    activation::activation_ref(wide, kind, expected);
    on_every_target([&](const std::string& target) {
      Matrix<float> y(1, x.cols());
      activation::activation_cpu<float>(x, kind, y);
      support::Worst("activation " + std::to_string(int(kind)) + ", " + target)
          .expect(support::compare(View<const float>(y), expected, activation::activation_bound(kind)), "");
    });
  }
}

/// One word for each row of x, the row of its own.
TEST(Targets, Embedding) {
  for (const auto scale : {embedding::Scale::none, embedding::Scale::sqrt_d}) {
    const std::vector<Index> ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    compare_everywhere(
        "embedding", embedding::embedding_bound,
        [&](View<const float> x, View<float> y) { embedding::embedding_cpu<float>(ids, x, scale, y); },
        [&](View<const double> x, View<double> y) { embedding::embedding_ref(ids, x, scale, y); });
  }
}

TEST(Targets, SwiGlu) {
  activation::GluParams params;
  params.gate = activation::Kind::silu;
  on_every_target([&](const std::string& target) {
    const Matrix<double> x = (support::normal_floats(50, 302) * 40).cast<float>().cast<double>();
    const Matrix<float> in = x.cast<float>();
    Matrix<double> expected(50, 151);
    GuardedMatrix<float> y(50, 151);
    activation::glu_ref(x, params, expected);
    activation::glu_cpu<float>(in, params, y.view());
    EXPECT_TRUE(y.intact());
    const View<float> result = y.view();
    support::Worst("swiglu, " + target)
        .expect(support::compare(View<const float>(result), expected,
                                 activation::glu_bound(params, x.cwiseAbs().maxCoeff())),
                "151");
  });
}

// Of few terms, and of so many that few rows are turned (product_turned.h).
TEST(Targets, Products) {
  for (const auto& [rows, terms, columns] : {std::tuple<Index, Index, Index>(19, 150, 101), {50, 600, 251}}) {
    const Matrix<float> x = support::normal_floats(rows, terms).cast<float>(),
                        b = support::normal_floats(terms, columns).cast<float>(), turned = b.transpose();
    const Matrix<double> exact = x.cast<double>() * b.cast<double>(),
                         size = x.cwiseAbs().cast<double>() * b.cwiseAbs().cast<double>();
    on_every_target([&](const std::string& target) {
      GuardedMatrix<float> y(rows, columns), z(rows, columns);
      product(x, Factor::of(b), {}, y.view());
      product(x, Factor::transposed(turned), {}, z.view());
      EXPECT_TRUE(y.intact() && z.intact()) << target;
      const Matrix<double> error = (y.view().eigen().cast<double>() - exact).cwiseAbs();
      EXPECT_LE((error.array() / size.array()).maxCoeff(), product_bound(terms)) << target;
      EXPECT_EQ(Matrix<float>(y.view().eigen()), Matrix<float>(z.view().eigen())) << target;
    });
  }
}

// Those that are nothing but products go a way of their own, which a padding that hides nobody does not take.
TEST(Targets, PlainScores) {
  for (const auto& [queries, keys, d] :
       {std::tuple<Index, Index, Index>(33, 131, 20), {150, 97, 7}, {1100, 2048, 2}, {40, 131, 9001}}) {
    const Matrix<float> q = support::normal_floats(queries, d).cast<float>(),
                        k = support::normal_floats(keys, d).cast<float>();
    const std::vector<std::uint8_t> nobody(static_cast<std::size_t>(keys), 1);
    on_every_target([&](const std::string& target) {
      using Kind = attention::Mask::Kind;
      for (const attention::Mask& mask : {attention::Mask{}, attention::Mask{.kind = Kind::causal},
                                          attention::Mask{.kind = Kind::sliding, .window = 30}}) {
        for (const double scale : {-0.3, 0.25}) {
          GuardedMatrix<float> plain(queries, keys), other(queries, keys);
          attention::scores_cpu<float>(q, k, {.scale = scale, .mask = mask}, plain.view());
          attention::scores_cpu<float>(q, k, {.scale = scale, .mask = mask, .padding = nobody}, other.view());
          EXPECT_TRUE(plain.intact()) << target;
          EXPECT_TRUE(plain.view().eigen() == other.view().eigen())
              << target << ", " << queries << " × " << keys << ", scale " << scale;
        }
      }
    });
  }
}

TEST(Targets, ScoresBeyondFloatAreInfinite) {
  const Matrix<float> q = Matrix<float>::Constant(3, 1, 1e30F), k = -q;
  on_every_target([&](const std::string& target) {
    Matrix<float> s(3, 3);
    attention::scores_cpu<float>(q, k, {.scale = 1.0}, s);
    EXPECT_TRUE((s.array() == -std::numeric_limits<float>::infinity()).all()) << target << ": " << s(0, 0);
  });
}

TEST(Targets, NanStaysWhereTheContractsSay) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  on_every_target([&](const std::string& target) {
    Matrix<float> x = support::normal_floats(6, 66).cast<float>();
    x(2, 65) = nan;
    x(4, 3) = nan;
    Matrix<float> y(6, 66);
    const auto rows_are_nan = [&] {
      for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 66; ++j)
          EXPECT_EQ(std::isnan(y(i, j)), i == 2 || i == 4) << target << i << " " << j;
    };
    norm::layer_norm_cpu<float>(x, {}, {}, {}, y);
    rows_are_nan();
    norm::rms_norm_cpu<float>(x, {}, {}, y);
    rows_are_nan();
    attention::softmax_cpu<float>(x, {}, y);
    rows_are_nan();
    for (const auto kind : {activation::Kind::relu, activation::Kind::gelu, activation::Kind::gelu_tanh,
                            activation::Kind::silu}) {
      activation::activation_cpu<float>(x, kind, y);
      for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 66; ++j) EXPECT_EQ(std::isnan(y(i, j)), std::isnan(x(i, j))) << target;
    }
  });
}

}  // namespace
}  // namespace orrery::simd::targets_test
