// Scores and softmax. Leading axes of q and k (batch, heads) are groups, each with scores of its own.
#include <charconv>
#include <cmath>

#include "core/attention/scores.h"
#include "core/attention/softmax.h"
#include "core/op/adapters.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

attention::Mask mask_of(const std::string& text) {
  using Kind = attention::Mask::Kind;
  if (text == "none") return {};
  if (text == "causal") return {.kind = Kind::causal};
  constexpr std::string_view sliding = "sliding:";  // the settings let nothing else pass
  Index window = 0;
  std::from_chars(text.data() + sliding.size(), text.data() + text.size(), window);
  return {.kind = Kind::sliding, .window = window};
}

attention::ScoresParams scores_params(const parameter::Settings& s) {
  attention::ScoresParams params;
  params.mask = mask_of(s.choice("mask"));
  if (s.real("scale") != 0) params.scale = s.real("scale");
  return params;
}

/// Where the groups of q and k lie, and the shape of their scores.
struct Groups {
  Index count = 1, queries = 0, keys = 0, width = 0;
  std::vector<Index> result_shape = {};
};

Groups groups_of(const Array& q, const Array& k) {
  const auto leading = [](const Array& a) { return std::vector<Index>(a.shape.begin(), a.shape.end() - 2); };
  Groups g{.queries = *(q.shape.end() - 2), .keys = *(k.shape.end() - 2), .width = q.cols()};
  g.result_shape = leading(q);
  if (leading(k) != g.result_shape || k.cols() != g.width) {
    std::vector<Index> allowed = g.result_shape;
    allowed.insert(allowed.end(), {g.keys, g.width});
    throw InvalidArgument("k: found shape " + tensor::shape_text(k.shape) + "; allowed: " +
                          tensor::shape_text(allowed) + ", as q is " + tensor::shape_text(q.shape));
  }
  for (const Index n : g.result_shape) g.count *= n;
  g.result_shape.insert(g.result_shape.end(), {g.queries, g.keys});
  return g;
}

template <class T>
Array scores(const Call& call, auto&& twin) {
  const Array& q = input_with_axes(call, "q", 2, "… × T × d");
  const Array& k = input_with_axes(call, "k", 2, "… × S × d");
  const Groups g = groups_of(q, k);
  const attention::ScoresParams params = scores_params(call.settings);
  const Matrix<T> queries = matrix_of<T>(q), keys = matrix_of<T>(k);
  Matrix<T> output(g.count * g.queries, g.keys);
  for (Index i = 0; i < g.count; ++i) {
    twin(View<const T>(queries.data() + i * g.queries * g.width, g.queries, g.width),
         View<const T>(keys.data() + i * g.keys * g.width, g.keys, g.width), params,
         View<T>(output.data() + i * g.queries * g.keys, g.queries, g.keys));
  }
  return array_of(output, g.result_shape);
}

template <class T>
Array softmax(const Call& call, auto&& twin) {
  const Array& x = input_with_axes(call, "x", 1, "… × S");
  const Matrix<T> input = matrix_of<T>(x);
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), attention::SoftmaxParams{.temperature = call.settings.real("temperature")},
       View<T>(output));
  return array_of(output, x.shape);
}

}  // namespace

Array Scores::ref(const Call& call) {
  return scores<double>(call, attention::scores_ref);
}

Array Scores::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return scores<T>(call, attention::scores_cpu<T>); });
}

Array Scores::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return scores<float>(call, [&](auto... args) { attention::scores_gpu(device, args...); });
}

Bounds Scores::bounds(const Call& call) {
  const Index d = call.input("q").cols();
  return {attention::scores_bound(d), {.abs = 0x1p-126, .rel = attention::scores_gpu_bound(d)}};
}

Array Scores::magnitude(const Call& call) {
  Call positive;
  positive.settings = call.settings;
  for (const std::string_view name : {"q", "k"}) {
    Array a = call.input(name);
    for (double& x : a.values) x = std::abs(x);
    positive.inputs.emplace(name, std::move(a));
  }
  return ref(positive);
}

Array Softmax::ref(const Call& call) {
  return softmax<double>(call, attention::softmax_ref);
}

Array Softmax::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return softmax<T>(call, attention::softmax_cpu<T>); });
}

Array Softmax::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return softmax<float>(call, [&](auto... args) { attention::softmax_gpu(device, args...); });
}

Bounds Softmax::bounds(const Call&) {
  return {attention::softmax_bound, attention::softmax_gpu_bound};
}

}  // namespace orrery::op
