// The cast orders of RMSNorm against PyTorch's own bf16 and f16: LlamaRMSNorm and GemmaRMSNorm as Hugging Face
// writes them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/file/npy.h"
#include "core/op/op.h"
#include "tests/core/op/call_by_hand.h"
#include "tests/support/source.h"

namespace orrery::op::torch_cast_test {
namespace {

/// How many elements differ, and the largest relative difference.
struct Difference {
  Index count = 0;
  double largest = 0;
};

Difference difference(const Array& a, const Array& b) {
  Difference d;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (a.values[i] == b.values[i]) continue;
    ++d.count;
    d.largest = std::max(d.largest, std::abs(a.values[i] - b.values[i]) / std::abs(b.values[i]));
  }
  return d;
}

TEST(TorchCast, StagedRmsNormIsWhatPyTorchGives) {
  const std::string folder = orrery::support::source("tests/reference/torch/rms_norm_cast.");
  for (const std::string format : {"bf16", "f16"}) {
    const auto read = [&](const std::string& what) {
      return file::read_npy(folder + format + "." + what + ".npy");
    };
    Call call = call_of("rms_norm", {{"x", read("x")}, {"weight", read("weight")}});
    call.precision = {tensor::format_from_name(format), tensor::Format::f32};
    const auto staged = [&](const char* cast) {
      call.settings.set("cast", cast);
      call.settings.set("weight_offset", std::string(cast) == "gemma" ? "1" : "0");
      return find("rms_norm").staged(call);
    };
    const Array llama = read("llama"), gemma = read("gemma");
    for (const auto& [cast, torch] : {std::pair{"llama", llama}, {"gemma", gemma}}) {
      const Array y = staged(cast);
      ASSERT_EQ(y.shape, torch.shape);
      const Difference d = difference(y, torch);
      std::printf("  %s %s: %td of %td elements differ\n", format.c_str(), cast, d.count, y.size());
      // PyTorch adds the 48 squares in another order: the float results may differ in the last bit, and a value
      // just beside a tie then goes the other way, by one unit of the narrow format. In f16 one float in 2¹³ is
      // so near to a tie, in bf16 one in 2¹⁶.
      EXPECT_LE(d.count, 1);
      EXPECT_LE(d.largest, 2 * tensor::info(call.precision.storage).unit_roundoff);
    }
    // The same inputs with the other's order are another result: the test can tell them apart.
    call.settings.set("weight_offset", "0");
    call.settings.set("cast", "gemma");
    EXPECT_GT(difference(find("rms_norm").staged(call), llama).count, 40);
  }
}

}  // namespace
}  // namespace orrery::op::torch_cast_test
