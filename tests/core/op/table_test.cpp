// The rows of the table, and the formats its twins answer in.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/core/op/call_by_hand.h"

namespace orrery::op::table_test {
namespace {

TEST(OpTable, RowsAreWhole) {
  std::set<std::string_view> names;
  for (const Op& op : table()) {
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
    EXPECT_FALSE(op.group.empty() || op.summary.empty() || op.formula.empty()) << op.name;
    EXPECT_TRUE(op.ref != nullptr && op.cpu != nullptr && op.bounds != nullptr) << op.name;
    EXPECT_NO_THROW(parameter::Settings{op.parameters}) << op.name;
    for (const Input& input : op.inputs) EXPECT_FALSE(input.shape.empty() || input.help.empty()) << op.name;
    for (const parameter::Parameter& p : op.parameters) {
      EXPECT_FALSE(p.label.empty() || p.help.empty()) << op.name << " " << p.name;
    }
    EXPECT_EQ(&find(op.name), &op);
  }
}

TEST(OpTable, AnUnknownOpIsAnsweredWithTheKnown) {
  try {
    find("layernorm");
    FAIL();
  } catch (const InvalidArgument& e) {
    std::string known;
    for (const Op& op : table()) known += (known.empty() ? "" : ", ") + std::string(op.name);
    EXPECT_EQ(e.what(), "op: found 'layernorm' (did you mean 'layer_norm'?); allowed: " + known);
  }
}

TEST(OpFormats, TheCpuComputesInWhatIsAskedAndTheGpuInFloat) {
  Call call = call_of("softmax", {{"x", normals({3, 8})}});
  EXPECT_EQ(find("softmax").cpu(call).format, tensor::Format::f32);
  EXPECT_EQ(find("softmax").ref(call).format, tensor::Format::f64);
  call.compute = tensor::Format::f64;
  EXPECT_EQ(find("softmax").cpu(call).format, tensor::Format::f64);
  for (const tensor::Format compute : {tensor::Format::f64, tensor::Format::f32}) {  // f32: no device
    call.compute = compute;
    for (const Op& op : table()) {
      if (op.gpu != nullptr) {
        EXPECT_THROW(op.gpu(call), InvalidArgument) << op.name;
      }
    }
  }
  call.compute = tensor::Format::bf16;
  EXPECT_THROW(find("softmax").cpu(call), InvalidArgument);
}

}  // namespace
}  // namespace orrery::op::table_test
