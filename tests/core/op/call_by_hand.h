// Calls written out by hand, and the line they are refused with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/op/op.h"
#include "core/tensor/error.h"
#include "tests/support/inputs.h"

namespace orrery::op {

using tensor::Array;
using tensor::Index;
using Shape = std::vector<Index>;

inline Array normals(Shape shape, unsigned stream = 0) {
  Array a = Array::zeros(tensor::Format::f32, std::move(shape));
  const auto values = support::normal_floats(1, a.size(), stream);
  a.values = {values.data(), values.data() + values.size()};
  return a;
}

inline Call call_of(std::string_view op, std::map<std::string, Array, std::less<>> inputs) {
  Call call;
  call.inputs = std::move(inputs);
  call.settings = parameter::Settings(find(op).parameters);
  return call;
}

/// The one line that all twins which can be asked here refuse the call with.
inline std::string refusal(std::string_view op, const Call& call) {
  std::string text = "accepted";
  for (const Twin twin : {find(op).ref, find(op).cpu}) {
    try {
      twin(call);
      return "accepted";
    } catch (const InvalidArgument& e) {
      EXPECT_TRUE(text == "accepted" || text == e.what()) << e.what();
      text = e.what();
    }
  }
  EXPECT_EQ(text.find('\n'), std::string::npos);
  return text;
}

}  // namespace orrery::op
