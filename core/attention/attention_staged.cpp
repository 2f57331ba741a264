#include "core/attention/attention.h"
#include "core/tensor/interruption.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

void attention_weights_staged(View<const double> q, View<const double> k, const AttentionParams& params,
                              const tensor::Precision& precision, SoftmaxStages stages, View<double> p,
                              View<const double> bias) {
  Matrix<double> scores(q.rows, k.rows);
  scores_staged(q, k, params.scores, precision, scores, bias);
  softmax_staged(scores, params.softmax, precision, stages, p);
}

void attention_lse_staged(View<const double> q, View<const double> k, const AttentionParams& params,
                          const tensor::Precision& precision, SoftmaxStages stages, View<double> lse,
                          View<const double> bias) {
  Matrix<double> scores(q.rows, k.rows);
  scores_staged(q, k, params.scores, precision, scores, bias);
  softmax_lse_staged(scores, params.softmax, precision, stages, lse);
}

void attention_staged(View<const double> q, View<const double> k, View<const double> v,
                      const AttentionParams& params, const tensor::Precision& precision, SoftmaxStages stages,
                      View<double> o, View<const double> bias) {
  const tensor::Rounding store(precision.storage), acc(precision.accumulate);
  Matrix<double> weights(q.rows, k.rows);
  attention_weights_staged(q, k, params, precision, stages, weights, bias);
  for (Index t = 0; t < o.rows; ++t) {
    tensor::interruption_point();
    for (Index j = 0; j < o.cols; ++j) {
      double sum = 0;
      for (Index n = 0; n < v.rows; ++n)
        if (params.scores.allows(t, n, q.rows, k.rows)) sum = acc(sum + acc(weights(t, n) * store(v(n, j))));
      o(t, j) = store(sum);
    }
  }
}

}  // namespace orrery::attention
