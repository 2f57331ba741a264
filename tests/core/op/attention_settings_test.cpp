// What the settings and small inputs of attention mean: scale and its default, padding and lengths, sinks.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/op/call_by_hand.h"

namespace orrery::op::attention_settings_test {
namespace {

Array numbers(Shape shape, std::vector<double> values) {
  return {tensor::Format::f64, std::move(shape), std::move(values)};
}

Call scores_of(Shape q, Shape k) {
  return call_of("scores", {{"q", normals(std::move(q), 1)}, {"k", normals(std::move(k), 2)}});
}

TEST(AttentionSettings, AScaleOf0IsZeroAndTheDefaultIsAWord) {
  Call call = scores_of({3, 16}, {5, 16});
  const Array plain = find("scores").ref(call);
  call.settings.set("scale", "0.25");  // 1/√16
  EXPECT_EQ(find("scores").ref(call).values, plain.values);
  call.settings.set("scale", "default");
  EXPECT_EQ(find("scores").ref(call).values, plain.values);
  EXPECT_TRUE(call.settings.is_default("scale"));
  call.settings.set("scale", "0");
  for (const Twin twin : {find("scores").ref, find("scores").cpu})
    for (const double s : twin(call).values) EXPECT_EQ(s, 0);
  try {
    call.settings.set("scale", "big");
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_STREQ(e.what(), "scale: 'big' is not a number; allowed: a number from -1e6 to 1e6, or default");
  }
}

TEST(AttentionSettings, LengthsHideTheKeysBehindThem) {
  Call by_flags = scores_of({2, 3, 4, 8}, {2, 3, 5, 8}), by_lengths = by_flags;
  by_flags.inputs.emplace("padding", numbers({2, 5}, {1, 1, 1, 0, 0, 1, 1, 1, 1, 1}));
  by_lengths.inputs.emplace("lengths", numbers({2}, {3, 5}));
  EXPECT_EQ(find("scores").cpu(by_lengths).values, find("scores").cpu(by_flags).values);
  EXPECT_EQ(find("scores").ref(by_lengths).values[3], -INFINITY);

  // Both: a key is seen where both let it. Keys 1 … 2 of the first batch row.
  Call both = by_flags;
  both.inputs.insert_or_assign("padding", numbers({5}, {0, 1, 1, 1, 1}));
  both.inputs.emplace("lengths", numbers({2}, {3, 5}));
  const Array s = find("scores").cpu(both);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(std::isfinite(s.values[i]), i % 5 == 1 || i % 5 == 2) << i;
}

TEST(AttentionSettings, AttentionReadsLengthsAndALengthOf0GivesZeros) {
  Call call = call_of("attention", {{"q", normals({2, 4, 8}, 1)},
                                    {"k", normals({2, 5, 8}, 2)},
                                    {"v", normals({2, 5, 8}, 3)},
                                    {"lengths", numbers({2}, {0, 5})}});
  const Array o = find("attention").cpu(call);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(o.values[i], 0);
  for (std::size_t i = 32; i < 64; ++i) EXPECT_NE(o.values[i], 0);
}

TEST(AttentionSettings, LengthsAreCountsOfKeys) {
  const auto with = [](Array lengths) {
    Call call = scores_of({2, 3, 4, 8}, {2, 3, 5, 8});
    call.inputs.emplace("lengths", std::move(lengths));
    return refusal("scores", call);
  };
  EXPECT_EQ(with(numbers({2}, {5, 0})), "accepted");
  EXPECT_EQ(with(numbers({2, 3}, {5, 0, 1, 2, 3, 4})), "accepted");
  EXPECT_EQ(with(numbers({2}, {5, 6})),
            "lengths: found 6; allowed: whole numbers from 0 to 5, the number of keys");
  EXPECT_EQ(with(numbers({2}, {2.5, 1})),
            "lengths: found 2.5; allowed: whole numbers from 0 to 5, the number of keys");
  EXPECT_EQ(with(numbers({3}, {1, 1, 1})),
            "lengths: found shape 3; allowed: one number, or with the first axes of 2×3");
  // Without first axes there is one: an array of one number is that number.
  Call one = scores_of({4, 8}, {5, 8});
  one.inputs.emplace("lengths", numbers({1}, {3}));
  EXPECT_EQ(refusal("scores", one), "accepted");
}

TEST(AttentionSettings, SinksAreNumbersOrAnArrayAndHeadsHaveTheirOwn) {
  for (const std::string op : {"softmax", "attention"}) {
    Call call = op == "softmax" ? call_of(op, {{"x", normals({2, 2, 3, 5}, 1)}})
                                : call_of(op, {{"q", normals({2, 2, 3, 4}, 1)},
                                               {"k", normals({2, 2, 5, 4}, 2)},
                                               {"v", normals({2, 2, 5, 4}, 3)}});
    call.settings.set("output", "lse");
    Call by_array = call;
    by_array.inputs.emplace("sinks", numbers({2}, {0.5, -1}));
    const Array from_array = find(op).cpu(by_array);
    EXPECT_EQ(from_array.shape, (Shape{2, 2, 3}));
    call.settings.set("sink", "0.5,-1");
    EXPECT_EQ(find(op).cpu(call).values, from_array.values);
    for (std::size_t head = 0; head < 4; ++head) {  // each as if the other were not there
      call.settings.set("sink", head % 2 == 0 ? "0.5" : "-1");
      const Array alone = find(op).cpu(call);
      for (std::size_t t = 0; t < 3; ++t)
        EXPECT_EQ(alone.values[head * 3 + t], from_array.values[head * 3 + t]) << op << head;
    }
    by_array.settings.set("sink", "0");
    EXPECT_EQ(refusal(op, by_array), "sink: found beside sinks; allowed: one of the two");
    call.settings.set("sink", "1,2,3");
    EXPECT_EQ(refusal(op, call), "sink: found 3 numbers; allowed: none, one, or 2, one for each head");
    call.settings.set("sink", "");
    call.inputs.emplace("sinks", numbers({3}, {1, 2, 3}));
    EXPECT_EQ(refusal(op, call), "sinks: found shape 3; allowed: one, or 2, one for each head");
  }
}

// Rows without a mask are alike, of whatever shape: one sink is theirs.
TEST(AttentionSettings, DocumentsOfASoftmaxNeedQueries) {
  Call call = call_of("softmax", {{"x", normals({5})}});
  EXPECT_EQ(refusal("softmax", call), "accepted");
  call.inputs.emplace("document_id", numbers({5}, {1, 1, 1, 2, 2}));
  EXPECT_EQ(refusal("softmax", call), "x: found shape 5; allowed: … × T × S");
  call.inputs.insert_or_assign("x", normals({2, 3, 5}));
  EXPECT_EQ(refusal("softmax", call), "accepted");
  call.inputs.insert_or_assign("document_id", numbers({4}, {1, 1, 1, 2}));
  EXPECT_EQ(refusal("softmax", call),
            "document_id: found shape 4; allowed: 5, one for each key, or with the first axes of 2×5");
}

TEST(AttentionSettings, MoreScoresThanAMemoryHoldsAreRefused) {
  // Rows of no width: the arrays are small, their scores would be 2³² numbers.
  const Call call = call_of("scores", {{"q", numbers({1 << 16, 0}, {})}, {"k", numbers({1 << 16, 0}, {})}});
  EXPECT_EQ(refusal("scores", call),
            "k: found 65536 keys for 65536 queries; allowed: queries × keys up to 2147483648");
}

/// Σ g y by each sink, by central differences of the reference.
double by_sink(std::string_view op, Call call, const Array& g, const std::string& above,
               const std::string& below) {
  const auto sum = [&](const std::string& sink) {
    call.settings.set("sink", sink);
    const Array y = find(op).ref(call);
    double total = 0;
    for (std::size_t i = 0; i < y.values.size(); ++i) total += g.values[i] * y.values[i];
    return total;
  };
  return (sum(above) - sum(below)) / 2e-5;
}

// (f(x + h) − f(x − h))/2h is off by about 1e-10 at h = 1e-5, and by 1e-11 by its rounding.
TEST(SinkDerivatives, OfSoftmaxAgreeWithCentralDifferences) {
  Call call = call_of("softmax", {{"x", normals({3, 7}, 1)}});
  call.compute = tensor::Format::f64;
  call.settings.set("temperature", "0.7");
  call.inputs.find("x")->second.values.doubles()[4] = -INFINITY;  // behind a mask
  const Array g = normals({3, 7}, 2);
  EXPECT_FALSE(find("softmax").vjp(call, g).contains("sink"));
  call.settings.set("sink", "0.5");
  const Gradients gradients = find("softmax").vjp(call, g);
  ASSERT_TRUE(gradients.contains("sink"));
  const Array& sink = gradients.find("sink")->second;
  EXPECT_EQ(sink.shape, Shape{1});
  EXPECT_NEAR(sink.values[0], by_sink("softmax", call, g, "0.50001", "0.49999"), 1e-9);
}

TEST(SinkDerivatives, OfAttentionAgreeWithCentralDifferencesForEachHead) {
  Call call = call_of(
      "attention",
      {{"q", normals({2, 2, 3, 4}, 1)}, {"k", normals({2, 2, 5, 4}, 2)}, {"v", normals({2, 2, 5, 4}, 3)}});
  call.compute = tensor::Format::f64;
  call.settings.set("mask", "causal");
  for (const auto& [output, shape] :
       {std::pair("values", Shape{2, 2, 3, 4}), std::pair("weights", Shape{2, 2, 3, 5})}) {
    call.settings.set("output", output);
    call.settings.set("sink", "0.5,-1");
    const Array g = normals(shape, 4);
    const Array sink = find("attention").vjp(call, g).find("sink")->second;
    EXPECT_EQ(sink.shape, Shape{2});
    EXPECT_NEAR(sink.values[0], by_sink("attention", call, g, "0.50001,-1", "0.49999,-1"), 1e-9) << output;
    EXPECT_NEAR(sink.values[1], by_sink("attention", call, g, "0.5,-0.99999", "0.5,-1.00001"), 1e-9)
        << output;
  }
}

}  // namespace
}  // namespace orrery::op::attention_settings_test
