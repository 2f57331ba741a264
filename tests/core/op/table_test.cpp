// The table's rows, and what the adapters make of shapes and settings.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "core/model/rope_config.h"
#include "core/op/op.h"
#include "core/tensor/error.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using Shape = std::vector<Index>;

Array normals(Shape shape, unsigned stream = 0) {
  Array a = Array::zeros(tensor::Format::f32, std::move(shape));
  const auto values = support::normal_floats(1, a.size(), stream);
  a.values.assign(values.data(), values.data() + values.size());
  return a;
}

Call call_of(std::string_view op, std::map<std::string, Array, std::less<>> inputs) {
  Call call;
  call.inputs = std::move(inputs);
  call.settings = parameter::Settings(find(op).parameters);
  return call;
}

/// The one line that all twins which can be asked here refuse the call with.
std::string refusal(std::string_view op, const Call& call) {
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
    EXPECT_STREQ(e.what(),
                 "op: found 'layernorm' (did you mean 'layer_norm'?); allowed: layer_norm, rms_norm, "
                 "sinusoidal, rope, scores, softmax, "
                 "activation");
  }
}

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

TEST(OpShapes, TooFewAxes) {
  const Array scalar = normals({}), vector = normals({8});
  EXPECT_EQ(refusal("layer_norm", call_of("layer_norm", {{"x", scalar}})),
            "x: found shape scalar; allowed: … × D");
  EXPECT_EQ(refusal("rms_norm", call_of("rms_norm", {{"x", scalar}})),
            "x: found shape scalar; allowed: … × D");
  EXPECT_EQ(refusal("softmax", call_of("softmax", {{"x", scalar}})), "x: found shape scalar; allowed: … × S");
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

TEST(OpShapes, RopeRefusesWhatCannotTurn) {
  Call call = call_of("rope", {{"x", normals({2, 3, 7})}});
  EXPECT_EQ(refusal("rope", call),
            "rotary_dim: found 7; allowed: an even number up to 7, the last axis of x");
  call.settings.set("rotary_dim", "8");
  EXPECT_EQ(refusal("rope", call),
            "rotary_dim: found 8; allowed: an even number up to 7, the last axis of x");
  call.settings.set("rotary_dim", "6");
  EXPECT_EQ(refusal("rope", call), "accepted");
  call.inputs.insert_or_assign("positions", normals({4}));
  EXPECT_EQ(refusal("rope", call), "positions: found shape 4; allowed: 3, one for each token of x");
  Array positions = normals({3});
  positions.values[1] = std::numeric_limits<double>::quiet_NaN();
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
  for (const std::string name : {"layer_norm", "rms_norm", "softmax", "activation", "rope"}) {
    for (const Shape& shape : {Shape{0, 8}, Shape{3, 0}, Shape{2, 0, 8}, Shape{0, 3, 8}}) {
      const Call call = call_of(name, {{"x", Array::zeros(tensor::Format::f32, shape)}});
      for (const Twin twin : {find(name).ref, find(name).cpu}) {
        const Array y = twin(call);
        EXPECT_EQ(y.shape, shape) << name;
        EXPECT_TRUE(y.values.empty()) << name;
      }
    }
  }
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
    half.values.erase(half.values.begin(), half.values.begin() + half.size() / 2);
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

TEST(OpFormats, TheCpuComputesInWhatIsAskedAndTheGpuInFloat) {
  Call call = call_of("softmax", {{"x", normals({3, 8})}});
  EXPECT_EQ(find("softmax").cpu(call).format, tensor::Format::f32);
  EXPECT_EQ(find("softmax").ref(call).format, tensor::Format::f64);
  call.compute = tensor::Format::f64;
  EXPECT_EQ(find("softmax").cpu(call).format, tensor::Format::f64);
  for (const Op& op : table()) EXPECT_THROW(op.gpu(call), InvalidArgument) << op.name;  // f64
  call.compute = tensor::Format::f32;
  for (const Op& op : table()) EXPECT_THROW(op.gpu(call), InvalidArgument) << op.name;  // no device
  call.compute = tensor::Format::bf16;
  EXPECT_THROW(find("softmax").cpu(call), InvalidArgument);
}

TEST(OpSettings, SlidingWindowsCountTheTokenItself) {
  Call call = call_of("scores", {{"q", normals({4, 2})}, {"k", normals({4, 2})}});
  call.settings.set("mask", "sliding:2");
  const Array s = find("scores").ref(call);
  for (Index t = 0; t < 4; ++t) {
    for (Index n = 0; n < 4; ++n) {
      EXPECT_EQ(std::isinf(s.matrix()(t, n)), n > t || t - n >= 2) << t << ", " << n;
    }
  }
}

TEST(OpSettings, ScaleZeroStandsForOneOverTheRootOfTheWidth) {
  Call call = call_of("scores", {{"q", normals({2, 16})}, {"k", normals({2, 16})}});
  const Array standard = find("scores").ref(call);
  call.settings.set("scale", "0.25");
  EXPECT_EQ(find("scores").ref(call).values, standard.values);
  call.settings.set("scale", "0.5");
  EXPECT_EQ(find("scores").ref(call).values[0], 2 * standard.values[0]);
}

TEST(OpSettings, RopeTurnsThePublishedVector) {
  const auto& example = support::reference_values().at("rope_vector_example");
  Call call =
      call_of("rope", {{"x", {tensor::Format::f64, {1, 4}, example.at("x").get<std::vector<double>>()}}});
  call.settings.set("offset", std::to_string(example.at("m").get<int>()));
  for (const auto& [layout, key] : {std::pair{"interleaved", "interleaved"}, {"half", "half_split"}}) {
    call.settings.set("layout", layout);
    const Array y = find("rope").ref(call);
    const auto expected = example.at(key).get<std::vector<double>>();
    // Given to 16 digits; the angle 3·θ and the rotation add a few roundings of 1.1e-16 of |x| = 5.5.
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(y.values[j], expected[j], 2e-15) << layout << " " << j;
  }
  // The same position given as an array.
  call.settings.set("offset", "0");
  call.inputs.emplace("positions", Array{tensor::Format::f64, {1}, {3}});
  const Array y = find("rope").ref(call);
  EXPECT_NEAR(y.values[0], example.at("half_split")[0].get<double>(), 2e-15);
}

TEST(OpSettings, RopeTakesItsFrequenciesFromAConfig) {
  const std::string config = ORRERY_SOURCE_DIR "/assets/models/llama-3.2-1b.json";
  Array x = Array::zeros(tensor::Format::f64, {1, 64});
  for (Index j = 0; j < 32; ++j)
    x.values[j] = 1;  // half layout: the pair (j, j + 32) is (1, 0), and turns to (cos, sin)
  Call call = call_of("rope", {{"x", x}});
  call.settings.set("config", config);
  call.settings.set("offset", "1");
  const Array y = find("rope").ref(call);
  // llama3 rule, base 500000, factor 32, head width 64: the fastest pair keeps 1 rad per token, the slowest,
  // far below the low frequency limit, turns 32 times slower than base^(−62/64).
  EXPECT_NEAR(std::atan2(y.values[32], y.values[0]), 1, 1e-15);
  EXPECT_NEAR(std::atan2(y.values[63], y.values[31]) * 32 / std::pow(500000, -62.0 / 64), 1, 1e-14);

  call.settings.set("base", "10");
  EXPECT_EQ(refusal("rope", call),
            "base: found 10 beside config=" + config + "; allowed: one of the two, for the file says it too");
  call = call_of("rope", {{"x", normals({1, 32})}});
  call.settings.set("config", config);
  EXPECT_EQ(refusal("rope", call), "x: found 32 on the last axis; allowed: 64, the head width of " + config);
  call.settings.set("config", "/nowhere/config.json");
  EXPECT_THROW(find("rope").ref(call), Failure);
}

TEST(OpSettings, LayersOfAConfigThatDifferAreChosenByName) {
  const std::string config = ORRERY_SOURCE_DIR "/assets/models/gemma-3-4b-v5.json";
  Call call = call_of("rope", {{"x", normals({8, 256})}});
  call.settings.set("config", config);
  EXPECT_EQ(refusal("rope", call),
            "layer: found all; allowed with " + config + ": full_attention, sliding_attention");
  call.settings.set("layer", "full_attention");
  const Array full = find("rope").ref(call);
  call.settings.set("layer", "sliding_attention");
  EXPECT_NE(find("rope").ref(call).values, full.values);  // base 10⁶ with a factor of 8, and base 10⁴
  call.settings.set("config", "");
  EXPECT_EQ(refusal("rope", call),
            "layer: found sliding_attention without config; allowed: only beside config=FILE");
}

TEST(OpSettings, RopeKeepsTheLengthOfPairsUnderEveryModelsRule) {
  int layers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/assets/models")) {
    for (const model::RopeLayer& layer : model::read_rope_config(entry.path(), 5).layers) {
      const Array x = normals({5, layer.head_dim}, 4);
      Call call = call_of("rope", {{"x", x}});
      call.settings.set("config", entry.path().string());
      call.settings.set("layer", layer.name);
      const Array y = find("rope").ref(call);
      const Index turning = 2 * std::ssize(layer.inv_freq);
      const double a = layer.attention_factor;
      for (Index t = 0; t < 5; ++t) {
        const auto before = x.matrix().eigen().row(t), after = y.matrix().eigen().row(t);
        // Each pair is turned by factors that are off by 2 u at most: 1e-14 leaves room for sums of 256
        // squares.
        EXPECT_NEAR(after.head(turning).norm() / (a * before.head(turning).norm()), 1, 1e-14)
            << entry << layer.name;
        EXPECT_EQ(after.tail(layer.head_dim - turning), before.tail(layer.head_dim - turning));
      }
      ++layers;
    }
  }
  EXPECT_GE(layers, 15);
}

TEST(OpSettings, NormExampleOfTheReferenceFile) {
  const auto& example = support::reference_values().at("norm_example");
  const auto array = [&](const char* key) {
    auto values = example.at(key).get<std::vector<double>>();
    return Array{tensor::Format::f64, {std::ssize(values)}, values};
  };
  Call call = call_of("layer_norm", {{"x", array("x")}, {"weight", array("gamma")}, {"bias", array("beta")}});
  call.compute = tensor::Format::f64;
  const auto expected = example.at("layernorm").at("y").get<std::vector<double>>();
  for (const Twin twin : {find("layer_norm").ref, find("layer_norm").cpu}) {
    const Array y = twin(call);
    for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(y.values[j], expected[j], 1e-15);
  }
}

}  // namespace
}  // namespace orrery::op
