// Whatever is computed in float is kept in float, from the inputs to the derivatives, and no number changes by that.
#include <gtest/gtest.h>

#include "tests/core/op/sample_calls.h"
#include "tests/support/kept.h"

namespace orrery::op::kept_test {
namespace {

using support::in_float;
using tensor::Array;
using tensor::Format;

TEST(Kept, WhatIsComputedInFloatIsKeptInFloat) {
  for (const Op& op : table()) {
    SCOPED_TRACE(op.name);
    for (const Call& in_double : sample_calls(op, support::input_sets().back(), 8)) {
      Call call = in_double;
      for (auto& [name, input] : call.inputs) input.values.round_to(Format::f32);
      const Array y = op.cpu(call);
      EXPECT_TRUE(in_float(y.values));
      EXPECT_EQ(y.values, op.cpu(in_double).values);
      if (op.vjp == nullptr) continue;
      for (const auto& [name, gradient] : op.vjp(call, y)) EXPECT_TRUE(in_float(gradient.values)) << name;
    }
  }
}

TEST(Kept, WhatIsComputedInDoubleIsKeptInDouble) {
  for (const Op& op : table()) {
    Call call = sample_calls(op, support::input_sets().back(), 8).front();
    call.compute = Format::f64;
    EXPECT_FALSE(in_float(op.cpu(call).values)) << op.name;
    EXPECT_FALSE(in_float(op.ref(call).values)) << op.name;
  }
}

}  // namespace
}  // namespace orrery::op::kept_test
