#include "core/activation/activation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/activation/kernels.h"
#include "core/tensor/random.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/targets.h"
#include "tests/support/within.h"

namespace orrery::activation::activation_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Named {
  Kind kind;
  const char* name;
};

const std::vector<Named>& kinds() {
  static const std::vector<Named> all = [] {
    std::vector<Named> named;
    for (const std::string_view text : kind_names) named.push_back({kind_from_name(text), text.data()});
    return named;
  }();
  return all;
}

template <class T>
Matrix<T> twin(const Matrix<double>& x, const ActivationParams& kind) {
  const Matrix<T> in = x.cast<T>();
  GuardedMatrix<T> out(x.rows(), x.cols());
  activation_cpu<T>(in, kind, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

Matrix<double> reference(const Matrix<double>& x, const ActivationParams& kind) {
  Matrix<double> y(x.rows(), x.cols());
  activation_ref(x, kind, y);
  return y;
}

float in_float(Kind kind, double x) {
  return twin<float>(Matrix<double>::Constant(1, 1, x), kind)(0, 0);
}

TEST(Activation, CpuIsWithinItsBoundOnEveryInput) {
  for (const auto& [kind, name] : kinds()) {
    support::Worst worst(name);
    for (Index D : support::input_sizes())
      for (const auto& set : support::input_sets()) {
        const Matrix<double> x = set.make(3, D);
        worst.expect(support::compare(View<const float>(twin<float>(x, kind)), reference(x, kind),
                                      activation_bound(kind)),
                     std::string(set.name) + " × " + std::to_string(D));
        EXPECT_EQ(twin<double>(x, kind), reference(x, kind));
      }
    // Everywhere that float can tell from 0 and from the identity.
    const Matrix<double> line = Matrix<double>::NullaryExpr(
        1, 40001, [](Index j) { return double(float(-120 + 0.006 * double(j))); });
    worst.expect(support::compare(View<const float>(twin<float>(line, kind)), reference(line, kind),
                                  activation_bound(kind)),
                 "−120 … 120");
  }
}

// Where processors with wide registers take the function from a table: points between all others, around the table's ends,
// the joints of its pieces and 0, alone or beside a value that is outside of it.
TEST(Activation, CpuIsWithinItsBoundInTheMiddleOfTheLine) {
  for (const Kind kind : {Kind::gelu, Kind::gelu_tanh, Kind::silu}) {
    support::Worst worst(std::string(name(kind)) + " in the middle");
    Matrix<double> x(64, 4096);
    for (Index i = 0; i < x.size(); ++i)
      x.data()[i] = double(float(4.1 * (2 * double(i) / double(x.size() - 1) - 1)));
    const auto expect = [&](const std::string& where) {
      worst.expect(support::compare(View<const float>(twin<float>(x, kind)), reference(x, kind),
                                    activation_bound(kind)),
                   where);
    };
    expect("−4.1 … 4.1");
    x *= 0x1p-9;
    x = x.cast<float>().cast<double>();
    expect("beside 0");
    for (Index i = 0; i < x.rows(); i += 2) x(i, i) = i % 4 == 0 ? -300 : 30;
    expect("beside 0, and far out");
  }
}

/// Around the ends, the joints and the table's reach, with what is no number among them.
Matrix<float> mixed_values(double spread) {
  constexpr Index count = 3000;
  Matrix<float> x = (spread * tensor::Random(7).normals(1, count)).cast<float>();
  for (Index i = 1; i < count; i += 20) x(0, i) = static_cast<float>(4.5 + 0.001 * static_cast<double>(i));
  const float special[] = {static_cast<float>(nan),
                           static_cast<float>(infinity),
                           static_cast<float>(-infinity),
                           0.0F,
                           -0.0F,
                           3.875F,
                           -3.875F,
                           3.75F,
                           -3.75F,
                           -5.75F,
                           0x1p-140F};
  for (Index i = 0; i < count; i += 40) x(0, i) = special[i / 40 % std::ssize(special)];
  return x;
}

/// y may be x, or the gate.
enum class Into : std::uint8_t { another, x, gate };

void expect_each_as_alone(Kind kind, const Matrix<float>& x, bool gated, bool streamed, Into into) {
  const Matrix<float> gate = tensor::Random(8).normals(1, x.cols()).cast<float>();
  Matrix<float> from = x, through = gate;
  GuardedMatrix<float> apart(1, x.cols());
  float* y = into == Into::x ? from.data() : into == Into::gate ? through.data() : apart.view().data;
  kernel_of(kind)(
      {from.data(), gated ? through.data() : nullptr, y, static_cast<std::size_t>(x.cols()), streamed});
  EXPECT_TRUE(apart.intact());
  for (Index i = 0; i < x.cols(); ++i) {
    float alone = 0;
    kernel_of(kind)({x.data() + i, gated ? gate.data() + i : nullptr, &alone, 1, false});
    EXPECT_EQ(std::bit_cast<std::uint32_t>(y[i]), std::bit_cast<std::uint32_t>(alone))
        << name(kind) << " of " << x(0, i);
  }
}

// Kernels take values in groups, and those that need more work from several groups together.
TEST(Activation, AValueIsTheSameAmongAnyOthers) {
  support::on_every_target([](const std::string& target) {
    SCOPED_TRACE(target);
    for (const Kind kind : {Kind::gelu, Kind::gelu_tanh, Kind::silu})
      for (const double spread : {0.5, 2.0, 9.0, 80.0})
        for (const bool gated : {false, true}) {
          const Matrix<float> x = mixed_values(spread);
          for (const bool streamed : {false, true})
            expect_each_as_alone(kind, x, gated, streamed, Into::another);
          expect_each_as_alone(kind, x, gated, false, Into::x);
          if (gated) expect_each_as_alone(kind, x, gated, false, Into::gate);
        }
  });
}

TEST(Activation, ZeroKeepsItsSign) {
  support::on_every_target([](const std::string& target) {
    for (const Kind kind : {Kind::gelu, Kind::gelu_tanh, Kind::silu})
      for (const float zero : {0.0F, -0.0F}) {
        float y[40];
        const std::vector<float> x(40, zero);
        kernel_of(kind)({x.data(), nullptr, y, 40, false});
        for (const float each : y)
          EXPECT_EQ(std::signbit(each), std::signbit(zero)) << name(kind) << ", " << target;
      }
  });
}

// python3: from mpmath import *; mp.dps = 60
//   gelu x*erfc(-x/sqrt(2))/2; gelu_tanh x/2*(1 + tanh(sqrt(2/pi)*(x + mpf('0.044715')*x**3))); silu x/(1 +
//   exp(-x)); the others as the contract has them (x the double itself; 400 digits at −700)
TEST(Activation, TailsAreRelativelyExact) {
  const struct {
    Kind kind;
    double x, exact;
  } tails[] = {
      {Kind::gelu, -0.5, -0.15426876936299345},
      {Kind::gelu, -1.5, -0.1002108019032871},
      {Kind::gelu, -3, -0.0040496940948902836},
      {Kind::gelu, -5, -1.4332578593959696e-6},
      {Kind::gelu, -8, -4.9767684594174273e-15},
      {Kind::gelu, -10, -7.6198530241605261e-23},
      {Kind::gelu, -13, -7.9523137194148436e-38},
      {Kind::gelu, -20, -5.5072482372124674e-88},
      {Kind::gelu, -37, -2.1184613523340934e-298},
      {Kind::gelu, 1.25, 1.1179377829164309},
      {Kind::gelu, 6, 5.9999999940804741},
      {Kind::gelu_tanh, -0.5, -0.15428599017485608},
      {Kind::gelu_tanh, -1.5, -0.10042842301976708},
      {Kind::gelu_tanh, -3, -0.0036373920817730188},
      {Kind::gelu_tanh, -5, -2.291796196629506e-7},
      {Kind::gelu_tanh, -8, -3.1077829375011112e-21},
      {Kind::gelu_tanh, -10, -1.204092348209806e-37},
      {Kind::gelu_tanh, 1.25, 1.1177142029697146},
      {Kind::gelu_tanh, 6, 5.9999999999156035},
      {Kind::silu, -0.5, -0.18877033439907272},
      {Kind::silu, -5, -0.033464254621424278},
      {Kind::silu, -20, -4.1223072363804072e-8},
      {Kind::silu, -80, -1.4438811102763321e-33},
      {Kind::silu, -100, -3.720075976020836e-42},
      {Kind::silu, -700, -6.9017735806318396e-302},
      {Kind::silu, 1.25, 0.97162482646836393},
      {Kind::silu, 6, 5.9851642610601914},
      {Kind::gelu_quick, -0.5, -0.14961156339361988},
      {Kind::gelu_quick, -5, -0.0010070162673523689},
      {Kind::gelu_quick, -30, -2.0046797745009427e-21},
      {Kind::gelu_quick, 1.25, 1.1169343014431693},
      {Kind::mish, -0.5, -0.22074377465173},
      {Kind::mish, -5, -0.033576237730161705},
      {Kind::mish, -20, -4.1223072406287614e-8},
      {Kind::mish, -80, -1.4438811102763321e-33},
      {Kind::mish, -700, -6.9017735806318396e-302},
      {Kind::mish, 1.25, 1.1318703042410391},
      {Kind::mish, 6, 5.9999266340652527},
      {Kind::mish, 25, 25},
      {Kind::softplus, -0.5, 0.47407698418010668},
      {Kind::softplus, -5, 0.0067153484891180686},
      {Kind::softplus, -20, 2.0611536203143807e-9},
      {Kind::softplus, -80, 1.8048513878454152e-35},
      {Kind::softplus, -700, 9.8596765437597709e-305},
      {Kind::softplus, 0, 0.69314718055994531},
      {Kind::softplus, 1.25, 1.5019290813453729},
      {Kind::softplus, 6, 6.0024756851377304},
      {Kind::softplus, 19.5, 19.500000003398268},
      {Kind::sigmoid, -0.5, 0.37754066879814544},
      {Kind::sigmoid, -5, 0.0066928509242848556},
      {Kind::sigmoid, -80, 1.8048513878454152e-35},
      {Kind::sigmoid, -700, 9.8596765437597709e-305},
      {Kind::sigmoid, 1.25, 0.77729986117469115},
      {Kind::sigmoid, 6, 0.99752737684336523},
      {Kind::tanh, -1e-30, -1e-30},
      {Kind::tanh, 1e-8, 9.9999999999999999e-9},
      {Kind::tanh, 0.001, 0.00099999966666680002},
      {Kind::tanh, 0.0625, 0.062418746747512514},
      {Kind::tanh, -0.5, -0.46211715726000976},
      {Kind::tanh, 1.25, 0.8482836399575129},
      {Kind::tanh, 6, 0.99998771165079557},
      {Kind::tanh, -20, -0.99999999999999999},
      {Kind::elu, -1e-30, -1e-30},
      {Kind::elu, -1e-8, -9.9999999500000004e-9},
      {Kind::elu, -0.001, -0.00099950016662500835},
      {Kind::elu, -0.25, -0.22119921692859513},
      {Kind::elu, -0.5, -0.39346934028736658},
      {Kind::elu, -1.25, -0.7134952031398099},
      {Kind::elu, -6, -0.99752124782333364},
      {Kind::elu, -40, -1},
      {Kind::selu, -1e-30, -1.758099340847377e-30},
      {Kind::selu, -1e-8, -1.7580993320568802e-8},
      {Kind::selu, -0.25, -0.38889019747811903},
      {Kind::selu, -1.25, -1.254395446337865},
      {Kind::selu, -6, -1.7537414482794557},
      {Kind::selu, 2, 2.101401974710961},
      {Kind::hard_swish, -2.9999, -4.9998333333438842e-5},
      {Kind::hard_swish, -0.5, -0.20833333333333333},
      {Kind::hard_swish, 1.25, 0.88541666666666667},
  };
  for (const auto& t : tails) {
    // The exponential's argument is up to 700 (x²/2, 2z or x) and rounded to 2⁻⁵³ of itself, a few times.
    EXPECT_TRUE(support::close(value(t.kind, t.x), t.exact, 4 * 700 * 0x1p-53)) << t.x;
    // Float: what the contract says; below 2⁻¹²⁶ the steps are 2⁻¹⁴⁹.
    const auto rounded = static_cast<float>(t.x);  // where x is no float, f of the nearest
    const double exact = rounded == t.x ? t.exact : value(t.kind, rounded);
    const double rel = activation_bound(t.kind).rel;
    EXPECT_NEAR(in_float(t.kind, t.x), exact, rel * std::abs(exact) + 0x1p-150) << t.x;
  }
}

TEST(Activation, NanAndInfinities) {
  const struct {
    Kind kind;
    double at_minus, at_plus, slope_at_minus, slope_at_plus;
  } others[] = {
      {Kind::leaky_relu, -infinity, infinity, 0.01, 1},
      {Kind::elu, -1, infinity, 0, 1},
      {Kind::selu, -1.7580993408473768, infinity, 0, 1.0507009873554805},
      {Kind::relu2, 0, infinity, 0, infinity},
      {Kind::sigmoid, 0, 1, 0, 0},
      {Kind::tanh, -1, 1, 0, 0},
  };
  for (const auto& [kind, name] : kinds()) {
    double at_minus = 0, at_plus = infinity, slope_at_minus = 0, slope_at_plus = 1;
    for (const auto& other : others) {
      if (other.kind != kind) continue;
      at_minus = other.at_minus, at_plus = other.at_plus;
      slope_at_minus = other.slope_at_minus, slope_at_plus = other.slope_at_plus;
    }
    Matrix<double> x(1, 4);
    x << nan, infinity, -infinity, 2;
    const Matrix<double> r = reference(x, kind);
    const Matrix<double> y = twin<float>(x, kind).cast<double>();
    for (const Matrix<double>& m : {r, y}) {
      EXPECT_TRUE(std::isnan(m(0, 0))) << name;
      EXPECT_EQ(m(0, 1), at_plus) << name;
      EXPECT_EQ(float(m(0, 2)), float(at_minus)) << name;
      EXPECT_TRUE(std::isfinite(m(0, 3))) << name;
    }
    EXPECT_TRUE(std::isnan(derivative(kind, nan))) << name;
    for (double far : {infinity, 1e308, 1e150, 1e30}) {
      const double plus = kind == Kind::relu2 ? 2 * far : slope_at_plus;
      EXPECT_EQ(derivative(kind, far), plus) << name << far;
      EXPECT_DOUBLE_EQ(derivative(kind, -far), slope_at_minus) << name << far;
    }
  }
}

TEST(Activation, ParametersShapeTheFunction) {
  ActivationParams leaky(Kind::leaky_relu), elu(Kind::elu), swish(Kind::swish), softplus(Kind::softplus);
  leaky.alpha = 0.2, elu.alpha = 2.5, swish.beta = 4, softplus.beta = 3;
  EXPECT_EQ(value(leaky, -3), 0.2 * -3);
  EXPECT_EQ(value(elu, -1), 2.5 * std::expm1(-1));
  EXPECT_DOUBLE_EQ(value(swish, -1.5), value(Kind::silu, -6) / 4);  // x σ(βx) = silu(βx)/β
  EXPECT_DOUBLE_EQ(value(softplus, 2), value(Kind::softplus, 6) / 3);
  EXPECT_EQ(value(softplus, 20.0 / 3 + 1e-9), 20.0 / 3 + 1e-9);  // beyond the threshold
  EXPECT_GT(value(softplus, 20.0 / 3 - 1e-9), 20.0 / 3 - 1e-9);
  const Matrix<double> line =
      Matrix<double>::NullaryExpr(1, 20001, [](Index j) { return double(float(-60 + 0.006 * double(j))); });
  for (const ActivationParams& params : {leaky, elu, swish, softplus}) {
    support::Worst worst(std::string(name(params.kind)) + " with its parameter");
    worst.expect(support::compare(View<const float>(twin<float>(line, params)), reference(line, params),
                                  activation_bound(params.kind)),
                 "−60 … 60");
  }
}

TEST(Activation, StagedRoundsTheInputTheFunctionAndTheResult) {
  Matrix<double> x(1, 3);
  x << 1.00390625, 1 + 0x1p-30,
      3;  // 1 + 2⁻⁸ lies half-way between two bf16 numbers and goes to the even one, 1
  Matrix<double> y(1, 3);
  activation_staged(x, Kind::sigmoid, {tensor::Format::bf16, tensor::Format::f32}, y);
  EXPECT_EQ(y(0, 0), tensor::round_to(tensor::Format::bf16, 0.7310585786300049));
  EXPECT_EQ(y(0, 1), y(0, 0));
  // σ(3) = 0.952574126822433: 0.953125 in bf16, of which there are 2⁻⁸ in this binade.
  EXPECT_EQ(y(0, 2), 0.953125);
  activation_staged(x, Kind::sigmoid, {tensor::Format::f64, tensor::Format::f64}, y);
  EXPECT_EQ(y, reference(x, Kind::sigmoid));
}

TEST(Activation, EmptyInPlaceAndOnManyThreads) {
  const Matrix<double> x = support::normal_floats(300, 257);
  for (const auto& [kind, name] : kinds()) {
    EXPECT_EQ(twin<float>(Matrix<double>(0, 8), kind).size(), 0);
    EXPECT_EQ(twin<float>(Matrix<double>(8, 0), kind).size(), 0);
    Matrix<float> y = x.cast<float>();
    activation_cpu<float>(y, kind, y);
    EXPECT_EQ(y, twin<float>(x, kind)) << name;
  }
}

}  // namespace
}  // namespace orrery::activation::activation_test
