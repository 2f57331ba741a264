// oneDNN as a contender: its primitives on rows × columns of floats. Attention is its matrix product and its softmax;
// it has no mask, so it does the whole square.
#include <oneapi/dnnl/dnnl.hpp>

#include <charconv>
#include <cmath>
#include <unordered_map>

#include "tests/bench/peer.h"

using namespace orrery;
using dnnl::memory;

namespace {

using Arguments = std::unordered_map<int, memory>;
using Tag = memory::format_tag;

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

memory::desc matrix(memory::dim rows, memory::dim cols, Tag tag = Tag::ab) {
  return {{rows, cols}, memory::data_type::f32, tag};
}

std::span<float> floats(const memory& m) {
  return {static_cast<float*>(m.get_data_handle()), m.get_desc().get_size() / sizeof(float)};
}

struct Step {
  dnnl::primitive primitive;
  Arguments arguments;
};

/// Steps one after another on one stream.
peer::Contest contest(const std::vector<Step>& steps, const std::vector<memory>& inputs,
                      const memory& output) {
  peer::Contest c;
  for (const memory& m : inputs) c.inputs.push_back(floats(m));
  c.output = floats(output);
  c.call = [steps, inputs, output, stream = dnnl::stream(engine())]() mutable {
    for (const Step& step : steps) step.primitive.execute(stream, step.arguments);
    stream.wait();
  };
  return c;
}

peer::Contest layer_norm(memory::dim rows, memory::dim cols) {
  using dnnl::normalization_flags;
  const memory x(matrix(rows, cols), engine()), y(matrix(rows, cols), engine());
  const memory::desc vector({cols}, memory::data_type::f32, Tag::a);
  const memory scale(vector, engine()), shift(vector, engine());
  for (float& w : floats(scale)) w = 1;
  for (float& b : floats(shift)) b = 0;
  const dnnl::layer_normalization_forward::primitive_desc how(
      {dnnl::prop_kind::forward_inference, x.get_desc(), 1e-5F,
       normalization_flags::use_scale | normalization_flags::use_shift},
      engine());
  return contest({{dnnl::layer_normalization_forward(how),
                   {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}, {DNNL_ARG_SCALE, scale}, {DNNL_ARG_SHIFT, shift}}}},
                 {x}, y);
}

Step softmax_step(const memory& x, const memory& y) {
  const dnnl::softmax_v2_forward::primitive_desc how(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, x.get_desc(), y.get_desc(), 1},
      engine());
  return {dnnl::softmax_v2_forward(how), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}}};
}

peer::Contest softmax(memory::dim rows, memory::dim cols) {
  const memory x(matrix(rows, cols), engine()), y(matrix(rows, cols), engine());
  return contest({softmax_step(x, y)}, {x}, y);
}

std::optional<peer::Contest> activation(memory::dim rows, memory::dim cols, const std::string& kind) {
  using dnnl::algorithm;
  const std::unordered_map<std::string, algorithm> known{{"gelu", algorithm::eltwise_gelu_erf},
                                                         {"gelu_tanh", algorithm::eltwise_gelu_tanh},
                                                         {"silu", algorithm::eltwise_swish}};
  const auto found = known.find(kind);
  if (found == known.end()) return {};
  const memory x(matrix(rows, cols), engine()), y(matrix(rows, cols), engine());
  const dnnl::eltwise_forward::primitive_desc how(
      {dnnl::prop_kind::forward_inference, found->second, x.get_desc(), 1.0F /* swish: x·σ(1·x) */, 0.0F},
      engine());
  return contest({{dnnl::eltwise_forward(how), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}}}}, {x}, y);
}

/// s = scale·q·kᵀ.
Step product_with_transpose(const memory& q, const memory& k, const memory& s, float scale) {
  const auto shape = k.get_desc().dims();
  const memory::desc transposed({shape[1], shape[0]}, memory::data_type::f32, Tag::ba);
  dnnl::primitive_attr attributes;
  attributes.set_output_scales(0, {scale});
  const dnnl::matmul::primitive_desc how({q.get_desc(), transposed, s.get_desc()}, attributes, engine());
  const memory k_transposed(transposed, engine(), k.get_data_handle());
  return {dnnl::matmul(how), {{DNNL_ARG_SRC, q}, {DNNL_ARG_WEIGHTS, k_transposed}, {DNNL_ARG_DST, s}}};
}

Step scores_step(const memory& q, const memory& k, const memory& s, memory::dim width) {
  return product_with_transpose(q, k, s, 1 / std::sqrt(static_cast<float>(width)));
}

peer::Contest attention_weights(memory::dim tokens, memory::dim width) {
  const memory q(matrix(tokens, width), engine()), k(matrix(tokens, width), engine());
  const memory s(matrix(tokens, tokens), engine()), p(matrix(tokens, tokens), engine());
  return contest({scores_step(q, k, s, width), softmax_step(s, p)}, {q, k}, p);
}

peer::Contest scores(memory::dim tokens, memory::dim width) {
  const memory q(matrix(tokens, width), engine()), k(matrix(tokens, width), engine());
  const memory s(matrix(tokens, tokens), engine());
  return contest({scores_step(q, k, s, width)}, {q, k}, s);
}

/// The widths of the two matrices, and what is between them.
peer::Contest feed_forward(memory::dim tokens, memory::dim width, memory::dim hidden) {
  const memory x(matrix(tokens, width), engine()), w1(matrix(width, hidden), engine()),
      w2(matrix(hidden, width), engine()), h(matrix(tokens, hidden), engine()),
      y(matrix(tokens, width), engine());
  dnnl::post_ops gelu;
  gelu.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(gelu);
  const dnnl::matmul::primitive_desc first({x.get_desc(), w1.get_desc(), h.get_desc()}, attributes, engine()),
      second({h.get_desc(), w2.get_desc(), y.get_desc()}, engine());
  return contest({{dnnl::matmul(first), {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w1}, {DNNL_ARG_DST, h}}},
                  {dnnl::matmul(second), {{DNNL_ARG_SRC, h}, {DNNL_ARG_WEIGHTS, w2}, {DNNL_ARG_DST, y}}}},
                 {x, w1, w2}, y);
}

peer::Contest unembedding(memory::dim words, memory::dim tokens, memory::dim width) {
  const memory x(matrix(tokens, width), engine()), table(matrix(words, width), engine()),
      y(matrix(tokens, words), engine());
  return contest({product_with_transpose(x, table, y, 1)}, {x, table}, y);
}

/// The whole numbers in "weights, causal, T 2048, d 64" or "4096×4096 gelu", in order.
std::vector<memory::dim> numbers_in(const std::string& text) {
  std::vector<memory::dim> found;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    memory::dim value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc()) found.push_back(value);
    at = next == at ? at + 1 : next;
  }
  return found;
}

std::optional<peer::Contest> load(const std::string& name) {
  const std::string op = name.substr(0, name.find(' ')), shape = name.substr(op.size());
  const auto n = numbers_in(shape);
  if (op == "feed_forward" && n.size() == 3) return feed_forward(n[0], n[1], n[2]);
  if (op == "unembedding" && n.size() == 3) return unembedding(n[0], n[1], n[2]);
  if (n.size() != 2) return {};
  if (op == "layer_norm") return layer_norm(n[0], n[1]);
  if (op == "softmax" && shape.find("causal") == std::string::npos) return softmax(n[0], n[1]);
  if (op == "activation") return activation(n[0], n[1], shape.substr(shape.rfind(' ') + 1));
  if (op == "scores") return scores(n[0], n[1]);
  if (op == "attention" && shape.starts_with(" weights")) return attention_weights(n[0], n[1]);
  return {};
}

}  // namespace

int main() {
  const dnnl_version_t& v = *dnnl_version();
  return peer::serve(
      "oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch),
      load);
}
