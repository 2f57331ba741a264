// Every op of the table, on every input set and width: the fast twins against ref.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "core/gpu/device.h"
#include "core/op/op.h"
#include "core/tensor/declined.h"
#include "tests/core/op/sample_calls.h"
#include "tests/support/compare.h"

namespace orrery::op::twins_test {
namespace {

using support::compare;
using support::compare_by_magnitude;
using support::Comparison;
using tensor::Array;
using tensor::Bound;
using tensor::Format;

/// The worst that a twin did, over all calls.
struct Worst {
  Comparison comparison;
  std::string where = "every element exact";

  void see(const Comparison& c, std::string place) {
    if (c.used <= comparison.used) return;
    comparison = c;
    where = std::move(place);
  }
  void print(const Op& op, const char* twin) const {
    std::printf("%-12s %-8s %5.1f %% of its bound   ", std::string(op.name).c_str(), twin,
                100 * comparison.used);
    if (comparison.used > 0) std::printf("%.17g against %.17g   ", comparison.result, comparison.reference);
    std::printf("%s\n", where.c_str());
  }
};

std::string place_of(const support::InputSet& set, Index width, const Call& call) {
  std::string text = "set " + std::string(set.name) + ", width " + std::to_string(width);
  for (const parameter::Parameter& p : call.settings.declared()) {
    if (p.kind == parameter::Kind::choice)
      text += ", " + std::string(p.name) + "=" + call.settings.text(p.name);
  }
  for (const auto& [name, array] : call.inputs) text += ", " + name + " " + tensor::shape_text(array.shape);
  return text;
}

class Twins : public testing::TestWithParam<std::string> {
 protected:
  const Op& op() const { return find(GetParam()); }

  /// Calls `twin` like ref in every way and checks what `compare_with` makes of the two results.
  template <class Compare>
  void each_call(const char* label, std::span<const Index> widths, Twin twin, Format compute,
                 gpu::Device* device, Compare compare_with) {
    Worst worst;
    int seen = 0, declined = 0;
    // A driver on the processor takes a minute for all of it: there a set meets every other width, and a width every other
    // set; where the sanitizers watch, who see nothing of the driver's loops, every fourth.
    const bool slow = device != nullptr && device->info().software;
#ifdef __SANITIZE_ADDRESS__
    const std::size_t one_in = slow ? 4 : 1;
#else
    const std::size_t one_in = slow ? 2 : 1;
#endif
    std::size_t set_number = 0;
    for (const support::InputSet& set : sample_sets()) {
      ++set_number;
      for (std::size_t w = 0; w < widths.size(); ++w) {
        const Index width = widths[w];
        if (!takes_width(op(), width) || (set_number + w) % one_in != one_in - 1) continue;
        for (Call& call : sample_calls(op(), set, width)) {
          const Array reference = op().ref(call);
          call.compute = compute;
          call.device = device;
          Array result;
          try {
            result = twin(call);
          } catch (const Declined&) {
            ++declined;
            continue;
          }
          ++seen;
          ASSERT_EQ(result.shape, reference.shape) << place_of(set, width, call);
          ASSERT_EQ(result.format, compute);
          const Comparison c = compare_with(call, result, reference);
          worst.see(c, place_of(set, width, call));
          ASSERT_TRUE(c.within) << c.text() << "\n" << place_of(set, width, call);
        }
      }
    }
    worst.print(op(), label);
    if (declined > 0) std::printf("  declined %d of %d calls\n", declined, declined + seen);
    EXPECT_GT(seen, 0);
  }

  Comparison compared(const Call& call, const Array& result, const Array& reference, const Bound& bound,
                      bool by_magnitude) const {
    if (by_magnitude) {
      return compare_by_magnitude(result.matrix(), reference.matrix(), op().magnitude(call).matrix(), bound);
    }
    return compare(result.matrix(), reference.matrix(), bound, result.format);
  }
};

/// The same with a driver, named so that a machine without one can leave it out.
class TwinsGlTest : public Twins {};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Op& op : table()) all.emplace_back(op.name);
  return all;
}

const auto as_it_is = [](const auto& test) { return test.param; };
INSTANTIATE_TEST_SUITE_P(Op, Twins, testing::ValuesIn(names()), as_it_is);
INSTANTIATE_TEST_SUITE_P(Op, TwinsGlTest, testing::ValuesIn(names()), as_it_is);

TEST_P(Twins, CpuInFloat) {
  each_call("cpu f32", support::input_sizes(), op().cpu, Format::f32, nullptr,
            [&](const Call& call, const Array& result, const Array& reference) {
              const Bounds bounds = op().bounds(call);
              return compared(call, result, reference, bounds.cpu, bounds.cpu_by_magnitude);
            });
}

TEST_P(Twins, CpuInDouble) {
  each_call("cpu f64", support::input_sizes(), op().cpu, Format::f64, nullptr,
            [&](const Call& call, const Array& result, const Array& reference) {
              const Bounds bounds = op().bounds(call);
              return compared(call, result, reference, bounds.cpu_in_double, bounds.cpu_by_magnitude);
            });
}

TEST_P(TwinsGlTest, Gpu) {
  if (op().gpu == nullptr) GTEST_SKIP() << op().name << " has no gpu twin";
  gpu::Device* device = nullptr;
  try {
    device = &gpu::Device::of_this_thread();
  } catch (const Failure& e) {
    GTEST_SKIP() << e.what();
  }
  each_call("gpu", support::input_sizes(), op().gpu, Format::f32, device,
            [&](const Call& call, const Array& result, const Array& reference) {
              return compared(call, result, reference, op().bounds(call).gpu, op().magnitude != nullptr);
            });
}

}  // namespace
}  // namespace orrery::op::twins_test
