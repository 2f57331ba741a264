#include "core/transformer/attention.h"

#include "core/simd/share.h"
#include "core/transformer/arithmetic.h"
#include "core/transformer/head.h"

namespace orrery::transformer {
namespace {

/// f(sequence, key-value head) for all of them, each by one thread; what heads that share keys add up, one thread adds.
/// `in_order`: the sequences of a head by one thread too, because they add to the same numbers.
template <class F>
void each_group(Index sequences, Index groups, Index work, bool in_order, F f) {
  const Index count = in_order ? groups : sequences * groups;
  simd::share_in_turns({.count = count, .size = work, .turn = 1}, [&] {
    return [&](Index first, Index end) {
      for (; first < end; ++first) {
        if (!in_order) {
          f(first / groups, first % groups);
          continue;
        }
        for (Index b = 0; b < sequences; ++b) f(b, first);
      }
    };
  });
}

template <class T>
View<T> rows(View<T> x, Index first, Index count) {
  return {x.data + first * x.stride, count, x.cols, x.stride};
}

}  // namespace

template <class T>
Attention<T> Attention<T>::make(Layout& layout, const std::string& path, const AttentionConfig& config) {
  const Index inner = config.heads * config.head_width, shared = config.key_value_heads * config.head_width;
  const Index memory = config.memory_width > 0 ? config.memory_width : config.width;
  Attention a;
  a.config = config;
  a.q = Linear<T>::make(layout, path + ".q", config.width, inner, config.bias, Role::query);
  a.k = Linear<T>::make(layout, path + ".k", memory, shared, config.bias, Role::query);
  a.v = Linear<T>::make(layout, path + ".v", memory, shared, config.bias, Role::value);
  if (config.qk_norm != QkNorm::none) {
    const bool whole = config.qk_norm == QkNorm::whole;
    a.q_norm = Norm<T>::make(layout, path + ".q_norm", whole ? inner : config.head_width, config.norm);
    a.k_norm = Norm<T>::make(layout, path + ".k_norm", whole ? shared : config.head_width, config.norm);
  }
  a.out = Linear<T>::make(layout, path + ".out", inner, config.width, config.bias, Role::mix);
  return a;
}

template <class T>
Head<T> Attention<T>::head(const Surroundings<T>& around, const AttentionTape<T>& tape, Index b,
                           Index h) const {
  const Index d = config.head_width,
              group = attention::key_value_head(h, config.heads, config.key_value_heads);
  Head<T> head{
      .q = head_of<const T>(tape.queries(), b, around.queries, h, d),
      .k = head_of<const T>(tape.keys(), b, around.keys, group, d),
      .v = head_of<const T>(tape.v, b, around.keys, group, d),
      .bias = around.bias.empty() ? around.bias : rows(around.bias, h * around.queries, around.queries),
      .scores = {.scale = config.scale, .mask = config.mask, .cap = config.cap, .log_n = config.log_n}};
  if (!around.padding.empty())
    head.scores.padding = around.padding.subspan(static_cast<std::size_t>(b * around.keys),
                                                 static_cast<std::size_t>(around.keys));
  return head;
}

template <class T>
void Attention<T>::normed_and_turned(Values<T> values, const Norm<T>& norm, const Matrix<T>& projected,
                                     Index heads, const Surroundings<T>& around, Matrix<T>& normed,
                                     Matrix<T>& turned) const {
  View<const T> x = projected;
  if (norm.exists()) {
    const Index cut = config.qk_norm == QkNorm::heads ? heads : 1;
    norm.forward(values, by_head(x, cut), by_head(room(normed, x.rows, x.cols), cut));
    x = normed;
  }
  if (around.rotation != nullptr) around.rotation->forward(x, heads, room(turned, x.rows, x.cols));
}

template <class T>
void Attention<T>::back_to_projection(Values<T> values, const Norm<T>& norm, const Matrix<T>& projected,
                                      Index heads, const Surroundings<T>& around, Gradient<T> gradient,
                                      View<T> d) const {
  if (around.rotation != nullptr) around.rotation->backward(d, heads, d);
  if (!norm.exists()) return;
  const Index cut = config.qk_norm == QkNorm::heads ? heads : 1;
  norm.backward(values, by_head(View<const T>(projected), cut), by_head(View<const T>(d), cut), gradient,
                by_head(d, cut));
}

template <class T>
void Attention<T>::forward(Values<T> values, View<const T> x, View<const T> memory,
                           const Surroundings<T>& around, AttentionTape<T>& tape, View<T> y) const {
  const Index d = config.head_width, heads = config.heads, groups = config.key_value_heads;
  const Index B = around.sequences, queries = around.queries, keys = around.keys;
  q.forward(values, x, room(tape.q, x.rows, q.outputs()));
  k.forward(values, memory, room(tape.k, memory.rows, k.outputs()));
  v.forward(values, memory, room(tape.v, memory.rows, v.outputs()));
  normed_and_turned(values, q_norm, tape.q, heads, around, tape.q_normed, tape.q_turned);
  normed_and_turned(values, k_norm, tape.k, groups, around, tape.k_normed, tape.k_turned);

  const View<T> weights = room(tape.weights, B * heads * queries, keys);
  const View<T> mixed = room(tape.mixed, x.rows, heads * d);
  each_group(B, groups, weights.size() * d, false, [&](Index b, Index group) {
    for (Index h = group * (heads / groups); h < (group + 1) * (heads / groups); ++h)
      head_forward(head(around, tape, b, h), rows(weights, (b * heads + h) * queries, queries),
                   head_of(mixed, b, queries, h, d));
  });
  out.forward(values, mixed, y);
}

template <class T>
void Attention<T>::backward_of_heads(const Surroundings<T>& around, const AttentionTape<T>& tape,
                                     AttentionScratch<T>& scratch, View<T> dbias) const {
  const Index d = config.head_width, heads = config.heads, groups = config.key_value_heads;
  const Index queries = around.queries, keys = around.keys;
  const View<const T> weights = tape.weights, mixed = tape.mixed, dmixed = scratch.dmixed;
  const View<T> dq = scratch.dq, dk = scratch.dk, dv = scratch.dv;
  each_group(around.sequences, groups, weights.size() * d, !dbias.empty(), [&](Index b, Index group) {
    HeadGradients<T> to;
    to.dk = head_of(dk, b, keys, group, d);
    to.dv = head_of(dv, b, keys, group, d);
    to.dk.eigen().setZero();
    to.dv.eigen().setZero();
    for (Index h = group * (heads / groups); h < (group + 1) * (heads / groups); ++h) {
      to.dq = head_of(dq, b, queries, h, d);
      if (!dbias.empty()) to.dbias = rows(dbias, h * queries, queries);
      head_backward(head(around, tape, b, h), rows(weights, (b * heads + h) * queries, queries),
                    head_of(mixed, b, queries, h, d), head_of(dmixed, b, queries, h, d), to);
    }
  });
}

template <class T>
void Attention<T>::backward(Values<T> values, View<const T> x, View<const T> memory,
                            const Surroundings<T>& around, const AttentionTape<T>& tape, View<const T> g,
                            Gradient<T> gradient, AttentionScratch<T>& scratch, View<T> dx, View<T> dmemory,
                            View<T> dbias) const {
  room(scratch.dq, tape.q.rows(), tape.q.cols());
  room(scratch.dk, tape.k.rows(), tape.k.cols());
  room(scratch.dv, tape.v.rows(), tape.v.cols());
  out.backward(values, tape.mixed, g, gradient, room(scratch.dmixed, tape.mixed.rows(), tape.mixed.cols()));
  backward_of_heads(around, tape, scratch, dbias);
  back_to_projection(values, q_norm, tape.q, config.heads, around, gradient, scratch.dq);
  back_to_projection(values, k_norm, tape.k, config.key_value_heads, around, gradient, scratch.dk);

  const bool of_itself = dmemory.empty();
  const View<T> dm = of_itself ? dx : dmemory, part = room(scratch.dmemory, memory.rows, memory.cols);
  q.backward(values, x, scratch.dq, gradient, dx);
  k.backward(values, memory, scratch.dk, gradient, part);
  if (of_itself)
    add<T>(part, dm);
  else
    dm.eigen() = part.eigen();
  v.backward(values, memory, scratch.dv, gradient, part);
  add<T>(part, dm);
}

template struct Attention<float>;
template struct Attention<double>;

}  // namespace orrery::transformer
