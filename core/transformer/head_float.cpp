#include "core/transformer/head_float.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/simd/narrow.h"
#include "core/transformer/arithmetic.h"

namespace orrery::transformer {
namespace {

using attention::KeyRange;

constexpr Index block_queries = 64;

/// Some queries one behind the other, and the keys that any of them sees.
struct QueryBlock {
  Index first, count;
  KeyRange keys;

  View<const float> queries(View<const float> x) const { return rows(x, first, count); }
  View<float> queries(View<float> x) const { return rows(x, first, count); }
  View<const float> seen(View<const float> k) const { return rows(k, keys.first, keys.count()); }
  /// Of a matrix of queries × keys.
  template <class T>
  View<T> part(View<T> x) const {
    return {x.data + first * x.stride + keys.first, count, keys.count(), x.stride};
  }

 private:
  template <class T>
  static View<T> rows(View<T> x, Index from, Index number) {
    return {x.data + from * x.stride, number, x.cols, x.stride};
  }
};

template <class F>
void each_block(const attention::Mask& mask, Index queries, Index keys, F f) {
  for (Index first = 0; first < queries; first += block_queries) {
    const Index count = std::min(block_queries, queries - first);
    // Ranges begin and end later from query to query.
    const KeyRange seen{mask.range(first, queries, keys).first,
                        mask.range(first + count - 1, queries, keys).end};
    f(QueryBlock{first, count, seen});
  }
}

/// Scores of a block to its weights. Its keys are cut so that its last query stands beside the last of them, as masks have it.
void weigh(const Head<float>& head, const QueryBlock& block, float scale, View<float> p) {
  const bool padded = !head.scores.padding.empty();
  for (Index t = 0; t < p.rows; ++t) {
    float* const row = p.row(t).data();
    for (Index n = 0; n < p.cols; ++n) row[n] *= scale;
    if (!head.bias.empty()) {
      const float* const bias = head.bias.row(block.first + t).data() + block.keys.first;
      for (Index n = 0; n < p.cols; ++n) row[n] += bias[n];
    }
    for (Index n = 0; n < p.cols && padded; ++n)
      if (head.scores.padding[static_cast<std::size_t>(block.keys.first + n)] == 0) row[n] = -INFINITY;
  }
  attention::softmax_cpu<float>(p, {.mask = head.scores.mask}, p);
}

/// A head's rows, one behind the other and as wide as whole vectors.
class Rows {
 public:
  explicit Rows(View<const float> x) : Rows(x.rows, x.cols) { room_.leftCols(x.cols) = x.eigen(); }
  Rows(Index count, Index columns)
      : columns_(columns), room_(Matrix<float>::Zero(count, simd::narrow_width(columns))) {}

  Index width() const { return room_.cols(); }
  float* row(Index n) { return room_.data() + n * width(); }
  const float* row(Index n) const { return room_.data() + n * width(); }
  void add_to(View<float> y, float factor) const { y.eigen() += factor * room_.leftCols(columns_); }
  void copy_to(View<float> y, float factor) const { y.eigen() = factor * room_.leftCols(columns_); }

 private:
  Index columns_;
  Matrix<float> room_;
};

/// y[queries] += a b[keys], a: queries × keys
void add_by_query(const QueryBlock& block, View<const float> a, const Rows& b, Rows& y) {
  simd::add_narrow_product(
      {a.data, a.stride, 1, b.row(block.keys.first), y.row(block.first), a.rows, a.cols, y.width()});
}

/// y[keys] += aᵀ b[queries]
void add_by_key(const QueryBlock& block, View<const float> a, const Rows& b, Rows& y) {
  simd::add_narrow_product(
      {a.data, 1, a.stride, b.row(block.first), y.row(block.keys.first), a.cols, a.rows, y.width()});
}

/// g·o of every query.
std::vector<float> means(View<const float> g, View<const float> o) {
  std::vector<float> all;
  for (Index t = 0; t < g.rows; ++t) {
    float sum = 0;
    for (Index j = 0; j < g.cols; ++j) sum += g(t, j) * o(t, j);
    all.push_back(sum);
  }
  return all;
}

}  // namespace

void head_forward_in_blocks(const Head<float>& head, View<float> p, View<float> o) {
  const bool plain = head.bias.empty() && head.scores.padding.empty();
  if (plain)
    attention::attention_weights_cpu<float>(head.q, head.k, {.scores = head.scores, .softmax = {}}, p);
  const auto scale = static_cast<float>(attention::scores_scale(head.scores, head.q.cols));
  const Rows v(head.v);
  Rows mean(o.rows, o.cols);
  each_block(head.scores.mask, head.q.rows, head.k.rows, [&](const QueryBlock& block) {
    const View<float> own = block.part(p);
    if (!plain) {
      for (Index t = block.first; t < block.first + block.count; ++t) block.keys.clear_others(p.row(t));
      product_with_transposed<float>(block.queries(head.q), block.seen(head.k), {}, own);
      weigh(head, block, scale, own);
    }
    add_by_query(block, own, v, mean);
  });
  mean.copy_to(o, 1);
}

void head_backward_in_blocks(const Head<float>& head, View<const float> p, View<const float> o,
                             View<const float> g, const HeadGradients<float>& to) {
  const Index keys = head.k.rows;
  const Rows q(head.q), k(head.k), own_g(g);
  Rows dq(head.q.rows, head.q.cols), dk(keys, head.k.cols), dv(keys, head.v.cols);
  // A block's keys end anywhere, and its last vector goes on behind them.
  const Index room = simd::narrow_width(keys) + simd::narrow_width(1);
  Matrix<float> v_turned = Matrix<float>::Zero(head.v.cols, room), dscores(block_queries, keys);
  v_turned.leftCols(keys) = head.v.eigen().transpose();
  const std::vector<float> mean = means(g, o);
  each_block(head.scores.mask, head.q.rows, keys, [&](const QueryBlock& block) {
    const View<const float> weights = block.part(p), block_g = block.queries(g);
    const View<float> ds(dscores.data(), block.count, block.keys.count());
    simd::weights_back({block_g.data, block_g.stride, block.count, v_turned.data() + block.keys.first, room,
                        g.cols, ds.cols, weights.data, weights.stride, mean.data() + block.first, ds.data,
                        ds.stride});
    add_by_query(block, ds, k, dq);
    add_by_key(block, ds, q, dk);
    add_by_key(block, weights, own_g, dv);
    if (!to.dbias.empty()) add<float>(ds, block.part(to.dbias));
  });
  const auto scale = static_cast<float>(attention::scores_scale(head.scores, head.q.cols));
  dq.copy_to(to.dq, scale);
  dk.add_to(to.dk, scale);
  dv.add_to(to.dv, 1);
}

}  // namespace orrery::transformer
