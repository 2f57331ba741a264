// The staged norms, bit for bit, against the same loops in NumPy's float16 and PyTorch's bfloat16, which round after
// every operation.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/file/npy.h"
#include "core/op/op.h"
#include "tests/core/op/call_by_hand.h"
#include "tests/support/source.h"

namespace orrery::op::naive_norm_test {
namespace {

class NaiveNorm : public testing::TestWithParam<const char*> {
 protected:
  static Array read(const std::string& what) {
    return file::read_npy(orrery::support::source("tests/reference/torch/norm_naive.") + GetParam() + "." +
                          what + ".npy");
  }

  /// A call on the inputs of this file, in its formats: "f16.f32" is storage and accumulation.
  static Call call_on(std::string_view op, std::initializer_list<const char*> inputs) {
    std::map<std::string, Array, std::less<>> arrays;
    for (const char* input : inputs) arrays.emplace(input, read(input));
    Call call = call_of(op, std::move(arrays));
    const std::string formats = GetParam();
    const std::size_t dot = formats.find('.');
    call.precision = {tensor::format_from_name(formats.substr(0, dot)),
                      tensor::format_from_name(formats.substr(dot + 1))};
    call.settings.set("eps", "0.3");
    return call;
  }

  /// Result number `index` of those stacked in a file.
  static std::vector<double> part(const Array& stacked, Index index) {
    const Index size = stacked.size() / stacked.shape[0];
    const auto first = stacked.values.begin() + index * size;
    return {first, first + size};
  }
};

INSTANTIATE_TEST_SUITE_P(Formats, NaiveNorm, testing::Values("f16.f16", "bf16.bf16", "f16.f32"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST_P(NaiveNorm, LayerNorm) {
  Call call = call_on("layer_norm", {"x", "weight", "bias"});
  const Array expected = read("layer_norm");
  Index index = 0;
  for (const char* estimator : {"two_pass", "one_pass", "welford"}) {
    for (const char* variant : {"standard", "annotated"}) {
      call.settings.set("estimator", estimator);
      call.settings.set("variant", variant);
      EXPECT_EQ(find("layer_norm").staged(call).values, part(expected, index++))
          << estimator << " " << variant;
    }
  }
}

TEST_P(NaiveNorm, RmsNorm) {
  Call call = call_on("rms_norm", {"x", "weight"});
  const Array expected = read("rms_norm");
  Index index = 0;
  for (const char* place : {"inside", "outside"}) {
    for (const char* cast : {"llama", "gemma"}) {
      call.settings.set("eps_place", place);
      call.settings.set("cast", cast);
      call.settings.set("weight_offset", std::string_view(cast) == "gemma" ? "1" : "0");
      EXPECT_EQ(find("rms_norm").staged(call).values, part(expected, index++)) << place << " " << cast;
    }
  }
}

TEST_P(NaiveNorm, RmsNormWithABias) {
  Call call = call_on("rms_norm", {"x", "weight", "bias"});
  const Array expected = read("rms_norm_bias");
  Index index = 0;
  for (const char* cast : {"llama", "gemma"}) {
    call.settings.set("cast", cast);
    call.settings.set("weight_offset", std::string_view(cast) == "gemma" ? "1" : "0");
    EXPECT_EQ(find("rms_norm").staged(call).values, part(expected, index++)) << cast;
  }
}

}  // namespace
}  // namespace orrery::op::naive_norm_test
