// The ops against PyTorch: tests/reference/torch, made by tests/reference/make_torch.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/file/npy.h"
#include "core/model/rope_config.h"
#include "core/op/op.h"
#include "tests/support/compare.h"
#include "tests/support/source.h"

namespace orrery::op::torch_test {
namespace {

using support::compare;
using support::Comparison;
using tensor::Array;
using tensor::Bound;
using tensor::Format;

const std::string folder = orrery::support::source("tests/reference/torch/");

struct Case {
  std::string name;
  const Op* op = nullptr;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> settings;
  double float_loses = 0;  ///< what PyTorch's own float arithmetic loses beside 1, in units of 2⁻²⁴

  Array array(const std::string& what) const { return file::read_npy(folder + name + "." + what + ".npy"); }

  Call call(const std::string& format) const {
    Call c;
    for (const std::string& input : inputs) c.inputs.emplace(input, array(format + "." + input));
    c.settings = parameter::Settings(op->parameters);
    for (const auto& [key, value] : settings) c.settings.set(key, value);
    c.compute = tensor::format_from_name(format);
    return c;
  }
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& c : nlohmann::json::parse(std::ifstream(folder + "cases.json"))) {
    all.push_back({c.at("name"), &find(c.at("op").get<std::string>()), c.at("inputs"), c.at("settings"),
                   c.value("float_loses", 0.0)});
  }
  return all;
}

class Torch : public testing::TestWithParam<Case> {
 protected:
  static void expect_near(const char* what, const Array& y, const Array& torch, const Bound& bound,
                          Format format) {
    ASSERT_EQ(y.shape, torch.shape);
    const Comparison c = compare(y.matrix(), torch.matrix(), bound, format);
    std::printf("%-20s %-22s max abs %8.2g  max rel %8.2g  %5.1f %% of the bound\n", GetParam().name.c_str(),
                what, c.max_abs, c.max_rel, 100 * c.used);
    EXPECT_TRUE(c.within) << what << ": " << c.text();
  }
};

INSTANTIATE_TEST_SUITE_P(Case, Torch, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

/// Two double programs that add and round in different places, u = 2⁻⁵³ = 1.1e-16: nine roundings of the
/// result, of the row's largest (scores and pairs cancel, and keep what that leaves), and of 1: PyTorch's
/// GELU is x·(1 + erf)/2, whose left tail is off by |x| u (ours keeps its digits), and angles of 8 are off by
/// 8 u.
constexpr Bound double_against_double{.abs = 1e-15, .rel = 1e-15, .nmse = 1e-30, .row = 1e-15};

TEST_P(Torch, RefAndCpuInDouble) {
  const Call call = GetParam().call("f64");
  const Array torch = GetParam().array("f64.y");
  expect_near("ref", GetParam().op->ref(call), torch, double_against_double, Format::f64);
  expect_near("cpu f64", GetParam().op->cpu(call), torch, double_against_double, Format::f64);
}

TEST_P(Torch, CpuInFloatIsWithinItsBoundOfTheExactResult) {
  const Call call = GetParam().call("f32");
  Bound bound = GetParam().op->bounds(call).cpu;
  bound.abs +=
      double_against_double.abs;  // PyTorch's double, which stands here for the exact result, has that share
  const Array y = GetParam().op->cpu(call), exact = GetParam().array("f32.exact");
  if (!GetParam().op->bounds(call).cpu_by_magnitude)
    return expect_near("cpu f32 against exact", y, exact, bound, Format::f32);
  const Array magnitude = GetParam().op->magnitude(call);
  const Comparison c = support::compare_by_magnitude(y.matrix(), exact.matrix(), magnitude.matrix(), bound);
  EXPECT_TRUE(c.within) << c.text();
}

TEST_P(Torch, CpuInFloatIsWhatPyTorchShowsInFloat) {
  // Here PyTorch's own float arithmetic is the larger part, u = 2⁻²⁴ = 6e-8: sums of up to 40 products, exp
  // and tanh: 8 u of the result and 4 u of the row's largest, and what the case itself says.
  const Call call = GetParam().call("f32");
  expect_near(
      "cpu f32 against float", GetParam().op->cpu(call), GetParam().array("f32.y"),
      {.abs = 1e-30 + GetParam().float_loses * 0x1p-24, .rel = 0x1p-21, .nmse = 1e-13, .row = 0x1p-22},
      Format::f32);
}

class Llama3 : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Models, Llama3, testing::Values("llama-3.1-8b", "llama-3.2-1b"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST_P(Llama3, FrequenciesAreThoseOfHuggingFace) {
  const std::string model = GetParam();
  const auto layers =
      model::read_rope_config(orrery::support::source("assets/models/") + model + ".json").layers;
  ASSERT_EQ(layers.size(), 1u);
  const Array exact = file::read_npy(folder + "inv_freq." + model + ".f64.npy");
  const Array as_float = file::read_npy(folder + "inv_freq." + model + ".f32.npy");
  ASSERT_EQ(std::ssize(layers[0].inv_freq), exact.size());
  double worst = 0, worst_float = 0;
  for (std::size_t i = 0; i < layers[0].inv_freq.size(); ++i) {
    worst = std::max(worst, std::abs(layers[0].inv_freq[i] / exact.values[i] - 1));
    worst_float = std::max(worst_float, std::abs(layers[0].inv_freq[i] / as_float.values[i] - 1));
  }
  std::printf("%s: %.2g from PyTorch in double, %.2g in float\n", model.c_str(), worst, worst_float);
  EXPECT_LE(worst, 2e-15);  // pow and a handful of roundings of 1.1e-16
  EXPECT_LE(worst_float,
            2e-6);  // a float exponent near 1 is off by 6e-8, and ln 500000 = 13 times that in the power
}

}  // namespace
}  // namespace orrery::op::torch_test
