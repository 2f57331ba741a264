// Scores of a few queries at a time, in double: what the cpu twins of scores and of attention share.
#pragma once

#include "core/attention/scores.h"

namespace orrery::attention {

/// Queries that are multiplied at once: enough to reuse every key, few enough to stay in cache.
inline constexpr tensor::Index query_block = 64;

/// T is float or double. May be asked by several threads at once.
template <class T>
class ScoresByBlock {
 public:
  ScoresByBlock(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams& params,
                tensor::View<const T> bias)
      : q_(q), keys_(k.eigen().template cast<double>()), params_(params), bias_(bias) {}

  /// s(i, n) of the queries first + i; as many rows as s has.
  void operator()(tensor::Index first, tensor::View<double> s) const;

 private:
  tensor::View<const T> q_;
  tensor::Matrix<double> keys_;
  const ScoresParams& params_;
  tensor::View<const T> bias_;
};

extern template class ScoresByBlock<float>;
extern template class ScoresByBlock<double>;

}  // namespace orrery::attention
