// Activations and rotations stage by stage against PyTorch's own bf16.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "core/file/npy.h"
#include "tests/core/op/call_by_hand.h"
#include "tests/support/source.h"

namespace orrery::op::torch_narrow_test {
namespace {

Array read_case(const std::string& name) {
  return file::read_npy(orrery::support::source("tests/reference/torch/") + name + ".npy");
}

Array read(const std::string& what) {
  return read_case("activation_narrow.bf16." + what);
}

Array staged(std::string_view op, const char* kind) {
  Call call = call_of(op, {{"x", read("x")}});
  call.settings.set("kind", kind);
  call.precision = {tensor::Format::bf16, tensor::Format::f32};
  return find(op).staged(call);
}

// PyTorch computes in float and rounds once. Where its float is off by a unit, a tie may fall to the other side: none of
// these 96 values does.
TEST(TorchNarrow, SigmoidIsWhatPyTorchGivesInBf16) {
  EXPECT_EQ(staged("activation", "sigmoid").values, read("sigmoid").values);
}

// PyTorch forms 1 + erf in float, which is off by 2⁻²⁴ of 1: far to the left that is seen, even in bf16.
TEST(TorchNarrow, GeluIsWhatPyTorchGivesInBf16) {
  const Array x = read("x"), y = staged("activation", "gelu"), torch = read("gelu");
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    if (x.values[i] > -4)
      EXPECT_EQ(y.values[i], torch.values[i]) << x.values[i];
    else
      EXPECT_NEAR(y.values[i], torch.values[i], 0x1p-24 * -x.values[i] + 0x1p-8 * -y.values[i])
          << x.values[i];
  }
}

// Two ops: the activated half is stored in between.
TEST(TorchNarrow, GatedUnitsAreWhatPyTorchGivesInBf16) {
  const Array y = staged("glu", "glu"), torch = read("glu");
  EXPECT_EQ(y.shape, torch.shape);
  EXPECT_EQ(y.values, torch.values);
}

// Hugging Face's rotation, bit for bit, where an angle is 4000 radians too.
TEST(TorchNarrow, RotationIsWhatHuggingFaceGivesInBf16) {
  for (const auto& [width, base, offset] : {std::tuple{"64", "10000", "0"}, {"128", "500000", "4000"}}) {
    const std::string name = "rope_narrow.bf16." + std::string(width);
    Call call = call_of("rope", {{"x", read_case(name + ".x")}});
    call.settings.set("layout", "half");
    call.settings.set("base", base);
    call.settings.set("offset", offset);
    call.precision = {tensor::Format::bf16, tensor::Format::f32};
    const auto differing = [&](const char* stage) {
      call.settings.set("stage", stage);
      const Array y = find("rope").staged(call), torch = read_case(name + ".y");
      std::size_t count = 0;
      for (std::size_t i = 0; i < y.values.size(); ++i) count += y.values[i] != torch.values[i] ? 1 : 0;
      return static_cast<double>(count) / static_cast<double>(y.values.size());
    };
    EXPECT_EQ(differing("hugging_face"), 0) << width;
    // No single stage is it: each differs in an eighth of the elements and more.
    for (const char* stage : {"result", "rotation", "table"}) EXPECT_GT(differing(stage), 0.1) << stage;
  }
}

}  // namespace
}  // namespace orrery::op::torch_narrow_test
