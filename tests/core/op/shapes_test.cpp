// What the adapters make of shapes: leading axes, empty arrays, and what does not fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/op/sample.h"
#include "tests/core/op/call_by_hand.h"

namespace orrery::op::shapes_test {
namespace {

TEST(OpShapes, MissingInputsAreNamed) {
  EXPECT_EQ(refusal("rms_norm", call_of("rms_norm", {})), "x: this input is missing; found: none");
  EXPECT_EQ(refusal("scores", call_of("scores", {{"q", normals({3, 4})}})),
            "k: this input is missing; found: q");
}

TEST(OpShapes, WeightsMustFitTheLastAxis) {
  for (const char* name : {"weight", "bias"}) {
    EXPECT_EQ(refusal("layer_norm", call_of("layer_norm", {{"x", normals({2, 3, 8})}, {name, normals({7})}})),
              std::string(name) + ": found shape 7; allowed: 8, the last axis of x (2×3×8)");
  }
  EXPECT_EQ(refusal("rms_norm", call_of("rms_norm", {{"x", normals({3, 8})}, {"weight", normals({3, 8})}})),
            "weight: found shape 3×8; allowed: 8, the last axis of x (3×8)");
}

TEST(OpShapes, OneGainForAllColumns) {
  EXPECT_EQ(refusal("scale_norm", call_of("scale_norm", {{"x", normals({3, 8})}, {"gain", normals({8})}})),
            "gain: found shape 8; allowed: 1, one gain for all columns");
  EXPECT_EQ(refusal("scale_norm", call_of("scale_norm", {{"x", normals({3, 8})}, {"gain", normals({})}})),
            "accepted");
}

TEST(OpShapes, MatricesAsPyTorchKeepsThem) {
  Call call =
      call_of("feed_forward", {{"x", normals({3, 8})}, {"w1", normals({12, 8})}, {"w2", normals({8, 12})}});
  EXPECT_EQ(refusal("feed_forward", call), "w1: found shape 12×8; allowed: 8 × F, as x is 3×8");
  call.settings.set("weights", "out_in");
  EXPECT_EQ(refusal("feed_forward", call), "accepted");
  call.inputs.insert_or_assign("w2", normals({12, 8}));
  EXPECT_EQ(refusal("feed_forward", call), "w2: found shape 12×8; allowed: 8×12 (D × F), as x is 3×8");
}

TEST(OpShapes, AMeanAloneIsNoStatistics) {
  Call call = call_of("batch_norm", {{"x", normals({3, 8})}, {"running_mean", normals({8})}});
  EXPECT_EQ(refusal("batch_norm", call), "running_mean: found without running_var; allowed: both or none");
  call.inputs.insert_or_assign("running_var", normals({8}));
  EXPECT_EQ(refusal("batch_norm", call), "running_var: found numbers below 0; allowed: numbers from 0 on");
}

TEST(OpShapes, ASampleHasPositionsAndColumns) {
  EXPECT_EQ(refusal("instance_norm", call_of("instance_norm", {{"x", normals({8})}})),
            "x: found shape 8; allowed: … × T × D");
  EXPECT_EQ(
      refusal("instance_norm", call_of("instance_norm", {{"x", normals({3, 8})}, {"bias", normals({3})}})),
      "bias: found shape 3; allowed: 8, the last axis of x (3×8)");
  EXPECT_EQ(find("instance_norm").cpu(call_of("instance_norm", {{"x", normals({2, 0, 8})}})).shape,
            (Shape{2, 0, 8}));
}

TEST(OpShapes, GroupsDivideTheWidth) {
  Call call = call_of("group_norm", {{"x", normals({2, 3, 8})}});
  EXPECT_EQ(refusal("group_norm", call),
            "groups: found 32; allowed: a divisor of 8, the last axis of x (2×3×8)");
  call.settings.set("groups", "4");
  EXPECT_EQ(refusal("group_norm", call), "accepted");
}

TEST(OpShapes, TooFewAxes) {
  const Array scalar = normals({}), vector = normals({8});
  EXPECT_EQ(refusal("layer_norm", call_of("layer_norm", {{"x", scalar}})),
            "x: found shape scalar; allowed: … × D");
  EXPECT_EQ(refusal("rms_norm", call_of("rms_norm", {{"x", scalar}})),
            "x: found shape scalar; allowed: … × D");
  EXPECT_EQ(refusal("batch_norm", call_of("batch_norm", {{"x", vector}})),
            "x: found shape 8; allowed: … × T × D");
  EXPECT_EQ(refusal("softmax", call_of("softmax", {{"x", scalar}})), "x: found shape scalar; allowed: … × S");
  EXPECT_EQ(refusal("top_p", call_of("top_p", {{"x", scalar}})), "x: found shape scalar; allowed: … × V");
  EXPECT_EQ(refusal("rope", call_of("rope", {{"x", vector}})), "x: found shape 8; allowed: … × T × d");
  EXPECT_EQ(refusal("scores", call_of("scores", {{"q", vector}, {"k", vector}})),
            "q: found shape 8; allowed: … × T × d");
  EXPECT_EQ(find("activation").cpu(call_of("activation", {{"x", scalar}})).shape, Shape{});
}

TEST(OpShapes, QueriesAndKeysMustFit) {
  const auto scores = [](Shape q, Shape k) {
    return call_of("scores", {{"q", normals(q)}, {"k", normals(k)}});
  };
  EXPECT_EQ(refusal("scores", scores({3, 4}, {5, 6})), "k: found shape 5×6; allowed: 5×4, as q is 3×4");
  EXPECT_EQ(refusal("scores", scores({2, 3, 4}, {3, 5, 4})),
            "k: found shape 3×5×4; allowed: 2×5×4, as q is 2×3×4");
  EXPECT_EQ(refusal("scores", scores({2, 3, 4}, {5, 4})),
            "k: found shape 5×4; allowed: 2×5×4, as q is 2×3×4");
  EXPECT_EQ(find("scores").ref(scores({2, 7, 3, 4}, {2, 7, 5, 4})).shape, (Shape{2, 7, 3, 5}));
}

// Every T × S of a stack is masked from its own first row on; a row alone has no place under a mask.
TEST(OpShapes, AMaskOfSoftmaxBeginsAnewWithEveryMatrix) {
  Call stacked = call_of("softmax", {{"x", normals({2, 3, 3})}}),
       alone = call_of("softmax", {{"x", normals({3})}});
  stacked.settings.set("mask", "causal"), alone.settings.set("mask", "causal");
  for (const auto& y : {find("softmax").ref(stacked), find("softmax").cpu(stacked)})
    for (std::size_t i = 0; i < y.values.size(); ++i) EXPECT_EQ(y.values[i] == 0, i % 3 > i / 3 % 3) << i;
  EXPECT_EQ(find("softmax").vjp(stacked, normals({2, 3, 3})).at("x").values[1], 0);
  EXPECT_EQ(refusal("softmax", alone), "x: found shape 3; allowed: … × T × S");
}

TEST(OpShapes, RopeRefusesWhatCannotTurn) {
  Call call = call_of("rope", {{"x", normals({2, 3, 7})}});
  EXPECT_EQ(
      refusal("rope", call),
      "x: found 7 on the last axis; allowed: an even number, for pairs, or rotary_dim=6 or less beside it");
  call.settings.set("rotary_dim", "8");
  EXPECT_EQ(refusal("rope", call),
            "rotary_dim: found 8; allowed: an even number up to 7, the last axis of x");
  call.settings.set("rotary_dim", "6");
  EXPECT_EQ(refusal("rope", call), "accepted");
  call.inputs.insert_or_assign("positions", normals({4}));
  EXPECT_EQ(refusal("rope", call), "positions: found shape 4; allowed: 3, one for each token of x");
  Array positions = normals({3});
  positions.values.doubles()[1] = std::numeric_limits<double>::quiet_NaN();
  call.inputs.insert_or_assign("positions", positions);
  EXPECT_EQ(refusal("rope", call),
            "positions: found a value that is not finite; allowed: finite numbers, in tokens");
}

TEST(OpShapes, SinusoidalRefusesWhatNoMemoryHolds) {
  Call call = call_of("sinusoidal", {});
  call.settings.set("length", "16777216");
  call.settings.set("dim", "65536");
  EXPECT_EQ(refusal("sinusoidal", call),
            "length: found 16777216 with dim 65536; allowed: length × dim up to 2147483648");
}

TEST(OpShapes, EmptyInputsGiveEmptyResults) {
  int ops = 0;
  for (const Op& op : table()) {  // those of one array of tokens, or of anything
    const bool of_x = op.inputs.size() > 0 && op.inputs[0].name == "x" &&
                      std::ranges::count_if(op.inputs, &Input::positional) == 1;
    if (!of_x) continue;
    ++ops;
    for (const Shape& shape : {Shape{0, 8}, Shape{3, 0}, Shape{2, 0, 8}, Shape{0, 3, 8}}) {
      Call call = call_of(op.name, {{"x", Array::zeros(tensor::Format::f32, shape)}});
      call.settings = sample_settings(op, {.D = shape.back(), .d = shape.back()});
      for (const Twin twin : {op.ref, op.cpu}) {
        const Array y = twin(call);
        EXPECT_EQ(y.shape.size(), shape.size()) << op.name;
        EXPECT_TRUE(y.values.empty()) << op.name;
      }
    }
  }
  EXPECT_GE(ops, 10);
  for (const auto& [q, k] :
       {std::pair{Shape{0, 4}, Shape{5, 4}}, {Shape{3, 4}, Shape{0, 4}}, {Shape{0, 3, 4}, Shape{0, 5, 4}}}) {
    const Call call = call_of("scores", {{"q", normals(q)}, {"k", normals(k)}});
    EXPECT_EQ(find("scores").ref(call).size(), 0);
    EXPECT_EQ(find("scores").cpu(call).size(), 0);
  }
  Call table = call_of("sinusoidal", {});
  table.settings.set("length", "0");
  EXPECT_EQ(find("sinusoidal").ref(table).shape, (Shape{0, 64}));
  EXPECT_EQ(find("sinusoidal").cpu(table).size(), 0);
}

TEST(OpShapes, LeadingAxesAreGroupsOfTheirOwn) {
  // The second group of a 2 × 3 × 4 array gives what it gives alone.
  const Array q = normals({2, 3, 4}, 1), k = normals({2, 5, 4}, 2);
  const auto second = [](const Array& a) {
    Array half = a;
    half.shape.erase(half.shape.begin());
    std::vector<double>& values = half.values.doubles();
    values.erase(values.begin(), values.begin() + half.size() / 2);
    return half;
  };
  Call both = call_of("scores", {{"q", q}, {"k", k}});
  both.settings.set("mask", "causal");
  Call alone = call_of("scores", {{"q", second(q)}, {"k", second(k)}});
  alone.settings.set("mask", "causal");
  EXPECT_EQ(second(find("scores").ref(both)).values, find("scores").ref(alone).values);

  EXPECT_EQ(second(find("rope").ref(call_of("rope", {{"x", q}}))).values,
            find("rope").ref(call_of("rope", {{"x", second(q)}})).values);
}

}  // namespace
}  // namespace orrery::op::shapes_test
