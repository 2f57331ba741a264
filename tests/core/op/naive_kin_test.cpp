// The staged kin of the norms and the staged biases, bit for bit, against the same loops in NumPy's float16 and PyTorch's
// bfloat16, which round after every operation.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/file/npy.h"
#include "tests/core/op/call_by_hand.h"
#include "tests/support/source.h"

namespace orrery::op::naive_kin_test {
namespace {

/// The parameter is storage and accumulation: "f16.f32".
class NaiveKin : public testing::TestWithParam<const char*> {
 protected:
  static Array read(const std::string& file, const std::string& what) {
    return file::read_npy(orrery::support::source("tests/reference/torch/") + file + "." + GetParam() + "." +
                          what + ".npy");
  }

  static Call call_on(std::string_view op, const std::string& file,
                      std::initializer_list<const char*> inputs) {
    std::map<std::string, Array, std::less<>> arrays;
    for (const char* input : inputs) arrays.emplace(input, read(file, input));
    Call call = call_of(op, std::move(arrays));
    const std::string formats = GetParam();
    const std::size_t dot = formats.find('.');
    call.precision = {tensor::format_from_name(formats.substr(0, dot)),
                      tensor::format_from_name(formats.substr(dot + 1))};
    return call;
  }
};

INSTANTIATE_TEST_SUITE_P(Formats, NaiveKin, testing::Values("f16.f16", "bf16.bf16", "f16.f32"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST_P(NaiveKin, BatchNorm) {
  Call call = call_on("batch_norm", "kin_naive", {"x", "weight", "bias"});
  call.settings.set("eps", "0.3");
  EXPECT_EQ(find("batch_norm").staged(call).values, read("kin_naive", "batch_norm").values);
}

TEST_P(NaiveKin, InstanceNorm) {
  Call call = call_on("instance_norm", "kin_naive", {"x", "weight", "bias"});
  call.inputs.find("x")->second.shape = {2, 3, 12};
  call.settings.set("eps", "0.3");
  EXPECT_EQ(find("instance_norm").staged(call).values, read("kin_naive", "instance_norm").values);
}

TEST_P(NaiveKin, GroupNorm) {
  Call call = call_on("group_norm", "kin_naive", {"x", "weight", "bias"});
  call.settings.set("eps", "0.3");
  call.settings.set("groups", "3");
  EXPECT_EQ(find("group_norm").staged(call).values, read("kin_naive", "group_norm").values);
}

TEST_P(NaiveKin, ScaleNorm) {
  Call call = call_on("scale_norm", "kin_naive", {"x"});
  call.inputs.emplace("gain", Array{tensor::Format::f64, {1}, {1.75}});
  EXPECT_EQ(find("scale_norm").staged(call).values, read("kin_naive", "scale_norm").values);
}

TEST_P(NaiveKin, Dyt) {
  Call call = call_on("dyt", "kin_naive", {"x", "weight", "bias"});
  call.settings.set("alpha", "0.7");
  EXPECT_EQ(find("dyt").staged(call).values, read("kin_naive", "dyt").values);
}

// Distances up to 999: bf16 holds no odd one above 256.
TEST_P(NaiveKin, Kerple) {
  const Array expected = read("kin_naive", "kerple");
  const std::vector<Index> distances{1, 2, 3, 5, 40, 255, 256, 257, 300, 999};
  Call call = call_on("kerple", "kin_naive", {});
  call.settings.set("r1", "1.3");
  call.settings.set("length", "1000");
  Index at = 0;
  for (const auto& [kind, r2] : {std::pair("log", "0.7"), std::pair("power", "1.1")}) {
    call.settings.set("kind", kind);
    call.settings.set("r2", r2);
    const Array y = find("kerple").staged(call);
    for (const Index d : distances)
      EXPECT_EQ(y.values[static_cast<std::size_t>(999 * 1000 + 999 - d)],
                expected.values[static_cast<std::size_t>(at++)])
          << kind << " " << d;
  }
}

TEST_P(NaiveKin, FireWithTwoHiddenLayers) {
  Call call = call_on("fire", "fire_naive", {"w_in", "b_in", "w_mid", "b_mid", "w_out", "b_out"});
  call.settings.set("direction", "bidirectional");
  call.settings.set("threshold", "8");
  call.settings.set("length", "12");
  EXPECT_EQ(find("fire").staged(call).values, read("fire_naive", "y").values);
}

// Nothing is computed: the table's values as they are stored.
TEST(StagedT5Bias, IsTheStoredTable) {
  Call call = call_of("t5_bias", {{"table", normals({32, 2})}});
  call.settings.set("length", "40");
  const Array exact = find("t5_bias").ref(call);
  call.precision = {tensor::Format::bf16, tensor::Format::f32};
  const Array y = find("t5_bias").staged(call);
  ASSERT_EQ(y.shape, exact.shape);
  for (std::size_t i = 0; i < y.values.size(); ++i)
    EXPECT_EQ(y.values[i], tensor::round_to(tensor::Format::bf16, exact.values[i]));
}

}  // namespace
}  // namespace orrery::op::naive_kin_test
