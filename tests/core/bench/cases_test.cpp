// What is measured: every op of the table, on both devices. No time is asserted.
#include "core/bench/benchmark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/gpu/device.h"
#include "core/op/op.h"
#include "core/tensor/error.h"

namespace orrery::bench::cases_test {
namespace {

std::set<std::string> planned_ops(const Options& options) {
  std::set<std::string> ops;
  for (const Planned& p : planned({}, options)) ops.insert(p.op);
  return ops;
}

bool has_device() {
  try {
    gpu::Device::of_this_thread();
    return true;
  } catch (const Failure&) {
    return false;
  }
}

TEST(Cases, EveryOpOfTheTableHasOne) {
  const std::set<std::string> ops = planned_ops({});
  for (const op::Op& op : op::table()) EXPECT_TRUE(ops.contains(std::string(op.name))) << op.name;
}

TEST(CasesGlTest, EveryTwinOfTheDeviceHasOne) {
  if (!has_device()) GTEST_SKIP() << "no graphics device";
  const std::set<std::string> ops = planned_ops({.gpu = true});
  for (const op::Op& op : op::table()) {
    if (op.gpu != nullptr) {
      EXPECT_TRUE(ops.contains(std::string(op.name))) << op.name;
    }
  }
}

TEST(Cases, AreOfTheNamedOpsOnly) {
  const std::vector<std::string> names{"dyt", "glu"};
  for (const Planned& p : planned(names, {})) EXPECT_TRUE(std::ranges::count(names, p.op) == 1) << p.op;
  const std::vector<std::string> unknown{"dit"};
  EXPECT_THROW(planned(unknown, {}), InvalidArgument);
}

TEST(Cases, WhatMovesMemoryIsMeasuredAgainstMoves) {
  const auto limit_of = [](const char* op, const std::string& shape) {
    const std::vector<std::string> names{op};
    for (const Planned& p : planned(names, {}))
      if (p.shape == shape) return measure(p.make(), {.samples = 1}).limit;
    return std::string("no such case");
  };
  EXPECT_EQ(limit_of("dyt", "512×768"), "copy");  // 3 MiB: in the caches
  const std::set<std::string> copies{"copy", "non-temporal copy"}, writes{"write", "non-temporal write"};
  const std::string large = limit_of("dyt", "4096×4096"), written = limit_of("sinusoidal", "131072×128");
  EXPECT_TRUE(copies.contains(large)) << large;
  EXPECT_TRUE(writes.contains(written)) << written;
}

// Under a causal mask half of the square is not read; all of the result is written.
TEST(Cases, CountWhatIsMoved) {
  const auto bytes = [](const char* op, const std::string& shape) {
    const std::vector<std::string> names{op};
    for (const Planned& p : planned(names, {}))
      if (p.shape == shape) return p.make().bytes() / sizeof(float);
    return 0.0;
  };
  EXPECT_EQ(bytes("softmax", "512×512"), 2 * 512 * 512);
  EXPECT_EQ(bytes("softmax", "512×512 causal"), 512 * 513 / 2 + 512 * 512);
  EXPECT_EQ(bytes("layer_norm", "512×768"), 2 * 512 * 768);
  EXPECT_EQ(bytes("glu", "512×1536 swiglu"), 3 * 512 * 768);
  EXPECT_EQ(bytes("rope", "12×256×64 half"), 2 * 12 * 256 * 64);
  EXPECT_EQ(bytes("alibi", "8×1024×1024"), 8 * 1024 * 1024);
}

TEST(Cases, WhatLimitsAnOpFollowsFromItsRow) {
  const std::vector<std::string> names{"dyt", "alibi", "fire"};
  for (const Planned& p : planned(names, {})) {
    if (p.op == "dyt" && p.shape != "512×768") continue;
    const Case c = p.make();
    EXPECT_EQ(c.reads(), p.op != "alibi") << p.op;
    EXPECT_EQ(c.arithmetic, p.op == "fire") << p.op;
    EXPECT_EQ(c.flops > 0, p.op == "fire") << p.op;
  }
}

// scores.h promises a sum in double, and cannot be faster than these are; attention multiplies in float.
TEST(Cases, WhatSumsInDoubleIsMeasuredAgainstMultiplyAddsInDouble) {
  const std::vector<std::string> names{"scores", "attention"};
  for (const Planned& p : planned(names, {})) {
    if (p.op == "attention" && p.shape != "weights, causal, T 2048, d 64") continue;
    const Case c = p.make();
    EXPECT_TRUE(c.arithmetic) << p.op;
    EXPECT_EQ(c.in_double, p.op == "scores") << p.op;
    if (p.op == "scores" && p.shape != "T 2048, d 64") continue;
    EXPECT_EQ(measure(c, {.samples = 1}).limit, c.in_double ? "multiply-adds in double" : "multiply-adds")
        << p.op;
  }
}

// Work in place goes on from its own result: a pair that turns twice has turned by twice the angle.
TEST(Cases, InPlaceTheResultIsWhatIsReadNext) {
  const std::vector<std::string> names{"rope"};
  for (const Planned& p : planned(names, {})) {
    if (!p.shape.ends_with("interleaved in place")) continue;
    const Case c = p.make();
    const auto x = static_cast<double>(c.inputs[0][128]), z = static_cast<double>(c.inputs[0][129]);
    c.call();
    c.call();
    // Token 1, pair 0: an angle of 1 each time; a few roundings of float.
    EXPECT_NEAR(c.output[128], x * std::cos(2) - z * std::sin(2), 1e-6);
    EXPECT_NEAR(c.output[129], x * std::sin(2) + z * std::cos(2), 1e-6);
  }
}

double extent(const op::Benchmark& b) {
  const op::Sizes& n = b.sizes;
  double product = 1;
  for (const tensor::Index length : {n.groups, n.T, n.S, n.D, n.d, n.F, n.H, n.V})
    product *= static_cast<double>(std::max<tensor::Index>(length, 1));
  return product;
}

// Of every op the smallest case: most fit the caches. A whole vocabulary is left to `orrery bench`.
TEST(Cases, CallsFillTheirOutputs) {
  int filled = 0;
  for (const op::Op& op : op::table()) {
    if (std::ranges::min(op.benchmarks, {}, extent).sizes.V > 10000) continue;
    ++filled;
    const std::vector<std::string> names{std::string(op.name)};
    const std::vector<Planned> all = planned(names, {});
    ASSERT_EQ(all.size(), op.benchmarks.size()) << op.name;
    const auto smallest = std::ranges::min_element(op.benchmarks, {}, extent) - op.benchmarks.begin();
    const Case c = all[static_cast<std::size_t>(smallest)].make();
    EXPECT_EQ(c.op, op.name);
    ASSERT_FALSE(c.output.empty()) << op.name;
    c.call();
    const auto count = std::ranges::count_if(c.output, [](float v) { return v != 0; });
    EXPECT_GT(count, std::ssize(c.output) / 3) << op.name << " " << c.shape;
  }
  EXPECT_GE(filled, 18);
}

// The result of a norm that takes its own statistics has none left: given ones are another, cheaper op.
TEST(Cases, NormsGoByTheirOwnStatistics) {
  for (const std::string op : {"batch_norm", "instance_norm", "layer_norm", "group_norm"}) {
    const std::vector<std::string> names{op};
    for (const Planned& p : planned(names, {})) {
      if (!p.shape.ends_with("768")) continue;
      const Case c = p.make();
      c.call();
      const auto column = op == "batch_norm" || op == "instance_norm";
      const std::size_t step = column ? 768 : 1, count = column ? (op == "batch_norm" ? 512 : 128) : 768;
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const auto y = static_cast<double>(c.output[i * step]);
        sum += y, squares += y * y;
      }
      const auto n = static_cast<double>(count);
      EXPECT_NEAR(sum / n, 0, 1e-6) << op;
      EXPECT_NEAR(squares / n, 1, 1e-3) << op;  // what ε takes of a variance near 1
    }
  }
}

// An op of one dispatch and one of several.
TEST(CasesGlTest, TheDeviceIsMeasuredAgainstItsOwnCopies) {
  if (!has_device()) GTEST_SKIP() << "no graphics device";
  const std::vector<std::string> names{"rms_norm", "alibi", "feed_forward"};
  std::set<std::string> limits;
  for (const Planned& p : planned(names, {.gpu = true})) {
    const Result r = measure(p.make(), {.samples = 1, .gpu = true});
    EXPECT_EQ(r.device, "gpu");
    EXPECT_GT(r.ms, 0) << r.op;
    EXPECT_GT(r.limit_ms, 0) << r.op;
    EXPECT_GT(r.of_limit, 0) << r.op;
    EXPECT_NEAR(r.of_limit, r.limit_ms / r.ms, 1e-9 * r.of_limit) << r.op;  // of one sample
    limits.insert(r.limit);
  }
  EXPECT_EQ(limits, (std::set<std::string>{"copy shader", "multiply-add shader", "write shader"}));
}

}  // namespace
}  // namespace orrery::bench::cases_test
