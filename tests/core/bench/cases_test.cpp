// What is measured: every op of the table, on both devices. No time is asserted.
#include "core/bench/benchmark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/gpu/device.h"
#include "core/op/op.h"
#include "core/tensor/error.h"

namespace orrery::bench {
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

// The last of each op is small: it fits the caches.
TEST(Cases, CallsFillTheirOutputs) {
  for (const char* op : {"batch_norm", "scale_norm", "dyt", "kerple", "fire", "glu"}) {
    const std::vector<std::string> names{op};
    const Case c = planned(names, {}).back().make();
    EXPECT_EQ(c.op, op);
    ASSERT_FALSE(c.output.empty()) << op;
    c.call();
    const auto count = std::ranges::count_if(c.output, [](float v) { return v != 0; });
    EXPECT_GT(count, std::ssize(c.output) / 3) << op << " " << c.shape;
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
    EXPECT_GT(r.copy_ms, 0) << r.op;
    EXPECT_GT(r.ratio_to_copy, 0) << r.op;
    EXPECT_NEAR(r.ratio_to_copy, r.copy_ms / r.ms, 1e-9 * r.ratio_to_copy) << r.op;  // of one sample
    limits.insert(r.limit);
  }
  EXPECT_EQ(limits, (std::set<std::string>{"copy shader", "multiply-add shader", "write shader"}));
}

}  // namespace
}  // namespace orrery::bench
