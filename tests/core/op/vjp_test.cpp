// Every derivative in the table against central differences of the reference, in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/op/op.h"
#include "core/tensor/error.h"
#include "tests/core/op/sample_calls.h"
#include "tests/support/inputs.h"

namespace orrery::op::vjp_test {
namespace {

using tensor::Array;
using tensor::Format;

/// Σ gradient·result of the reference: what the derivative is of. `magnitude`: Σ |gradient·result|.
double weighted_sum(const Op& op, const Call& call, const Array& gradient, double* magnitude = nullptr) {
  const Array y = op.ref(call);
  double sum = 0;
  if (magnitude != nullptr) {
    *magnitude = 0;
    for (Index i = 0; i < y.size(); ++i)
      if (std::isfinite(y.values[i])) *magnitude += std::abs(gradient.values[i] * y.values[i]);
  }
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isfinite(y.values[i])) sum += gradient.values[i] * y.values[i];  // a masked score is no number
  }
  return sum;
}

class Vjps : public testing::TestWithParam<std::string> {
 protected:
  const Op& op() const { return find(GetParam()); }
};

std::vector<std::string> differentiable() {
  std::vector<std::string> names;
  for (const Op& op : table()) {
    if (op.vjp != nullptr) names.emplace_back(op.name);
  }
  return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Vjps);
INSTANTIATE_TEST_SUITE_P(Op, Vjps, testing::ValuesIn(differentiable()),
                         [](const auto& test) { return test.param; });

TEST_P(Vjps, AgreeWithCentralDifferences) {
  // (f(x + h) − f(x − h))/2h is off by h²f‴/6, about 1e-10·f‴ at this h, and by u·|f|/h, about 1e-11 of the sum's size.
  constexpr double h = 1e-5;
  constexpr double allowed = 2e-8;
  double worst = 0;
  for (const Index width : {Index{2}, Index{6}, Index{32}}) {
    for (Call& call : sample_calls(op(), support::input_sets().back(), width)) {
      call.compute = Format::f64;
      const Array y = op().ref(call);
      Array gradient = y;
      const auto g = support::normal_floats(1, std::max<Index>(y.size(), 1), 9);
      for (Index i = 0; i < y.size(); ++i) gradient.values.doubles()[i] = g(0, i);
      for (const auto& [name, derivative] : op().vjp(call, gradient)) {
        ASSERT_TRUE(call.inputs.contains(name)) << name;
        ASSERT_EQ(derivative.shape, call.inputs.find(name)->second.shape) << name;
        const Index stride = std::max<Index>(1, derivative.size() / 40);  // enough of them
        for (Index i = 0; i < derivative.size(); i += stride) {
          double& x = call.inputs.find(name)->second.values.doubles()[i];
          const double at = x;
          x = at + h;
          double magnitude = 0;
          const double above = weighted_sum(op(), call, gradient, &magnitude);
          x = at - h;
          const double below = weighted_sum(op(), call, gradient);
          x = at;
          const double difference = (above - below) / (2 * h);
          // Each result may be off by 16 roundings of 1.1e-16 of the terms behind it: 2e-10 of the sum at this h.
          const double scale = 1 + std::abs(difference) + 0x1p-49 / h / allowed * magnitude;
          const double error = std::abs(derivative.values[i] - difference) / scale;
          worst = std::max(worst, error);
          ASSERT_LE(error, allowed) << GetParam() << ": d" << name << "[" << i << "], width " << width;
        }
      }
    }
  }
  std::printf("%-12s d/dinputs %.1e from central differences\n", GetParam().c_str(), worst);
}

TEST_P(Vjps, InFloatAgreesWithDouble) {
  for (const Index width : {Index{6}, Index{33}, Index{256}}) {
    for (Call& call : sample_calls(op(), support::input_sets().back(), width)) {
      call.compute = Format::f64;
      Array gradient = op().ref(call);
      const auto g = support::normal_floats(1, std::max<Index>(gradient.size(), 1), 9);
      for (Index i = 0; i < gradient.size(); ++i) gradient.values.doubles()[i] = g(0, i);
      const Gradients exact = op().vjp(call, gradient);
      call.compute = Format::f32;
      gradient.format = Format::f32;
      for (const auto& [name, derivative] : op().vjp(call, gradient)) {
        const Array& reference = exact.find(name)->second;
        const double largest = std::ranges::max(reference.values, {}, [](double v) { return std::abs(v); });
        // A few roundings of terms no larger than the largest, and a sum over up to a few hundred of them.
        for (Index i = 0; i < derivative.size(); ++i) {
          ASSERT_NEAR(derivative.values[i], reference.values[i], 0x1p-18 * (1 + std::abs(largest)))
              << GetParam() << ": d" << name << "[" << i << "], width " << width;
        }
      }
    }
  }
}

TEST_P(Vjps, RefuseAGradientOfAnotherShape) {
  Call call = sample_calls(op(), support::input_sets().back(), 6).front();
  Array gradient = op().ref(call);
  gradient.shape.push_back(2);
  gradient.values.doubles().resize(gradient.values.size() * 2);
  EXPECT_THROW(op().vjp(call, gradient), InvalidArgument);
}

}  // namespace
}  // namespace orrery::op::vjp_test
