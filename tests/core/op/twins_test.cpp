// Every op of the table, on every input set and width: the fast twins against ref.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/gpu/device.h"
#include "core/norm/layer_norm.h"
#include "core/op/op.h"
#include "core/tensor/declined.h"
#include "tests/core/op/sample_calls.h"
#include "tests/support/compare.h"

namespace orrery::op {
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

/// How far double may stand from double: the twins add in another order. Sums of up to 4096 terms lose √4096
/// u in all likelihood (u = 2⁻⁵³; Higham and Mary 2019), a few u come from exp, erfc and roots: 2⁻⁴⁶ = 128 u
/// of the result or, where terms cancel, of the row's largest. LayerNorm's centring loses one rounding of the
/// mean, and one of the sets has that at 10⁴ σ: 10⁴ u = 2⁻⁴⁰. The other estimators lose what the op's own bound
/// says beyond that. BatchNorm's columns have each a scale of their own, so there it is absolute, beside 1.
Bound double_bound(const Op& op, const Call& call) {
  Bound bound{.abs = 0x1p-1070, .rel = 0x1p-46, .nmse = 0x1p-80, .row = 0x1p-46};
  if (op.name == "layer_norm") {
    const double estimator_loss = op.bounds(call).cpu.row - norm::layer_norm_bound.row;
    bound.row = 0x1p-40 + estimator_loss;
    bound.nmse += estimator_loss * estimator_loss;
  }
  if (op.name == "batch_norm") bound.abs = 0x1p-46;
  if (op.name == "attention") {
    // The softmax multiplies the relative error of a logit by the logit: the op's own bound knows how large it is.
    const Bound own = op.bounds(call).cpu;
    bound.abs = own.abs;
    bound.rel = own.rel;
    bound.nmse = 1;  // the elements are held one by one
  }
  return bound;
}

class Twins : public testing::TestWithParam<std::string> {
 protected:
  const Op& op() const { return find(GetParam()); }

  /// Calls `twin` like ref in every way and checks what `compare_with` makes of the two results.
  template <class Compare>
  void each_call(const char* label, std::span<const Index> widths, Twin twin, Format compute,
                 gpu::Device* device, Compare compare_with) {
    Worst worst;
    int compared = 0, declined = 0;
    for (const support::InputSet& set : sample_sets()) {
      for (const Index width : widths) {
        if (op().name == "fire" && width > 257) continue;  // its second hidden layer has width² weights
        for (Call& call : sample_calls(op(), set, width)) {
          if (op().name == "rope" && width == 1) continue;  // no pair fits in
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
          ++compared;
          ASSERT_EQ(result.shape, reference.shape) << place_of(set, width, call);
          ASSERT_EQ(result.format, compute);
          const Comparison c = compare_with(call, result, reference);
          worst.see(c, place_of(set, width, call));
          ASSERT_TRUE(c.within) << c.text() << "\n" << place_of(set, width, call);
        }
      }
    }
    worst.print(op(), label);
    if (declined > 0) std::printf("  declined %d of %d calls\n", declined, declined + compared);
    EXPECT_GT(compared, 0);
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
              if (bounds.cpu_by_magnitude)
                return compare_by_magnitude(result.matrix(), reference.matrix(),
                                            op().magnitude(call).matrix(), bounds.cpu);
              return compare(result.matrix(), reference.matrix(), bounds.cpu);
            });
}

TEST_P(Twins, CpuInDouble) {
  each_call("cpu f64", support::input_sizes(), op().cpu, Format::f64, nullptr,
            [&](const Call& call, const Array& result, const Array& reference) {
              return compare(result.matrix(), reference.matrix(), double_bound(op(), call), Format::f64);
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
              const Bound bound = op().bounds(call).gpu;
              if (op().magnitude != nullptr) {
                return compare_by_magnitude(result.matrix(), reference.matrix(),
                                            op().magnitude(call).matrix(), bound);
              }
              return compare(result.matrix(), reference.matrix(), bound);
            });
}

}  // namespace
}  // namespace orrery::op
