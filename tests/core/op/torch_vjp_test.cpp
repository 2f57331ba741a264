// The derivatives against PyTorch's autograd: tests/reference/torch/derivatives.json.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/file/npy.h"
#include "core/op/op.h"
#include "tests/support/compare.h"
#include "tests/support/source.h"

namespace orrery::op::torch_vjp_test {
namespace {

using tensor::Array;
using tensor::Format;

const std::string folder = orrery::support::source("tests/reference/torch/");

struct Case {
  std::string name, op;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> settings;

  Array array(const std::string& what) const {
    return file::read_npy(folder + name + ".f64." + what + ".npy");
  }
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& c : nlohmann::json::parse(std::ifstream(folder + "derivatives.json")))
    all.push_back({c.at("name"), c.at("op"), c.at("inputs"), c.at("settings")});
  return all;
}

class TorchVjp : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Case, TorchVjp, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(TorchVjp, AgreesWithAutograd) {
  const Op& op = find(GetParam().op);
  Call call;
  call.compute = Format::f64;
  call.settings = parameter::Settings(op.parameters);
  for (const auto& [key, value] : GetParam().settings) call.settings.set(key, value);
  for (const std::string& input : GetParam().inputs) call.inputs.emplace(input, GetParam().array(input));

  const Gradients gradients = op.vjp(call, GetParam().array("g"));
  std::vector<std::string> floating = GetParam().inputs;
  for (const Input& input : op.inputs)
    if (input.exact()) std::erase(floating, input.name);    // whole numbers have no derivative
  const bool sinks = GetParam().settings.contains("sink");  // a setting, and yet it is learned
  EXPECT_EQ(gradients.size(), floating.size() + (sinks ? 1 : 0));
  for (const std::string& input : floating) {
    ASSERT_TRUE(gradients.contains(input)) << input;
    const Array &d = gradients.find(input)->second, torch = GetParam().array("d_" + input);
    ASSERT_EQ(d.shape, torch.shape) << input;
    // Two double programs that add in different orders: nine roundings of 1.1e-16 of terms of the row's largest size,
    // which cancel.
    const support::Comparison c = support::compare(
        d.matrix(), torch.matrix(), {.abs = 1e-15, .rel = 1e-15, .nmse = 1e-30, .row = 1e-15}, Format::f64);
    std::printf("%-24s d_%-8s max abs %8.2g  max rel %8.2g  %5.1f %% of the bound\n", GetParam().name.c_str(),
                input.c_str(), c.max_abs, c.max_rel, 100 * c.used);
    EXPECT_TRUE(c.within) << input << ": " << c.text();
  }
}

}  // namespace
}  // namespace orrery::op::torch_vjp_test
