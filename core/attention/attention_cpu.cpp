#include <algorithm>
#include <type_traits>

#include "core/attention/attention_float.h"
#include "core/attention/scores_block.h"
#include "core/simd/share.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

/// Scores in double, a block of queries at a time: use(first query, the block's scores).
template <class T, class Use>
void each_block_of_scores(View<const T> q, View<const T> k, const AttentionParams& params, View<const T> bias,
                          Use use) {
  const ScoresByBlock<T> scores(q, k, params.scores, bias);

  const Index size = q.rows * k.rows * q.cols / 2;
  simd::share_in_turns({.count = q.rows, .size = size, .turn = scores.queries()}, [&] {
    return [&, room = scores.room(), block = Matrix<double>(scores.queries(), k.rows)](Index start,
                                                                                       Index end) mutable {
      for (; start < end; start += scores.queries()) {
        const View<double> own(block.data(), std::min(scores.queries(), end - start), k.rows);
        scores(start, own, room);
        use(start, own);
      }
    };
  });
}

/// Their weights: use(first query, the block's weights).
template <class T, class Use>
void each_block_of_weights(View<const T> q, View<const T> k, const AttentionParams& params,
                           View<const T> bias, Use use) {
  each_block_of_scores(q, k, params, bias, [&](Index start, View<double> block) {
    softmax_cpu<double>(block, params.softmax, block);
    use(start, block);
  });
}

/// Whether values times e^±40 (float_logit_limit) stay normal floats, and so do sums of a million of them.
bool values_in_float(View<const float> v) {
  if (v.empty()) return true;
  // A weight of 0 times ∞ would be NaN, though nobody sees that value.
  if (!v.eigen().allFinite()) return false;
  const float largest = v.eigen().cwiseAbs().maxCoeff();
  return largest == 0 || (largest >= 0x1p-60F && largest <= 0x1p40F);
}

void check(const AttentionParams& params, Index keys) {
  check_scores(params.scores, keys);
  check_softmax(params.softmax, keys);
}

}  // namespace

template <class T>
void attention_weights_cpu(View<const T> q, View<const T> k, const AttentionParams& params, View<T> p,
                           View<const T> bias) {
  check(params, k.rows);
  if (p.empty()) return;
  if constexpr (std::is_same_v<T, float>) {
    if (attention_in_float(params, largest_logit(q, k, params), !bias.empty()))
      return attention_weights_float(q, k, params, p);
  }
  each_block_of_weights(q, k, params, bias, [&](Index start, View<double> weights) {
    for (Index i = 0; i < weights.rows; ++i)
      std::transform(weights.row(i).begin(), weights.row(i).end(), p.row(start + i).begin(),
                     [](double x) { return static_cast<T>(x); });
  });
}

template <class T>
void attention_lse_cpu(View<const T> q, View<const T> k, const AttentionParams& params, View<T> lse,
                       View<const T> bias) {
  check(params, k.rows);
  if (lse.empty()) return;
  each_block_of_scores(q, k, params, bias, [&](Index start, View<double> scores) {
    Matrix<double> own(scores.rows, 1);
    softmax_lse_cpu<double>(scores, params.softmax, own);
    for (Index i = 0; i < scores.rows; ++i) lse(start + i, 0) = static_cast<T>(own(i, 0));
  });
}

template <class T>
void attention_cpu(View<const T> q, View<const T> k, View<const T> v, const AttentionParams& params,
                   View<T> o, View<const T> bias) {
  check(params, k.rows);
  if (o.empty()) return;
  if constexpr (std::is_same_v<T, float>) {
    if (attention_in_float(params, largest_logit(q, k, params), !bias.empty()) && values_in_float(v))
      return attention_float(q, k, v, params, o);
  }
  const Matrix<double> values = v.eigen().template cast<double>();
  each_block_of_weights(q, k, params, bias, [&](Index start, View<double> weights) {
    Eigen::RowVectorXd mean(v.cols);
    for (Index i = 0; i < weights.rows; ++i) {
      const Index t = start + i;
      const KeyRange seen = params.scores.mask.range(t, q.rows, k.rows);
      mean.setZero();
      for (Index n = seen.first; n < seen.end; ++n)
        if (params.scores.allows(t, n, q.rows, k.rows)) mean += weights(i, n) * values.row(n);
      o.eigen().row(t) = mean.template cast<T>();
    }
  });
}

template void attention_weights_cpu(View<const float>, View<const float>, const AttentionParams&, View<float>,
                                    View<const float>);
template void attention_weights_cpu(View<const double>, View<const double>, const AttentionParams&,
                                    View<double>, View<const double>);
template void attention_lse_cpu(View<const float>, View<const float>, const AttentionParams&, View<float>,
                                View<const float>);
template void attention_lse_cpu(View<const double>, View<const double>, const AttentionParams&, View<double>,
                                View<const double>);
template void attention_cpu(View<const float>, View<const float>, View<const float>, const AttentionParams&,
                            View<float>, View<const float>);
template void attention_cpu(View<const double>, View<const double>, View<const double>,
                            const AttentionParams&, View<double>, View<const double>);

}  // namespace orrery::attention
